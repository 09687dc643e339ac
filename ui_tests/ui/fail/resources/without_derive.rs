use ecs::World;

struct Config;

fn main() {
    World::new().insert_resource(Config);
}
