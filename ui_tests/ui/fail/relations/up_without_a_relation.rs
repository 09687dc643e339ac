use ecs::{Component, Up, World};

#[derive(Component)]
struct Place(i32);

fn main() {
    World::new().view::<Up<Place, &Place>>();
}
