//! Random histories of operations, in which observers do more of them: each observer records its notifications,
//! and four faults are counted.
//!
//! * *absent*: it was notified of a value that is not there, or of a relation that its target does not list;
//! * *disorder*: it was notified of an insertion of a present component, or of a change or removal of an absent
//!   one;
//! * *belief*: in the end its record has a component that is not there, or lacks one that is;
//! * *collected*: a collector has other entities than the notifications of a hook.
//!
//! Each history has others who listen: of some components all, of some only the hook, an observer, or some of them. In
//! some, an observer panics now and then; the observers after it are not notified, so all of them look at the world then.
//! Now and then, outside of observers, the world is cleared, copied from an earlier one, loaded from its bytes, or brought
//! back to it by a delta. An event announces it, and they look at the world.
//!
//! `ECS_HISTORIES=1000000 cargo test --release -p ecs --test random lifecycle` runs this many.

use crate::model::fillers::number_first;
use crate::numbers::Random;
use ecs::by_name::Kind;
use ecs::save::{Delta, Limits};
use ecs::{
    AnyComponent, ChildOf, CollectList, CollectorId, Commands, Component, Entity, Group, Inserted,
    Relation, Removed, Replaced, Resource, Updated, World,
};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::panic::{AssertUnwindSafe, catch_unwind, set_hook, take_hook};
use std::sync::{Arc, Mutex};

macro_rules! components {
    ($($name:ident($held:ident) $saved:literal $hook:ident $([$($key:tt)+])?,)+) => {$(
        #[derive(Component, Serialize, Deserialize, Clone, Debug)]
        #[component(clone, save = $saved, on_insert = $hook::insert, on_update = $hook::update, on_remove = $hook::remove)]
        $(#[component($($key)+)])?
        struct $name($held);

        mod $hook {
            use super::*;
            pub(super) fn insert(world: &mut World, entity: Entity) {
                tell::<$name>(world, HOOK, entity, What::Insert);
            }
            pub(super) fn update(world: &mut World, entity: Entity) {
                tell::<$name>(world, HOOK, entity, What::Update);
            }
            pub(super) fn remove(world: &mut World, entity: Entity) {
                tell::<$name>(world, HOOK, entity, What::Remove);
            }
        }
    )+};
}
components!(
    A(u32) "story::A" hook_of_a,
    B(u32) "story::B" hook_of_b,
    C(u32) "story::C" hook_of_c [veto = C::may_go],
    Likes(Entity) "story::Likes" hook_of_likes [relation, at_end = Likes::end],
    Sees(Entity) "story::Sees" hook_of_sees [relation, at_end = remove],
    PartOf(Entity) "story::PartOf" hook_of_part_of [relation, at_end = despawn],
);

impl C {
    /// Stays for a while.
    fn may_go(&mut self) -> bool {
        self.0 += 1;
        !self.0.is_multiple_of(4)
    }
}

impl Likes {
    fn end(world: &mut World, entity: Entity, Self(target): Self) {
        assert!(world.is_alive(target), "it is about to end");
        act(world, entity);
    }
}

/// `true` if it is there, as observers expect.
trait Told: AnyComponent {
    fn is_there(world: &World, entity: Entity) -> bool;
}

macro_rules! told {
    ($($name:ident)+; $($relation:ident)+) => {$(
        impl Told for $name {
            fn is_there(world: &World, entity: Entity) -> bool {
                world.get::<Self>(entity).is_some()
            }
        }
    )+ $(
        impl Told for $relation {
            fn is_there(world: &World, entity: Entity) -> bool {
                is_known_to_its_target::<Self>(world, entity)
            }
        }
    )+};
}
told!(A B C E; Likes Sees PartOf ChildOf);

fn is_known_to_its_target<R: Relation>(world: &World, entity: Entity) -> bool {
    let target = world.target_of::<R>(entity);
    target.is_some_and(|target| world.related::<R>(target).any(|other| other == entity))
}

/// With it comes an `A`.
#[derive(Component, Serialize, Deserialize, Clone, Debug, Default)]
#[component(clone, save = "story::D", default, requires(A = A(7)))]
struct D;

#[derive(Component, Serialize, Deserialize, Clone, Debug, Default)]
#[component(clone, save = "story::E", default)]
struct E(u32);

/// Components without hooks: an observer takes their place.
const UNHOOKED: [&str; 2] = [E::NAME, ChildOf::NAME];

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum What {
    Insert,
    Update,
    Remove,
}

/// The hook, or an observer in its place; three observers for each, and one for all at once.
const HOOK: usize = 0;
const OBSERVERS: usize = 5;
const AT_ONCE: usize = 4;

/// The expected state, and the faults.
#[derive(Default)]
struct Story {
    known: [BTreeSet<(&'static str, Entity)>; OBSERVERS],
    /// Which observers there are of each component.
    listens: BTreeMap<&'static str, [bool; OBSERVERS]>,
    /// The notifications of hooks since collectors were last drained.
    heard: BTreeSet<(&'static str, What, Entity)>,
    random: Random,
    budget: u32,
    /// `true` if observers may panic.
    panics: bool,
    entities: Vec<Entity>,
    calls: usize,
    absent: usize,
    disorder: usize,
    belief: usize,
    collected: usize,
}

/// The log, in the world that hooks get.
#[derive(Resource)]
#[resource(clone = skip, save = skip)]
struct Book(Arc<Mutex<Story>>);

fn book(world: &World) -> Arc<Mutex<Story>> {
    world.resource::<Book>().0.clone()
}

/// Records a notification, and perhaps makes an operation.
fn tell<T: Told>(world: &mut World, observer: usize, entity: Entity, told: What) {
    hear::<T>(world, observer, entity, told);
    act(world, entity);
}

fn hear<T: Told>(world: &World, observer: usize, entity: Entity, told: What) {
    let book = book(world);
    let mut story = book.lock().unwrap();
    story.calls += 1;
    let is_there = T::is_there(world, entity);
    story.absent += usize::from(!is_there);
    if observer == HOOK {
        story.heard.insert((T::NAME, told, entity));
    }
    let known = &mut story.known[observer];
    let in_order = match told {
        What::Insert => known.insert((T::NAME, entity)),
        What::Update => known.contains(&(T::NAME, entity)),
        What::Remove => known.remove(&(T::NAME, entity)),
    };
    story.disorder += usize::from(!in_order);
}

/// The message of observers that panic on purpose.
const PANIC: &str = "an observer panics on purpose";

fn act(world: &mut World, entity: Entity) {
    let book = book(world);
    let (acts, other) = {
        let story = &mut *book.lock().unwrap();
        let acts = story.budget > 0 && story.random.below(3) == 0;
        story.budget -= u32::from(acts);
        let target = story.random.below(2);
        let at = story.random.below(story.entities.len().max(1));
        (acts, if target == 0 { entity } else { story.entities.get(at).copied().unwrap_or(entity) })
    };
    if acts {
        let panics = {
            let story = &mut *book.lock().unwrap();
            story.panics && story.random.below(12) == 0
        };
        assert!(!panics, "{PANIC}");
        operate(world, other, &book);
    }
}

/// Does something at random, to this entity or with it.
fn operate(world: &mut World, entity: Entity, book: &Arc<Mutex<Story>>) {
    let below = |end| book.lock().unwrap().random.below(end);
    let some = |count| -> Vec<Entity> {
        let story = &mut *book.lock().unwrap();
        let len = story.entities.len();
        (0..count).map(|_| story.entities[story.random.below(len)]).collect()
    };
    let note = |made: &[Entity]| book.lock().unwrap().entities.extend(made);
    let (one, other) = (some(1)[0], some(1)[0]);
    match below(60) {
        0 | 1 => _ = world.insert(entity, A(1)),
        2 => _ = world.insert(entity, B(1)),
        3 => _ = world.insert(entity, (A(1), B(2), C(3))),
        4 => _ = world.insert(entity, (C(1), A(2))),
        5 | 6 => _ = world.remove::<A>(entity),
        7 => _ = world.remove::<(A, B)>(entity),
        8 => _ = world.take::<(B, C)>(entity),
        9 => _ = world.remove_except::<(B, ChildOf)>(entity),
        10 => _ = world.patch::<A>(entity, |a| a.0 += 1),
        11 => _ = world.replace(entity, C(4)),
        12 | 13 => _ = world.despawn(entity),
        14 => note(&[world.spawn((A(1), C(2))).id()]),
        15 => note(&[world.spawn(D).id()]),
        16 => note(&world.spawn_batch((0..4).map(|at| (A(at), B(at))))),
        17 => _ = world.insert_batch(some(6).into_iter().map(|it| (it, (A(1), C(1))))),
        18 => _ = world.remove_batch::<A>(&some(5)),
        19 => _ = world.despawn_batch(&some(3)),
        20 => _ = world.insert_if_absent(entity, (A(1), B(1))),
        21 => _ = world.get_or_insert_with(entity, || B(1)),
        22 => _ = world.insert_batch(some(3).into_iter().map(|it| (it, D))),
        23 => {
            let group = Group::owning::<(A, B)>();
            world.declare_group(group).unwrap();
            if below(2) == 0 {
                world.drop_group(group).unwrap();
            }
        }
        24 => world.pool_mut::<C>().retain(|entity, _| entity.index() % 2 == 0),
        25 => note(&[world.reserve_entity()]),
        26..29 => _ = world.attach(entity, one),
        29 => {
            _ = world.attach(entity, one);
            _ = world.move_related::<ChildOf>(entity, 0);
        }
        30 => _ = world.detach(entity),
        31 if world.is_alive(one) => note(&[world.spawn((A(1), ChildOf(one))).id()]),
        32 if world.is_alive(one) => {
            note(&world.spawn_batch((0..3).map(|at| (B(at), ChildOf(one)))));
        }
        33 => _ = world.insert(entity, (C(1), Likes(one))),
        34 => _ = world.insert(entity, (B(1), Sees(one), A(3), PartOf(other))),
        35 => _ = world.insert_batch(some(3).into_iter().map(|it| (it, (Likes(one), A(2))))),
        36 => _ = world.replace(entity, Sees(one)),
        37 => _ = world.remove_batch::<Likes>(&some(3)),
        38 => _ = world.remove_batch::<ChildOf>(&some(4)),
        39 => _ = world.remove::<(Sees, PartOf)>(entity),
        40 => _ = world.despawn_batch(&some(5)),
        41 => world.pool_mut::<PartOf>().clear(),
        42 => _ = world.remove_batch::<PartOf>(&some(3)),
        43..45 => {
            let mut commands = Commands::new();
            for it in some(2) {
                commands.insert(it, (A(1), Sees(one)));
            }
            note(&[commands.spawn(&*world, (B(2), C(1)))]);
            for it in some(2) {
                commands.remove::<(A, B)>(it);
            }
            for it in some(2) {
                commands.despawn(it);
            }
            commands.apply(world);
        }
        45 | 46 => _ = world.insert(entity, E(1)),
        47 => _ = world.insert(entity, (E(1), B(1))),
        48 => _ = world.remove::<E>(entity),
        49 => _ = world.patch::<E>(entity, |e| e.0 += 1),
        50 => note(&[world.spawn(E(2)).id()]),
        51 => note(&world.spawn_batch((0..3).map(E))),
        52 => {
            let list = some(4);
            _ = world.insert_batch(list.iter().map(|it| (*it, E(3))));
            _ = world.remove_batch::<E>(&list[below(4)..]);
        }
        53 => _ = world.remove_kind(Kind::of::<A>(), entity),
        54 => _ = world.remove_kind(Kind::of::<Sees>(), entity),
        55 => _ = world.insert_kind_default(Kind::of::<D>(), entity),
        56 => _ = world.copy_kind(Kind::of::<B>(), one, entity),
        57 if world.is_alive(one) => _ = world.spawn_copies(one, 2).map(|made| note(&made)),
        58 => {
            let mut other = World::new(); // whose hooks would look for a book
            let root = other.spawn(E(1)).id();
            other.spawn_batch((0..2).map(|at| (E(at), ChildOf(root))));
            let made = world.merge(&mut other).unwrap();
            let made: Vec<Entity> = made.iter().map(|(_, new)| *new).collect();
            note(&made);
        }
        _ => _ = world.pool_mut::<A>().sort_by_key(|a| a.0),
    }
}

/// Records a notification of a batch, and perhaps makes an operation.
fn tell_all<T: Told>(world: &mut World, entities: &[Entity], told: What) {
    let mut distinct = entities.to_vec();
    distinct.sort();
    distinct.dedup();
    assert_eq!(distinct.len(), entities.len(), "nobody is told twice at once");
    for &entity in entities {
        hear::<T>(world, AT_ONCE, entity, told);
    }
    act(world, entities[0]);
}

/// Observes a component by those observers that are to listen; half of them capture something.
fn observe<T: Told>(world: &mut World, listens: [bool; OBSERVERS]) {
    macro_rules! each {
        ($observer:expr) => {
            if listens[$observer] {
                world.on_insert::<T>(move |world, entity| {
                    tell::<T>(world, $observer, entity, What::Insert);
                });
                world.on_update::<T>(move |world, entity| {
                    tell::<T>(world, $observer, entity, What::Update);
                });
                world.on_remove::<T>(move |world, entity| {
                    tell::<T>(world, $observer, entity, What::Remove);
                });
            }
        };
    }
    let [captured_1, captured_3] = [1, 3];
    if UNHOOKED.contains(&T::NAME) {
        each!(0);
    }
    each!(captured_1);
    each!(2);
    each!(captured_3);
    if listens[AT_ONCE] {
        let remove = What::Remove;
        world.on_batch::<Inserted<T>>(|world, all| tell_all::<T>(world, all, What::Insert));
        world.on_batch::<Updated<T>>(|world, all| tell_all::<T>(world, all, What::Update));
        world.on_batch::<Removed<T>>(move |world, all| tell_all::<T>(world, all, remove));
    }
}

/// Which observers listen, and whether collectors do, which are compared with the hook.
fn who_listens(is_hooked: bool, below: impl Fn(usize) -> usize) -> ([bool; OBSERVERS], bool) {
    match below(4) {
        0 => ([true, false, false, false, false], false),
        1 => {
            let mut listens = [true; OBSERVERS].map(|_| below(3) == 0);
            listens[HOOK] |= is_hooked;
            (listens, listens[HOOK] && below(3) == 0)
        }
        _ => ([true; OBSERVERS], true),
    }
}

/// A collector, and its changes.
type Collector = (CollectorId, &'static str, What);

/// Collects the changes of a component.
fn collect<T: AnyComponent>(world: &mut World) -> [Collector; 3] {
    fn begin<T: AnyComponent, L: CollectList>(world: &mut World, told: What) -> Collector {
        (world.collector::<L>(), T::NAME, told)
    }
    [
        begin::<T, Inserted<T>>(world, What::Insert),
        begin::<T, Updated<T>>(world, What::Update),
        begin::<T, Removed<T>>(world, What::Remove),
    ]
}

/// Returns the number of collectors whose entities differ from the entities of hooks.
fn compare(world: &mut World, collectors: &[Collector], book: &Mutex<Story>) -> usize {
    let story = &mut *book.lock().unwrap();
    let heard = std::mem::take(&mut story.heard);
    let is_wrong = |(collector, name, told): &&Collector| {
        let collected = world.drain(*collector);
        let distinct: BTreeSet<Entity> = collected.iter().copied().collect();
        let expected = heard.iter().filter(|it| (it.0, it.1) == (*name, *told)).map(|it| it.2);
        let stays = |entity: &Entity| *told == What::Remove || world.is_alive(*entity);
        distinct.len() < collected.len() || distinct != expected.filter(stays).collect()
    };
    collectors.iter().filter(is_wrong).count()
}

/// Returns the state that an observer should have in the end.
fn present(world: &World) -> BTreeSet<(&'static str, Entity)> {
    fn all<T: AnyComponent>(world: &World) -> impl Iterator<Item = (&'static str, Entity)> {
        world.pool::<T>().keys().iter().map(|&entity| (T::NAME, entity))
    }
    let values = all::<A>(world).chain(all::<B>(world)).chain(all::<C>(world));
    let relations = all::<Likes>(world).chain(all::<Sees>(world)).chain(all::<PartOf>(world));
    values.chain(all::<E>(world)).chain(relations).chain(all::<ChildOf>(world)).collect()
}

/// After a panic: resets the state of all observers, and drains collectors.
fn start_anew(world: &mut World, collectors: &[Collector], book: &Mutex<Story>) {
    for (collector, ..) in collectors {
        world.drain(*collector);
    }
    know_what_is_there(world, book);
}

/// After the content was replaced: collectors forget by themselves.
fn rebuild(world: &mut World) {
    let book = book(world);
    know_what_is_there(world, &book);
    let entity = book.lock().unwrap().entities[0];
    act(world, entity);
}

fn know_what_is_there(world: &World, book: &Mutex<Story>) {
    let present = present(world);
    let story = &mut *book.lock().unwrap();
    story.heard.clear();
    for (observer, known) in story.known.iter_mut().enumerate() {
        let listens = |it: &&(&'static str, Entity)| story.listens[it.0][observer];
        *known = present.iter().filter(listens).copied().collect();
    }
}

fn load(world: &mut World, saved: &World) {
    let mut bytes = Vec::new();
    saved.save().to_bytes(&mut bytes).unwrap();
    world.load(&bytes, &Limits::default()).unwrap();
}

fn apply(world: &mut World, saved: &World) {
    let delta = Delta::between(world, saved).unwrap();
    world.apply_delta(delta.as_bytes(), &Limits::default()).unwrap();
}

/// Calls, and how often each fault was found.
fn history(seed: u64, faults: &mut [usize; 5]) {
    let story = Story { random: Random(seed), ..Story::default() };
    let book = Arc::new(Mutex::new(story));
    let mut world = World::new();
    world.insert_resource(Book(book.clone()));
    world.on::<Replaced>(|world, _| rebuild(world));
    let mut collectors = Vec::new();
    macro_rules! follow {
        ($($name:ident)+) => {$({
            let below = |end| book.lock().unwrap().random.below(end);
            let (listens, collects) = who_listens(!UNHOOKED.contains(&$name::NAME), below);
            observe::<$name>(&mut world, listens);
            if collects {
                collectors.extend(collect::<$name>(&mut world));
            }
            book.lock().unwrap().listens.insert($name::NAME, listens);
        })+};
    }
    follow!(A B C E Likes Sees PartOf ChildOf);
    let panics = book.lock().unwrap().random.below(4) == 0;
    let made = world.spawn_batch((0..3).map(|at| (A(at), B(at))));
    book.lock().unwrap().entities.extend(made);
    let mut saved = world.try_clone().unwrap();
    let steps = 1 + book.lock().unwrap().random.below(5);
    for _ in 0..steps {
        let entity = {
            let story = &mut *book.lock().unwrap();
            story.budget = 6;
            let len = story.entities.len();
            story.entities[story.random.below(len)]
        };
        book.lock().unwrap().panics = panics;
        let chosen = book.lock().unwrap().random.below(30);
        let operated = catch_unwind(AssertUnwindSafe(|| match chosen {
            0 => world.clear(),
            1 => world.copy_from(&saved).unwrap(),
            2 => saved = world.try_clone().unwrap(),
            3 => load(&mut world, &saved),
            4 => apply(&mut world, &saved),
            _ => operate(&mut world, entity, &book),
        }));
        book.lock().unwrap().panics = false;
        if let Err(payload) = operated {
            let message = payload.downcast_ref::<String>();
            assert!(message.is_some_and(|it| it == PANIC), "{message:?}");
            world.check_invariants();
            start_anew(&mut world, &collectors, &book);
            continue;
        }
        let wrong = compare(&mut world, &collectors, &book);
        book.lock().unwrap().collected += wrong;
    }
    world.check_invariants();
    let present = present(&world);
    let mut story = book.lock().unwrap();
    let believes = |observer: usize, known: &BTreeSet<_>| {
        let listens = |it: &&(&str, Entity)| story.listens[it.0][observer];
        known.iter().eq(present.iter().filter(listens))
    };
    let wrong = story.known.iter().enumerate().filter(|(at, known)| !believes(*at, known)).count();
    story.belief = wrong;
    let found = [story.calls, story.absent, story.disorder, story.belief, story.collected];
    if found[1..] != [0; 4] {
        println!("history {seed}: {found:?}");
    }
    faults.iter_mut().zip(found).for_each(|(all, more)| *all += more);
}

#[test]
fn observers_follow_the_world_through_random_edits() {
    number_first();
    let count = std::env::var("ECS_HISTORIES").map_or(800, |count| count.parse().unwrap());
    let mut faults = [0; 5];
    let hook = take_hook();
    set_hook(Box::new(move |info| {
        if info.payload().downcast_ref::<String>().is_none_or(|it| it != PANIC) {
            hook(info);
        }
    }));
    for seed in 0..count {
        history(seed, &mut faults);
        assert!(faults[1..] == [0; 4] || faults[1..].iter().sum::<usize>() < 100, "{faults:?}");
    }
    println!("{count} histories, {} calls", faults[0]);
    assert_eq!(faults[1..], [0; 4], "absent, out of order, wrong in the end, wrongly collected");
}
