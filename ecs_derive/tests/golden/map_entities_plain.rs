#[derive(MapEntities)]
#[ecs(crate = engine::ecs)]
struct Link {
    to: Entity,
    weight: f32,
    note: Note,
}
