#[derive(Query)]
struct Noisy<'w> {
    entity: Entity,
    proximity: &'w Proximity,
    audio: &'w mut Audio,
}
