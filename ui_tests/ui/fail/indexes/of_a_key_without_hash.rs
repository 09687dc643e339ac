use ecs::Component;

#[derive(Component, Clone, PartialEq, Eq)]
#[component(index)]
struct Team(u8);

fn main() {}
