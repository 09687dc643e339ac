use ecs::{Component, Items, View};

#[derive(Component)]
struct Health(u32);

fn longer<'w, 'q>(view: &mut View<'w, &'q mut Health>) -> Items<'w, &'q mut Health> {
    view.iter_mut()
}

fn main() {}
