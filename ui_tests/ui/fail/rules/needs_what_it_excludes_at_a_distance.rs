use ecs::Component;

#[derive(Component)]
#[component(needs(Ship), excludes(Desert))]
struct Pirate;
#[derive(Component)]
#[component(needs(Desert))]
struct Ship;
#[derive(Component)]
struct Desert;

fn main() {}
