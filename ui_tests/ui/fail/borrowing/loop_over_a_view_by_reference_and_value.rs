use ecs::{Component, World};

#[derive(Component)]
struct Health(u32);

fn broken(world: &mut World) {
    let mut view = world.view_mut::<&mut Health>();
    let first = view.iter_mut().next();
    view.for_each(drop);
    drop(first);
}

fn main() {}
