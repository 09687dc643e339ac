//! The allocator of a test binary, which counts what each thread allocates.
#![expect(unsafe_code, reason = "a global allocator is unsafe to implement")]
#![allow(dead_code, reason = "each binary calls some of it")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

/// Counts the calls and bytes of each thread, and leaves the rest to the system.
struct Counting;

thread_local! {
    static CALLS: Cell<usize> = const { Cell::new(0) };
    static BYTES: Cell<isize> = const { Cell::new(0) };
    static MOST: Cell<isize> = const { Cell::new(0) };
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

// SAFETY: every call is passed on to the system's allocator as it is.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        CALLS.set(CALLS.get() + 1);
        BYTES.set(BYTES.get() + layout.size().cast_signed());
        MOST.set(MOST.get().max(BYTES.get()));
        // SAFETY: the caller's promise is the same.
        unsafe { System.alloc(layout) }
    }
    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        BYTES.set(BYTES.get() - layout.size().cast_signed());
        // SAFETY: the caller's promise is the same.
        unsafe { System.dealloc(pointer, layout) }
    }
}

/// Returns the number of allocations of `f`.
pub fn calls(f: impl FnOnce()) -> usize {
    let before = CALLS.get();
    f();
    CALLS.get() - before
}

/// Returns the number of bytes `f` has at most at one time, beyond those that there were.
pub fn most_bytes(f: impl FnOnce()) -> isize {
    MOST.set(BYTES.get());
    let before = BYTES.get();
    f();
    MOST.get() - before
}

/// Returns the number of bytes this thread has now.
pub fn bytes() -> isize {
    BYTES.get()
}
