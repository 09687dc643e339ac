//! Components that misbehave, and components that write a log.

use ecs::{Component, Entity, World};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicIsize, Ordering};

/// Counts how many of its components are alive.
#[derive(Clone, Default)]
pub struct Ledger(Arc<AtomicIsize>);

impl Ledger {
    pub fn alive(&self) -> isize {
        self.0.load(Ordering::Relaxed)
    }

    pub fn tracked(&self) -> Tracked {
        self.0.fetch_add(1, Ordering::Relaxed);
        Tracked { ledger: self.clone(), bomb: false, value: Box::new(7) }
    }

    /// Returns a value whose drop panics, after it was counted.
    pub fn bomb(&self) -> Tracked {
        let mut tracked = self.tracked();
        tracked.bomb = true;
        tracked
    }
}

#[derive(Component)]
pub struct Tracked {
    ledger: Ledger,
    bomb: bool,
    /// A second drop would free this twice.
    pub value: Box<u64>,
}

impl Drop for Tracked {
    fn drop(&mut self) {
        assert_eq!(*self.value, 7, "dropped twice, or something else");
        self.ledger.0.fetch_sub(1, Ordering::Relaxed);
        assert!(!self.bomb || std::thread::panicking(), "a bomb went off");
    }
}

#[derive(Component, Clone, Copy, Debug, Default, PartialEq)]
pub struct Position(pub f32);
#[derive(Component, Clone, Copy, Debug, Default, PartialEq)]
pub struct Velocity(pub f32);
#[derive(Component, Clone, Copy, Debug, Default, PartialEq)]
pub struct Tag;

#[derive(Component, Clone, Debug, PartialEq)]
pub struct Mass(pub u32);
#[derive(Component, Clone, Debug, Default, PartialEq)]
pub struct Asleep;

/// Positions by number, in another order than the entities.
pub fn scattered(world: &mut World, count: u32) -> Vec<Entity> {
    let entities: Vec<Entity> = (0..count).map(|_| world.spawn_empty().id()).collect();
    for step in 0..count {
        let at = step * 7 % count;
        let entity = entities[at as usize];
        world.insert(entity, Position(at as f32)).unwrap();
        if !at.is_multiple_of(3) {
            world.insert(entity, Velocity(at as f32)).unwrap();
        }
        if at.is_multiple_of(5) {
            world.insert(entity, Mass(at)).unwrap();
        }
        if at.is_multiple_of(4) {
            world.insert(entity, Asleep).unwrap();
        }
    }
    entities
}

/// Stays while it is locked, and counts the calls of its veto; too many make the veto panic.
#[derive(Component, Debug, Default, PartialEq)]
#[component(veto = Door::may_go)]
pub struct Door {
    pub locked: bool,
    pub asked: u32,
}

impl Door {
    fn may_go(&mut self) -> bool {
        assert!(self.asked < 100, "asked too often");
        self.asked += 1;
        !self.locked
    }
}

/// Numbers that look random and are the same in every run: Marsaglia's xorshift (2003).
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    pub fn below(&mut self, limit: usize) -> usize {
        usize::try_from(self.next() % limit as u64).expect("below the limit")
    }
}

/// Returns the message with which `f` panicked, if it did.
pub fn panics<R>(f: impl FnOnce() -> R) -> Option<String> {
    let payload = catch_unwind(AssertUnwindSafe(|| drop(f()))).err()?;
    let text = payload.downcast_ref::<String>().cloned();
    text.or_else(|| payload.downcast_ref::<&str>().map(ToString::to_string))
        .or(Some("a panic without words".into()))
}

/// Promises this many items, whatever it has.
pub struct Promising<I>(pub I, pub usize);

impl<I: Iterator> Iterator for Promising<I> {
    type Item = I::Item;
    fn next(&mut self) -> Option<I::Item> {
        self.0.next()
    }
    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.1, Some(self.1))
    }
}
