//! Calls of user code with the whole world: how deeply they are nested, and what is left of them when the world was
//! moved away meanwhile.

use crate::world::World;
use alloc::sync::Arc;
use core::sync::atomic::{AtomicU32, AtomicU64, Ordering};

/// The calls that are under way in a world.
pub(super) struct Calls {
    /// Identifies the world among all of the process; 0 until it is asked for.
    world: u64,
    /// How many calls are nested.
    count: u32,
    /// The address where the stack of these calls begins.
    base: usize,
    /// The address on the stack where the last call began, which may have returned.
    last: usize,
    /// Whether one of them is a call of a hook or an observer of components.
    in_edit: bool,
    /// The depth of a call that returned while another world was in the place of this one, or [`NONE`]: operations that
    /// began at this depth, or deeper, are over. The call sets it, so it is shared with the calls under way.
    over: Option<Arc<AtomicU32>>,
    /// A clone of `over` for the next outermost call, which takes it and gives it back: that is cheaper than to clone it.
    spare: Option<Arc<AtomicU32>>,
}

/// No call has this depth.
const NONE: u32 = u32::MAX;

/// The greatest number of nested calls.
pub(super) const DEEPEST: u32 = 256;

/// The number of bytes of the stack that nested calls may take: half of what the standard library gives a thread.
const MOST_STACK: usize = 1 << 20;

impl Calls {
    pub(super) const fn new() -> Self {
        Self { world: 0, count: 0, base: 0, last: 0, in_edit: false, over: None, spare: None }
    }

    /// Returns the number that identifies the world among all of the process.
    pub(super) fn world(&mut self) -> u64 {
        static WORLDS: AtomicU64 = AtomicU64::new(1);
        if self.world == 0 {
            self.world = WORLDS.fetch_add(1, Ordering::Relaxed);
        }
        self.world
    }

    /// Returns the number like [`world`](Self::world); 0 if it was never asked for.
    #[inline(always)]
    pub(super) const fn known_world(&self) -> u64 {
        self.world
    }

    /// Returns how many calls are nested.
    pub(super) const fn depth(&self) -> u32 {
        self.count
    }

    /// Returns `true` inside a hook or an observer of components.
    pub(super) const fn is_in_edit(&self) -> bool {
        self.in_edit
    }

    /// Returns the address where the stack of one more call begins; addresses of locals tell how much the calls take.
    ///
    /// # Panics
    /// Panics if there are too many calls, or they take too much of the stack.
    #[inline]
    fn base_of_next(&mut self) -> usize {
        let local = 0_u8;
        let here = core::ptr::from_ref(&local).addr();
        let last = core::mem::replace(&mut self.last, here);
        if self.count == 0 {
            return here;
        }
        let used = self.base.wrapping_sub(here); // stacks grow downwards
        if used >= MOST_STACK || self.count >= DEEPEST {
            return self.base_elsewhere(here, last);
        }
        self.base
    }

    /// Returns the address for a call that is not on the stack of the others: on the stack of another thread, what the
    /// calls take on the first one still counts.
    #[cold]
    #[inline(never)]
    fn base_elsewhere(&self, here: usize, last: usize) -> usize {
        let (count, used) = (self.count, self.base.wrapping_sub(here).cast_signed());
        if count < DEEPEST && used < 0 {
            return here; // observers moved the world up the stack
        }
        if count < DEEPEST && here.abs_diff(last) >= MOST_STACK {
            return here.wrapping_add(self.base.wrapping_sub(last));
        }
        panic!(
            "observers call each other without end: {count} nested calls take {used} bytes of the stack; let one of \
             them check whether there is anything left to do"
        )
    }

    /// Returns `over`, to be shared with a call.
    #[inline]
    fn share(&mut self) -> Arc<AtomicU32> {
        match self.spare.take() {
            Some(spare) if self.count == 0 => spare,
            spare => {
                self.spare = spare;
                Arc::clone(self.over.get_or_insert_with(|| Arc::new(AtomicU32::new(NONE))))
            }
        }
    }
}

/// A call, until it returns or panics; what it restores then.
struct Calling<'w> {
    world: &'w mut World,
    id: u64,
    depth: u32,
    base: usize,
    in_edit: bool,
    shared: Option<Arc<AtomicU32>>,
}

impl Drop for Calling<'_> {
    fn drop(&mut self) {
        let (calls, shared) = (&mut self.world.calls, self.shared.take());
        if calls.world == self.id {
            (calls.count, calls.base, calls.in_edit) = (self.depth, self.base, self.in_edit);
            if self.depth == 0 {
                calls.spare = shared;
            }
        } else if let Some(over) = shared {
            // Relaxed: whoever finds the world has it from whoever moved it.
            over.fetch_min(self.depth, Ordering::Relaxed);
        }
    }
}

impl World {
    /// Makes a call of user code, with the world. Returns what that returns, unless another world is in this one's place
    /// then.
    ///
    /// # Panics
    /// Panics if calls are nested so deeply that they seem not to end.
    pub(super) fn enter<R>(&mut self, call: impl FnOnce(&mut Self) -> R) -> Option<R> {
        if self.calls.count > 0 {
            self.end_moved();
        }
        let calls = &mut self.calls;
        let (id, depth, in_edit) = (calls.world(), calls.count, calls.in_edit);
        let next = calls.base_of_next();
        let base = core::mem::replace(&mut calls.base, next);
        let shared = Some(calls.share());
        calls.count = depth + 1;
        let calling = Calling { world: self, id, depth, base, in_edit, shared };
        let result = call(calling.world);
        (calling.world.calls.world == id).then_some(result)
    }

    /// Makes calls of hooks and observers of components.
    ///
    /// # Panics
    /// Panics like [`enter`](Self::enter), and if another world is in this one's place then.
    #[inline]
    pub(super) fn enter_edit<R>(&mut self, call: impl FnOnce(&mut Self) -> R) -> R {
        let result = self.enter(|world| {
            world.calls.in_edit = true;
            call(world)
        });
        result.unwrap_or_else(|| refuse_exchange())
    }

    /// # Panics
    /// Panics if this is another world than the one with this number.
    #[inline(always)]
    pub(super) fn refuse_exchange(&self, id: u64) {
        if self.calls.world != id {
            refuse_exchange();
        }
    }

    /// Forgets the calls and operations that are over, if this world was moved away from them.
    #[inline]
    pub(super) fn end_moved(&mut self) {
        if self.calls.over.as_ref().is_some_and(|over| over.load(Ordering::Relaxed) != NONE) {
            self.forget_over();
        }
    }

    #[cold]
    #[inline(never)]
    fn forget_over(&mut self) {
        let Self { calls, pools, .. } = self;
        let over = calls.over.as_ref().map_or(NONE, |over| over.swap(NONE, Ordering::Relaxed));
        if calls.count > over {
            calls.count = over;
            calls.in_edit = over > 0; // in a call, whatever it is about
        }
        pools.watch.log.abandon(over);
        pools.watch.set_notifying(!pools.watch.log.is_idle());
    }
}

#[cold]
#[inline(never)]
fn refuse_exchange() -> ! {
    panic!(
        "an observer put another world in the place of its own while an edit was under way: let it note that the world \
         is to be exchanged, and exchange it after the edit, or send an event from there"
    )
}
