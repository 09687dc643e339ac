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
    Arc, AtomicUsize, LOOKS, Mutex, Thread, current, current_num_threads, lock, park, spawn,
    spin_loop,
};
use alloc::boxed::Box;
use alloc::vec::Vec;
use core::any::Any;
use core::panic::AssertUnwindSafe;
use core::ptr::NonNull;
use core::sync::atomic::Ordering;
use std::panic::{catch_unwind, resume_unwind};

/// The bit of a gate's state that says that it is closed; the others count who is inside.
const CLOSED: usize = 1 << (usize::BITS - 1);

/// What is shared.
pub(super) type Work<'a> = &'a (dyn Fn(usize) + Sync);

/// Work, and who is at it.
///
/// * T1: `work` is there while the gate is open, and while a helper is inside: its owner, who borrows it, returns only
///   when `state` is `CLOSED` and nothing else, and then nobody can enter any more.
/// * T2: each task is begun at most once, by whoever takes its number from `next`.
pub(super) struct Gate {
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

// SAFETY: all fields are `Send` but the address: that leads to a shared reference to a function that is `Sync`, which any
// thread may call while it is there (T1).
unsafe impl Send for Gate {}
// SAFETY: all fields are `Sync` but the address, for which holds what is said of `Send`.
unsafe impl Sync for Gate {}

/// Calls `run` with every number below `tasks` once, on this thread, and on those of rayon's pool that come in time. All
/// calls have ended when this returns.
///
/// # Panics
/// When a call panics, with what the first one panicked with. Then no others are begun.
pub(crate) fn share(tasks: usize, run: Work<'_>) {
    share_beside(tasks, run, None);
}

/// Calls `own` on this thread, and meanwhile shares tasks as [`share`] does.
///
/// # Panics
/// When a call panics, with what the first one panicked with. Then no others are begun.
pub(crate) fn share_beside(tasks: usize, run: Work<'_>, own: Option<&mut dyn FnMut()>) {
    let workers = tasks + usize::from(own.is_some());
    let helpers = if workers > 1 { current_num_threads().min(workers) - 1 } else { 0 };
    if helpers == 0 {
        if let Some(own) = own {
            own();
        }
        return (0..tasks).for_each(run);
    }
    let gate = Arc::new(Gate::new(tasks, &run));
    let closing = Closing(&gate);
    invite(&gate, helpers);
    gate.work(run, own);
    drop(closing);
    let panics = core::mem::take(&mut *lock(&gate.panics));
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
    // SAFETY: `share` made the gate with the address of a `Work`, which is copied. That, and the function that it borrows,
    // are there until this thread leaves: it entered above, and the owner waits for it (T1).
    let work = unsafe { *gate.work.cast::<Work<'_>>().as_ref() };
    gate.work(work, None);
    gate.leave();
}

impl Gate {
    /// An open one, of this thread.
    pub(super) fn new(tasks: usize, work: &Work<'_>) -> Self {
        Self {
            work: NonNull::from(work).cast(),
            tasks,
            next: AtomicUsize::new(0),
            state: AtomicUsize::new(0),
            owner: current(),
            panics: Mutex::new(Vec::new()),
        }
    }

    /// Calls `own`, and then works until no task is left, or a call panics.
    fn work(&self, run: Work<'_>, own: Option<&mut dyn FnMut()>) {
        let work = || {
            if let Some(own) = own {
                own();
            }
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
            lock(&self.panics).push(panic);
        }
    }

    /// Enters, if the gate is open.
    pub(super) fn enter(&self) -> bool {
        let add_one = |state| (state & CLOSED == 0).then_some(state + 1);
        self.state.fetch_update(Ordering::Acquire, Ordering::Relaxed, add_one).is_ok()
    }

    /// Leaves, so that the owner knows all that was done inside.
    pub(super) fn leave(&self) {
        if self.state.fetch_sub(1, Ordering::Release) == CLOSED + 1 {
            self.owner.unpark();
        }
    }

    /// Closes, and waits until nobody is inside.
    pub(super) fn close(&self) {
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
