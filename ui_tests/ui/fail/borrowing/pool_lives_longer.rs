use ecs::{Component, PoolMut};

#[derive(Component)]
struct Health(u32);

fn longer<'w>(pool: &mut PoolMut<'w, Health>) -> &'w mut [Health] {
    pool.as_mut_slice()
}

fn main() {}
