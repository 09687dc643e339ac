#![deny(warnings, missing_docs)]
#![forbid(unsafe_code)]
//! Relations of every shape, at any name.

use ecs::{Component, World};

/// One field.
#[derive(Component)]
#[component(relation)]
pub struct Likes(pub ecs::Entity);

/// Others beside it, and one that is marked.
#[derive(Component)]
#[component(relation, at_end = despawn, acyclic, on_insert = came, veto = Tied::may_go)]
pub struct Tied {
    #[component(target)]
    to: Handle,
    by: ecs::Entity,
}

type Handle = ecs::Entity;

impl Tied {
    const fn may_go(&self) -> bool {
        true
    }
}

fn came(_: &mut World, _: ecs::Entity) {}

/// A relation that is removed with its target.
#[derive(Component)]
#[component(relation, at_end = Self::lost)]
struct Lost(u8, ecs::Entity);

impl Lost {
    fn lost(world: &mut World, entity: ecs::Entity, was: Self) {
        assert!(was.0 == 3 && world.is_alive(was.1) && world.is_alive(entity));
    }
}

fn main() {
    let mut world = World::new();
    let target = world.spawn_empty().id();
    let tied = world.spawn(Tied { to: target, by: target }).id();
    let other = world.spawn((Likes(tied), Lost(3, target))).id();
    assert_eq!(world.get::<Tied>(tied).map(|tied| tied.by), Some(target));
    world.despawn(target).unwrap();
    assert!(world.entities().eq([other]) && world.get::<Likes>(other).is_none());
}
