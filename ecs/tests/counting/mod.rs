//! The allocator of a test binary, which counts the memory that each thread allocates, and refuses more than a
//! test allows.
#![expect(unsafe_code, reason = "a global allocator is unsafe to implement")]
#![allow(dead_code, reason = "each binary calls some of it")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::ptr::null_mut;

/// Counts the calls and bytes of each thread, and leaves the rest to the system.
struct Counting;

thread_local! {
    static CALLS: Cell<usize> = const { Cell::new(0) };
    static BYTES: Cell<isize> = const { Cell::new(0) };
    /// The bytes since counting began, and the most of them at one time.
    static USED: Cell<[usize; 2]> = const { Cell::new([0; 2]) };
    /// The number of bytes beyond which an allocation fails.
    static LIMIT: Cell<usize> = const { Cell::new(usize::MAX) };
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

// SAFETY: every call is passed on to the system's allocator as it is, or fails.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let [used, most] = USED.get();
        let used = used.saturating_add(layout.size());
        if used > LIMIT.get() {
            return null_mut();
        }
        USED.set([used, most.max(used)]);
        CALLS.set(CALLS.get() + 1);
        BYTES.set(BYTES.get() + layout.size().cast_signed());
        // SAFETY: the caller's promise is the same.
        unsafe { System.alloc(layout) }
    }
    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        let [used, most] = USED.get();
        // Memory from before is not counted.
        USED.set([used.saturating_sub(layout.size()), most]);
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

/// Returns the most bytes that `f` has at one time, beyond earlier ones.
pub fn most_bytes(f: impl FnOnce()) -> usize {
    USED.set([0; 2]);
    f();
    USED.get()[1]
}

/// Returns the number of bytes `f` has at most at one time. An allocation beyond `limit` fails, which ends the process.
pub fn most_bytes_below(limit: usize, f: impl FnOnce()) -> usize {
    LIMIT.set(limit);
    let most = most_bytes(f);
    LIMIT.set(usize::MAX);
    most
}

/// Returns the result of `f`, whose allocations neither count nor fail.
pub fn uncounted<R>(f: impl FnOnce() -> R) -> R {
    let (limit, used) = (LIMIT.replace(usize::MAX), USED.get());
    let result = f();
    LIMIT.set(limit);
    USED.set(used);
    result
}

/// Returns the number of bytes this thread has now.
pub fn bytes() -> isize {
    BYTES.get()
}
