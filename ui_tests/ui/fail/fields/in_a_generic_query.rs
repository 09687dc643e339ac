use ecs::{Component, Query};

struct Config;

#[derive(Query)]
struct Setup<'w, T: Component<Storage = Vec<T>>> {
    value: &'w T,
    config: Option<&'w Config>,
}

fn main() {}
