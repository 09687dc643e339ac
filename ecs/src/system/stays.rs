//! Wrappers that choose whether a value goes back with its program.

use crate::system::param::SupplySet;
use crate::system::parts::VisitParts;
use crate::system::{System, Takes};
use core::fmt;
use core::marker::PhantomData;
use core::ops::{Deref, DerefMut};

/// A value that stays where it is when its program goes back to a [`Snapshot`](crate::Snapshot): in a
/// [`Local`](crate::Local), or a system with the values that it captures.
///
/// Use it for values that must not go back, such as the receiver of a channel, and for captured values that never change.
/// Cloning it creates a new `Default` value, and [`clone_from`](Clone::clone_from) leaves the value as it is.
///
/// ```
/// use ecs::{Local, Resource, Schedule, Stays, World};
/// use std::sync::Mutex;
///
/// #[derive(Resource, Clone, Default)]
/// #[resource(clone)]
/// struct Log(Vec<u32>);
///
/// fn count(mut here: Local<u32>, mut all: Local<Stays<Mutex<u32>>>, log: &mut Log) {
///     *here += 1;
///     *all.get_mut().unwrap() += 1;
///     log.0 = vec![*here, *all.get_mut().unwrap()];
/// }
/// let speed = 3;
/// let mut schedule = Schedule::new().add(count).add(Stays(move |log: &mut Log| log.0.push(speed)));
/// let mut world = World::new();
/// world.insert_resource(Log::default());
/// let snapshot = schedule.snapshot(&mut world)?;
/// schedule.run(&mut world)?;
/// schedule.restore(&mut world, &snapshot)?;
/// schedule.run(&mut world)?;
/// assert_eq!(world.resource::<Log>().0, [1, 2, 3]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Default)]
pub struct Stays<T>(pub T);

/// The copy is a new value.
impl<T: Default> Clone for Stays<T> {
    fn clone(&self) -> Self {
        Self::default()
    }
    fn clone_from(&mut self, _: &Self) {}
}

impl<T> Deref for Stays<T> {
    type Target = T;
    fn deref(&self) -> &T {
        &self.0
    }
}

impl<T> DerefMut for Stays<T> {
    fn deref_mut(&mut self) -> &mut T {
        &mut self.0
    }
}

impl<T: fmt::Debug> fmt::Debug for Stays<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// A system that goes back to a [`Snapshot`](crate::Snapshot) with the values that it captures, which are cloned.
///
/// ```
/// use ecs::{CopiedSystem, Resource, Schedule, World};
///
/// #[derive(Resource, Clone)]
/// #[resource(clone)]
/// struct Count(u32);
///
/// let mut next = 0;
/// let count = CopiedSystem(move |count: &mut Count| {
///     next += 1;
///     count.0 = next;
/// });
/// let mut schedule = Schedule::new().add(count);
/// let mut world = World::new();
/// world.insert_resource(Count(0));
/// let snapshot = schedule.snapshot(&mut world)?;
/// for _ in 0..3 {
///     schedule.run(&mut world)?;
///     assert_eq!(world.resource::<Count>().0, 1);
///     schedule.restore(&mut world, &snapshot)?;
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy)]
pub struct CopiedSystem<S>(pub S);

impl<S> fmt::Debug for CopiedSystem<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("CopiedSystem")
    }
}

/// Identifies the system in a [`Stays`] or a [`CopiedSystem`].
#[doc(hidden)]
#[derive(Debug)]
pub struct Wrapped<M>(PhantomData<fn() -> M>);

macro_rules! wrapped_systems {
    ($($name:ident [$($bounds:tt)*] |$system:ident, $visit:pat_param| $body:expr,)+) => {$(
        #[diagnostic::do_not_recommend]
        impl<M, S: Takes<M>> Takes<Wrapped<M>> for $name<S> {
            type Out = S::Out;
            fn name() -> &'static str {
                S::name()
            }
        }

        #[diagnostic::do_not_recommend]
        impl<M, S: System<M> $($bounds)*> System<Wrapped<M>> for $name<S> {
            type Supplies = S::Supplies;
            const STAYS: bool = S::STAYS;

            fn call(&mut self, given: <Self::Supplies as SupplySet>::Given<'_>) -> S::Out {
                self.0.call(given)
            }
            fn visit(&mut self, $visit: &mut VisitParts<'_>) {
                let $system = &mut self.0;
                $body
            }
        }
    )+};
}
wrapped_systems!(
    Stays [] |_system, _| (),
    CopiedSystem [+ Clone + Send + Sync + 'static] |system, visit| visit.value(system),
);
