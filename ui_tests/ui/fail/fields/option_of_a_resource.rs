use ecs::Query;

struct Config;

#[derive(Query)]
struct Setup<'w> {
    config: Option<&'w Config>,
}

fn main() {}
