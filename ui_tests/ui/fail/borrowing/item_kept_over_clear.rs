use ecs::{Component, World};

#[derive(Component)]
struct Health(u32);

fn broken(world: &mut World) {
    let (_, health) = world.view::<Health>().single().unwrap();
    world.clear();
    println!("{}", health.0);
}

fn main() {}
