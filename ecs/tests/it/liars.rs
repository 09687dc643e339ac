//! Traits that are safe to implement may be implemented wrongly. Nothing that must be sound rests
//! on them.

use crate::fixtures::{Ledger, Position, Tag, Tracked, Velocity, panics};
use ecs::__private::{
    Column, Columns, ComponentSlot, EntityFetch, Here, InColumns, Inserter, Left, Part, Read,
    RefMutTree, RefTree, Reserver, SliceMutTree, SliceTree, Target, Term, VecStorage,
};
use ecs::{Bundle, Component, ComponentId, Entity, Group, Signature, With, Without, World};
use std::cell::Cell;
use std::sync::atomic::{AtomicUsize, Ordering};

macro_rules! read_as_components {
    ($($name:ident)*) => {$(
        impl Term for $name {
            type Fetch = Read<Self>;
            type Row = (EntityFetch, Read<Self>);
        }
    )*};
}
read_as_components!(Impostor Forgetful Moody);

/// Claims to be `Tag`.
#[derive(Debug, PartialEq)]
struct Impostor(u64);

impl Component for Impostor {
    type Storage = VecStorage<Self>;
    const NAME: &'static str = "Tag";
    const ID: ComponentId = Tag::ID;
    const BIT: Signature = Tag::BIT;
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

thread_local! {
    /// How many times the number of `Moody` can be asked for.
    static MOOD: Cell<usize> = const { Cell::new(usize::MAX) };
}

/// Refuses to tell its number after a while.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Moody(u32);

impl Component for Moody {
    type Storage = VecStorage<Self>;
    const NAME: &'static str = "Moody";
    const ID: ComponentId = ComponentId::of(None, None, module_path!(), "Moody", line!(), 1);
    const BIT: Signature = Self::ID.bit();
    fn slot() -> Option<&'static ComponentSlot<Self>> {
        static SLOT: ComponentSlot<Moody> = ComponentSlot::new();
        MOOD.set(MOOD.get().checked_sub(1).expect("enough"));
        Some(&SLOT)
    }
}

#[test]
fn a_number_that_is_not_told_stops_an_edit_before_anything_is_changed() {
    let edits: [fn(&mut World, Entity); 3] = [
        |world, entity| _ = world.remove::<Moody>(entity),
        |world, entity| _ = world.remove_batch::<Moody>(&[entity]),
        |world, entity| world.insert(entity, Moody(7)).unwrap(),
    ];
    for edit in edits {
        for (owns, mood) in (0..12).map(|at| (at % 2 == 0, at / 2)) {
            let mut world = World::new();
            if owns {
                world.declare_group(Group::owning::<(Position, Moody)>()).unwrap();
            } else {
                world.declare_group(Group::observing::<(Position, Moody)>()).unwrap();
            }
            let entities = world.spawn_batch((0..9).map(|at| (Position(1.0), Moody(at))));
            MOOD.set(mood);
            let panicked = panics(|| edit(&mut world, entities[0])).is_some();
            MOOD.set(usize::MAX);
            world.check_invariants();
            let left = world.pool::<Moody>().iter().count();
            assert!(left == 9 || left == 8 && !panicked);
            world.despawn(entities[1]).unwrap();
            assert_eq!(world.view::<(&Position, &Moody)>().into_iter().count(), left - 1);
            world.check_invariants();
        }
    }
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

#[derive(Component)]
struct Health(u8);

/// Says that it is a `Position` and a `Velocity`, inserts what it likes, and visits other pools.
struct Liar<const INSERTS: u8, const VISITS: u8>;

/// Nothing, a position, two of them, another component, or both and another.
impl<const INSERTS: u8, const VISITS: u8> Bundle for Liar<INSERTS, VISITS> {
    const LABEL: &'static str = "Liar";
    const FIELDS: &'static [&'static str] = &["0", "1"];
    const PARTS: &'static [Part] = <(Position, Velocity)>::PARTS;

    fn insert(self, target: &mut Inserter<'_>) {
        match INSERTS {
            0 => {}
            1 => Position(1.0).insert(target),
            2 => (Position(1.0), Position(2.0)).insert(target),
            3 => Health(3).insert(target),
            _ => (Position(1.0), Velocity(2.0), Health(3)).insert(target),
        }
    }

    fn reserve(target: &mut Reserver<'_>) {
        match VISITS {
            0 => {}
            1 => Position::reserve(target),
            2 => <(Position, Position)>::reserve(target),
            3 => Health::reserve(target),
            4 => <(Position, Velocity)>::reserve(target),
            _ => <(Position, Velocity, Health)>::reserve(target),
        }
    }
}

/// Puts such bundles into a world in all ways, and compares what views and pools say.
fn lie<const INSERTS: u8, const VISITS: u8>() {
    let liar = || Liar::<INSERTS, VISITS>;
    for with_group in [false, true] {
        let mut world = World::new();
        if with_group {
            world.declare_group(Group::observing::<(Position, Velocity)>()).unwrap();
            world.declare_group(Group::owning::<(Position, Health)>()).unwrap();
        }
        let honest = world.spawn_batch((0..9).map(|at| (Position(7.0), Health(at))));
        world.spawn_with(liar());
        let mut entities = world.spawn_batch((0..5).map(|_| liar()));
        world.insert(honest[0], liar()).unwrap();
        world.insert_batch(honest[1..4].iter().map(|&entity| (entity, liar()))).unwrap();
        for round in 0..2 {
            let all: Vec<_> = world.entities().collect();
            let both = |entity| {
                world.get::<Position>(entity).is_some() && world.get::<Velocity>(entity).is_some()
            };
            let with_both = all.iter().filter(|&&entity| both(entity)).count();
            assert_eq!(world.view::<(Position, Velocity)>().count(), with_both);
            assert_eq!(world.view::<(&Position, &Velocity)>().into_iter().count(), with_both);
            let mut sum = 0.0;
            world.view::<(Position, Health)>().for_each(|(_, p, h)| sum += p.0 + f32::from(h.0));
            let expected = all.iter().filter_map(|&entity| {
                Some(world.get::<Position>(entity)?.0 + f32::from(world.get::<Health>(entity)?.0))
            });
            assert_eq!(sum, expected.sum::<f32>(), "{INSERTS} {VISITS} {with_group} {round}");
            for &entity in &all {
                let names: Vec<_> =
                    world.components_of(entity).map(ecs::ErasedPool::name).collect();
                assert_eq!(names.contains(&"Position"), world.get::<Position>(entity).is_some());
                assert_eq!(names.contains(&"Velocity"), world.get::<Velocity>(entity).is_some());
            }
            world.check_invariants();
            let last = world.spawn_with(Tag).id();
            world.insert(last, (Position(8.0), Health(8))).unwrap();
            assert_eq!(world.get::<Position>(last), Some(&Position(8.0)));
            assert_eq!(world.get::<Health>(last).unwrap().0, 8);
            // And once more, with some gone.
            world.remove::<Position>(honest[5]);
            world.despawn(entities.pop().unwrap()).unwrap();
            world.despawn(honest[6 + round]).unwrap();
        }
    }
}

#[test]
fn an_entity_has_what_its_bundle_inserts_not_what_it_says() {
    macro_rules! lies {
        ($($inserts:literal)*) => {$(
            lie::<$inserts, 0>();
            lie::<$inserts, 1>();
            lie::<$inserts, 2>();
            lie::<$inserts, 3>();
            lie::<$inserts, 4>();
            lie::<$inserts, 5>();
        )*};
    }
    lies!(0 1 2 3 4);
}

/// Says that it is one value, and inserts two, whose drops panic.
struct Twofold(Ledger);

impl Bundle for Twofold {
    const LABEL: &'static str = "Twofold";
    const FIELDS: &'static [&'static str] = Tracked::FIELDS;
    const PARTS: &'static [Part] = Tracked::PARTS;

    fn insert(self, target: &mut Inserter<'_>) {
        (self.0.bomb(), self.0.bomb()).insert(target);
    }

    fn reserve(target: &mut Reserver<'_>) {
        Tracked::reserve(target);
    }
}

#[test]
fn what_a_bundle_gives_beyond_what_it_says_is_dropped_when_all_is_in_order() {
    let (mut world, ledger) = (World::new(), Ledger::default());
    let bundles = |count| (0..count).map(|_| Twofold(ledger.clone()));
    assert_eq!(panics(|| world.spawn_batch(bundles(5))).unwrap(), "a bomb went off");
    world.check_invariants();
    assert_eq!((world.pool::<Tracked>().len(), ledger.alive()), (5, 5));
    let entities = (0..3).map(|_| world.spawn().id()).collect::<Vec<_>>();
    let inserted = entities.into_iter().zip(bundles(3));
    assert_eq!(panics(|| world.insert_batch(inserted)).unwrap(), "a bomb went off");
    world.check_invariants();
    assert_eq!((world.pool::<Tracked>().len(), ledger.alive()), (8, 8));
    assert!(panics(move || drop(world)).is_some());
    assert_eq!(ledger.alive(), 0);
}
