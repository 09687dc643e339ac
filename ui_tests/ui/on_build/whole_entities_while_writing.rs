use ecs::{Component, EntityRef, World};

#[derive(Component)]
struct Position(f32);

pub(super) fn main() {
    for (_, position, entity) in World::new().view_mut::<(&mut Position, EntityRef)>() {
        position.0 += entity.id().index() as f32;
    }
}
