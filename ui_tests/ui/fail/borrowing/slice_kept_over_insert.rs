use ecs::{Component, World};

#[derive(Component)]
struct Health(u32);

fn broken(world: &mut World) {
    let values = world.pool::<Health>().as_slice();
    world.spawn_empty().insert(Health(3));
    println!("{}", values.len());
}

fn main() {}
