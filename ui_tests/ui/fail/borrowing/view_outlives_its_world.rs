use ecs::{Component, World};

#[derive(Component)]
struct Health(u32);

fn main() {
    let mut world = World::new();
    let view = world.view_mut::<&mut Health>();
    drop(world);
    view.count();
}
