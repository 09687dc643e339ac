use ecs::{Component, World};

#[derive(Component)]
struct Health(u32);

fn broken(world: &mut World) {
    for _ in world.entities() {
        world.spawn_empty();
    }
}

fn main() {}
