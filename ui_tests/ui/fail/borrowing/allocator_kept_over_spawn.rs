use ecs::{Component, World};

#[derive(Component)]
struct Health(u32);

fn broken(world: &mut World) {
    let handles = world.view_mut::<&mut Health>().allocator();
    world.spawn(Health(3));
    let _ = handles.reserve_entity();
}

fn main() {}
