#[derive(Component)]
#[component(clone, debug, default)]
enum Order {
    Follow(#[component(entities)] Entity),
    Guard { #[component(entities)] posts: Vec<Entity>, radius: f32 },
    Wait,
}
