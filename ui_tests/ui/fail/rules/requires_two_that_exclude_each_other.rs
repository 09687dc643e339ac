use ecs::Component;

#[derive(Component)]
#[component(requires(Ally, Enemy))]
struct Spy;
#[derive(Component, Default)]
#[component(excludes(Enemy))]
struct Ally;
#[derive(Component, Default)]
struct Enemy;

fn main() {}
