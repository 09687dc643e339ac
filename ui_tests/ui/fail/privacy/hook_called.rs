use ecs::{AnyComponent, World};
use engine::Debt;

fn main() {
    let mut world = World::new();
    let entity = world.spawn_empty().id();
    (Debt::HOOKS.list.on_remove.unwrap())(&mut world, entity);
}
