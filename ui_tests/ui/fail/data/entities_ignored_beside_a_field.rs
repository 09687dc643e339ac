use ecs::{Entity, MapEntities};

#[derive(MapEntities)]
#[entities(ignore)]
struct Link(Entity);

fn main() {}
