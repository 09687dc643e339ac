//! Traits that are safe to implement may be implemented wrongly. Nothing that must be sound rests
//! on them.

use crate::fixtures::{Position, Tag, panics};
use ecs::__private::{ComponentIndex, EntityFetch, Read, Term, VecStorage};
use ecs::{Component, ComponentId, Signature, With, Without, World};

/// Claims to be `Tag`.
#[derive(Debug, PartialEq)]
struct Impostor(u64);

impl Component for Impostor {
    type Storage = VecStorage<Self>;
    const NAME: &'static str = "Tag";
    const ID: ComponentId = Tag::ID;
    const BIT: Signature = Tag::BIT;
    fn index() -> ComponentIndex<Self> {
        ComponentIndex::registered()
    }
}

impl Term for Impostor {
    type Fetch = Read<Self>;
    type Row = (EntityFetch, Read<Self>);
}

#[test]
fn a_forged_id_leads_to_no_other_pool() {
    let mut world = World::new();
    let tagged = world.spawn_with((Position(1.0), Tag)).id();
    let forged = world.spawn_with((Position(2.0), Impostor(7))).id();
    assert_eq!(world.get::<Impostor>(tagged), None);
    assert_eq!(world.get::<Tag>(forged), None);
    assert_eq!(world.view::<Impostor>().count(), 1);
    assert_eq!(world.remove::<Impostor>(forged), Some(Impostor(7)));
    world.check_invariants();
}

/// By ids, one view requires what the other excludes. By types it does not: both match an entity
/// that has a `Tag` and no `Impostor`.
#[test]
fn a_forged_id_does_not_part_views() {
    let mut world = World::new();
    world.spawn_with((Position(1.0), Tag));
    let message = panics(|| {
        type Views<'w> = ((&'w mut Position, With<Tag>), (&'w mut Position, Without<Impostor>));
        let (a, b) = world.split_mut::<Views>();
        (a.count(), b.count())
    });
    let message = message.expect("the views alias");
    assert!(message.contains("writes `Position`, which view `1` writes"), "{message}");
}

#[test]
fn reading_both_joins_two_pools() {
    // Two that read never alias, whatever their ids say.
    let mut world = World::new();
    world.spawn_with((Position(1.0), Tag));
    assert_eq!(world.view::<(Tag, Impostor)>().count(), 0);
    assert_eq!(world.view::<Position>().with::<(Tag, Impostor)>().count(), 0);
}
