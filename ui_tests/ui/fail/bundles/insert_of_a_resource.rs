use ecs::World;

struct Config;

fn main() {
    World::new().spawn().insert(Config);
}
