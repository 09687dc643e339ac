//! Parameters that keep a system on the thread that runs its schedule.

use crate::resource::Asked;
#[cfg(feature = "std")]
use crate::resource::non_send::{NonSend, NonSendMut, NonSendRef};
#[cfg(feature = "std")]
use crate::resource::{Res, ResMut};
#[cfg(feature = "std")]
use crate::system::param::SupplySet;
use crate::system::param::{ParamParts, Supply, known_params};
#[cfg(feature = "std")]
use crate::system::parts::VisitParts;
#[cfg(feature = "std")]
use crate::system::{System, Takes};
use core::fmt;
use core::marker::PhantomData;

/// A [`Param`](crate::Param) that keeps its system on the thread that calls [`Schedule::run`](crate::Schedule::run), while other
/// systems may overlap with it.
///
/// It is for systems that call code that is tied to a thread, such as most libraries for windows. A system
/// with a `NonSendRef` or `NonSendMut`, and one with `&mut World`, stays there without it. Conditions and
/// commands always run there, as do the hooks and observers that these call.
///
/// It costs nothing by itself. Systems that stay on that thread run in the order of the list, even if they
/// touch nothing in common, so two of them cannot stand in [`together`](crate::Schedule::together).
///
/// ```
/// use ecs::{CallingThread, Component, Schedule, View, World};
/// use std::thread;
///
/// #[derive(Component)]
/// struct Sprite(u32);
///
/// let caller = thread::current().id();
/// let draw = move |_: CallingThread, sprites: View<&Sprite>| {
///     assert_eq!(thread::current().id(), caller);
///     assert_eq!(sprites.count(), 1);
/// };
/// let mut world = World::new();
/// world.spawn(Sprite(3));
/// Schedule::new().add(draw).add(|| {}).run(&mut world)?;
/// # Ok::<(), ecs::ScheduleError>(())
/// ```
#[doc(alias = "MainThread")]
#[doc(alias = "NonSendMarker")]
#[derive(Clone, Copy)]
pub struct CallingThread {
    /// It is not `Send`.
    thread: PhantomData<*const ()>,
}

impl fmt::Debug for CallingThread {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("CallingThread")
    }
}

known_params! { [] CallingThread, }

impl ParamParts for CallingThread {
    type Supply = OnCallingThread<()>;
    type Item<'w> = Self;
}

/// The supply of a parameter that keeps its system on the thread that runs the schedule.
#[doc(hidden)]
#[derive(Debug)]
pub struct OnCallingThread<R>(PhantomData<fn() -> R>);

impl Supply for OnCallingThread<()> {
    type Claim = Asked<()>;
    type State = ();
    type Given<'w> = CallingThread;
    const STAYS: bool = true;

    #[inline]
    fn given((): (), (): &mut ()) -> CallingThread {
        CallingThread { thread: PhantomData }
    }
}

#[cfg(feature = "std")]
macro_rules! non_send_params {
    ($($name:ident $asked:ident [$($mutable:tt)?] $get:ident,)+) => {$(
        known_params! { ['w, T: 'static] $name<'w, T>, ['w, T: 'static] Option<$name<'w, T>>, }

        impl<T: 'static> ParamParts for $name<'_, T> {
            type Supply = OnCallingThread<$asked<NonSend<T>>>;
            type Item<'w> = $name<'w, T>;
        }
        impl<T: 'static> ParamParts for Option<$name<'_, T>> {
            type Supply = OnCallingThread<Option<$asked<NonSend<T>>>>;
            type Item<'w> = Option<$name<'w, T>>;
        }

        impl<T: 'static> Supply for OnCallingThread<$asked<NonSend<T>>> {
            type Claim = Asked<$asked<NonSend<T>>>;
            type State = ();
            type Given<'w> = $name<'w, T>;
            const STAYS: bool = true;

            fn given<'w>(handle: &'w $($mutable)? NonSend<T>, (): &'w mut ()) -> $name<'w, T> {
                handle.$get()
            }
        }
        impl<T: 'static> Supply for OnCallingThread<Option<$asked<NonSend<T>>>> {
            type Claim = Asked<Option<$asked<NonSend<T>>>>;
            type State = ();
            type Given<'w> = Option<$name<'w, T>>;
            const STAYS: bool = true;

            fn given<'w>(
                handle: Option<&'w $($mutable)? NonSend<T>>,
                (): &'w mut (),
            ) -> Option<$name<'w, T>> {
                handle.map(|handle| handle.$get())
            }
        }
    )+};
}
#[cfg(feature = "std")]
non_send_params!(NonSendRef Res [] get, NonSendMut ResMut [mut] get_mut,);

/// Identifies the system in a [`NonSend`].
#[cfg(feature = "std")]
#[doc(hidden)]
#[derive(Debug)]
pub struct Within<M>(PhantomData<fn() -> M>);

#[cfg(feature = "std")]
#[diagnostic::do_not_recommend]
impl<M, S: Takes<M>> Takes<Within<M>> for NonSend<S> {
    type Out = S::Out;
    fn name() -> &'static str {
        S::name()
    }
}

/// The system stays on its thread, and runs there.
#[cfg(feature = "std")]
#[diagnostic::do_not_recommend]
impl<M, S: System<M>> System<Within<M>> for NonSend<S> {
    type Supplies = S::Supplies;
    const STAYS: bool = true;

    #[track_caller]
    fn call(&mut self, given: <Self::Supplies as SupplySet>::Given<'_>) -> S::Out {
        self.get_mut().call(given)
    }
    fn visit(&mut self, visit: &mut VisitParts<'_>) {
        if const { size_of::<S>() > 0 } {
            visit.refuse_captured();
        }
    }
}
