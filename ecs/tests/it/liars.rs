//! Traits that are safe to implement may be implemented wrongly. Nothing that must be sound rests
//! on them.

use crate::fixtures::{Position, Tag, panics};
use ecs::__private::{
    Column, Columns, ComponentSlot, EntityFetch, Here, InColumns, Left, Read, RefMutTree, RefTree,
    SliceMutTree, SliceTree, Target, Term, VecStorage,
};
use ecs::{Component, ComponentId, Group, Signature, With, Without, World};
use std::sync::atomic::{AtomicUsize, Ordering};

/// Claims to be `Tag`.
#[derive(Debug, PartialEq)]
struct Impostor(u64);

impl Component for Impostor {
    type Storage = VecStorage<Self>;
    const NAME: &'static str = "Tag";
    const ID: ComponentId = Tag::ID;
    const BIT: Signature = Tag::BIT;
}

impl Term for Impostor {
    type Fetch = Read<Self>;
    type Row = (EntityFetch, Read<Self>);
}

/// Remembers its number in another place each time, and so does not.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Forgetful(u32);

impl Component for Forgetful {
    type Storage = VecStorage<Self>;
    const NAME: &'static str = "Forgetful";
    const ID: ComponentId = ComponentId::of(None, None, module_path!(), "Forgetful", line!(), 1);
    const BIT: Signature = Self::ID.bit();
    fn slot() -> Option<&'static ComponentSlot<Self>> {
        const PLACES: usize = 1 << 12;
        static SLOTS: [ComponentSlot<Forgetful>; PLACES] = [const { ComponentSlot::new() }; PLACES];
        static NEXT: AtomicUsize = AtomicUsize::new(0);
        Some(&SLOTS[NEXT.fetch_add(1, Ordering::Relaxed) % PLACES])
    }
}

impl Term for Forgetful {
    type Fetch = Read<Self>;
    type Row = (EntityFetch, Read<Self>);
}

#[test]
fn a_forgotten_number_leads_to_the_same_pool() {
    let mut world = World::new();
    world.declare_group(Group::owning::<(Position, Forgetful)>()).unwrap();
    for at in 0..20 {
        let entity = world.spawn_with((Position(1.0), Forgetful(at))).id();
        assert_eq!(world.get::<Forgetful>(entity), Some(&Forgetful(at)));
        let found = world.view::<(&Position, &Forgetful)>().into_iter().last().unwrap();
        assert_eq!((found.0, found.2), (entity, &Forgetful(at)));
    }
    assert_eq!(world.view::<Forgetful>().count(), 20);
    world.check_invariants();
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

#[derive(Component)]
#[component(layout = "soa")]
struct Pair<T> {
    left: T,
    right: T,
}

/// Claims to be no column of `Pair`.
enum Harmless {}

impl Target for Harmless {
    type Reach = Column<Pair<u8>, Left<Here>>;
    const NAME: &'static str = "harmless";
}

#[test]
fn a_forged_marker_is_checked_as_the_column_that_it_reaches() {
    let mut world = World::new();
    world.spawn_with(Pair { left: 1_u8, right: 2_u8 });
    assert_eq!(world.view_mut::<(&mut Harmless, &mut pair::right<u8>)>().count(), 1);
    let message = panics(|| world.view_mut::<(&mut Harmless, &mut pair::left<u8>)>().count());
    assert!(message.expect("one column twice").contains("writes `pair::left`"));
    let message = panics(|| world.view_mut::<(&mut Pair<u8>, &Harmless)>().count());
    assert!(message.expect("a column of the whole").contains("reads `harmless`"));
}

/// Shows its columns crosswise, and cannot be put together.
struct Crossed(u8, String);

impl InColumns for Crossed {
    type Values = (u8, String);
    type Columns = (VecStorage<u8>, VecStorage<String>);
    type Ref<'a> = &'a str;
    type RefMut<'a> = ();
    type Slices<'a> = &'static [u8];
    type SlicesMut<'a> = Option<&'a mut [u8]>;

    fn take_apart(self) -> (u8, String) {
        (self.0, self.1)
    }
    fn put_together(_: (u8, String)) -> Self {
        panic!("in pieces")
    }
    fn shown<'a>((_, text): RefTree<'a, Self>) -> &'a str {
        text
    }
    fn shown_mut<'a>(_: RefMutTree<'a, Self>) -> Self::RefMut<'a> {}
    fn shown_slices<'a>(_: SliceTree<'a, Self>) -> Self::Slices<'a> {
        &[1, 2, 3]
    }
    fn shown_mut_slices<'a>((bytes, _): SliceMutTree<'a, Self>) -> Option<&'a mut [u8]> {
        bytes.get_mut(..0)
    }
}

impl Component for Crossed {
    type Storage = Columns<Self>;
    const NAME: &'static str = "Crossed";
    const ID: ComponentId = Tag::ID;
    const BIT: Signature = Tag::BIT;
}

#[test]
fn what_columns_are_shown_as_is_no_matter_of_safety() {
    let mut world = World::new();
    let entities = world.spawn_batch((0..100).map(|at| Crossed(at, at.to_string())));
    assert_eq!(panics(|| world.remove::<Crossed>(entities[5]).is_some()).unwrap(), "in pieces");
    assert_eq!(panics(|| world.insert(entities[6], Crossed(7, "7".into()))).unwrap(), "in pieces");
    // The bit of the one in pieces stays in its entity's signature: bits may be too many.
    assert!(world.get::<Crossed>(entities[5]).is_none() && !world.has::<&Crossed>(entities[5]));
    assert_eq!(world.get::<Crossed>(entities[6]), Some("7"));
    assert_eq!(world.pool::<Crossed>().iter().count(), 99);
    let mut seen = 0;
    world.view::<&Crossed>().for_each(|(_, text)| seen += text.len());
    assert_eq!(seen, 10 + 180 - 1);
}
