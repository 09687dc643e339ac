//! Limits of memory that all clients share.

use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

/// An amount that may be held at a time: of requests, or of bytes.
#[derive(Debug)]
pub(crate) struct Room {
    pub(crate) most: usize,
    held: Mutex<usize>,
    freed: Condvar,
}

impl Room {
    pub(crate) fn new(most: usize) -> Arc<Self> {
        Arc::new(Self { most, held: Mutex::new(0), freed: Condvar::new() })
    }

    fn lock(&self) -> MutexGuard<'_, usize> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits until an amount may be held; `None` if it may not be in time.
    pub(crate) fn wait(self: &Arc<Self>, amount: usize, until: Instant) -> Option<Held> {
        let mut held = self.lock();
        while amount > self.most - *held {
            let left = until.saturating_duration_since(Instant::now());
            if amount > self.most || left.is_zero() {
                return None;
            }
            let (again, _) =
                self.freed.wait_timeout(held, left).unwrap_or_else(PoisonError::into_inner);
            held = again;
        }
        *held += amount;
        Some(Held { room: Arc::clone(self), amount })
    }

    /// Returns the amount that is held.
    #[cfg(test)]
    pub(crate) fn held(&self) -> usize {
        *self.lock()
    }
}

/// An amount that is held, until this is dropped.
#[derive(Debug)]
pub(crate) struct Held {
    room: Arc<Room>,
    amount: usize,
}

impl Held {
    /// Returns nothing, which may grow.
    pub(crate) fn none(room: &Arc<Room>) -> Self {
        Self { room: Arc::clone(room), amount: 0 }
    }

    /// Changes the amount. Returns `false`, and changes nothing, if there is no room for it.
    pub(crate) fn set(&mut self, amount: usize) -> bool {
        let mut held = self.room.lock();
        let others = *held - self.amount;
        let fits = amount <= self.amount || amount <= self.room.most - others;
        if fits {
            let is_less = amount < self.amount;
            (*held, self.amount) = (others + amount, amount);
            drop(held);
            if is_less {
                self.room.freed.notify_all();
            }
        }
        fits
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        self.set(0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::thread;
    use std::time::Duration;

    #[test]
    fn no_more_is_held_than_there_is_room_for() {
        let room = Room::new(10);
        let now = Instant::now();
        let mut first = room.wait(6, now).unwrap();
        assert!(room.wait(5, now).is_none() && room.wait(11, now + Duration::MAX / 4).is_none());
        assert!(!first.set(11) && first.set(10) && first.set(2));
        let second = room.wait(8, now).unwrap();
        assert_eq!(room.held(), 10);
        thread::scope(|scope| {
            let waits = scope.spawn(|| room.wait(8, Instant::now() + Duration::from_secs(60)));
            drop(second);
            assert!(waits.join().unwrap().is_some());
        });
        drop(first);
        assert_eq!(room.held(), 0);
    }
}
