use ecs::Entity;
use std::panic::catch_unwind;

fn main() {
    let entity = Entity::PLACEHOLDER;
    let _ = catch_unwind(move || entity.index());
}
