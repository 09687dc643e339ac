//! Handles that threads reserve, in every order of events.

use ecs_loom::{Handles, with_pool_of};
use loom::thread::{self, JoinHandle};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

type Handle = (u32, u32);

/// Reserves `each` handles on each of `threads` threads, as far as there is room; then exactly these exist.
fn all_differ(threads: usize, each: usize, alive: usize, ended: usize) {
    with_pool_of(1, move || {
        let handles = Arc::new(Handles::new(alive, ended));
        let before = handles.len();
        let reserve = |handles: Arc<Handles>| -> JoinHandle<Vec<Handle>> {
            thread::spawn(move || (0..each).map(|_| handles.reserve()).collect())
        };
        let others: Vec<_> = (1..threads).map(|_| reserve(Arc::clone(&handles))).collect();
        let mut own: Vec<Handle> = (0..each).map(|_| handles.reserve()).collect();
        // A reader sees its own handles meanwhile, and none twice.
        let (len, mut seen) = (handles.len(), handles.all());
        assert!((before + each..=before + threads * each).contains(&len));
        assert!(own.iter().all(|handle| seen.contains(handle)));
        seen.sort_unstable();
        assert!(seen.windows(2).all(|two| two[0].0 < two[1].0), "an index twice: {seen:?}");

        own.extend(others.into_iter().flat_map(|other| other.join().unwrap()));
        let mut handles = Arc::into_inner(handles).expect("the threads have ended");
        assert_eq!(handles.len(), before + threads * each);
        let there = handles.wake();
        assert!(own.iter().all(|handle| there.contains(handle)), "{own:?} of {there:?}");
        own.sort_unstable();
        own.dedup();
        assert_eq!(own.len(), threads * each, "each got another");
        assert_eq!(there.len(), before + threads * each);
    });
}

#[test]
fn two_threads_get_reused_and_new_handles() {
    all_differ(2, 2, 1, 2);
    all_differ(2, 2, 0, 0);
    all_differ(2, 2, 2, 5);
}

#[test]
fn three_threads() {
    all_differ(3, 1, 1, 2);
}

#[test]
fn the_last_one_is_given_once() {
    with_pool_of(1, || {
        let handles = Arc::new(Handles::new(6, 1)); // and one index more
        let reserve = |handles: Arc<Handles>| {
            let reserve = AssertUnwindSafe(|| handles.reserve());
            catch_unwind(reserve).ok()
        };
        let others: Vec<_> = (0..2)
            .map(|_| {
                let handles = Arc::clone(&handles);
                thread::spawn(move || reserve(handles))
            })
            .collect();
        let mut got = vec![reserve(Arc::clone(&handles))];
        got.extend(others.into_iter().map(|other| other.join().unwrap()));
        assert_eq!(got.iter().flatten().count(), 2, "of three, {got:?}");
        let mut handles = Arc::into_inner(handles).expect("the threads have ended");
        assert_eq!(handles.wake().len(), 8);
    });
}
