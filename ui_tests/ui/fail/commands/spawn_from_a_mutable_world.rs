use ecs::{Commands, Component, World};

#[derive(Component)]
struct Health(u32);

fn broken(world: &mut World, commands: &mut Commands) {
    commands.spawn(world, Health(3));
}

fn main() {}
