use ecs::{Component, Res, Resource, World};

#[derive(Component)]
struct Position(f32);
#[derive(Resource)]
struct Score(u32);

fn main() {
    World::new().view::<(&Position, Res<Score>)>();
}
