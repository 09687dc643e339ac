use ecs::{Component, World};

#[derive(Component)]
struct Health(u32);

fn broken(world: &mut World) {
    let mut one = world.pool_mut::<Health>();
    let mut other = world.pool_mut::<Health>();
    one.as_mut_slice().swap_with_slice(other.as_mut_slice());
}

fn main() {}
