//! A gate through which threads come to help with borrowed work.
//!
//! Whoever shares work opens a gate, invites helpers by jobs in rayon's pool, and works, too. When no task is left, he
//! closes the gate and waits for those who are inside; nobody waits for a helper who did not come.
//!
//! ```text
//! caller    open ─ invite ─ task 0 ── task 2 ── task 3 ── close ─ wait ─ returns
//! helper            enter ────── task 1 ───── task 4 ────────── leave
//! another                                                  (closed: touches nothing)
//! ```
#![expect(unsafe_code, reason = "helpers outlive the borrow of the work, if they come late")]

use crate::parallel::sync::{
    Arc, AtomicUsize, LOOKS, Mutex, Thread, current, current_num_threads, park, spawn, spin_loop,
};
use alloc::boxed::Box;
use alloc::vec::Vec;
use core::any::Any;
use core::panic::AssertUnwindSafe;
use core::ptr::NonNull;
use core::sync::atomic::Ordering;
use std::panic::{catch_unwind, resume_unwind};
use std::sync::PoisonError;

/// The bit of a gate's state that says that it is closed; the others count who is inside.
const CLOSED: usize = 1 << (usize::BITS - 1);

/// What is shared.
type Work<'a> = &'a (dyn Fn(usize) + Sync);

/// Work, and who is at it.
///
/// * T1: `work` is there while the gate is open, and while a helper is inside: its owner, who borrows it, returns only
///   when `state` is `CLOSED` and nothing else, and then nobody can enter any more.
/// * T2: each task is begun at most once, by whoever takes its number from `next`.
struct Gate {
    /// The address of a `Work`, with a lifetime that only T1 tells.
    work: NonNull<()>,
    tasks: usize,
    /// The task that is begun next.
    next: AtomicUsize,
    state: AtomicUsize,
    /// Who waits for the last one to leave.
    owner: Thread,
    /// What tasks panicked with, the first one first.
    panics: Mutex<Vec<Box<dyn Any + Send>>>,
}

// SAFETY: all is `Send`, but the address of what is `Sync`, as a `Work` is.
unsafe impl Send for Gate {}
// SAFETY: as above.
unsafe impl Sync for Gate {}

/// Calls `run` with every number below `tasks` once, on this thread, and on those of rayon's pool that come in time. All
/// calls have ended when this returns.
///
/// # Panics
/// When a call panics, with what the first one panicked with. Then no others are begun.
pub(crate) fn share(tasks: usize, run: Work<'_>) {
    let helpers = if tasks > 1 { current_num_threads().min(tasks) - 1 } else { 0 };
    if helpers == 0 {
        return (0..tasks).for_each(run);
    }
    let gate = Arc::new(Gate {
        work: NonNull::from(&run).cast(),
        tasks,
        next: AtomicUsize::new(0),
        state: AtomicUsize::new(0),
        owner: current(),
        panics: Mutex::new(Vec::new()),
    });
    let closing = Closing(&gate);
    invite(&gate, helpers);
    gate.work(run);
    drop(closing);
    let panics = core::mem::take(&mut *gate.panics.lock().unwrap_or_else(PoisonError::into_inner));
    if let Some(first) = panics.into_iter().next() {
        resume_unwind(first);
    }
}

/// Invites so many helpers: two, each of whom invites half of the others, so that waking many keeps nobody for long.
fn invite(gate: &Arc<Gate>, helpers: usize) {
    for invited in [helpers.div_ceil(2), helpers / 2] {
        if invited > 0 {
            let gate = Arc::clone(gate);
            spawn(move || help(&gate, invited - 1));
        }
    }
}

/// Helps, if that is still wanted, and first invites so many others.
fn help(gate: &Arc<Gate>, others: usize) {
    if !gate.enter() {
        return;
    }
    invite(gate, others);
    // SAFETY: it is the address of a `Work`, which is there, as this thread is inside until it leaves (T1).
    let work = unsafe { *gate.work.cast::<Work<'_>>().as_ref() };
    gate.work(work);
    gate.leave();
}

impl Gate {
    /// Works until no task is left, or one panics.
    fn work(&self, run: Work<'_>) {
        let work = || {
            loop {
                let task = self.next.fetch_add(1, Ordering::Relaxed);
                if task >= self.tasks {
                    return;
                }
                run(task);
            }
        };
        if let Err(panic) = catch_unwind(AssertUnwindSafe(work)) {
            self.next.store(self.tasks, Ordering::Relaxed);
            self.panics.lock().unwrap_or_else(PoisonError::into_inner).push(panic);
        }
    }

    /// Enters, if the gate is open.
    fn enter(&self) -> bool {
        let add_one = |state| (state & CLOSED == 0).then_some(state + 1);
        self.state.fetch_update(Ordering::Acquire, Ordering::Relaxed, add_one).is_ok()
    }

    /// Leaves, so that the owner knows all that was done inside.
    fn leave(&self) {
        if self.state.fetch_sub(1, Ordering::Release) == CLOSED + 1 {
            self.owner.unpark();
        }
    }

    /// Closes, and waits until nobody is inside.
    fn close(&self) {
        self.state.fetch_or(CLOSED, Ordering::Relaxed);
        let mut looks = 0;
        while self.state.load(Ordering::Acquire) != CLOSED {
            if looks < LOOKS {
                looks += 1;
                spin_loop();
            } else {
                park();
            }
        }
    }
}

/// Closes the gate, however its owner leaves.
struct Closing<'a>(&'a Gate);

impl Drop for Closing<'_> {
    fn drop(&mut self) {
        self.0.close();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use core::sync::atomic::AtomicU32;
    use rayon::{ThreadPool, ThreadPoolBuilder};
    use std::sync::mpsc;
    use std::thread;

    fn pool(threads: usize) -> ThreadPool {
        ThreadPoolBuilder::new().num_threads(threads).build().unwrap()
    }

    /// Calls `f` outside of rayon's pool, and inside of pools of several sizes.
    fn everywhere(f: impl Fn() + Sync) {
        f();
        [1, 2, 3, 8].map(pool).iter().for_each(|pool| pool.install(&f));
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
        // Two tasks, each of which needs the other one to be under way.
        pool(2).install(|| {
            share(2, &|task| match task {
                0 => receiver.lock().unwrap().recv().unwrap(),
                _ => sender.send(()).unwrap(),
            });
        });
    }

    #[test]
    fn who_is_late_touches_nothing() {
        let (busy, is_busy) = mpsc::channel();
        let (release, is_released) = mpsc::channel::<()>();
        let pool = pool(2);
        pool.install(move || {
            spawn(move || {
                busy.send(()).unwrap();
                is_released.recv().unwrap();
            });
            // The other thread of the pool is kept: nobody comes to help, and nobody is waited for.
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
                    // So many tasks would not end.
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
}
