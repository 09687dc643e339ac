use ecs::{SpawnCommands, World};

struct Mana(u32);

fn spawn(mut commands: SpawnCommands) {
    commands.spawn(Mana(3));
}

fn main() {
    World::new().run(spawn);
}
