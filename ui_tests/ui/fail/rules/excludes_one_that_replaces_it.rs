use ecs::Component;

#[derive(Component)]
#[component(excludes(Swimming))]
struct Walking;
#[derive(Component)]
#[component(replaces(Walking))]
struct Swimming;

fn main() {}
