//! A gate through which threads come to help with borrowed work.
//!
//! The owner of work opens a gate, invites helpers by jobs in rayon's pool, and works, too. When no task is left, it
//! closes the gate and waits for the helpers inside. It does not wait for helpers that did not enter.
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

/// The bit of a gate's state that says that it is closed; the other bits count the helpers inside.
const CLOSED: usize = 1 << (usize::BITS - 1);

/// The function that is shared.
pub(super) type Work<'a> = &'a (dyn Fn(usize) + Sync);

/// Work, and the threads that do it.
///
/// * T1: `work` exists while the gate is open, and while a helper is inside. Its owner, which borrows it, returns only
///   when `state` is exactly `CLOSED`, and then no thread can enter any more.
/// * T2: each task begins at most once, on the thread that takes its number from `next`.
pub(super) struct Gate {
    /// The address of a `Work`; T1 limits its lifetime.
    work: NonNull<()>,
    tasks: usize,
    /// The task that is begun next.
    next: AtomicUsize,
    state: AtomicUsize,
    /// The thread that waits for the last helper to leave.
    owner: Thread,
    /// The payloads of panics of tasks, the first one first.
    panics: Mutex<Vec<Box<dyn Any + Send>>>,
}

// SAFETY: all fields are `Send` except the address: that leads to a shared reference to a function that is `Sync`,
// which any thread may call while it exists (T1).
unsafe impl Send for Gate {}
// SAFETY: all fields are `Sync` except the address; the reason for `Send` holds for it.
unsafe impl Sync for Gate {}

/// Calls `run` with every number below `tasks` once, on this thread, and on idle threads of rayon's pool. All calls
/// have ended when this returns.
///
/// # Panics
/// Panics with the payload of the first call that panics. Then no others are begun.
pub(crate) fn share(tasks: usize, run: Work<'_>) {
    share_beside(tasks, run, None);
}

/// Calls `own` on this thread, and meanwhile shares tasks like [`share`].
///
/// # Panics
/// Panics with the payload of the first call that panics. Then no others are begun.
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

/// Invites this many helpers: two, and each of them invites half of the others, so that waking many delays no thread
/// for long.
fn invite(gate: &Arc<Gate>, helpers: usize) {
    for invited in [helpers.div_ceil(2), helpers / 2] {
        if invited > 0 {
            let gate = Arc::clone(gate);
            spawn(move || help(&gate, invited - 1));
        }
    }
}

/// Helps, if the gate is still open, after inviting this many others.
fn help(gate: &Arc<Gate>, others: usize) {
    if !gate.enter() {
        return;
    }
    invite(gate, others);
    // SAFETY: `share` made the gate with the address of a `Work`, which is copied. The `Work`, and the function that it
    // borrows, exist until this thread leaves: it entered above, and the owner waits for it (T1).
    let work = unsafe { *gate.work.cast::<Work<'_>>().as_ref() };
    gate.work(work, None);
    gate.leave();
}

impl Gate {
    /// Returns an open gate of this thread.
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

    /// Leaves, so that the owner sees all effects of the work inside.
    pub(super) fn leave(&self) {
        if self.state.fetch_sub(1, Ordering::Release) == CLOSED + 1 {
            self.owner.unpark();
        }
    }

    /// Closes, and waits until no helper is inside.
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

/// Closes the gate when its owner leaves, by a panic as well.
struct Closing<'a>(&'a Gate);

impl Drop for Closing<'_> {
    fn drop(&mut self) {
        self.0.close();
    }
}
