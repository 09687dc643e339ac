use ecs::{Entity, MapEntities};

struct Link {
    to: Entity,
}

#[derive(MapEntities)]
enum Order {
    Follow(Entity),
    Guard { posts: [Link; 3] },
}

fn main() {}
