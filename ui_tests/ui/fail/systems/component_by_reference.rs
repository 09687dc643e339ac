use ecs::{Component, World};

#[derive(Component)]
struct Health(u32);

fn hurt(_: &mut Health) {}

fn main() {
    World::new().run(hurt);
}
