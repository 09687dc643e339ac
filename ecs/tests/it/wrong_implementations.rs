//! Traits that are safe to implement may be implemented wrongly. Nothing that must be sound rests
//! on them.

use crate::fixtures::{Ledger, Position, Tag, Tracked, Velocity, panics};
use ecs::__private::{
    Column, Columns, ComponentSlot, Contents, EntityFetch, InBundles, InColumns, InQueries,
    Internal, Lists, One, Part, Parts, Read, RefMutTree, RefTree, Registry, SliceMutTree,
    SliceTree, Target, Term, VecStorage,
};
use ecs::{
    AnyComponent, Bundle, Component, ComponentId, Entity, Group, Signature, With, Without, World,
};
use std::cell::Cell;
use std::sync::atomic::{AtomicUsize, Ordering};

macro_rules! read_as_components {
    ($($name:ident)*) => {$(
        impl Lists<$name, InQueries> for Registry {
            type This = $name;
        }
        impl Term for $name {
            type Fetch = Read<Self>;
            type WithEntity = (EntityFetch, Read<Self>);
        }
    )*};
}
read_as_components!(Impostor Forgetful Moody Changeling);

macro_rules! inserted {
    ($name:ident) => {
        impl Lists<$name, InBundles> for Registry {
            type This = $name;
        }
    };
}

macro_rules! insert_as_components {
    ($($name:ident)*) => {$(
        inserted!($name);
        impl Contents<Self> for $name {
            const PARTS: &'static [Part] = &[Part::of::<Self>()];
            fn into_parts(this: Self) -> impl Parts {
                One::new(this)
            }
        }
    )*};
}
insert_as_components!(Impostor Forgetful Moody Crossed Stubborn Flat);

/// Inserts another component when it is inserted.
#[derive(Debug, PartialEq)]
struct Changeling(u32);

impl AnyComponent for Changeling {
    type Storage = VecStorage<Self>;
    type Requires = ();
    const NAME: &'static str = "Changeling";
    const ID: ComponentId = ComponentId::of(None, None, module_path!(), "Changeling", line!(), 1);
    const BIT: Signature = Position::BIT;
}

inserted!(Changeling);
impl Contents<Self> for Changeling {
    const PARTS: &'static [Part] = &[Part::of::<Self>()];
    fn into_parts(_: Self) -> impl Parts {
        One::new(Position(0.5))
    }
}

#[test]
fn a_component_that_gives_another_one() {
    let mut world = World::new();
    let entity = world.spawn((Tag, Changeling(1))).id();
    assert!(!world.has::<Changeling>(entity) && world.has::<(Tag, Position)>(entity));
    let batch = world.spawn_batch((0..100).map(Changeling));
    world.insert(batch[0], Changeling(2)).unwrap();
    world.insert_batch(batch.iter().map(|&entity| (entity, Changeling(3)))).unwrap();
    assert_eq!((world.pool::<Changeling>().len(), world.pool::<Position>().len()), (0, 101));
    assert_eq!(world.entity_mut(entity).replace(Changeling(4)), None);
    let got = panics(|| _ = world.entity_mut(entity).get_or_insert_with(|| Changeling(5)));
    assert!(got.is_some(), "what was inserted is not there");
    let mut commands = ecs::Commands::new();
    commands.insert(entity, Changeling(7));
    commands.spawn(&world, Changeling(8));
    commands.apply(&mut world);
    for (entity, changeling) in world.view::<Changeling>() {
        assert_eq!(world.get::<Changeling>(entity), Some(changeling));
    }
    world.check_invariants();
    world.despawn_batch(&batch);
    world.check_invariants();
}

/// Claims to be `Tag`.
#[derive(Debug, PartialEq)]
struct Impostor(u64);

impl AnyComponent for Impostor {
    type Storage = VecStorage<Self>;
    type Requires = ();
    const NAME: &'static str = "Tag";
    const ID: ComponentId = Tag::ID;
    const BIT: Signature = Tag::BIT;
}

/// Remembers its number in another place each time, and so does not.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Forgetful(u32);

impl AnyComponent for Forgetful {
    type Storage = VecStorage<Self>;
    type Requires = ();
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
        let entity = world.spawn((Position(1.0), Forgetful(at))).id();
        assert_eq!(world.get::<Forgetful>(entity), Some(&Forgetful(at)));
        let found = world.view::<(&Position, &Forgetful)>().into_iter().last().unwrap();
        assert_eq!((found.0, found.2), (entity, &Forgetful(at)));
    }
    assert_eq!(world.view::<Forgetful>().count(), 20);
    world.check_invariants();
}

thread_local! {
    /// The number of times the number of `Moody` can be requested.
    static MOOD: Cell<usize> = const { Cell::new(usize::MAX) };
}

/// Refuses to return its number after a while.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Moody(u32);

impl AnyComponent for Moody {
    type Storage = VecStorage<Self>;
    type Requires = ();
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
fn a_missing_number_stops_an_edit_before_any_change() {
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
    let tagged = world.spawn((Position(1.0), Tag)).id();
    let forged = world.spawn((Position(2.0), Impostor(7))).id();
    assert_eq!(world.get::<Impostor>(tagged), None);
    assert_eq!(world.get::<Tag>(forged), None);
    assert_eq!(world.view::<Impostor>().count(), 1);
    assert_eq!(world.remove::<Impostor>(forged), Some(Impostor(7)));
    world.check_invariants();
}

/// By ids, one view requires the component that the other excludes. By types it does not: both
/// match an entity that has a `Tag` and no `Impostor`.
#[test]
fn a_forged_id_does_not_part_views() {
    let mut world = World::new();
    world.spawn((Position(1.0), Tag));
    let message = panics(|| {
        type Views<'w> = ((&'w mut Position, With<Tag>), (&'w mut Position, Without<Impostor>));
        let (a, b) = world.split_mut::<Views>();
        (a.count(), b.count())
    });
    let message = message.expect("the views alias");
    assert!(message.contains("writes `Position`, which view `0` also writes"), "{message}");
}

#[test]
fn reading_both_joins_two_pools() {
    // Two that read never alias, whatever their ids say.
    let mut world = World::new();
    world.spawn((Position(1.0), Tag));
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
    type Projection = Column<Pair<u8>, pair::left<u8>>;
    const NAME: &'static str = "harmless";
}

#[test]
fn a_forged_marker_is_checked_as_the_column_that_it_reaches() {
    let mut world = World::new();
    world.spawn(Pair { left: 1_u8, right: 2_u8 });
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
    type Column<M> = ();

    fn take_apart(self, _: Internal<Self>) -> (u8, String) {
        (self.0, self.1)
    }
    fn put_together(_: Internal<Self>, _: (u8, String)) -> Self {
        panic!("in pieces")
    }
    fn exchange(&mut self, _: Internal<Self>, (number, text): RefMutTree<'_, Self>) {
        std::mem::swap(&mut self.0, number);
        std::mem::swap(&mut self.1, text);
        panic!("half done")
    }
    fn shown<'a>(_: Internal<Self>, (_, text): RefTree<'a, Self>) -> &'a str {
        text
    }
    fn shown_mut<'a>(_: Internal<Self>, _: RefMutTree<'a, Self>) -> Self::RefMut<'a> {}
    fn shown_slices<'a>(_: Internal<Self>, _: SliceTree<'a, Self>) -> Self::Slices<'a> {
        &[1, 2, 3]
    }
    fn shown_mut_slices<'a>(
        _: Internal<Self>,
        (bytes, _): SliceMutTree<'a, Self>,
    ) -> Option<&'a mut [u8]> {
        bytes.get_mut(..0)
    }
}

impl AnyComponent for Crossed {
    type Storage = Columns<Self>;
    type Requires = ();
    const NAME: &'static str = "Crossed";
    const ID: ComponentId = Tag::ID;
    const BIT: Signature = Tag::BIT;
}

#[test]
fn wrong_types_of_columns_are_no_matter_of_safety() {
    let mut world = World::new();
    let entities = world.spawn_batch((0..100).map(|at| Crossed(at, at.to_string())));
    assert_eq!(panics(|| world.insert(entities[6], Crossed(7, "7".into()))).unwrap(), "half done");
    assert_eq!(world.get::<Crossed>(entities[6]), Some("7"));
    assert_eq!(world.pool::<Crossed>().iter().count(), 100);
    let mut seen = 0;
    world.view::<&Crossed>().for_each(|(_, text)| seen += text.len());
    assert_eq!(seen, 10 + 180);
    world.check_invariants();
}

/// Claims to be one `Position`, and contains two.
struct Twofold;

inserted!(Twofold);
impl Contents<Self> for Twofold {
    const LABEL: &'static str = "Twofold";
    const FIELDS: &'static [&'static str] = &["0"];
    const PARTS: &'static [Part] = &[Position::PART];

    fn into_parts(_: Self) -> impl Parts {
        <(Position, Position)>::into_parts((Position(1.0), Position(2.0)))
    }
}

#[test]
fn the_later_of_two_equal_components_in_a_bundle_stays() {
    let mut world = World::new();
    world.declare_group(Group::owning::<(Position, Tag)>()).unwrap();
    let mut entities = world.spawn_batch([(Twofold, Tag), (Twofold, Tag)]);
    entities.push(world.spawn(Twofold).id());
    let more = world.spawn_batch([Tag, Tag, Tag]);
    world.insert(more[0], Twofold).unwrap();
    world.insert_batch(more[1..].iter().map(|&entity| (entity, Twofold))).unwrap();
    entities.extend(more);
    for entity in entities {
        assert_eq!(world.get::<Position>(entity), Some(&Position(2.0)));
    }
    world.check_invariants();
}

thread_local! {
    /// The number of times a `Brittle` can be taken apart.
    static LUCK: Cell<usize> = const { Cell::new(usize::MAX) };
}

/// Cannot be taken apart after a while.
struct Brittle(Ledger);

inserted!(Brittle);
impl Contents<Self> for Brittle {
    const LABEL: &'static str = "Brittle";
    const FIELDS: &'static [&'static str] = &["0", "1"];
    const PARTS: &'static [Part] = <(Position, Tracked)>::PARTS;

    fn into_parts(this: Self) -> impl Parts {
        LUCK.set(LUCK.get().checked_sub(1).expect("luck"));
        <(Position, Tracked)>::into_parts((Position(1.0), this.0.tracked()))
    }
}

#[test]
fn a_bundle_that_cannot_be_taken_apart_ends_an_edit_before_it() {
    let edits: [fn(&mut World, &[Entity], &Ledger); 4] = [
        |world, entities, ledger| {
            for _ in entities {
                world.spawn(Brittle(ledger.clone()));
            }
        },
        |world, entities, ledger| {
            for &entity in entities {
                world.insert(entity, Brittle(ledger.clone())).unwrap();
            }
        },
        |world, entities, ledger| {
            world.spawn_batch(entities.iter().map(|_| Brittle(ledger.clone())));
        },
        |world, entities, ledger| {
            let bundles = entities.iter().map(|&entity| (entity, Brittle(ledger.clone())));
            world.insert_batch(bundles).unwrap();
        },
    ];
    for (edit, luck) in edits.iter().flat_map(|edit| [0, 1, 63, 64, 99].map(|luck| (edit, luck))) {
        let (mut world, ledger) = (World::new(), Ledger::default());
        world.declare_group(Group::owning::<(Position, Tracked)>()).unwrap();
        let entities = world.spawn_batch((0..100).map(|at| (Position(at as f32), Tag)));
        LUCK.set(luck);
        assert!(panics(|| edit(&mut world, &entities, &ledger)).unwrap().contains("luck"));
        LUCK.set(usize::MAX);
        world.check_invariants();
        assert_eq!(world.view::<(Position, Tracked)>().count(), luck);
        assert_eq!((ledger.alive(), world.pool::<Tag>().len()), (luck.cast_signed(), 100));
        edit(&mut world, &entities, &ledger);
        world.check_invariants();
        drop(world);
        assert_eq!(ledger.alive(), 0);
    }
}

#[test]
fn a_missing_number_ends_a_batch_before_it() {
    let edits: [fn(&mut World, &[Entity]); 3] = [
        |world, _| _ = world.spawn_batch((0..80).map(|at| (Tag, Moody(at), Position(1.0)))),
        |world, _| _ = world.spawn((Tag, Moody(7), Position(1.0))),
        |world, entities| {
            let bundles = entities.iter().map(|&entity| (entity, (Tag, Moody(7), Position(1.0))));
            world.insert_batch(bundles).unwrap();
        },
    ];
    for (edit, mood) in edits.iter().flat_map(|edit| (0..6).map(move |mood| (edit, mood))) {
        let mut world = World::new();
        world.declare_group(Group::owning::<(Tag, Moody)>()).unwrap();
        world.declare_group(Group::owning::<Tag>()).unwrap(); // the entity that was given before is a member
        let entities = world.spawn_batch((0..90).map(|at| (Tag, Moody(at), Velocity(1.0))));
        MOOD.set(mood);
        let panicked = panics(|| edit(&mut world, &entities)).is_some();
        MOOD.set(usize::MAX);
        world.check_invariants();
        assert!(world.pool::<Moody>().len() >= 90 && (panicked || mood > 0));
        assert!(entities.iter().all(|&entity| world.has::<(Tag, Moody, Velocity)>(entity)));
    }
}

/// Cannot be taken apart.
struct Stubborn;

impl InColumns for Stubborn {
    type Values = (u8, u8);
    type Columns = (VecStorage<u8>, VecStorage<u8>);
    type Ref<'a> = (&'a u8, &'a u8);
    type RefMut<'a> = ();
    type Slices<'a> = ();
    type SlicesMut<'a> = ();
    type Column<M> = ();

    fn take_apart(self, _: Internal<Self>) -> (u8, u8) {
        panic!("stubborn")
    }
    fn put_together(_: Internal<Self>, _: (u8, u8)) -> Self {
        Self
    }
    fn exchange(&mut self, _: Internal<Self>, _: RefMutTree<'_, Self>) {}
    fn shown(_: Internal<Self>, values: RefTree<'_, Self>) -> (&u8, &u8) {
        values
    }
    fn shown_mut<'a>(_: Internal<Self>, _: RefMutTree<'a, Self>) -> Self::RefMut<'a> {}
    fn shown_slices<'a>(_: Internal<Self>, _: SliceTree<'a, Self>) -> Self::Slices<'a> {}
    fn shown_mut_slices<'a>(_: Internal<Self>, _: SliceMutTree<'a, Self>) -> Self::SlicesMut<'a> {}
}

impl AnyComponent for Stubborn {
    type Storage = Columns<Self>;
    type Requires = ();
    const NAME: &'static str = "Stubborn";
    const ID: ComponentId = ComponentId::of(None, None, module_path!(), "Stubborn", line!(), 1);
    const BIT: Signature = Self::ID.bit();
}

/// Has nothing to drop, and cannot be put together.
struct Flat(u8);

impl InColumns for Flat {
    type Values = u8;
    type Columns = VecStorage<u8>;
    type Ref<'a> = &'a u8;
    type RefMut<'a> = ();
    type Slices<'a> = ();
    type SlicesMut<'a> = ();
    type Column<M> = ();

    fn take_apart(self, _: Internal<Self>) -> u8 {
        self.0
    }
    fn put_together(_: Internal<Self>, _: u8) -> Self {
        panic!("flat")
    }
    fn exchange(&mut self, _: Internal<Self>, _: RefMutTree<'_, Self>) {}
    fn shown(_: Internal<Self>, value: RefTree<'_, Self>) -> &u8 {
        value
    }
    fn shown_mut<'a>(_: Internal<Self>, _: RefMutTree<'a, Self>) -> Self::RefMut<'a> {}
    fn shown_slices<'a>(_: Internal<Self>, _: SliceTree<'a, Self>) -> Self::Slices<'a> {}
    fn shown_mut_slices<'a>(_: Internal<Self>, _: SliceMutTree<'a, Self>) -> Self::SlicesMut<'a> {}
}

impl AnyComponent for Flat {
    type Storage = Columns<Self>;
    type Requires = ();
    const NAME: &'static str = "Flat";
    const ID: ComponentId = ComponentId::of(None, None, module_path!(), "Flat", line!(), 1);
    const BIT: Signature = Self::ID.bit();
}

/// Keys are changed by then: of `Stubborn` there would be a key without a value, of `Crossed` a value
/// without a key, in a batch many.
#[test]
fn panics_while_fields_are_moved_end_the_process() {
    type Edit = fn(&mut World, &[Entity]);
    const INSIDE: &str = "ECS_COLUMNS";
    let crossed = |at: u8| Crossed(at, at.to_string());
    let edits: [(&str, Edit); 4] = [
        ("stubborn", |world, _| _ = world.spawn(Stubborn)),
        ("in pieces", |world, some| _ = world.remove::<Crossed>(some[0])),
        ("in pieces", |world, some| world.despawn(some[0]).unwrap()),
        ("flat", |world, some| _ = world.despawn_batch(some)),
    ];
    if let Some(edit) = std::env::var_os(INSIDE) {
        let mut world = World::new();
        let mut entities = world.spawn_batch((0..100).map(|at| (crossed(at), Flat(at))));
        entities.truncate(5);
        let edit = edits[edit.to_str().unwrap().parse::<usize>().unwrap()].1;
        let _ = panics(|| edit(&mut world, &entities));
        std::process::exit(0); // not to be reached
    }
    for (at, (words, _)) in edits.iter().enumerate() {
        let name = "wrong_implementations::panics_while_fields_are_moved_end_the_process";
        let mut process = std::process::Command::new(std::env::current_exe().unwrap());
        let process = process.args(["--exact", name, "--nocapture"]).env(INSIDE, at.to_string());
        let result = process.output().unwrap();
        let told = String::from_utf8_lossy(&result.stderr);
        assert!(!result.status.success() && told.contains(words), "{}: {told}", result.status);
    }
}
