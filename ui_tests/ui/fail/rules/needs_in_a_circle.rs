use ecs::Component;

#[derive(Component)]
#[component(needs(Arm))]
struct Hand;
#[derive(Component)]
#[component(needs(Hand))]
struct Arm;

fn main() {}
