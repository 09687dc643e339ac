use ecs::{Component, Group};

#[derive(Component)]
struct Position(f32);

fn main() {
    let _ = Group::owning::<&Position>();
}
