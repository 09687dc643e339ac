//! Random histories in which observers put other worlds in the place of theirs: new ones, and some of many that were
//! moved away before. They do so for good, which is a panic that they or the caller may catch, or until they bring
//! the first one back. Four faults are counted.
//!
//! * *absent*: an observer was called with a value that is not there;
//! * *disorder*: a hook was called with an insertion of a component that it had, or with an update or a removal of
//!   one that it had not. The world was not moved meanwhile;
//! * *belief*: a hook knows other components than there are, after an operation in such a world;
//! * *stale*: while no operation is under way, an edit of a world has other effects or calls than in a world that was
//!   never moved.
//!
//! `ECS_HISTORIES=100000 cargo test --release -p ecs --test random swapped` runs this many.

use crate::numbers::Random;
use ecs::{AnyComponent, Commands, Component, Entity, Inserted, Removed, Resource, World};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::mem;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind, set_hook, take_hook};

macro_rules! components {
    ($($name:ident $hook:ident,)+) => {$(
        #[derive(Component, Clone, Debug, PartialEq)]
        #[component(clone, on_insert = $hook::insert, on_update = $hook::update, on_remove = $hook::remove)]
        struct $name(u32);

        mod $hook {
            use super::*;
            pub(super) fn insert(world: &mut World, entity: Entity) {
                call::<$name>(world, entity, Some(What::Insert));
            }
            pub(super) fn update(world: &mut World, entity: Entity) {
                call::<$name>(world, entity, Some(What::Update));
            }
            pub(super) fn remove(world: &mut World, entity: Entity) {
                call::<$name>(world, entity, Some(What::Remove));
            }
        }
    )+};
}
components!(A hook_of_a, B hook_of_b,);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum What {
    Insert,
    Update,
    Remove,
}

/// The state of the hooks of a world. It moves with the world.
#[derive(Resource, Default)]
#[resource(clone = skip, save = skip)]
struct Known {
    components: BTreeSet<(&'static str, Entity)>,
    calls: Vec<(&'static str, Entity, What)>,
    /// `true` if the world was moved by an observer, and so missed some calls.
    was_moved: bool,
}

#[derive(Default)]
struct Story {
    random: Random,
    /// The number of edits observers may still make.
    budget: usize,
    /// Worlds that were moved away.
    shelf: Vec<World>,
    most: usize,
    absent: usize,
    disorder: usize,
    belief: usize,
    stale: usize,
    moves: usize,
    panics: usize,
}

thread_local! {
    static STORY: RefCell<Story> = RefCell::default();
}

fn with<R>(look: impl FnOnce(&mut Story) -> R) -> R {
    STORY.with_borrow_mut(look)
}

fn below(end: usize) -> usize {
    with(|story| story.random.below(end))
}

/// A world with observers; which ones is at random.
fn new_world() -> World {
    let mut world = World::new();
    world.insert_resource(Known::default());
    let captured = None;
    if below(2) == 0 {
        world.on_insert::<A>(|world, entity| call::<A>(world, entity, None));
        world.on_remove::<A>(move |world, entity| call::<A>(world, entity, captured));
        world.on_update::<B>(|world, entity| call::<B>(world, entity, None));
    }
    if below(2) == 0 {
        world.on_insert::<B>(move |world, entity| call::<B>(world, entity, captured));
        world.on_batch::<Inserted<B>>(|world, all| call::<B>(world, all[0], None));
        world.on_batch::<Removed<A>>(move |world, all| call::<A>(world, all[0], captured));
        world.on_remove::<B>(|world, entity| call::<B>(world, entity, None));
    }
    world.on::<u32>(|world, _| act(world));
    world.on_entity::<u32>(|world, _, _| act(world));
    world.spawn_batch((0..4).map(A));
    world.spawn_batch((0..2).map(|number| (A(number), B(number))));
    world
}

/// Notes a call of a hook or another observer, which then may act.
fn call<T: AnyComponent>(world: &mut World, entity: Entity, what: Option<What>) {
    let is_there = world.get::<T>(entity).is_some();
    let mut disorder = 0;
    if let Some(what) = what {
        let known = &mut *world.resource_mut::<Known>();
        known.calls.push((T::NAME, entity, what));
        let key = (T::NAME, entity);
        let is_right = match what {
            What::Insert => known.components.insert(key),
            What::Update => known.components.contains(&key),
            What::Remove => known.components.remove(&key),
        };
        disorder = usize::from(!is_right && !known.was_moved);
    }
    with(|story| {
        story.absent += usize::from(!is_there);
        story.disorder += if story.panics > 0 { 0 } else { disorder };
    });
    act(world);
}

/// An entity at random, or none.
fn any(world: &World) -> Entity {
    let all: Vec<Entity> = world.entities().collect();
    match all.len() {
        0 => Entity::PLACEHOLDER,
        len => all[below(len)],
    }
}

fn some(world: &World) -> Vec<Entity> {
    (0..=below(3)).map(|_| any(world)).collect()
}

/// Puts another world in the place of this one, which it returns.
fn put(world: &mut World, other: World) -> World {
    if let Some(known) = world.get_resource_mut::<Known>() {
        known.was_moved = true;
    }
    with(|story| story.moves += 1);
    mem::replace(world, other)
}

fn shelve(world: World) {
    let most = with(|story| story.most);
    let dropped = with(|story| {
        story.shelf.push(world);
        (story.shelf.len() > most).then(|| story.shelf.remove(0))
    });
    drop(dropped);
}

/// A world from the shelf, or a new one.
fn other_world() -> World {
    let len = with(|story| story.shelf.len());
    if len > 0 && below(3) > 0 {
        let at = below(len);
        let mut world = with(|story| story.shelf.swap_remove(at));
        world.resource_mut::<Known>().was_moved = true;
        world
    } else {
        let budget = with(|story| mem::take(&mut story.budget));
        let world = new_world();
        with(|story| story.budget = budget);
        world
    }
}

/// The edits of an observer, if it may make them.
fn act(world: &mut World) {
    if below(3) == 0 || with(|story| story.budget) == 0 {
        return;
    }
    with(|story| story.budget -= 1);
    if below(2) == 0 {
        edit(world);
    } else {
        catch(world, edit);
    }
}

/// The beginning of the message about an observer that replaced its world.
const EXCHANGED: &str = "an observer put another world in the place of its own";

/// Edits a world, and catches the panic about a world that an observer put in its place. Some worlds then missed calls.
fn catch(world: &mut World, edit: fn(&mut World)) {
    let Err(payload) = catch_unwind(AssertUnwindSafe(|| edit(world))) else { return };
    let message = payload.downcast_ref::<&str>().copied().unwrap_or_default();
    if !message.starts_with(EXCHANGED) {
        resume_unwind(payload);
    }
    with(|story| story.panics += 1);
}

fn edit(world: &mut World) {
    let number = [0, 1, 2, 3, 4, 5, 6, 7, 8][below(9)];
    let entity = any(world);
    match below(22) {
        0 => _ = world.insert(entity, A(number)),
        1 => _ = world.insert(entity, (B(number), A(number))),
        2 => _ = world.remove::<A>(entity),
        3 => _ = world.remove::<(A, B)>(entity),
        4 => _ = world.despawn(entity),
        5 => _ = world.spawn((A(number), B(number))).id(),
        6 => _ = world.spawn_batch((0..3).map(|_| (A(number), B(number)))),
        7 => {
            let list = some(world);
            _ = world.insert_batch(list.into_iter().map(|it| (it, (A(number), B(number)))));
        }
        8 => {
            let list = some(world);
            _ = world.remove_batch::<A>(&list);
        }
        9 => {
            let list = some(world);
            _ = world.despawn_batch(&list);
        }
        10 => _ = world.patch::<A>(entity, |a| a.0 += 1),
        11 => _ = world.replace(entity, B(number)),
        12 => {
            let mut commands = Commands::new();
            for entity in some(world) {
                commands.insert(entity, A(number));
                commands.despawn(entity);
                commands.spawn(&*world, (A(number), B(number)));
                commands.queue(act);
            }
            commands.apply(world);
        }
        13 => world.send(&number),
        14 => _ = world.send_to(entity, &number),
        15 => world.run(act),
        16 => drop(put(world, other_world())),
        17 | 18 => {
            let old = put(world, other_world());
            shelve(old);
        }
        _ => {
            // Both worlds are edited, and then the first is brought back, most of the time.
            let mut old = put(world, other_world());
            for _ in 0..below(3) {
                act(&mut old);
                act(world);
            }
            if below(4) > 0 {
                mem::swap(world, &mut old);
            }
            shelve(old);
        }
    }
}

type Rows = BTreeMap<Entity, (Option<A>, Option<B>)>;

fn rows(world: &World) -> Rows {
    let row = |entity| (world.get::<A>(entity).cloned(), world.get::<B>(entity).cloned());
    world.entities().map(|entity| (entity, row(entity))).collect()
}

fn components(world: &World) -> BTreeSet<(&'static str, Entity)> {
    let mut all = BTreeSet::new();
    all.extend(world.view::<&A>().iter().map(|(entity, _)| (A::NAME, entity)));
    all.extend(world.view::<&B>().iter().map(|(entity, _)| (B::NAME, entity)));
    all
}

/// Looks at a world while no operation is under way, and edits it without observers that act.
fn probe(world: &mut World) {
    world.check_invariants();
    let there = components(world);
    let known = &mut *world.resource_mut::<Known>();
    if !mem::take(&mut known.was_moved) && known.components != there {
        with(|story| story.belief += 1);
    }
    known.components = there;
    known.calls.clear();
    let mut expected = rows(world);
    let entity = any(world);
    let Some(row) = expected.get_mut(&entity) else { return };
    let mut calls = Vec::new();
    match below(5) {
        0 => {
            let what = if row.0.is_some() { What::Update } else { What::Insert };
            calls.push((A::NAME, entity, what));
            row.0 = Some(A(77));
            _ = world.insert(entity, A(77));
        }
        1 => {
            calls.extend(row.1.take().map(|_| (B::NAME, entity, What::Remove)));
            world.remove::<B>(entity);
        }
        2 => {
            let row = expected.remove(&entity).unwrap_or_default();
            calls.extend(row.1.map(|_| (B::NAME, entity, What::Remove)));
            calls.extend(row.0.map(|_| (A::NAME, entity, What::Remove)));
            _ = world.despawn(entity);
        }
        3 => {
            let made = world.spawn(B(78)).id();
            calls.push((B::NAME, made, What::Insert));
            expected.insert(made, (None, Some(B(78))));
        }
        _ => {
            // No observer is called, and nothing is refused, because the observers have ended.
            let copy = world.try_clone().unwrap();
            let copied = catch_unwind(AssertUnwindSafe(|| world.copy_from(&copy).unwrap()));
            with(|story| story.stale += usize::from(copied.is_err()));
        }
    }
    let mut called = mem::take(&mut world.resource_mut::<Known>().calls);
    let key = |call: &(&'static str, Entity, What)| (call.1, call.0);
    called.sort_by_key(key);
    calls.sort_by_key(key);
    if rows(world) != expected || called != calls {
        with(|story| story.stale += 1);
    }
    world.check_invariants();
}

/// Prints the seed of a history that panics.
struct Seed(u64);

impl Drop for Seed {
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!("in the history of seed {}", self.0);
        }
    }
}

fn history(seed: u64) {
    let _seed = Seed(seed);
    with(|story| story.random = Random(seed));
    let most = [2, 20, 40][below(3)];
    with(|story| story.most = most);
    let mut world = new_world();
    for _ in 0..30 {
        with(|story| (story.budget, story.panics) = (40, 0));
        catch(&mut world, edit);
        with(|story| story.budget = 0);
        let has_panicked = with(|story| story.panics > 0);
        let miss = |world: &mut World| world.resource_mut::<Known>().was_moved |= has_panicked;
        miss(&mut world);
        with(|story| story.shelf.iter_mut().for_each(miss));
        probe(&mut world);
        let len = with(|story| story.shelf.len());
        for _ in 0..len.min(6) {
            let at = below(len);
            let mut other = with(|story| story.shelf.swap_remove(at));
            probe(&mut other);
            with(|story| story.shelf.push(other));
        }
    }
    let shelf = with(|story| mem::take(&mut story.shelf));
    for mut other in shelf {
        probe(&mut other);
    }
}

#[test]
fn worlds_that_observers_move_are_as_good_as_new() {
    let hook = take_hook();
    set_hook(Box::new(move |info| {
        if !info.payload().downcast_ref::<&str>().is_some_and(|it| it.starts_with(EXCHANGED)) {
            hook(info);
        }
    }));
    let count = std::env::var("ECS_HISTORIES").ok().and_then(|count| count.parse().ok());
    // In these, observers bring a world back from which operations were moved away.
    (0..count.unwrap_or(100)).chain([314, 2535, 9305]).for_each(history);
    with(|story| {
        let Story { absent, disorder, belief, stale, moves, .. } = story;
        println!("{moves} moves");
        let faults = (*absent, *disorder, *belief, *stale);
        assert_eq!(faults, (0, 0, 0, 0), "absent, disorder, belief, stale");
        assert!(*moves > 1_000);
    });
}
