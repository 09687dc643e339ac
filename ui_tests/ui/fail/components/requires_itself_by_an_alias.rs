use ecs::Component;

type Vessel = Ship;
#[derive(Component, Default)]
#[component(requires(Vessel))]
struct Ship;

fn main() {}
