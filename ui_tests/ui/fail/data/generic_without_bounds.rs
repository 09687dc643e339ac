use ecs::Component;

#[derive(Component, Clone)]
#[component(clone)]
struct Stock<T>(T);

fn main() {}
