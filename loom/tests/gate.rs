//! The gate, in every order of events.

use ecs_loom::{close_while_one_comes, share, with_pool_of};
use loom::cell::UnsafeCell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};

/// Values that the model checker watches, shared as borrowed slices are.
struct Values(Vec<UnsafeCell<usize>>);

#[expect(unsafe_code, reason = "the tasks write different ones, which is what is tested")]
// SAFETY: the model checker reports two threads that access it at a time.
unsafe impl Sync for Values {}

/// Shares this many tasks; each writes a value, and then all are read.
fn each_is_written_once(tasks: usize) {
    // The value that a late helper must not touch lives longer than needed, so that a late access is detected.
    let has_returned = Arc::new(AtomicBool::new(false));
    let seen = Arc::clone(&has_returned);
    let values: Arc<Values> = Arc::new(Values((0..tasks).map(UnsafeCell::new).collect()));
    let written = Arc::clone(&values);
    let run: &'static (dyn Fn(usize) + Sync) = Box::leak(Box::new(move |task: usize| {
        assert!(!seen.load(Relaxed), "called after all");
        written.0[task].with_mut(add_100);
    }));
    share(tasks, run);
    has_returned.store(true, Relaxed);
    for (task, value) in values.0.iter().enumerate() {
        value.with(|value| assert_eq!(read(value), task + 100));
    }
}

#[expect(unsafe_code, reason = "the model checker lends addresses")]
fn add_100(value: *mut usize) {
    // SAFETY: it is lent while no other thread has it, or the model checker stops.
    unsafe { *value += 100 }
}

#[expect(unsafe_code, reason = "as above")]
fn read(value: *const usize) -> usize {
    // SAFETY: as above.
    unsafe { *value }
}

/// Borrowed values return to their owner when the gate is closed, even if a helper is late.
#[test]
fn nobody_is_inside_of_a_closed_gate() {
    with_pool_of(2, || {
        let borrowed = Arc::new(Values(vec![UnsafeCell::new(0)]));
        let inside = Arc::clone(&borrowed);
        close_while_one_comes(move || inside.0[0].with_mut(add_100));
        borrowed.0[0].with_mut(add_100);
    });
}

#[test]
fn one_helper() {
    with_pool_of(2, || each_is_written_once(2));
    with_pool_of(2, || each_is_written_once(3));
}

#[test]
fn two_helpers() {
    with_pool_of(3, || each_is_written_once(3));
}

#[test]
fn a_panic_comes_back_when_all_have_ended() {
    with_pool_of(2, || {
        let under_way = Arc::new(AtomicUsize::new(0));
        let counter = Arc::clone(&under_way);
        let run: &'static (dyn Fn(usize) + Sync) = Box::leak(Box::new(move |task: usize| {
            counter.fetch_add(1, Relaxed);
            loom::thread::yield_now();
            counter.fetch_sub(1, Relaxed);
            assert!(task != 1, "one");
        }));
        let caught = catch_unwind(AssertUnwindSafe(|| share(3, run)));
        assert_eq!(caught.unwrap_err().downcast_ref(), Some(&"one"));
        assert_eq!(under_way.load(Relaxed), 0);
    });
}
