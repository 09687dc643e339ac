use ecs::{Component, World};

#[derive(Component)]
struct Wrapper<T>(T);

fn main() {
    let number = 3;
    World::new().spawn_empty().insert(Wrapper(&number));
}
