use ecs::{Component, World};

#[derive(Component)]
struct Health(u32);

fn broken(world: &mut World) {
    let pool = world.pool_mut::<Health>();
    let copy = pool.clone();
}

fn main() {}
