//! Components with a single hook, and the state of a world after a lone hook or observer returns.

use crate::fixtures::panics;
use ecs::{Commands, Component, Entity, Inserted, Resource, Updated, World};

/// The number of hook calls since the last check.
#[derive(Resource, Clone, Default)]
#[resource(clone)]
struct Calls(usize);

fn count(world: &mut World, _: Entity) {
    world.resource_mut::<Calls>().0 += 1;
}

macro_rules! components {
    ($($name:ident [$($hook:ident)*],)+) => {$(
        #[derive(Component, Clone, Debug, PartialEq)]
        #[component(clone $(, $hook = count)*)]
        struct $name(u32);

        impl From<u32> for $name {
            fn from(number: u32) -> Self {
                Self(number)
            }
        }
    )+};
}
components!(
    Unhooked [],
    Beside [],
    OfInsertions [on_insert],
    OfUpdates [on_update],
    OfRemovals [on_remove],
    OfBoth [on_insert on_update],
);

/// The numbers of insertions, updates and removals of an edit.
type Edits = [usize; 3];

/// Edits a component in every way and compares the number of hook calls; `calls_of` holds the calls per edit.
fn each_edit_calls<T: Component + From<u32> + PartialEq>(calls_of: Edits) {
    let mut world = World::new();
    world.insert_resource(Calls::default());
    let check = |world: &mut World, edit: &str, edits: Edits| {
        let calls: usize = edits.iter().zip(calls_of).map(|(edits, calls)| edits * calls).sum();
        let called = std::mem::take(&mut world.resource_mut::<Calls>().0);
        assert_eq!(called, calls, "{edit} of `{}`", T::NAME);
        world.check_invariants();
    };
    let value = || T::from(7);
    macro_rules! edit {
        ($($edit:expr => $edits:expr;)+) => {$(
            $edit;
            check(&mut world, stringify!($edit), $edits);
        )+};
    }
    let entity = world.spawn_empty().id();
    let all: Vec<Entity> = (0..5).map(|_| world.spawn_empty().id()).collect();
    let of_all = || all.iter().map(|&entity| (entity, T::from(1)));
    edit! {
        world.insert(entity, value()).unwrap() => [1, 0, 0];
        world.insert(entity, value()).unwrap() => [0, 1, 0];
        world.insert(entity, (Beside(1), value())).unwrap() => [0, 1, 0];
        world.insert_if_absent(entity, value()).unwrap() => [0, 0, 0];
        assert!(world.replace(entity, value()).unwrap().is_some()) => [0, 1, 0];
        assert!(world.patch::<Beside>(entity, |it| it.0 += 1)) => [0, 0, 0];
        assert!(world.remove::<T>(entity).is_some()) => [0, 0, 1];
        assert!(world.remove::<T>(entity).is_none()) => [0, 0, 0];
        assert!(world.replace(entity, value()).unwrap().is_none()) => [1, 0, 0];
        assert!(world.take::<(T, Beside)>(entity).is_some()) => [0, 0, 1];
        world.insert_if_absent(entity, (value(), Beside(1))).unwrap() => [1, 0, 0];
        world.remove_except::<Beside>(entity).unwrap() => [0, 0, 1];
        world.insert_batch(of_all()).unwrap() => [5, 0, 0];
        world.insert_batch(of_all()).unwrap() => [0, 5, 0];
        world.insert_batch([(entity, value())]).unwrap() => [1, 0, 0];
        world.insert_batch(of_all().map(|(entity, it)| (entity, (it, Beside(1))))).unwrap() => [0, 5, 0];
        world.insert_batch([(all[0], value())]).unwrap() => [0, 1, 0];
        assert_eq!(world.remove_batch::<T>(&all[..3]), 3) => [0, 0, 3];
        world.insert_batch(of_all()).unwrap() => [3, 2, 0];
        world.insert_batch(of_all().chain(of_all())).unwrap() => [0, 5, 0];
        assert_eq!(world.remove_batch::<T>(&[all[0], all[0]]), 1) => [0, 0, 1];
        world.insert_batch([(all[0], value()), (all[1], value()), (all[0], value())]).unwrap() => [1, 1, 0];
        assert_eq!(world.despawn_batch(&all[..2]), 2) => [0, 0, 2];
        world.despawn(all[2]).unwrap() => [0, 0, 1];
        assert_eq!(world.despawn_batch(&[all[3]]), 1) => [0, 0, 1];
        _ = world.spawn(value()).id() => [1, 0, 0];
        _ = world.spawn((Beside(1), value())).insert(value()).id() => [1, 1, 0];
        _ = world.spawn_batch((0..4).map(T::from)) => [4, 0, 0];
        _ = world.spawn_batch((0..4).map(|at| (T::from(at), Beside(at)))) => [4, 0, 0];
        _ = world.spawn_copies(entity, 3).unwrap() => [3, 0, 0];
        world.get_or_insert_with(entity, value).map(drop).unwrap() => [0, 0, 0];
    }
    let mut commands = Commands::new();
    commands.insert(entity, value());
    commands.insert(all[4], value());
    commands.apply(&mut world);
    check(&mut world, "two recorded insertions", [0, 2, 0]);
    commands.insert(entity, value());
    commands.apply(&mut world);
    check(&mut world, "a recorded insertion", [0, 1, 0]);
    commands.remove::<T>(entity);
    commands.insert(entity, value());
    commands.remove::<T>(entity);
    commands.apply(&mut world);
    check(&mut world, "several commands on one entity", [1, 0, 2]);
    world.get_or_insert_with(entity, value).map(drop).unwrap();
    check(&mut world, "`get_or_insert_with` on a missing component", [1, 0, 0]);
    let count = world.pool::<T>().len();
    let first = world.pool::<T>().keys()[0];
    world.pool_mut::<T>().retain(|entity, _| entity != first);
    check(&mut world, "`retain` on a pool", [0, 0, 1]);
    assert_eq!(world.pool_mut::<T>().drain().count(), count - 1);
    check(&mut world, "`drain` on a pool", [0, 0, count - 1]);
    world.spawn_batch((0..4).map(T::from));
    check(&mut world, "`spawn_batch`", [4, 0, 0]);
    world.clear();
    check(&mut world, "`clear`", [0, 0, 0]);
}

#[test]
fn each_hook_alone_is_called_for_every_edit_of_its_kind() {
    each_edit_calls::<Unhooked>([0, 0, 0]);
    each_edit_calls::<OfInsertions>([1, 0, 0]);
    each_edit_calls::<OfUpdates>([0, 1, 0]);
    each_edit_calls::<OfRemovals>([0, 0, 1]);
    each_edit_calls::<OfBoth>([1, 1, 0]);
}

#[test]
fn patching_calls_only_the_update_hook() {
    let mut world = World::new();
    world.insert_resource(Calls::default());
    let entity = world.spawn((OfInsertions(1), OfUpdates(1), OfRemovals(1), OfBoth(1))).id();
    let mut calls = |edit: &dyn Fn(&mut World)| {
        world.resource_mut::<Calls>().0 = 0;
        edit(&mut world);
        world.resource::<Calls>().0
    };
    assert_eq!(calls(&|world| _ = world.patch::<OfInsertions>(entity, |it| it.0 += 1)), 0);
    assert_eq!(calls(&|world| _ = world.patch::<OfUpdates>(entity, |it| it.0 += 1)), 1);
    assert_eq!(calls(&|world| _ = world.patch::<OfRemovals>(entity, |it| it.0 += 1)), 0);
    assert_eq!(calls(&|world| _ = world.patch::<OfBoth>(entity, |it| it.0 += 1)), 1);
    let nobody = "9v9".parse().unwrap();
    assert_eq!(calls(&|world| assert!(!world.patch::<OfUpdates>(nobody, |_| unreachable!()))), 0);
    let mut commands = Commands::new();
    commands.patch::<OfUpdates>(entity, |it| it.0 += 1);
    commands.patch::<OfBoth>(entity, |it| it.0 += 1);
    commands.apply(&mut world);
    assert_eq!(world.resource::<Calls>().0, 2);
}

/// The message of operations that are refused while observers run.
const REFUSAL: &str = "a world cannot be copied into by a hook or an observer: note the task, and do it after the edit";

fn is_observing(world: &mut World) -> bool {
    panics(|| world.copy_from(&World::new())).is_some_and(|words| words == REFUSAL)
}

/// Checks that the world is marked as running observers, before and after a nested edit.
fn look(world: &mut World, _: Entity) {
    assert!(is_observing(world), "an observer runs");
    world.spawn(OfInsertions(1));
    assert!(is_observing(world), "the outer observer still runs after a nested call");
    world.resource_mut::<Calls>().0 += 1;
}

#[derive(Component, Clone)]
#[component(clone, on_insert = look, on_update = look)]
struct Looking;
#[derive(Component, Clone)]
#[component(clone)]
struct Watched(u32);

/// The function as an observer that captures it.
const CAPTURED: fn(&mut World, Entity) = look;

/// Adds observers of insertions and updates of `Watched`: a lone one of each kind, or several.
const OBSERVED: [fn(&mut World); 7] = [
    |world| _ = [world.on_insert::<Watched>(look), world.on_update::<Watched>(look)],
    |world| {
        world.on_insert::<Watched>(CAPTURED);
        world.on_update::<Watched>(CAPTURED);
    },
    |world| {
        world.on_batch::<Inserted<Watched>>(|world, all| look(world, all[0]));
        world.on_batch::<Updated<Watched>>(|world, all| look(world, all[0]));
    },
    |world| {
        for _ in 0..2 {
            world.on_insert::<Watched>(look);
            world.on_update::<Watched>(look);
        }
    },
    |world| {
        world.on_batch::<Inserted<Watched>>(|world, all| look(world, all[0]));
        world.on_update::<Watched>(look);
        world.on_insert::<Watched>(CAPTURED);
    },
    |world| {
        _ = world.collector::<Inserted<Watched>>();
        world.on_insert::<Watched>(look);
        world.on_update::<Watched>(CAPTURED);
    },
    |world| {
        world.on_insert::<Watched>(CAPTURED);
        world.on_update::<Watched>(look);
        world.on_remove::<Watched>(look);
    },
];

#[test]
fn a_world_accepts_copies_after_its_observers_return() {
    let copied = |world: &mut World| {
        assert!(world.resource::<Calls>().0 > 0, "an observer was called");
        world.resource_mut::<Calls>().0 = 0;
        let copy = world.try_clone().unwrap();
        world.copy_from(&copy).unwrap();
        world.check_invariants();
    };
    for observe in OBSERVED {
        let mut world = World::new();
        world.insert_resource(Calls::default());
        observe(&mut world);
        let entity = world.spawn(Watched(1)).id();
        copied(&mut world);
        world.insert(entity, Watched(2)).unwrap();
        copied(&mut world);
        world.patch::<Watched>(entity, |it| it.0 += 1);
        copied(&mut world);
        world.replace(entity, Watched(3)).unwrap();
        copied(&mut world);
        let other = world.spawn_empty().id();
        world.insert(other, (Watched(1), Beside(1))).unwrap();
        copied(&mut world);
        world.insert_batch([(entity, Watched(4)), (other, Watched(4))]).unwrap();
        copied(&mut world);
        world.spawn_batch((0..3).map(Watched));
        copied(&mut world);
    }
    let mut world = World::new();
    world.insert_resource(Calls::default());
    let entity = world.spawn(Looking).id();
    copied(&mut world);
    world.insert(entity, Looking).unwrap();
    copied(&mut world);
    world.patch::<Looking>(entity, |_| ());
    copied(&mut world);
    world.insert(entity, (Looking, Beside(1))).unwrap();
    copied(&mut world);
    world.replace(entity, Looking).unwrap();
    copied(&mut world);
}

#[test]
fn a_world_accepts_copies_after_an_observer_panics() {
    #[derive(Component, Clone)]
    #[component(clone, on_insert = fail, on_update = fail)]
    struct Failing;
    fn fail(world: &mut World, entity: Entity) {
        look(world, entity);
        panic!("no");
    }
    let mut world = World::new();
    world.insert_resource(Calls::default());
    let entity = world.spawn_empty().id();
    let edits: [fn(&mut World, Entity); 6] = [
        |world, entity| world.insert(entity, Failing).unwrap(),
        |world, entity| world.insert(entity, Failing).unwrap(),
        |world, entity| _ = world.patch::<Failing>(entity, |_| ()),
        |world, entity| _ = world.insert(entity, (Failing, Beside(1))),
        |world, entity| _ = world.replace(entity, Failing),
        |world, _| _ = world.spawn(Failing).id(),
    ];
    for edit in edits {
        assert_eq!(panics(|| edit(&mut world, entity)).as_deref(), Some("no"));
        assert!(!is_observing(&mut world.try_clone().unwrap()));
        let copy = world.try_clone().unwrap();
        world.copy_from(&copy).unwrap();
        world.check_invariants();
    }
    world.on_insert::<Watched>(fail as fn(&mut World, Entity));
    assert_eq!(panics(|| world.insert(entity, Watched(1))).as_deref(), Some("no"));
    let copy = world.try_clone().unwrap();
    world.copy_from(&copy).unwrap();
}

/// More calls than may be nested, so that a depth that is not reset causes a panic.
#[test]
fn sequential_calls_do_not_count_as_nested() {
    let mut world = World::new();
    world.insert_resource(Calls::default());
    world.on::<u32>(|world, _| world.resource_mut::<Calls>().0 += 1);
    world.on_insert::<Watched>(count as fn(&mut World, Entity));
    for at in 0..600 {
        world.send(&at);
        world.spawn(OfInsertions(at)).insert(OfUpdates(at)).insert(OfUpdates(at));
        world.spawn(Watched(at)).remove::<Watched>();
    }
    assert_eq!(world.resource::<Calls>().0, 600 * 4);
}
