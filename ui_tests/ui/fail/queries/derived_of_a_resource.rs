use ecs::{Query, World};

struct Config;

#[derive(Query)]
struct One<'w, T>(&'w T);

fn main() {
    World::new().view::<One<Config>>();
}
