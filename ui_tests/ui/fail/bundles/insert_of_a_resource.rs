use ecs::World;

struct Config;

fn main() {
    World::new().spawn_empty().insert(Config);
}
