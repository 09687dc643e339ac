use ecs::{Component, World};

#[derive(Component)]
struct A;

fn main() {
    World::new().view::<(A, A, A, A, A, A, A, A, A, A, A, A, A)>();
}
