use ecs::{Commands, Entity};

struct Config;

fn broken(commands: &mut Commands, entity: Entity) {
    commands.remove::<Config>(entity);
}

fn main() {}
