use ecs::World;

struct Config;

fn main() {
    World::new().pool::<Config>();
}
