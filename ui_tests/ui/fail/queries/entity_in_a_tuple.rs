use ecs::{Component, Entity, World};

#[derive(Component)]
struct Position(f32);

fn main() {
    for (entity, position) in World::new().view::<(Entity, &Position)>() {}
}
