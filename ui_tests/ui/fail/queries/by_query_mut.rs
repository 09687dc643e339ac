use ecs::{Component, World};

#[derive(Component)]
struct Position(f32);

fn main() {
    for position in World::new().query_mut::<&mut Position>() {
        position.0 += 1.0;
    }
}
