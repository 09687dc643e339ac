//! Components and resources that count their values, and call [`tick`] in each call of theirs.

#![allow(dead_code, reason = "not all of what stands beside columns is used")]

use crate::tick;
use ecs::by_name::Kind;
use ecs::{Component, Entity, Resource, World};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::cell::Cell;

thread_local! {
    static ALIVE: Cell<isize> = const { Cell::new(0) };
}

/// The number of values there are.
pub fn alive() -> isize {
    ALIVE.get()
}

#[derive(Debug)]
pub struct Value(Box<u64>);

/// Returns a value. Making it is no call of user code by the library.
pub fn value() -> Value {
    ALIVE.set(ALIVE.get() + 1);
    Value(Box::new(7))
}

impl Drop for Value {
    fn drop(&mut self) {
        assert_eq!(*self.0, 7, "dropped twice, or another value");
        ALIVE.set(ALIVE.get() - 1);
        tick();
    }
}

impl Clone for Value {
    fn clone(&self) -> Self {
        tick();
        value()
    }
}

impl Default for Value {
    fn default() -> Self {
        tick();
        value()
    }
}

impl Serialize for Value {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        tick();
        serializer.serialize_u64(*self.0)
    }
}

impl<'de> Deserialize<'de> for Value {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        tick();
        u64::deserialize(deserializer).map(|_| value())
    }
}

#[derive(Component, Clone, Debug, Default, Serialize, Deserialize)]
#[component(clone, debug, default, save = "body", track)]
pub struct Body(pub Value);

/// Stored in columns.
#[derive(Component, Clone, Serialize, Deserialize)]
#[component(clone, save = "pair", layout = "soa", track)]
pub struct Pair {
    pub left: Value,
    pub right: Value,
}

pub fn pair() -> Pair {
    Pair { left: value(), right: value() }
}

/// Requires a body.
#[derive(Component, Clone, Default, Serialize, Deserialize)]
#[component(clone, default, save = "armour", requires(Body))]
#[repr(align(64))]
pub struct Armour(pub Value);

#[derive(Component, Clone, Serialize, Deserialize)]
#[component(clone, save = "hooked", on_insert = called, on_update = called, on_remove = called)]
pub struct Hooked(pub Value);

fn called(_: &mut World, _: Entity) {
    tick();
}

/// A component with a veto that agrees each third time.
#[derive(Component, Clone, Serialize, Deserialize)]
#[component(clone, save = "guarded", veto = Guarded::may_go)]
pub struct Guarded(pub u32, pub Value);

impl Guarded {
    fn may_go(&mut self) -> bool {
        tick();
        self.0 += 1;
        self.0.is_multiple_of(3)
    }
}

/// Ends with its target.
#[derive(Component, Clone, Serialize, Deserialize)]
#[component(clone, save = "part of", relation, at_end = despawn)]
pub struct PartOf(#[component(target)] pub Entity, pub Value);

/// Goes when its target ends.
#[derive(Component, Clone, Serialize, Deserialize)]
#[component(clone, save = "likes", relation, track)]
pub struct Likes(#[component(target)] pub Entity, pub Value);

/// Has no value, but a destructor.
#[derive(Component, Clone, Default, Serialize, Deserialize)]
#[component(clone, save = "ghost", default)]
pub struct Ghost;

impl Drop for Ghost {
    fn drop(&mut self) {
        tick();
    }
}

#[derive(Resource, Clone, Default, Serialize, Deserialize)]
#[resource(clone, save = "store")]
pub struct Store(pub Value);

/// The number of values that a world holds.
pub fn in_world(world: &World) -> isize {
    let count = |kind: Kind| match (kind.name(), world.kind_entities(kind).len()) {
        ("Ghost" | "ChildOf" | "Name", _) => 0,
        ("Pair", len) => 2 * len,
        (_, len) => len,
    };
    let held = world.kinds().map(count).sum::<usize>()
        + usize::from(world.get_resource::<Store>().is_some());
    held.cast_signed()
}
