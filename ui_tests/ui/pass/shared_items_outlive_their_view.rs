use ecs::{Component, Entity, World};

#[derive(Component)]
struct Health(u32);

fn get(world: &World, entity: Entity) -> &Health {
    let view = world.view::<Health>();
    view.get(entity).unwrap().1
}

fn largest(world: &World) -> Option<&Health> {
    let view = world.view::<Health>();
    let twice = view.iter().chain(&view);
    twice.map(|(_, health)| health).max_by_key(|health| health.0)
}

pub(super) fn main() {
    let mut world = World::new();
    let entity = world.spawn_empty().insert(Health(3)).id();
    assert_eq!((get(&world, entity).0, largest(&world).unwrap().0), (3, 3));
}
