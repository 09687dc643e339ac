use ecs::Component;

#[derive(Component, Default)]
#[component(requires(Ship))]
struct Ship;

fn main() {}
