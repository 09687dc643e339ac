//! The calls of a library that the programs need. Each world has two types of components, with a value in each.

use crate::ledger::{Value, set_fuse};
use std::fmt::Debug;

/// `None`: the library has no such call.
pub type Ran = Option<()>;

pub trait Library: Sized + 'static {
    /// Its crate.
    const NAME: &str;
    type Entity: Copy + Ord + Debug;

    fn new() -> Self;
    fn spawn_empty(&mut self) -> Self::Entity;
    fn spawn(&mut self, first: Value, second: Value) -> Self::Entity;
    /// Inserts a first component, or replaces it.
    fn insert(&mut self, entity: Self::Entity, first: Value);
    /// Removes the first component, and drops it.
    fn remove(&mut self, entity: Self::Entity);
    fn despawn(&mut self, entity: Self::Entity);
    fn is_alive(&mut self, entity: Self::Entity) -> bool;
    /// Looks up the first component.
    fn first(&mut self, entity: Self::Entity) -> Option<u32>;
    /// Looks up the second component.
    fn second(&mut self, entity: Self::Entity) -> Option<u32>;
    /// Loops over all that have a first component.
    fn firsts(&mut self) -> Vec<(Self::Entity, u32)>;
    /// Loops over all that have both.
    fn both(&mut self) -> Vec<(Self::Entity, u32, u32)>;
    /// Calls `f` with each first component, in a loop that writes.
    fn write(&mut self, f: impl FnMut(&mut Value));

    /// Despawns all.
    fn clear(&mut self) -> Ran {
        None
    }
    /// Spawns a batch with both components.
    fn spawn_batch(&mut self, _: impl Iterator<Item = (Value, Value)>) -> Ran {
        None
    }
    /// Calls `f` at each insertion of a first component from now on.
    fn observe_insertions(&mut self, _: fn()) -> Ran {
        None
    }
    /// Calls `f` at each removal of a first component from now on.
    fn observe_removals(&mut self, _: fn()) -> Ran {
        None
    }
    /// Sorts by the first component in descending order, with a call of [`tick`](crate::ledger::tick) at each comparison.
    fn sort(&mut self) -> Ran {
        None
    }
    /// Clones an entity with its components, into a new entity.
    fn copy(&mut self, _: Self::Entity) -> Ran {
        None
    }
    /// Runs systems on threads; one calls [`tick`](crate::ledger::tick). Runs them once more if they panic, and then
    /// continues the panic.
    fn schedule(&mut self) -> Ran {
        None
    }
    /// Saves the world, and loads it from the first part of the saved bytes, or from all of them.
    fn load(&mut self, _: Loaded) -> Ran {
        None
    }
    /// Records the insertion of a first component, a command that calls [`tick`](crate::ledger::tick), and another
    /// insertion, and applies all.
    fn command(&mut self, _: [Self::Entity; 2], _: [Value; 2]) -> Ran {
        None
    }
}

#[derive(Clone, Copy, PartialEq)]
pub enum Loaded {
    All,
    /// Two thirds, which must be an error.
    Part,
}

impl Loaded {
    /// Returns the part of `saved` that is to be loaded. If it is all, a call of `deserialize` panics from now on.
    pub fn part(self, saved: &[u8]) -> &[u8] {
        match self {
            Self::All => {
                set_fuse(4);
                saved
            }
            Self::Part => &saved[..saved.len() * 2 / 3],
        }
    }
}
