use ecs::World;

struct Config;

fn main() {
    World::new().view::<Option<&Config>>();
}
