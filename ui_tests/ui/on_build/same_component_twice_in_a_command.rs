use ecs::{Commands, Component, Entity};

#[derive(Component)]
struct Health(u32);

pub(super) fn main() {
    let entity = Entity::from_bits(1 << 32).unwrap();
    Commands::new().insert(entity, (Health(3), Health(4)));
}
