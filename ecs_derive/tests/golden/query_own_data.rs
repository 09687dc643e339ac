#[derive(Query)]
#[ecs(crate = engine)]
struct Tagged {
    entity: Entity,
    tagged: Has<Tag>,
}
