#[derive(Component)]
#[component(clone)]
enum Order {
    Follow(#[component(entities)] Entity),
    Guard { #[component(entities)] posts: Vec<Entity>, radius: f32 },
    Wait,
}
