//! Tuples of systems: lists with conflicts that are compile errors.

use crate::component::alias::ORDINALS;
use crate::system::plan::{Facts, Step, check_together, refuse_conflicts};
use crate::system::run::SystemOutput;
use crate::system::schedule::{Schedule, SlotKind};
use crate::system::{System, Takes};

/// Systems for a [`Schedule`]: a tuple of up to twelve functions and closures, or another schedule.
///
/// `Marker` differs between closures of different parameters; it is inferred.
///
/// ```
/// use ecs::{Schedule, Systems, World};
///
/// fn twice<M>(systems: impl Systems<M>) -> Schedule {
///     let systems = Schedule::of(systems);
///     assert_eq!(format!("{systems:?}"), "[rest, rest]");
///     systems
/// }
/// fn rest() {}
///
/// twice((rest, rest)).run(&mut World::new()).unwrap();
/// twice(Schedule::new().add(rest).add(rest)).run(&mut World::new()).unwrap();
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a tuple of systems",
    label = "not systems",
    note = "write a tuple of up to 12 functions, as in `(steer, heal)`, or a `Schedule`, which has any number: \
            `Schedule::add` takes a single one"
)]
pub trait Systems<Marker> {
    /// Their facts at compile time, by their numbers in the tuple. A schedule has none.
    #[doc(hidden)]
    const STEPS: &'static [Step];
    /// Checks each by itself. One constant is one error, however often it is used.
    #[doc(hidden)]
    const CHECK: ();
    /// Returns the systems as a schedule.
    #[doc(hidden)]
    fn into_schedule(self) -> Schedule;
}

impl Systems<()> for Schedule {
    const STEPS: &'static [Step] = &[];
    const CHECK: () = ();
    fn into_schedule(self) -> Schedule {
        self
    }
}

macro_rules! systems_of_tuples {
    ($([$($part:tt)+])+) => { systems_of_tuples!(@grow [] $([$($part)+])+); };
    (@grow [$($done:tt)*]) => {};
    (@grow [$($done:tt)*] [$($part:tt)+] $($rest:tt)*) => {
        systems_of_tuples!(@tuple $($done)* [$($part)+]);
        systems_of_tuples!(@grow [$($done)* [$($part)+]] $($rest)*);
    };
    (@tuple $([$name:ident $marker:ident $index:tt])+) => {
        impl<$($name, $marker: 'static),+> Systems<($($marker,)+)> for ($($name,)+)
        where
            $($name: Takes<$marker, Out: SystemOutput> + System<$marker> + Send + Sync + 'static),+
        {
            const STEPS: &'static [Step] =
                &[$(Step::System(Facts::of::<$marker, $name>(ORDINALS[$index]), None)),+];
            const CHECK: () =
                { $(Facts::of::<$marker, $name>(ORDINALS[$index]).refuse_alias(false);)+ };
            fn into_schedule(self) -> Schedule {
                const { Self::CHECK }
                Schedule::new()$(.add_checked(self.$index))+
            }
        }
    };
}
systems_of_tuples!([A M 0] [B N 1] [C O 2] [D P 3] [E Q 4] [F R 5]
    [G S 6] [H T 7] [I U 8] [J V 9] [K W 10] [L X 11]);

impl Schedule {
    /// The systems of a tuple, in its order.
    ///
    /// ```
    /// # use ecs::{Resource, Schedule, World};
    /// # #[derive(Resource, Debug, PartialEq)] struct Count(u32);
    /// let (add, double) = (|count: &mut Count| count.0 += 1, |count: &mut Count| count.0 *= 2);
    /// let mut schedule = Schedule::of((add, double, add)).sync().add(double);
    /// let mut world = World::new();
    /// world.insert_resource(Count(1));
    /// schedule.run(&mut world).unwrap();
    /// assert_eq!(*world.resource::<Count>(), Count(10));
    /// ```
    #[must_use]
    pub fn of<M, S: Systems<M>>(systems: S) -> Self {
        const { S::CHECK }
        systems.into_schedule()
    }

    /// Adds systems that are meant to overlap: where threads share the work, they run at one time.
    ///
    /// A conflict in a tuple is a compile error, which names the systems by their numbers. Generic components, and the
    /// systems of a schedule, are compared when it is added.
    ///
    /// # Panics
    /// When two of them conflict, or one takes the whole world; when these are not systems only.
    ///
    /// ```
    /// # use ecs::{Resource, Schedule, World};
    /// # #[derive(Resource)] struct Ticks(u32);
    /// # #[derive(Resource)] struct Score(u32);
    /// let mut frame = Schedule::new().together((
    ///     |ticks: &mut Ticks| ticks.0 += 1,
    ///     |score: &mut Score| score.0 += 1,
    /// ));
    /// # let mut world = World::new();
    /// # world.insert_resource(Ticks(0));
    /// # world.insert_resource(Score(0));
    /// frame.run(&mut world).unwrap();
    /// ```
    #[must_use]
    #[track_caller]
    pub fn together<M, S: Systems<M>>(self, systems: S) -> Self {
        const {
            let () = S::CHECK;
            refuse_conflicts(S::STEPS);
        };
        let systems = systems.into_schedule();
        let is_system = |step: &Step| matches!(step, Step::System(..));
        assert!(
            systems.steps.iter().all(is_system),
            "only systems stand in `together`: add lists by `add_all`"
        );
        check_together(&systems.steps);
        self.step(Step::Together(systems.steps.len()), SlotKind::Heading).append(systems)
    }
}
