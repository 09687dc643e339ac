use ecs::{Component, World};

#[derive(Component)]
struct Health(u32);

fn main() {
    World::new().spawn((Health(3), Health(4)));
}
