//! Calls of user code with the whole world: how deeply they are nested, and what is left of them when the world was
//! moved away meanwhile.

use crate::world::World;
use alloc::sync::Arc;
use core::mem::ManuallyDrop;
use core::sync::atomic::{AtomicU32, AtomicU64, Ordering};

/// The calls that are under way in a world.
pub(super) struct Calls {
    /// Identifies the world among all of the process; 0 before the first use.
    world: u64,
    under_way: UnderWay,
    stack: Stack,
    /// The depth of a call that returned while another world was in the place of this one, or [`NONE`]: operations that
    /// began at this depth, or deeper, are over. The call sets it, so it is shared with the calls under way.
    over: Option<Arc<AtomicU32>>,
    /// A clone of `over` for the next outermost call, which takes it and gives it back: that is cheaper than to clone
    /// it.
    spare: Option<Arc<AtomicU32>>,
}

/// The calls that are under way.
#[derive(Clone, Copy)]
struct UnderWay {
    /// The number of nested calls.
    count: u32,
    /// 1 if one of them is a call of a hook or an observer of components. As wide as `count`, so that both are written
    /// at once.
    is_edit: u32,
}

impl UnderWay {
    const NOTHING: Self = Self { count: 0, is_edit: 0 };
}

/// The part of the stack that the calls under way take. It has no meaning without calls.
#[derive(Clone, Copy)]
struct Stack {
    /// The address where the stack of these calls begins.
    base: usize,
    /// The address where the innermost one begins.
    last: usize,
}

/// No call has this depth.
const NONE: u32 = u32::MAX;

/// The greatest number of nested calls.
pub(super) const DEEPEST: u32 = 256;

/// The number of bytes of the stack that nested calls may take: half of what the standard library gives a thread.
const MOST_STACK: usize = 1 << 20;

impl Calls {
    pub(super) const fn new() -> Self {
        let (under_way, stack) = (UnderWay::NOTHING, Stack { base: 0, last: 0 });
        Self { world: 0, under_way, stack, over: None, spare: None }
    }

    /// Returns the number that identifies the world among all of the process.
    pub(super) fn world(&mut self) -> u64 {
        static WORLDS: AtomicU64 = AtomicU64::new(1);
        if self.world == 0 {
            self.world = WORLDS.fetch_add(1, Ordering::Relaxed);
        }
        self.world
    }

    /// Returns the number of the world, or 0 if [`world`](Self::world) did not assign one yet.
    #[inline(always)]
    pub(super) const fn known_world(&self) -> u64 {
        self.world
    }

    /// Returns the number of nested calls.
    pub(super) const fn depth(&self) -> u32 {
        self.under_way.count
    }

    /// Returns `true` inside a hook or an observer of components.
    pub(super) const fn is_in_edit(&self) -> bool {
        self.under_way.is_edit != 0
    }

    /// Returns the part of the stack that the calls and one more take, which begins here. Addresses of locals show how
    /// much that is.
    ///
    /// # Panics
    /// Panics if there are too many calls, or they take too much of the stack.
    fn stack_of_next(&self) -> Stack {
        let (Stack { base, .. }, last) = (self.stack, address());
        let used = base.wrapping_sub(last); // stacks grow downwards
        match self.under_way.count {
            0 => Stack { base: last, last },
            1..DEEPEST if used < MOST_STACK => Stack { base, last },
            _ => Stack { base: self.base_elsewhere(last), last },
        }
    }

    /// Returns the address for a call that is not on the stack of the others: on the stack of another thread, what the
    /// calls take on the first one still counts.
    #[cold]
    #[inline(never)]
    fn base_elsewhere(&self, here: usize) -> usize {
        let (Stack { base, last }, count) = (self.stack, self.under_way.count);
        let used = base.wrapping_sub(here).cast_signed();
        if count < DEEPEST && used < 0 {
            return here; // observers moved the world up the stack
        }
        if count < DEEPEST && here.abs_diff(last) >= MOST_STACK {
            return here.wrapping_add(base.wrapping_sub(last));
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
            Some(spare) if self.under_way.count == 0 => spare,
            spare => {
                self.spare = spare;
                Arc::clone(self.over.get_or_insert_with(|| Arc::new(AtomicU32::new(NONE))))
            }
        }
    }
}

/// A call, until it returns or panics, and what it restores then.
struct Calling<'w> {
    world: &'w mut World,
    id: u64,
    outer: UnderWay,
    stack: Stack,
    shared: Option<Arc<AtomicU32>>,
}

impl Calling<'_> {
    /// Restores what was before the call. Returns `true` unless another world is in the place of this one.
    #[inline(always)]
    fn end(&mut self) -> bool {
        let (calls, shared) = (&mut self.world.calls, self.shared.take());
        if calls.world == self.id {
            calls.under_way = self.outer;
            if self.outer.count == 0 {
                calls.spare = shared;
            } else {
                calls.stack = self.stack;
            }
        } else if let Some(over) = shared {
            // Relaxed: a thread that reads the world received it from the thread that moved it.
            over.fetch_min(self.outer.count, Ordering::Relaxed);
        }
        calls.world == self.id
    }
}

impl Drop for Calling<'_> {
    #[cold]
    fn drop(&mut self) {
        self.end();
    }
}

impl World {
    /// Calls user code with the world; `is_edit` marks a hook or an observer of components. Returns its result, or
    /// `None` if another world is in this one's place then.
    ///
    /// The outermost call, if it is not the first one, takes the spare handle and needs no check.
    ///
    /// # Panics
    /// Panics if calls are nested so deeply that they seem not to end.
    #[inline]
    pub(super) fn enter<R>(
        &mut self,
        is_edit: bool,
        call: impl FnOnce(&mut Self) -> R,
    ) -> Option<R> {
        let (id, stack) = (self.calls.world, self.calls.stack);
        let mut calling = match self.calls.spare.take() {
            Some(shared) if self.calls.under_way.count == 0 => {
                self.calls.under_way = UnderWay { count: 1, is_edit: is_edit.into() };
                let here = address();
                self.calls.stack = Stack { base: here, last: here };
                let outer = UnderWay::NOTHING;
                Calling { world: self, id, outer, stack, shared: Some(shared) }
            }
            spare => self.enter_nested(is_edit, spare),
        };
        let result = call(calling.world);
        let is_here = calling.end();
        let _ended = ManuallyDrop::new(calling); // a drop would restore the same again
        is_here.then_some(result)
    }

    /// Begins a call inside of another one, or the first one.
    #[inline(never)]
    fn enter_nested(&mut self, is_edit: bool, spare: Option<Arc<AtomicU32>>) -> Calling<'_> {
        self.calls.spare = spare;
        self.end_moved();
        let calls = &mut self.calls;
        let (id, outer) = (calls.world(), calls.under_way);
        let next = calls.stack_of_next();
        let stack = core::mem::replace(&mut calls.stack, next);
        let shared = Some(calls.share());
        calls.under_way =
            UnderWay { count: outer.count + 1, is_edit: outer.is_edit | u32::from(is_edit) };
        Calling { world: self, id, outer, stack, shared }
    }

    /// Calls a hook or an observer of components.
    ///
    /// # Panics
    /// Panics like [`enter`](Self::enter), and if another world is in this one's place then.
    #[inline]
    pub(super) fn enter_edit<R>(&mut self, call: impl FnOnce(&mut Self) -> R) -> R {
        self.enter(true, call).unwrap_or_else(|| refuse_exchange())
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
        if calls.under_way.count > over {
            let is_edit = u32::from(over > 0); // in a call, whatever it is about
            calls.under_way = UnderWay { count: over, is_edit };
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

/// Returns an address on the stack, at about the end of what the caller takes.
#[inline(always)]
fn address() -> usize {
    let local = 0_u8;
    core::ptr::from_ref(&local).addr()
}
