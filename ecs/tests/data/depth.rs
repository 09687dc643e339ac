//! Limits of nesting, equal when values are saved and when they are loaded, and long chains of entities, on small stacks.

use crate::saves::bytes_of;
use ecs::by_name::Kind;
use ecs::save::{ChangeSets, Delta, Follower, Limits, Received};
use ecs::{ChildOf, Component, Entity, Removed, Resource, World};
use serde::{Deserialize, Serialize};
use std::fmt::Display;
use std::thread;

/// A chain; each of its steps is two levels.
#[derive(Component, Serialize, Deserialize, Clone, Default)]
#[component(save = "steps", clone)]
struct Steps(Option<Box<Step>>);
#[derive(Serialize, Deserialize, Clone)]
struct Step {
    length: [u64; 6],
    next: Option<Box<Step>>,
}
/// A chain by variants.
#[derive(Component, Serialize, Deserialize)]
#[component(save = "stairs")]
enum Stairs {
    Top,
    Stair(u8, Box<Stairs>),
}
#[derive(Resource, Serialize, Deserialize, Clone)]
#[resource(save = "way down", clone)]
struct WayDown(Steps);

fn steps(deep: usize) -> Steps {
    let step = |next| Some(Box::new(Step { length: [1; 6], next }));
    Steps((0..deep).fold(None, |next, _| step(next)))
}

fn stairs(deep: usize) -> Stairs {
    (0..deep).fold(Stairs::Top, |next, _| Stairs::Stair(1, Box::new(next)))
}

/// Calls `run` on the stack that the standard library gives a thread, or on a larger one where sanitizers need it.
fn on_a_small_stack(run: fn()) {
    on_a_stack_of(2 << 20, run);
}

fn on_a_stack_of(bytes: usize, run: fn()) {
    let larger = std::env::var("RUST_MIN_STACK").ok().and_then(|bytes| bytes.parse().ok());
    let thread = thread::Builder::new().stack_size(larger.unwrap_or(bytes));
    thread.spawn(run).unwrap().join().unwrap();
}

const TOO_DEEP: &str = "values are nested deeper than 128, and would not be loaded: keep them side by side in a list, \
                        where each names others by their positions";

#[test]
fn values_are_saved_no_deeper_than_they_are_loaded() {
    on_a_small_stack(|| {
        // A value of the largest depth, beyond the values that are read again when they are saved.
        let saved = |spawn: &dyn Fn(&mut World) -> Entity| {
            let mut world = World::new();
            world.spawn_batch((0..40).map(|_| Steps::default()));
            world.spawn_batch((0..40).map(|_| stairs(0)));
            let (entity, mut bytes) = (spawn(&mut world), b"before".to_vec());
            let result = world.save().to_bytes(&mut bytes);
            if let Err(error) = &result {
                assert!(
                    bytes == b"before" && error.to_string().contains(&entity.to_string()),
                    "{error}"
                );
            }
            let text = serde_json::to_string(&world.save());
            assert_eq!(result.is_ok(), text.is_ok(), "{text:?}");
            result
                .map(|_| world.read(&bytes[6..], &Limits::default()).unwrap())
                .map_err(|error| error.to_string())
        };
        saved(&|world| world.spawn(steps(63)).id()).unwrap();
        let error = saved(&|world| world.spawn(steps(64)).id()).unwrap_err();
        assert!(
            error.starts_with("cannot save `steps` of 80v1: ") && error.ends_with(TOO_DEEP),
            "{error}"
        );
        saved(&|world| world.spawn(stairs(63)).id()).unwrap();
        let error = saved(&|world| world.spawn(stairs(64)).id()).unwrap_err();
        assert!(
            error.starts_with("cannot save `stairs` of 80v1: ") && error.ends_with(TOO_DEEP),
            "{error}"
        );
    });
}

#[test]
fn values_that_are_far_too_deep_are_refused_on_a_small_stack() {
    on_a_small_stack(|| {
        let mut world = World::new();
        world.insert_resource(WayDown(steps(0)));
        world.spawn_batch((0..40).map(|_| Steps::default()));
        let old = world.try_clone().unwrap();
        let mut sets = world.change_sets();
        let deep = world.spawn(steps(10_000)).id();
        let refused = |error: &dyn Display| {
            let error = error.to_string();
            assert!(error.ends_with(TOO_DEEP), "{error}");
        };
        refused(&world.save().to_bytes(&mut Vec::new()).unwrap_err());
        refused(&serde_json::to_string(&world.save()).unwrap_err());
        refused(&Delta::between(&old, &world).unwrap_err());
        let value = world.kind_value(Kind::of::<Steps>(), deep).unwrap();
        refused(&serde_json::to_string(&value).unwrap_err());
        assert!(sets.drain(&mut world).unwrap().is_empty(), "it is not tracked");
        world.despawn(deep).unwrap();
        world.insert_resource(WayDown(steps(10_000)));
        refused(&world.save().to_bytes(&mut Vec::new()).unwrap_err());
        refused(&serde_json::to_string(&world.save()).unwrap_err());
    });
}

#[test]
fn texts_are_read_as_deep_as_bytes() {
    on_a_small_stack(|| {
        let mut world = World::new();
        world.spawn(steps(63));
        let read = |deep: usize| {
            let step = r#"{"length":[1,1,1,1,1,1],"next":"#.repeat(deep);
            let value = format!("{step}null{}", "}".repeat(deep));
            let part = format!(r#""steps":{{"version":1,"values":[["0v1",{value}]]}}"#);
            let text = format!(r#"{{"entities":["0v1"],"free":[],"components":{{{part}}}}}"#);
            let read = world.read_from(&mut serde_json::Deserializer::from_str(&text));
            read.map(|(world, _)| bytes_of(&world)).map_err(|error| error.to_string())
        };
        assert_eq!(read(63).unwrap(), bytes_of(&world));
        let error = read(64).unwrap_err();
        assert!(error.starts_with("`steps` of 0v1: values are nested deeper than 128"), "{error}");
    });
}

/// An entity of a chain.
#[derive(Component, Serialize, Deserialize, Clone, Copy, Debug, PartialEq)]
#[component(save = "link", clone, track, veto = Link::may_go)]
struct Link(u32);

impl Link {
    fn may_go(&mut self) -> bool {
        self.0 < LINKS
    }
}

const LINKS: u32 = 7_500;

/// Has 69 bytes for each, less than a call takes.
const STACK_OF_CHAINS: usize = 512 << 10;

fn knowing() -> World {
    let mut world = World::new();
    world.register::<(ChildOf, Link)>();
    world
}

/// Returns a world with a chain of children, and its first and last entity.
fn chain() -> (World, Entity, Entity) {
    let mut world = knowing();
    let first = world.spawn(Link(0)).id();
    let last = (1..LINKS).fold(first, |parent, at| world.spawn((ChildOf(parent), Link(at))).id());
    (world, first, last)
}

#[test]
fn a_long_chain_is_copied_and_saved_on_a_small_stack() {
    on_a_stack_of(STACK_OF_CHAINS, || {
        let (mut world, first, last) = chain();
        let saved = bytes_of(&world);
        let is_equal = |other: &World| assert!(bytes_of(other) == saved);
        assert!(world.attach(first, last).is_err(), "a circle");
        is_equal(&world.read(&saved, &Limits::default()).unwrap().0);
        let text = serde_json::to_string(&world.save()).unwrap();
        let text = &mut serde_json::Deserializer::from_str(&text);
        is_equal(&world.read_from(text).unwrap().0);

        let mut copy = world.try_clone().unwrap();
        copy.check_invariants();
        is_equal(&copy);
        let whole = copy.spawn_copies_with::<ChildOf>(first, 1).unwrap()[0];
        assert_eq!(copy.descendants_of::<ChildOf>(whole).count() + 1, LINKS as usize);
        copy.copy_from(&world).unwrap();
        is_equal(&copy);
        let mut other = knowing();
        other.spawn_copies_of(&world, 2).unwrap();
        other.merge(&mut copy).unwrap();
        assert_eq!(other.len(), 3 * LINKS as usize);
        other.check_invariants();

        let mut old = knowing();
        let delta = Delta::between(&old, &world).unwrap();
        old.apply_delta(delta.as_bytes(), &Limits::default()).unwrap();
        is_equal(&old);
        let (mut follower, mut follows) = (knowing(), Follower::default());
        let set = ChangeSets::default().drain(&mut world).unwrap();
        let applied = follower.apply_change_set(set.as_bytes(), &mut follows, &Limits::default());
        assert_eq!(applied.unwrap(), Received::Applied);
        assert_eq!(follower.len(), LINKS as usize);
        follower.check_invariants();
    });
}

#[test]
fn a_long_chain_ends_on_a_small_stack() {
    on_a_stack_of(STACK_OF_CHAINS, || {
        let (mut world, first, last) = chain();
        let saved = bytes_of(&world);
        let ended = world.take_entity(first).unwrap();
        assert!(world.is_empty());
        world.restore(ended).unwrap();
        assert!(bytes_of(&world) == saved);
        world.check_invariants();

        // Vetoes and observers are called for each.
        world.patch::<Link>(last, |link| link.0 = LINKS);
        assert!(world.despawn(first).is_err(), "the last one refuses");
        world.patch::<Link>(last, |link| link.0 = 0);
        world.on_remove::<Link>(|world, entity| assert!(world.has::<Link>(entity)));
        world.on_batch::<Removed<ChildOf>>(|world, entities| {
            assert_eq!((world.len(), entities.len() + 1), (LINKS as usize, LINKS as usize));
        });
        world.despawn(first).unwrap();
        assert!(world.is_empty());
        world.check_invariants();
        let (mut world, ..) = chain();
        world.clear();
        assert!(world.is_empty());
        drop(chain());
    });
}
