use ecs::World;

#[derive(Default)]
struct Config;

fn main() {
    World::new().spawn_empty().add::<Config>();
}
