use ecs::{Component, Entity, World};

#[derive(Component)]
struct Position(f32);

fn main() {
    World::new().view::<(Entity, &Position)>();
}
