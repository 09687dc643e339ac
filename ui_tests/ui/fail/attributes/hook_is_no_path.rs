use ecs::Component;

#[derive(Component)]
#[component(on_remove = "goes")]
struct Health(u32);

fn main() {}
