use ecs::{Entity, MapEntities};

#[derive(MapEntities)]
union Either {
    one: Entity,
    bits: u64,
}

fn main() {}
