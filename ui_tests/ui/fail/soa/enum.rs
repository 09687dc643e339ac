use ecs::Component;

#[derive(Component)]
#[component(layout = "soa")]
enum Health { Alive { points: u32 }, Dead }

fn main() {}
