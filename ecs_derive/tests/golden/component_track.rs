#[derive(Component)]
#[component(track, veto = f)]
struct Health(u32);
