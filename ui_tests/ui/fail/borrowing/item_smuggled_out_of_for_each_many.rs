use ecs::{Component, Entity, World};

#[derive(Component)]
struct Health(u32);

fn broken(world: &mut World, list: &[Entity]) {
    let mut all = Vec::new();
    world.view_mut::<&mut Health>().for_each_many(list, |(_, health)| all.push(health));
}

fn main() {}
