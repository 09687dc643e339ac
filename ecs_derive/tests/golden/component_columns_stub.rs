#[derive(Component)]
#[component(layout = "soa")]
struct Health(u32);
