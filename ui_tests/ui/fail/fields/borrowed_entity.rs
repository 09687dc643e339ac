use ecs::{Entity, Query};

#[derive(Query)]
struct Someone<'w> {
    entity: &'w Entity,
}

fn main() {}
