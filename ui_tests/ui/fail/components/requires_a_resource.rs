use ecs::Component;

#[derive(Default)]
struct Clock(u32);
#[derive(Component)]
#[component(requires(Clock))]
struct Ship;

fn main() {}
