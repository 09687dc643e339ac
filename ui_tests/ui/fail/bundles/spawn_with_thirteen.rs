use ecs::{Component, World};

#[derive(Component)]
struct A;

fn main() {
    World::new().spawn_with((A, A, A, A, A, A, A, A, A, A, A, A, A));
}
