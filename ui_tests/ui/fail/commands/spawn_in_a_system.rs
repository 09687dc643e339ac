use ecs::{Commands, Component, World};

#[derive(Component)]
struct Health(u32);

fn spawn(commands: &mut Commands) {
    commands.spawn(Health(3));
}

fn main() {
    World::new().run(spawn);
}
