use ecs::{Has, World};

struct Config;

fn main() {
    World::new().view::<Has<Config>>();
}
