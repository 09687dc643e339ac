use ecs::{Component, View};
use ecs::iter::Items;

#[derive(Component)]
struct Health(u32);

fn longer<'w>(view: &mut View<'w, &'static mut Health>) -> Items<'w, &'static mut Health> {
    view.iter_mut()
}

fn main() {}
