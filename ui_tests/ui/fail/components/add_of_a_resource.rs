use ecs::World;

#[derive(Default)]
struct Config;

fn main() {
    World::new().spawn().add::<Config>();
}
