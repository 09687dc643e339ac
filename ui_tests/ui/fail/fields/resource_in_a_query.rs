use ecs::Query;

struct Config;

#[derive(Query)]
struct Setup<'w> {
    config: &'w Config,
}

fn main() {}
