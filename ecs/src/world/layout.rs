//! A world that chooses its own groups: observing, advice, tuning.

use crate::component::{AnyComponent, index_of};
use crate::group::state::Terms;
use crate::pool::pools::Pools;
use crate::tuning::advice::Advice;
use crate::tuning::tuner::{Changed, Tuner};
use crate::world::World;
use alloc::boxed::Box;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;

/// The layout of a world: the groups that it keeps, and groups that would pay.
///
/// A world that [observes](Self::observe) its views counts their walks and the edits of their components. From that,
/// [`advice`](Self::advice) estimates the costs of views and the groups that would pay, and [`tune`](Self::tune)
/// declares these groups. The [guide](crate::guide::groups) describes when that is of use.
///
/// ```
/// use ecs::{Component, PlanKind, World, layout::Layout};
///
/// #[derive(Component)]
/// struct Position(f32);
/// #[derive(Component)]
/// struct Velocity(f32);
///
/// let mut world = World::new();
/// world.spawn_batch((0..2_000).map(|at| Position(at as f32)));
/// world.spawn_batch((0..500).map(|_| Velocity(1.0)));
/// world.spawn_batch((0..500).map(|at| (Velocity(1.0), Position(at as f32))));
///
/// Layout::of(&mut world).observe(true);
/// for _frame in 0..60 {
///     for (_, position, velocity) in world.view_mut::<(&mut Position, &Velocity)>() {
///         position.0 += velocity.0;
///     }
///     Layout::of(&mut world).tune(); // every frame, or every few
/// }
/// assert_eq!(world.groups().next().unwrap().to_string(), "group owning (`Position`, `Velocity`)");
/// assert_eq!(world.view::<(Position, Velocity)>().explain().kind, PlanKind::Group);
/// ```
///
/// # Effects of tuning
///
/// Tuned groups are groups: like [`World::declare_group`], they change the speed of views and the order of their
/// matches, but not the matches. Equal histories of calls give equal layouts, on any machine and any number of threads:
/// only numbers are counted, not times.
///
/// * Declared groups are never dropped or changed. Where a declaration needs a pool that a tuned group owns, the tuned
///   group goes.
/// * [`World::group`], [`World::group_mut`] and [`World::drop_group`] find declared groups only;
///   [`World::groups`] lists all, see [`GroupRef::is_tuned`](crate::GroupRef::is_tuned).
/// * Sorting a pool or a group ends the tuned groups that are in its way; its components are owned by no tuned group
///   from then on.
/// * A copy of a world has its tuned groups and all that was counted, so both go on alike. A file has neither: a world
///   that loads one keeps its own, and sorts the loaded content by its groups. To load the same order in several
///   worlds, give them the same groups first, by [`reset`](Self::reset).
///
/// [`World::declare_group`]: crate::World::declare_group
/// [`World::group`]: crate::World::group
/// [`World::group_mut`]: crate::World::group_mut
/// [`World::drop_group`]: crate::World::drop_group
/// [`World::groups`]: crate::World::groups
#[derive(Debug)]
pub struct Layout<'w> {
    world: &'w mut World,
}

impl<'w> Layout<'w> {
    /// Returns the layout of a world. O(1).
    ///
    /// ```
    /// # use ecs::{World, layout::Layout};
    /// let mut world = World::new();
    /// assert!(!Layout::of(&mut world).is_observing());
    /// ```
    #[must_use]
    #[inline]
    pub fn of(world: &'w mut World) -> Self {
        Self { world }
    }

    /// Begins to count walks of views and edits, or stops and forgets the counts. Tuned groups stay.
    ///
    /// While it counts, a loop over a view that searches takes some ten nanoseconds longer, one over a group some two.
    /// A view of one component, and one over a pool with one member, take no longer. So do lookups of single entities,
    /// which are not counted. An edit of a component that a counted view names is counted, too. Takes some 60 KB.
    ///
    /// ```
    /// # use ecs::{World, layout::Layout};
    /// # let mut world = World::new();
    /// Layout::of(&mut world).observe(true);
    /// assert!(Layout::of(&mut world).is_observing());
    /// ```
    pub fn observe(&mut self, is_observed: bool) {
        self.world.groups.observe(is_observed);
        if !is_observed && let Some(tuner) = &mut self.world.tuner {
            tuner.forget();
        }
        self.world.note_groups();
    }

    /// Returns `true` if the world counts walks of views and edits.
    #[must_use]
    pub fn is_observing(&self) -> bool {
        self.world.groups.counts().is_some()
    }

    /// Returns a report: the costs of the world's views, the groups that would pay, and the declared groups that do
    /// not. O(queries × pages) if pools have grown or shrunk, and the search for the best layout: a millisecond for
    /// forty queries.
    ///
    /// A query is weighed from the second call of this or [`tune`](Self::tune) on: before, the edits of its components
    /// were not counted.
    ///
    /// See [`Advice`] for an example.
    #[doc(alias = "layout_advice")]
    pub fn advice(&mut self) -> Advice {
        let mut tuner = self.take_tuner();
        let World { groups, pools, entities, .. } = &mut *self.world;
        tuner.note(groups, pools, entities);
        let advice = tuner.advice(groups, pools);
        self.put_back(tuner);
        advice
    }

    /// Declares, replaces and drops groups of the world's own, where that is worth its cost: where the time lost
    /// without the change would have paid for it.
    ///
    /// Call it when it suits the program, say once a frame or every few frames, or between levels. It takes as long as
    /// [`advice`](Self::advice), less where counts have not moved; and for a new group, some 10 to 100 ns a member of
    /// its smallest pool.
    ///
    /// ```
    /// # use ecs::{World, layout::Layout};
    /// # let mut world = World::new();
    /// let tuned = Layout::of(&mut world).tune();
    /// assert!(tuned.declared.is_empty() && tuned.dropped.is_empty());
    /// ```
    pub fn tune(&mut self) -> Tuned {
        self.tune_within(usize::MAX)
    }

    /// Tunes like [`tune`](Self::tune), but declares only groups with at most this many members in their smallest
    /// pools together. Others are postponed, be it to a call that allows more: a declaration cannot be divided.
    ///
    /// ```
    /// # use ecs::{World, layout::Layout};
    /// # let mut world = World::new();
    /// let tuned = Layout::of(&mut world).tune_within(10_000);
    /// assert!(tuned.postponed.is_empty());
    /// ```
    pub fn tune_within(&mut self, members: usize) -> Tuned {
        if self.world.tuner.as_mut().is_some_and(|tuner| tuner.pass()) {
            return Tuned::default();
        }
        let watched = *self.world.groups.watched();
        let mut tuner = self.take_tuner();
        let World { groups, pools, entities, .. } = &mut *self.world;
        let changed = tuner.tune(groups, pools, entities, members);
        let report = Tuned::new(&changed, pools);
        self.put_back(tuner);
        let new = self.world.groups.watched().difference(watched);
        if !new.is_empty() {
            self.world.make_exact(new);
        }
        report
    }

    /// Drops all tuned groups, and forgets all counts and the exclusions by [`exclude`](Self::exclude) and sorting.
    /// The world goes on observing, if it does.
    ///
    /// ```
    /// # use ecs::{World, layout::Layout};
    /// # let mut world = World::new();
    /// Layout::of(&mut world).reset();
    /// assert!(world.groups().all(|group| !group.is_tuned()));
    /// ```
    pub fn reset(&mut self) {
        self.world.groups.drop_tuned(|_| true);
        self.world.tuner = None;
        if self.is_observing() {
            self.world.groups.observe(false);
            self.world.groups.observe(true);
        }
        self.world.note_groups();
    }

    /// Leaves a component out of tuning: no tuned group names it from now on.
    ///
    /// ```
    /// # use ecs::{Component, World, layout::Layout};
    /// # #[derive(Component)] struct Position(f32);
    /// # let mut world = World::new();
    /// Layout::of(&mut world).exclude::<Position>();
    /// ```
    pub fn exclude<T: AnyComponent>(&mut self) {
        self.set_excluded(index_of::<T>().get(), true);
    }

    /// Allows tuned groups to name a component again.
    ///
    /// ```
    /// # use ecs::{Component, World, layout::Layout};
    /// # #[derive(Component)] struct Position(f32);
    /// # let mut world = World::new();
    /// Layout::of(&mut world).exclude::<Position>();
    /// Layout::of(&mut world).include::<Position>();
    /// ```
    pub fn include<T: AnyComponent>(&mut self) {
        self.set_excluded(index_of::<T>().get(), false);
    }

    fn set_excluded(&mut self, number: u32, is_excluded: bool) {
        let mut tuner = self.take_tuner();
        tuner.set_excluded(number, is_excluded);
        if is_excluded {
            self.world.groups.drop_tuned(|terms| {
                terms.required().chain(&terms.excluded).any(|other| *other == number)
            });
        }
        self.put_back(tuner);
    }

    fn take_tuner(&mut self) -> Box<Tuner> {
        self.world.tuner.take().unwrap_or_default()
    }

    fn put_back(&mut self, tuner: Box<Tuner>) {
        self.world.tuner = Some(tuner);
        self.world.note_groups();
    }
}

impl World {
    /// Stores in the watch the components of groups, and those with counted edits.
    pub(super) fn note_groups(&mut self) {
        let Self { groups, pools, .. } = self;
        pools.watch.set_grouped(*groups.watched(), groups.counted());
    }

    /// Returns `true` if views and edits are or were counted, so that there may be tuned groups.
    pub(super) fn is_tuning(&self) -> bool {
        self.tuner.is_some() || self.groups.counts().is_some()
    }

    /// Ends the tuned groups that own one of these components, which the program is about to sort. None owns them from
    /// now on.
    pub(super) fn yield_to_sorting(&mut self, numbers: &[u32]) {
        if !self.is_tuning() {
            return;
        }
        let tuner = self.tuner.get_or_insert_default();
        for number in numbers {
            tuner.note_sorted(*number);
        }
        if self.groups.drop_tuned(|terms| terms.owned.iter().any(|own| numbers.contains(own))) {
            self.note_groups();
        }
    }
}

/// The groups that [`Layout::tune`] changed, as they print.
///
/// ```
/// # use ecs::{World, layout::{Layout, Tuned}};
/// # let mut world = World::new();
/// let tuned: Tuned = Layout::of(&mut world).tune();
/// assert_eq!(tuned.to_string(), "no group was changed");
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Tuned {
    /// The groups that the world keeps from now on.
    pub declared: Vec<String>,
    /// The tuned groups that it keeps no longer.
    pub dropped: Vec<String>,
    /// The groups that would pay, but take longer than [`Layout::tune_within`] allowed, and how many members each would
    /// have looked at.
    pub postponed: Vec<(String, usize)>,
}

impl Tuned {
    fn new(changed: &Changed, pools: &Pools) -> Self {
        let name = |terms: &Terms| terms.names(pools).to_string();
        Self {
            declared: changed.declared.iter().map(name).collect(),
            dropped: changed.dropped.iter().map(name).collect(),
            postponed: changed
                .postponed
                .iter()
                .map(|(terms, members)| (name(terms), *members))
                .collect(),
        }
    }
}

impl fmt::Display for Tuned {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let declared = self.declared.iter().map(|group| ("declared", group));
        let dropped = self.dropped.iter().map(|group| ("dropped", group));
        let postponed = self.postponed.iter().map(|(group, _)| ("postponed", group));
        let mut is_first = true;
        for (verb, group) in declared.chain(dropped).chain(postponed) {
            let break_ = if is_first { "" } else { "\n" };
            write!(f, "{break_}{verb} the {group}")?;
            is_first = false;
        }
        if is_first { f.write_str("no group was changed") } else { Ok(()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(crate::Component)]
    struct A;
    #[derive(crate::Component)]
    struct B;

    #[test]
    fn edits_of_a_settled_world_are_counted_before_one_call_in_sixty_four() {
        let mut world = World::new();
        world.spawn_batch((0..100).map(|_| (A, B)));
        Layout::of(&mut world).observe(true);
        let mut counted = [0; 2];
        for call in 0..2 * 64 * 4 {
            assert_eq!(world.view::<(&A, &B)>().iter().count(), 100);
            counted[call / (64 * 4)] += usize::from(!world.groups.counted().is_empty());
            Layout::of(&mut world).tune();
        }
        assert!(counted[0] > 4, "{counted:?}");
        assert_eq!(counted[1], 4);
    }

    #[test]
    fn edits_are_counted_seldom_while_a_group_has_yet_to_pay_for_itself() {
        let mut world = World::new();
        world.spawn_batch((0..900).map(|_| A));
        world.spawn_batch((0..900).map(|_| B));
        world.spawn_batch((0..5).map(|_| (B, A)));
        Layout::of(&mut world).observe(true);
        let (mut calls, mut counted) = (0, 0);
        while world.groups.is_empty() && calls < 2_000 {
            assert_eq!(world.view::<(&A, &B)>().iter().count(), 5);
            counted += usize::from(!world.groups.counted().is_empty());
            Layout::of(&mut world).tune();
            calls += 1;
        }
        assert!((64..2_000).contains(&calls), "declared by call {calls}");
        assert!(counted * 3 < calls, "{counted} of {calls}");
    }

    #[test]
    fn a_world_without_joins_is_looked_at_seldom() {
        let mut world = World::new();
        Layout::of(&mut world).observe(true);
        let is_passed = |world: &mut World| world.tuner.as_mut().is_some_and(|it| it.pass());
        let passed = (0..640).filter(|_| {
            let passes = is_passed(&mut world);
            if !passes {
                Layout::of(&mut world).tune();
            }
            passes
        });
        assert!(passed.count() > 500);
    }
}
