use ecs::{Component, Query};

#[derive(Component, Clone, PartialEq, Eq, Hash)]
#[component(unique)]
struct Callsign(String);

#[derive(Query)]
struct Rename<'w> {
    call: &'w mut Callsign,
}

fn main() {}
