use ecs::{Commands, Entity};

struct Config;

fn broken(commands: &mut Commands, entity: Entity) {
    commands.insert(entity, Config);
}

fn main() {}
