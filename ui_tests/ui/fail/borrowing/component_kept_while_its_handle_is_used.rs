use ecs::{Component, World};

#[derive(Component)]
struct Health(u32);

fn broken(world: &mut World) {
    let mut handle = world.spawn_empty();
    let health = handle.get_mut::<Health>().unwrap();
    handle.remove::<Health>();
    health.0 += 1;
}

fn main() {}
