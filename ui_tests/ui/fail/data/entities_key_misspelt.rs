use ecs::{Entity, MapEntities};

#[derive(MapEntities)]
struct Link(#[entities(skip)] Entity);

fn main() {}
