//! Worlds that take in other worlds.

use crate::worlds::{Friends, Number, Tag};
use ecs::{ChildOf, Component, Entity, Group, World};

/// May not be copied, and comes along nevertheless.
#[derive(Component, Debug, PartialEq)]
struct Connection(#[component(entities)] Option<Entity>);

#[test]
fn merged_entities_keep_their_components_and_relations() {
    let mut level = World::new();
    let dead = level.spawn_empty().id();
    let [ship, a, b] = [(); 3].map(|()| level.spawn(Tag).id());
    level.attach(a, ship).unwrap();
    level.attach(b, ship).unwrap();
    level.move_related::<ChildOf>(b, 0);
    level.insert(a, (Friends(vec![b, dead, ship]), Connection(Some(ship)))).unwrap();
    level.despawn(dead).unwrap();
    let reserved = level.reserve_entity();

    let mut world = World::new();
    world.declare_group(Group::owning::<(Friends, Tag)>()).unwrap();
    world.spawn_batch((0..9).map(|it| (Number(it), Tag)));
    let new = world.merge(&mut level).unwrap();
    world.check_invariants();
    let new = |entity| *new.get(entity).unwrap();
    assert_eq!((world.len(), new(reserved).index() >= 9), (13, true));
    assert!(world.children(new(ship)).eq([new(b), new(a)]));
    assert_eq!(world.get::<Friends>(new(a)).unwrap().0, [new(b), Entity::PLACEHOLDER, new(ship)]);
    assert_eq!(world.get::<Connection>(new(a)), Some(&Connection(Some(new(ship)))));
    assert_eq!(world.view::<(Friends, Tag)>().as_slices().unwrap().0, [new(a)]);
}

#[test]
fn nobody_is_dead_for_ever() {
    let mut world = World::new();
    assert!(!world.is_alive(Entity::PLACEHOLDER));
    assert!(world.spawn_at(Entity::PLACEHOLDER).is_err());
    assert!(world.insert(Entity::PLACEHOLDER, Tag).is_err());
    assert!(world.relate(Entity::PLACEHOLDER, ChildOf(Entity::PLACEHOLDER)).is_err());
}
