//! State outside of components that follows a world whose content is replaced at once.

use ecs::save::{Delta, Limits};
use ecs::{Component, Entity, Inserted, Removed, Replaced, Resource, Updated, World};
use serde::{Deserialize, Serialize};
use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex};

/// A value that entities are found by: hooks keep an index.
#[derive(Component, Serialize, Deserialize, Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[component(
    save = "replaced::Team",
    clone,
    track,
    on_insert = Index::add,
    on_update = Index::update,
    on_remove = Index::remove
)]
struct Team(u8);

/// The members of each team, and the team of each member.
#[derive(Resource, Default, Debug, PartialEq)]
#[resource(clone = skip, save = skip)]
struct Index {
    members: BTreeMap<Team, BTreeSet<Entity>>,
    team_of: BTreeMap<Entity, Team>,
}

impl Index {
    fn add(world: &mut World, entity: Entity) {
        let team = *world.get::<Team>(entity).unwrap();
        world.resource_mut::<Self>().put(entity, team);
    }

    fn update(world: &mut World, entity: Entity) {
        world.resource_mut::<Self>().take(entity);
        Self::add(world, entity);
    }

    fn remove(world: &mut World, entity: Entity) {
        world.resource_mut::<Self>().take(entity);
    }

    fn rebuild(world: &mut World) {
        *world.resource_mut::<Self>() = Self::of(world);
    }

    fn of(world: &World) -> Self {
        let mut index = Self::default();
        world.view::<&Team>().iter().for_each(|(entity, team)| index.put(entity, *team));
        index
    }

    fn put(&mut self, entity: Entity, team: Team) {
        assert_eq!(self.team_of.insert(entity, team), None, "it is in a team already");
        self.members.entry(team).or_default().insert(entity);
    }

    fn take(&mut self, entity: Entity) {
        let team = self.team_of.remove(&entity).expect("it is in a team");
        let members = self.members.get_mut(&team).unwrap();
        assert!(members.remove(&entity));
        if members.is_empty() {
            self.members.remove(&team);
        }
    }
}

/// A thing with a weight in the engine.
#[derive(Component, Serialize, Deserialize, Clone, Copy, Debug, PartialEq)]
#[component(save = "replaced::Weight", clone)]
struct Weight(u32);

/// An engine outside of the world: it gives out a handle for each body.
#[derive(Resource, Default)]
#[resource(clone = skip, save = skip)]
struct Engine {
    bodies: BTreeMap<u64, u32>,
    body_of: BTreeMap<Entity, u64>,
    next: u64,
    /// The number of bodies that were destroyed because an entity lost its weight.
    deaths: usize,
}

impl Engine {
    fn install(world: &mut World) {
        world.insert_resource(Self::default());
        world.on_insert::<Weight>(|world, entity| {
            let weight = *world.get::<Weight>(entity).unwrap();
            world.resource_mut::<Self>().create(entity, weight);
        });
        world.on_update::<Weight>(|world, entity| {
            let weight = *world.get::<Weight>(entity).unwrap();
            let engine = world.resource_mut::<Self>();
            let body = engine.body_of[&entity];
            *engine.bodies.get_mut(&body).unwrap() = weight.0;
        });
        world.on_remove::<Weight>(|world, entity| {
            let engine = world.resource_mut::<Self>();
            let body = engine.body_of.remove(&entity).expect("it has a body");
            assert!(engine.bodies.remove(&body).is_some());
            engine.deaths += 1;
        });
        world.on::<Replaced>(|world, _| {
            let all: Vec<_> =
                world.view::<&Weight>().iter().map(|(it, weight)| (it, *weight)).collect();
            let engine = world.resource_mut::<Self>();
            engine.bodies.clear();
            engine.body_of.clear();
            for (entity, weight) in all {
                engine.create(entity, weight);
            }
        });
    }

    fn create(&mut self, entity: Entity, weight: Weight) {
        self.next += 1;
        assert_eq!(self.body_of.insert(entity, self.next), None, "it has a body already");
        self.bodies.insert(self.next, weight.0);
    }

    fn check(world: &World) {
        let engine = world.resource::<Self>();
        let weights = world.view::<&Weight>();
        assert_eq!(engine.bodies.len(), weights.count());
        assert_eq!(engine.body_of.len(), weights.count());
        for (entity, weight) in &weights {
            assert_eq!(engine.bodies[&engine.body_of[&entity]], weight.0);
        }
    }
}

/// A component that the tests neither save nor copy.
#[derive(Component)]
struct Unsaved;

/// A world with an index and an engine beside it.
fn followed() -> World {
    let mut world = World::new();
    world.register::<(Team, Weight)>();
    world.insert_resource(Index::default());
    world.on::<Replaced>(|world, _| Index::rebuild(world));
    Engine::install(&mut world);
    world
}

fn check(world: &World) {
    assert_eq!(*world.resource::<Index>(), Index::of(world));
    Engine::check(world);
    world.check_invariants();
}

fn saved(world: &World) -> Vec<u8> {
    let mut bytes = Vec::new();
    world.save().to_bytes(&mut bytes).unwrap();
    bytes
}

/// Replaces the content of a world by another one's, in one of four ways.
fn replace(world: &mut World, by: &World, way: Replaced) {
    match way {
        Replaced::Cleared => world.clear(),
        Replaced::Loaded => _ = world.load(&saved(by), &Limits::default()).unwrap(),
        Replaced::Copied => world.copy_from(by).unwrap(),
        _ => {
            let delta = Delta::between(world, by).unwrap();
            world.apply_delta(delta.as_bytes(), &Limits::default()).unwrap();
        }
    }
}

const WAYS: [Replaced; 4] =
    [Replaced::Cleared, Replaced::Loaded, Replaced::Copied, Replaced::Applied];

/// The ways, each with two worlds: one with an index and an engine, and another one with a common past.
fn pairs() -> impl Iterator<Item = (Replaced, World, World)> {
    WAYS.into_iter().map(|way| {
        let mut world = followed();
        let all = world.spawn_batch((0..9).map(|at| (Team(at % 3), Weight(at.into()))));
        let mut by = world.try_clone().unwrap();
        by.insert_resource(Index::of(&by)); // its hooks keep one as well
        by.despawn(all[2]).unwrap();
        by.insert(all[3], Team(7)).unwrap();
        by.spawn((Team(8), Weight(30)));
        world.despawn(all[5]).unwrap();
        world.spawn((Team(6), Weight(40)));
        (way, world, by)
    })
}

#[test]
fn an_index_and_an_engine_follow_each_replacement() {
    for (way, mut world, by) in pairs() {
        check(&world);
        replace(&mut world, &by, way);
        check(&world);
        assert_eq!(world.view::<&Team>().count(), if way == Replaced::Cleared { 0 } else { 9 });
        // Later edits find the expected entries in the index and in the engine.
        let all: Vec<Entity> = world.entities().collect();
        world.despawn_batch(&all);
        world.spawn((Team(1), Weight(1)));
        check(&world);
    }
}

#[test]
fn a_game_that_clears_and_merges_sees_no_deaths() {
    let mut world = followed();
    world.spawn_batch((0..100).map(|at| (Team(at % 5), Weight(at.into()))));
    let bytes = saved(&world);
    let (mut level, _) = world.read(&bytes, &Limits::default()).unwrap();
    world.clear();
    assert_eq!(world.resource::<Engine>().bodies.len(), 0);
    world.merge(&mut level).unwrap();
    check(&world);
    let engine = world.resource::<Engine>();
    assert_eq!((engine.deaths, engine.bodies.len()), (0, 100));
}

#[test]
fn each_replacement_is_announced_once_when_the_world_can_be_edited() {
    for (way, mut world, by) in pairs() {
        let heard = Arc::new(Mutex::new(Vec::new()));
        let list = heard.clone();
        world.on::<Replaced>(move |world, replaced| {
            world.check_invariants();
            list.lock().unwrap().push((*replaced, world.len()));
            world.spawn((Team(9), Weight(50)));
        });
        replace(&mut world, &by, way);
        let len = if way == Replaced::Cleared { 0 } else { by.len() };
        assert_eq!(*heard.lock().unwrap(), [(way, len)]);
        assert_eq!(world.len(), len + 1);
        check(&world);
    }
}

#[test]
fn no_replacement_calls_hooks_or_observers_of_components() {
    for (way, mut world, by) in pairs() {
        let unreached = |_: &mut World, _: Entity| panic!("it is not notified of a replacement");
        world.on_insert::<Weight>(unreached);
        world.on_update::<Weight>(unreached);
        world.on_remove::<Weight>(unreached);
        replace(&mut world, &by, way);
        check(&world);
    }
}

#[test]
fn operations_that_fail_are_not_announced() {
    let (_, mut world, mut by) = pairs().next().unwrap();
    world.on::<Replaced>(|_, replaced| panic!("{replaced:?}"));
    let (limits, tight) = (Limits::default(), Limits::default().memory(9));
    assert!(world.load(b"PNG", &limits).is_err());
    assert!(world.load(&saved(&by), &tight).is_err());
    assert!(world.apply_delta(b"PNG", &limits).is_err());
    by.spawn(Unsaved);
    assert!(world.copy_from(&by).is_err());
    check(&world);
}

#[test]
fn collectors_start_anew_before_a_replacement_is_announced() {
    for (way, mut world, by) in pairs() {
        let came = world.collector::<Inserted<Weight>>();
        let changed = world.collector::<Updated<Weight>>();
        let gone = world.collector::<Removed<Weight>>();
        // An entity of before, which an observer that builds all anew must not lose later.
        let entity = world.entities().next().unwrap();
        world.remove::<Weight>(entity);
        world.insert(entity, Weight(1)).unwrap();
        world.insert(entity, Weight(2)).unwrap();
        let made = Arc::new(Mutex::new(None));
        let place = made.clone();
        world.on::<Replaced>(move |world, _| {
            *place.lock().unwrap() = Some(world.spawn(Weight(3)).id());
        });
        replace(&mut world, &by, way);
        let made = made.lock().unwrap().unwrap();
        assert_eq!(world.drain(came), [made], "{way:?}");
        assert_eq!((world.drain(changed), world.drain(gone)), (vec![], vec![]), "{way:?}");
        world.despawn(made).unwrap();
        assert_eq!(world.drain(gone), [made], "{way:?}");
    }
}

#[test]
fn readers_of_changes_find_replaced_components() {
    for (way, mut world, by) in pairs() {
        let mut reader = world.changes::<Team>();
        world.advance(&mut reader);
        let before: BTreeMap<Entity, Team> =
            world.view::<&Team>().iter().map(|(it, team)| (it, *team)).collect();
        replace(&mut world, &by, way);
        world.advance(&mut reader);
        let gone: BTreeSet<Entity> = reader.removed().iter().copied().collect();
        for entity in before.keys() {
            assert!(world.has::<Team>(*entity) || gone.contains(entity), "{way:?}");
        }
        let came: BTreeSet<Entity> =
            world.view::<&Team>().among(reader.changed()).iter().map(|(it, _)| it).collect();
        for (entity, team) in &world.view::<&Team>() {
            assert!(before.get(&entity) == Some(team) || came.contains(&entity), "{way:?}");
        }
    }
}

#[test]
fn the_content_is_not_replaced_inside_an_edit() {
    /// An event whose observer replaces the content.
    struct Replace;
    let edits: [fn(&mut World, Entity); 8] = [
        |world, _| _ = world.spawn(Weight(3)),
        |world, _| _ = world.spawn_batch([Weight(3), Weight(4)]),
        |world, entity| _ = world.patch::<Weight>(entity, |weight| weight.0 += 1),
        |world, entity| _ = world.remove::<Weight>(entity),
        |world, entity| _ = world.despawn(entity),
        |world, entity| _ = world.despawn_batch(&[entity, entity]),
        |world, entity| world.pool_mut::<Weight>().retain(|it, _| it != entity),
        |world, _| world.send(&"an event whose observer edits"),
    ];
    for (edit, (way, mut world, by)) in
        edits.iter().flat_map(|edit| pairs().map(move |pair| (edit, pair)))
    {
        let entity = world.entities().next().unwrap();
        world.on::<Replace>(move |world, _| replace(world, &by, way));
        let send: fn(&mut World, Entity) = |world, _| world.send(&Replace);
        world.on_insert::<Weight>(send);
        world.on_update::<Weight>(send);
        world.on_remove::<Weight>(send);
        world.on::<&str>(|world, _| _ = world.spawn(Weight(3)));
        let caught = catch_unwind(AssertUnwindSafe(|| edit(&mut world, entity)));
        let message = *caught.unwrap_err().downcast::<String>().unwrap();
        let end = "by a hook or an observer: note the task, and do it after the edit";
        assert!(message.starts_with("a world cannot be ") && message.ends_with(end), "{message}");
        world.check_invariants();
        assert!(world.is_alive(entity), "{way:?}");
        world.send(&Replace); // outside of edits
        check(&world);
    }
}

/// A value that counts its drop, and panics then if it is to go off.
#[derive(Component, Serialize, Deserialize, Clone, Debug)]
#[component(save = "replaced::Bomb", clone)]
struct Bomb {
    goes_off: bool,
}

thread_local! {
    /// The number of bombs that were dropped.
    static DROPPED: Cell<usize> = const { Cell::new(0) };
}

impl Drop for Bomb {
    fn drop(&mut self) {
        DROPPED.set(DROPPED.get() + 1);
        assert!(!self.goes_off, "a bomb went off");
    }
}

/// Returns a world with five values, whose third may panic, and an empty world with their components registered.
fn with_bombs(goes_off: bool) -> (World, World) {
    let (mut world, mut by) = (World::new(), World::new());
    world.register::<Bomb>();
    by.register::<Bomb>();
    world.spawn_batch((0..5).map(|at| Bomb { goes_off: goes_off && at == 2 }));
    (world, by)
}

#[test]
fn old_values_are_dropped_before_a_replacement_is_announced() {
    for way in WAYS {
        let (mut world, by) = with_bombs(false);
        world.on::<Replaced>(move |_, _| assert_eq!(DROPPED.get(), 5, "{way:?}"));
        DROPPED.set(0);
        replace(&mut world, &by, way);
        assert_eq!(DROPPED.get(), 5);
    }
}

#[test]
fn a_panic_of_a_drop_is_not_announced_and_leaves_a_world_that_works() {
    for way in WAYS {
        let (mut world, by) = with_bombs(true);
        world.on::<Replaced>(|_, replaced| panic!("{replaced:?}"));
        let caught = catch_unwind(AssertUnwindSafe(|| replace(&mut world, &by, way)));
        assert_eq!(caught.unwrap_err().downcast_ref(), Some(&"a bomb went off"), "{way:?}");
        assert!(world.is_empty());
        world.check_invariants();
    }
}

#[test]
fn an_observer_of_a_replacement_may_replace_the_content_again() {
    for (way, mut world, by) in pairs() {
        let level = saved(&by);
        world.on::<Replaced>(move |world, replaced| {
            if *replaced == Replaced::Cleared {
                world.load(&level, &Limits::default()).unwrap();
            }
        });
        world.on::<Replaced>(|world, _| Index::rebuild(world)); // notified of both
        replace(&mut world, &by, way);
        check(&world);
        assert_eq!(world.len(), by.len(), "{way:?}");
    }
}
