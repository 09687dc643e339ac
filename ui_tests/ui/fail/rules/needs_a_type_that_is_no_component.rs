use ecs::Component;

struct Clock(u32);
#[derive(Component)]
#[component(needs(Clock))]
struct Ship;

fn main() {}
