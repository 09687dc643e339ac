use ecs::{Component, World};

#[derive(Component)]
struct A;

fn main() {
    World::new().spawn((A, A, A, A, A, A, A, A, A, A, A, A, A));
}
