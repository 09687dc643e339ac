use ecs::{Component, EntityMut, World};

#[derive(Component, Default)]
struct Health(u32);
#[derive(Component)]
struct Armour(u32);

fn armed(world: &mut World) -> EntityMut<'_> {
    let mut entity = world.spawn_named("knight");
    entity.add::<Health>().insert(Armour(3)).patch::<Health>(|health| health.0 += 1);
    entity
}

pub(super) fn main() {
    let mut world = World::new();
    let knight = armed(&mut world).id();
    let one = world.entity(knight);
    let other = world.entity(knight);
    assert_eq!(one.get::<Health>().unwrap().0, other.get::<Health>().unwrap().0);
    let world = world.entity_mut(knight).into_world();
    assert!(world.despawn(knight).is_ok());
}
