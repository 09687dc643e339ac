#[derive(Component)]
#[component(save = "health", bytes)]
struct Health(u32);
