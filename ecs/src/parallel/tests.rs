use self::in_pool::in_pool;
use super::gate::{Gate, Work, share, share_beside};
use alloc::vec::Vec;
use core::panic::AssertUnwindSafe;
use core::sync::atomic::{AtomicU32, Ordering};
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::panic::catch_unwind;
use std::sync::{Mutex, mpsc};
use std::thread;

#[path = "../../tests/it/in_pool.rs"]
mod in_pool;

fn pool(threads: usize) -> ThreadPool {
    ThreadPoolBuilder::new().num_threads(threads).build().unwrap()
}

/// Calls `f` outside of rayon's pool, and inside of pools of several sizes.
fn everywhere(f: impl Fn() + Sync) {
    f();
    [1, 2, 3, 8].map(pool).iter().for_each(|pool| in_pool(pool, &f));
}

fn counters(len: usize) -> Vec<AtomicU32> {
    (0..len).map(|_| AtomicU32::new(0)).collect()
}

fn add_one(counter: &AtomicU32) {
    counter.fetch_add(1, Ordering::Relaxed);
}

fn assert_all_are(counters: &mut [AtomicU32], count: u32) {
    assert!(counters.iter_mut().all(|counter| *counter.get_mut() == count));
}

#[test]
fn every_task_is_called_once_and_has_ended() {
    everywhere(|| {
        for tasks in 0..200 {
            let mut called = counters(tasks);
            share(tasks, &|task| add_one(&called[task]));
            assert_all_are(&mut called, 1);
        }
    });
}

#[test]
fn work_of_the_caller_is_done_by_its_thread_beside_the_tasks() {
    everywhere(|| {
        let here = thread::current().id();
        for tasks in 0..50 {
            let (mut called, mut own) = (counters(tasks), 0);
            let mut count = || {
                assert_eq!(thread::current().id(), here);
                own += 1;
            };
            share_beside(tasks, &|task| add_one(&called[task]), Some(&mut count));
            assert_all_are(&mut called, 1);
            assert_eq!(own, 1);
            let mut fail = || panic!("of the caller");
            let run = || share_beside(tasks, &|task| add_one(&called[task]), Some(&mut fail));
            let panic = catch_unwind(AssertUnwindSafe(run)).unwrap_err();
            assert_eq!(panic.downcast_ref(), Some(&"of the caller"));
        }
    });
}

#[test]
fn tasks_share_work_of_their_own() {
    everywhere(|| {
        for _ in 0..20 {
            let mut called = counters(12 * 12);
            share(12, &|outer| share(12, &|inner| add_one(&called[outer * 12 + inner])));
            assert_all_are(&mut called, 1);
        }
    });
}

#[test]
#[cfg_attr(ecs_thread_sanitizer, ignore = "there is no pool")]
fn tasks_wait_for_work_of_the_pool() {
    everywhere(|| {
        let mut called = counters(64);
        share(32, &|task| {
            let [left, right] = [2 * task, 2 * task + 1].map(|at| &called[at]);
            rayon::join(|| share(3, &|_| add_one(left)), || share(3, &|_| add_one(right)));
        });
        assert_all_are(&mut called, 3);
    });
}

#[test]
fn others_help() {
    let (sender, receiver) = mpsc::channel();
    let receiver = Mutex::new(receiver);
    // Two tasks: each waits until the other one has begun.
    in_pool(&pool(2), || {
        share(2, &|task| match task {
            0 => receiver.lock().unwrap().recv().unwrap(),
            _ => sender.send(()).unwrap(),
        });
    });
}

#[test]
fn nobody_enters_a_closed_gate() {
    let work: Work<'_> = &|_| {};
    let gate = Gate::new(1, &work);
    assert!(gate.enter());
    gate.leave();
    gate.close();
    assert!(!gate.enter());
}

#[test]
#[cfg_attr(ecs_thread_sanitizer, ignore = "there is no pool")]
fn absent_helpers_are_not_waited_for() {
    let (busy, is_busy) = mpsc::channel();
    let (release, is_released) = mpsc::channel::<()>();
    let pool = pool(2);
    in_pool(&pool, move || {
        rayon::spawn(move || {
            busy.send(()).unwrap();
            is_released.recv().unwrap();
        });
        // The other thread of the pool is busy: no helper comes, and the owner waits for none.
        is_busy.recv().unwrap();
        let mut called = counters(100);
        share(100, &|task| add_one(&called[task]));
        assert_all_are(&mut called, 1);
    });
    release.send(()).unwrap();
    drop(pool);
}

#[test]
fn the_first_panic_reaches_the_caller_when_all_have_ended() {
    everywhere(|| {
        for _ in 0..20 {
            let under_way = AtomicU32::new(0);
            let caught = catch_unwind(AssertUnwindSafe(|| {
                // This many tasks would not end.
                share(usize::MAX / 2, &|task| {
                    add_one(&under_way);
                    thread::yield_now();
                    under_way.fetch_sub(1, Ordering::Relaxed);
                    assert!(task != 10, "ten");
                });
            }));
            assert_eq!(caught.unwrap_err().downcast_ref(), Some(&"ten"));
            assert_eq!(under_way.into_inner(), 0);
        }
    });
}
