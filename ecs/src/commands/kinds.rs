//! The queues of commands, found by the kind of command that they hold.

#[cfg(debug_assertions)]
use crate::commands::queue::Edited;
use crate::commands::queue::Queue;
use alloc::boxed::Box;
use alloc::vec;
use alloc::vec::Vec;
use core::any::TypeId;
use core::hash::{Hash, Hasher};

/// A queue for each kind of command that was ever recorded. Queues keep their numbers.
#[derive(Default)]
pub(super) struct Kinds {
    queues: Vec<KindQueue>,
    /// The numbers of queues, each at the place of the hash of its kind, or else at the next that
    /// was free; [`FREE`] elsewhere. At most half of it is in use, so that most are found at once.
    table: Vec<usize>,
}

struct KindQueue {
    id: TypeId,
    queue: Box<dyn Queue>,
    /// The number of the queue that was found after this one, the last time.
    next: usize,
}

/// No queue has this number.
const FREE: usize = usize::MAX;

/// A type's id is random bits already: they are taken as they are.
#[derive(Default)]
struct TypeIdHasher(u64);

impl Hasher for TypeIdHasher {
    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = self.0.rotate_left(8) ^ u64::from(byte);
        }
    }
    #[inline]
    fn write_u64(&mut self, bits: u64) {
        self.0 ^= bits;
    }
    #[inline]
    fn finish(&self) -> u64 {
        self.0
    }
}

impl Kinds {
    pub(super) const fn new() -> Self {
        Self { queues: Vec::new(), table: Vec::new() }
    }

    /// Returns `true` if the queue with this number is of this kind.
    #[inline]
    pub(super) fn is(&self, number: usize, kind: TypeId) -> bool {
        self.queues[number].id == kind
    }

    #[inline]
    pub(super) fn queue(&mut self, number: usize) -> &mut dyn Queue {
        &mut *self.queues[number].queue
    }

    /// Returns the components that commands of this queue edit.
    #[cfg(debug_assertions)]
    pub(super) fn edited(&self, number: usize) -> Edited {
        self.queues[number].queue.edited()
    }

    /// Finds a queue like [`find`](Self::find), after another one: kinds mostly alternate in one order.
    pub(super) fn find_after(
        &mut self,
        last: Option<usize>,
        kind: TypeId,
        make: fn() -> Box<dyn Queue>,
    ) -> usize {
        let Some(last) = last else { return self.find(kind, make) };
        let next = self.queues[last].next;
        if self.queues[next].id == kind {
            return next;
        }
        let number = self.find(kind, make);
        self.queues[last].next = number;
        number
    }

    /// Returns the number of the queue of this kind; creates the queue if there is none.
    #[inline(never)]
    fn find(&mut self, kind: TypeId, make: fn() -> Box<dyn Queue>) -> usize {
        if self.table.len() <= self.queues.len() * 2 {
            self.grow();
        }
        let place = self.place(kind);
        if self.table[place] == FREE {
            self.table[place] = self.queues.len();
            self.queues.push(KindQueue { id: kind, queue: make(), next: 0 });
        }
        self.table[place]
    }

    /// Returns the place of this kind in the table: the place that it has, or a free one. One is always free.
    #[inline]
    fn place(&self, kind: TypeId) -> usize {
        let mut bits = TypeIdHasher::default();
        kind.hash(&mut bits);
        let last = self.table.len() - 1; // a power of two is the length
        #[expect(clippy::cast_possible_truncation, reason = "the lower bits are random, too")]
        let mut place = bits.finish() as usize & last;
        while self.table[place] != FREE && !self.is(self.table[place], kind) {
            place = (place + 1) & last;
        }
        place
    }

    #[cold]
    fn grow(&mut self) {
        self.table = vec![FREE; (self.table.len() * 2).max(8)];
        for number in 0..self.queues.len() {
            let place = self.place(self.queues[number].id);
            self.table[place] = number;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commands::applied::Applied;
    use crate::world::World;

    struct Nothing;
    impl Queue for Nothing {
        fn apply(&mut self, _: &mut usize, _: &mut World, _: &mut Applied) {}
    }

    #[test]
    fn each_kind_is_found_again() {
        macro_rules! kinds {
            ($($a:literal)+) => { kinds!(@ $($a)+; [TypeId::of::<()>()]) };
            (@ $a:literal $($more:literal)*; [$($kind:expr),+]) => {
                kinds!(@ $($more)*; [$($kind,)+ TypeId::of::<[u8; $a]>(), TypeId::of::<[u16; $a]>(),
                    TypeId::of::<[u32; $a]>(), TypeId::of::<[u64; $a]>()])
            };
            (@; [$($kind:expr),+]) => { [$($kind),+] };
        }
        let ids = kinds!(1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16);
        let mut kinds = Kinds::new();
        for (number, id) in ids.into_iter().enumerate() {
            for _ in 0..2 {
                assert_eq!(kinds.find(id, || Box::new(Nothing)), number);
                let last = Some(number * number % (number + 1));
                assert_eq!(kinds.find_after(last, id, || Box::new(Nothing)), number);
            }
            assert!(kinds.is(number, id) && kinds.table.len() > kinds.queues.len() * 2 - 2);
        }
        for (number, id) in ids.into_iter().enumerate() {
            assert_eq!(kinds.find(id, || Box::new(Nothing)), number);
        }
        assert_eq!((kinds.queues.len(), kinds.table.len()), (65, 256));
    }
}
