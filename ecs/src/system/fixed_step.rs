//! Steps of one length, out of frames of any length.

use crate::component::id::ComponentId;
use crate::resource::{InSnapshots, Resource, ResourceSlot};
use crate::system::param::Local;
use crate::system::stays::Stays;
use core::time::Duration;

/// A second, in nanoseconds.
const SECOND: u128 = 1_000_000_000;

/// Counts the steps of one length, such as steps of physics, that are due in frames of any length.
///
/// Time that is left over is kept for the next frame. If steps take longer than the time that they stand for, each
/// frame would have more of them than the one before. So a frame has [at most](Self::at_most) a fixed number, and
/// other time is lost.
///
/// ```
/// use ecs::{FixedStep, Resource, World, schedule};
/// use std::time::Duration;
///
/// #[derive(Resource)]
/// struct Ticks(u32);
///
/// fn tick(ticks: &mut Ticks) {
///     ticks.0 += 1;
/// }
/// schedule! { struct Physics { tick } }
///
/// let mut world = World::new();
/// world.insert_resource(Ticks(0));
/// let (mut physics, mut step) = (Physics::new(), FixedStep::new(Duration::from_millis(20)));
/// for elapsed in [16, 17, 40].map(Duration::from_millis) { // since the last frame
///     for _ in 0..step.advance(elapsed) {
///         physics.run(&mut world)?;
///     }
/// }
/// assert_eq!(world.resource::<Ticks>().0, 3);
/// assert!((0.64..0.66).contains(&step.part())); // of the next step: 13 of 20 ms
/// # Ok::<(), ecs::ScheduleError>(())
/// ```
#[derive(Clone, Debug)]
pub struct FixedStep {
    step: Duration,
    left: Duration,
    most: u32,
}

impl FixedStep {
    /// Steps of this length, at most 8 a frame.
    ///
    /// # Panics
    /// When the length is zero.
    ///
    /// ```
    /// # use ecs::FixedStep;
    /// # use std::time::Duration;
    /// let step = FixedStep::new(Duration::from_millis(20));
    /// assert_eq!(step.part(), 0.0);
    /// ```
    #[must_use]
    #[track_caller]
    pub const fn new(step: Duration) -> Self {
        assert!(!step.is_zero(), "a step takes time: give it a length that is not zero");
        Self { step, left: Duration::ZERO, most: 8 }
    }

    /// Limits the steps of a frame to this number.
    ///
    /// ```
    /// # use ecs::FixedStep;
    /// # use std::time::Duration;
    /// let mut step = FixedStep::new(Duration::from_millis(20)).at_most(2);
    /// assert_eq!(step.advance(Duration::from_secs(1)), 2);
    /// assert_eq!(step.advance(Duration::from_millis(20)), 1); // the rest of the second is lost
    /// ```
    #[must_use]
    pub const fn at_most(self, steps: u32) -> Self {
        Self { most: steps, ..self }
    }

    /// Returns the length of a step, the time left over and the most steps of a frame.
    #[cfg(feature = "serde")]
    pub(crate) const fn to_parts(&self) -> (Duration, Duration, u32) {
        (self.step, self.left, self.most)
    }

    /// Returns the `FixedStep` with these [parts](Self::to_parts), if a step takes time and less than a step is left.
    #[cfg(feature = "serde")]
    pub(crate) fn from_parts(step: Duration, left: Duration, most: u32) -> Option<Self> {
        (left < step).then_some(Self { step, left, most })
    }

    /// Returns the length of a step.
    pub(crate) const fn length(&self) -> Duration {
        self.step
    }

    /// Returns the number of steps to run now that this time has passed since the last call.
    ///
    /// ```
    /// # use ecs::FixedStep;
    /// # use std::time::Duration;
    /// let mut step = FixedStep::new(Duration::from_millis(20));
    /// assert_eq!([10, 10, 50].map(|time| step.advance(Duration::from_millis(time))), [0, 1, 2]);
    /// ```
    pub fn advance(&mut self, elapsed: Duration) -> u32 {
        self.left = self.left.saturating_add(elapsed);
        let (left, step) = (self.left.as_nanos(), self.step.as_nanos());
        let number = |nanos: u128| u64::try_from(nanos).unwrap_or(u64::MAX);
        let (seconds, nanos) = (left % step / SECOND, left % step % SECOND);
        self.left = Duration::from_secs(number(seconds)) + Duration::from_nanos(number(nanos));
        u32::try_from(left / step).unwrap_or(u32::MAX).min(self.most)
    }

    /// Returns the part of the next step that has passed already, from 0 to 1: to draw movement between
    /// two steps.
    ///
    /// ```
    /// # use ecs::FixedStep;
    /// # use std::time::Duration;
    /// let mut step = FixedStep::new(Duration::from_millis(20));
    /// step.advance(Duration::from_millis(25));
    /// assert_eq!(step.part(), 0.25);
    /// ```
    #[must_use]
    pub fn part(&self) -> f32 {
        self.left.as_secs_f32() / self.step.as_secs_f32()
    }
}

/// A resource: the time since the frame before, in systems of [`FIXED`](crate::app::FIXED) the length of a step. An
/// [`App`](crate::app::App) sets it; a program that runs its schedules itself inserts it before each run. It stays when
/// the world is copied, saved or loaded.
///
/// ```
/// use core::time::Duration;
/// use ecs::app::{App, Elapsed, UPDATE};
/// # use ecs::Resource;
/// # #[derive(Resource)] struct Position(f32);
///
/// let mut app = App::new();
/// # app.world.insert_resource(Position(0.0));
/// app.add_systems(UPDATE, "fall", |list| {
///     list.add(|position: &mut Position, elapsed: &Elapsed| position.0 -= elapsed.0.as_secs_f32())
/// });
/// app.frame(Duration::from_millis(500))?;
/// assert_eq!(app.world.resource::<Position>().0, -0.5);
/// # Ok::<(), ecs::ScheduleError>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Elapsed(pub Duration);

#[diagnostic::do_not_recommend]
impl Resource for Elapsed {
    const NAME: &'static str = "Elapsed";
    const ID: ComponentId = ComponentId::of(Some("ecs"), None, "fixed_step", "Elapsed", 0, 0);
    const SKIPS_COPIES: bool = true;
    const SKIPS_SAVES: bool = true;
    const IN_SNAPSHOTS: Option<InSnapshots<Self>> = Some(InSnapshots::COPIED);

    fn slot() -> Option<&'static ResourceSlot<Self>> {
        static SLOT: ResourceSlot<Elapsed> = ResourceSlot::new();
        Some(&SLOT)
    }
}

/// Returns a condition that is true once for each such period of [`Elapsed`] time, and at most once a run.
///
/// Time that is left over counts for the next period; further periods that end in the same run are skipped. The time
/// left goes back with the program to a [`Snapshot`](crate::Snapshot).
///
/// # Panics
/// Panics if the period is zero.
///
/// ```
/// use core::time::Duration;
/// use ecs::app::{App, UPDATE, every};
/// # use ecs::Resource;
/// # #[derive(Resource)] struct Blinks(u32);
///
/// let mut app = App::new();
/// # app.world.insert_resource(Blinks(0));
/// app.add_systems(UPDATE, "lamp", |list| {
///     list.add_if(every(Duration::from_millis(100)), |blinks: &mut Blinks| blinks.0 += 1)
/// });
/// for _ in 0..10 {
///     app.frame(Duration::from_millis(33))?;
/// }
/// assert_eq!(app.world.resource::<Blinks>().0, 3);
/// # Ok::<(), ecs::ScheduleError>(())
/// ```
#[must_use]
#[track_caller]
pub fn every(
    period: Duration,
) -> Stays<impl FnMut(&Elapsed, Local<'_, Option<FixedStep>>) -> bool + Send + Sync + 'static> {
    let first = FixedStep::new(period).at_most(1);
    // The period stays, and the time that is left goes back.
    Stays(move |elapsed: &Elapsed, mut step: Local<'_, Option<FixedStep>>| {
        step.get_or_insert_with(|| first.clone()).advance(elapsed.0) > 0
    })
}
