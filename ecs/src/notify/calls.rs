//! Calls of user code with the whole world: how deeply they are nested, and their rest when the world was moved
//! away meanwhile.

use crate::world::World;
use alloc::sync::Arc;
use core::cell::Cell;
use core::fmt;
use core::mem::ManuallyDrop;
use core::sync::atomic::{AtomicU32, AtomicU64, Ordering};

/// The calls that are under way in a world.
pub(crate) struct Calls {
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
#[derive(Clone, Copy, Debug)]
struct Stack {
    /// The address where the stack of these calls begins; with [`MEASURED`], if it is not the address of a
    /// local.
    base: usize,
    /// The address where the innermost one begins.
    last: usize,
}

/// No call has this depth.
const NONE: u32 = u32::MAX;

/// The greatest number of nested calls.
pub(crate) const DEEPEST: u32 = 256;

/// The number of bytes of the stack that nested calls may take: half of the stack that the standard library gives
/// a thread.
const MOST_STACK: usize = 1 << 20;

/// Marks a base that [`measured_address`] found, as locals are not on the stack. Addresses of locals are even.
const MEASURED: usize = 1;
/// A local that is further away than this from the stack's end is not on the stack.
const NEAR: usize = 1 << 16;

impl Calls {
    pub(crate) const fn new() -> Self {
        let (under_way, stack) = (UnderWay::NOTHING, Stack { base: 0, last: 0 });
        Self { world: 0, under_way, stack, over: None, spare: None }
    }

    /// Returns the number that identifies the world among all of the process.
    pub(crate) fn world(&mut self) -> u64 {
        static WORLDS: AtomicU64 = AtomicU64::new(1);
        if self.world == 0 {
            self.world = WORLDS.fetch_add(1, Ordering::Relaxed);
        }
        self.world
    }

    /// Returns the number of the world, or 0 if [`world`](Self::world) did not assign one yet.
    #[inline(always)]
    pub(crate) const fn known_world(&self) -> u64 {
        self.world
    }

    /// Returns the number of nested calls.
    pub(crate) const fn depth(&self) -> u32 {
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
            _ => self.stack_elsewhere(last),
        }
    }

    /// Returns the stack for a call that seems not to be on the stack of the others. On the stack of another thread,
    /// the part that the calls take on the first one still counts.
    ///
    /// `AddressSanitizer` stores locals in memory of its own, so their addresses mean nothing: then the stack is measured
    /// in another way, from here on.
    #[cold]
    #[inline(never)]
    fn stack_elsewhere(&self, local: usize) -> Stack {
        let (mut stack, count, measured) = (self.stack, self.under_way.count, measured_address());
        let is_apart = local.abs_diff(measured) >= NEAR;
        let (here, mark) = if is_apart { (measured, MEASURED) } else { (local, 0) };
        if is_apart && stack.base & MEASURED == 0 {
            stack = Stack { base: here, last: here };
        }
        let Stack { base, last } = stack;
        let used = base.wrapping_sub(here).cast_signed();
        let of = |base: usize| Stack { base: base & !MEASURED | mark, last: here };
        if count < DEEPEST && is_apart && (0..MOST_STACK.cast_signed()).contains(&used) {
            return of(base);
        }
        if count < DEEPEST && used < 0 {
            return of(here); // observers moved the world up the stack
        }
        if count < DEEPEST && here.abs_diff(last) >= MOST_STACK {
            return of(here.wrapping_add(base.wrapping_sub(last)));
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

/// A call, until it returns or panics, and the state that it restores then.
struct Calling<'w> {
    world: &'w mut World,
    id: u64,
    outer: UnderWay,
    stack: Stack,
    shared: Option<Arc<AtomicU32>>,
}

impl Calling<'_> {
    /// Restores the state before the call. Returns `true` unless another world is in the place of this
    /// one.
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
    pub(crate) fn enter_edit<R>(&mut self, call: impl FnOnce(&mut Self) -> R) -> R {
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
    pub(crate) fn end_moved(&mut self) {
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
        self.forget_taking(over);
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

/// Returns the address of a local, which is even: on the stack, at about the end of the caller's part, unless a
/// sanitizer stores locals elsewhere.
#[inline(always)]
fn address() -> usize {
    let local = 0_u16;
    core::ptr::from_ref(&local).addr()
}

/// Returns an address on the stack, somewhat below the caller, also where a sanitizer stores locals elsewhere. It is
/// the address of a local of the standard library, which is compiled without sanitizers.
fn measured_address() -> usize {
    struct Measure<'a>(&'a Cell<usize>);
    impl fmt::Display for Measure<'_> {
        fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
            self.0.set(core::ptr::from_mut(formatter).addr());
            Ok(())
        }
    }
    struct Nowhere;
    impl fmt::Write for Nowhere {
        fn write_str(&mut self, _: &str) -> fmt::Result {
            Ok(())
        }
    }
    let address = Cell::new(0);
    let is_written = fmt::write(&mut Nowhere, format_args!("{}", Measure(&address)));
    is_written.map_or(0, |()| address.get())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::boxed::Box;
    use std::panic::{AssertUnwindSafe, catch_unwind};

    fn calls(stack: Stack) -> Calls {
        Calls { under_way: UnderWay { count: 4, is_edit: 1 }, stack, ..Calls::new() }
    }

    /// `AddressSanitizer` stores them so.
    #[test]
    fn locals_that_are_not_on_the_stack_do_not_count() {
        let heap = core::ptr::from_ref(&*Box::new(0_u16)).addr();
        let Stack { base, last } =
            calls(Stack { base: heap + 1_157_888, last: heap + 400_000 }).stack_elsewhere(heap);
        assert!(base & MEASURED != 0 && last.abs_diff(address()) < NEAR && base.abs_diff(last) < 2);
        // The next calls are measured from there.
        let next = |base| calls(Stack { base: base | MEASURED, last }).stack_elsewhere(heap);
        assert_eq!(next(last + MOST_STACK / 2).base, (last + MOST_STACK / 2) | MEASURED);
        assert!(next(last - NEAR).base.abs_diff(last) < NEAR);
        let too_many = || _ = next(last + 2 * MOST_STACK);
        assert!(catch_unwind(AssertUnwindSafe(too_many)).is_err());
    }

    #[test]
    fn locals_are_near_the_measured_end_of_the_stack() {
        assert!(address().abs_diff(measured_address()) < NEAR && address() & MEASURED == 0);
    }
}
