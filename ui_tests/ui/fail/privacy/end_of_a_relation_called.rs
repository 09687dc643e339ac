use ecs::{Relation, World};
use engine::Debt;

fn main() {
    let mut world = World::new();
    let entity = world.spawn_empty().id();
    let _ = Debt::AT_END.0;
    world.insert(entity, Debt(entity)).unwrap();
}
