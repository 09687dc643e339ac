use ecs::Component;

#[derive(Component, Default)]
#[component(requires(Wing))]
struct Ship;
#[derive(Component, Default)]
#[component(requires(Tail = Tail))]
struct Wing;
#[derive(Component)]
#[component(requires(Ship))]
struct Tail;

fn main() {}
