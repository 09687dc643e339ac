use ecs::{Component, World};

#[derive(Component)]
struct Health(u32);

fn broken(world: &mut World) {
    let mut smuggled = Vec::new();
    world.spawn_empty().patch::<Health>(|health| smuggled.push(health));
}

fn main() {}
