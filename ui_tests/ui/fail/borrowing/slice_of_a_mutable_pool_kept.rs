use ecs::{Component, World};

#[derive(Component)]
struct Health(u32);

fn broken(world: &mut World) {
    let mut pool = world.pool_mut::<Health>();
    let values = pool.as_mut_slice();
    pool.shrink_to_fit();
    values[0].0 += 1;
}

fn main() {}
