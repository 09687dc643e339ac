use ecs::Component;

#[derive(Component)]
#[component(needs = Health)]
struct Player;
#[derive(Component)]
struct Health;

fn main() {}
