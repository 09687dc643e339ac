use ecs::{Component, World};

#[derive(Component)]
struct Health(u32);

fn broken(world: &mut World) {
    let mut smuggled = Vec::new();
    world.view_mut::<&mut Health>().for_each_chunk(|(_, healths)| smuggled.push(healths));
    world.clear();
    smuggled[0][0].0 += 1;
}

fn main() {}
