use ecs::{Component, World};

#[derive(Component)]
struct Health(u32);

fn broken(world: &mut World) {
    let (mut healths,) = world.split_mut::<(&mut Health,)>();
    world.spawn_empty();
    healths.iter_mut().for_each(drop);
}

fn main() {}
