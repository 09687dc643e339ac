#[derive(Component)]
#[component(on_insert = Self::came, on_update = hooks::changed, on_remove = hooks::goes)]
struct Watched;
