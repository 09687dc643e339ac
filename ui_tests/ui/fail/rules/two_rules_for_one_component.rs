use ecs::Component;

#[derive(Component)]
#[component(excludes(Enemy), replaces(Enemy))]
struct Ally;
#[derive(Component)]
struct Enemy;

fn main() {}
