//! The order of pools.

use crate::world::World;

/// # Order
///
/// A world keeps its pools in one order, so that loops over several components walk along slices: see the chapter
/// [Order](crate::guide::order) of the guide.
impl World {
    /// Turns the ordering of pools on or off. It is on in a new world. Members stay where they are: without ordering, new
    /// ones come last, and the last one takes the place of one that is removed.
    ///
    /// Turn it off where loops with different components must not affect the order of views: on the computers of a game
    /// in lockstep, where some draw more than others.
    ///
    /// O(ordered pools).
    ///
    /// ```
    /// # use ecs::World;
    /// let mut world = World::new();
    /// assert!(world.is_ordering());
    /// world.set_ordering(false);
    /// assert!(!world.is_ordering());
    /// ```
    #[inline]
    pub fn set_ordering(&mut self, is_on: bool) {
        if is_on != self.order.is_on() {
            self.order.turn(&mut self.pools, &self.entities, is_on);
        }
    }

    /// Returns `true` if the world orders its pools. O(1).
    ///
    /// ```
    /// # use ecs::World;
    /// assert!(World::new().is_ordering());
    /// ```
    #[must_use]
    pub fn is_ordering(&self) -> bool {
        self.order.is_on()
    }

    /// Orders all pools now, except for sorted ones and pools of declared groups. Without this call, a world orders its
    /// pools little by little, as loops pay for it. Call it after loading a level, so that the first frames are as fast as
    /// later ones. O(components), about 100 ns each in a large world.
    ///
    /// If [ordering](Self::set_ordering) is off, later edits change the order again.
    ///
    /// ```
    /// # use ecs::{Component, PlanKind, World};
    /// # #[derive(Component)] struct Position(f32);
    /// # #[derive(Component)] struct Speed(f32);
    /// let mut world = World::new();
    /// for at in 0..1_000 {
    ///     let mut entity = world.spawn(Position(0.0));
    ///     if at % 3 == 0 {
    ///         entity.insert(Speed(1.0));
    ///     }
    /// }
    /// let plan = |world: &World| world.view::<(&Position, &Speed)>().explain().kind;
    /// assert_eq!(plan(&world), PlanKind::Words);
    /// world.order_pools();
    /// assert_eq!(plan(&world), PlanKind::Runs);
    /// ```
    #[inline]
    pub fn order_pools(&mut self) {
        self.entities.flush();
        let Self { order, pools, entities, groups, .. } = self;
        order.order_all(pools, entities, groups);
    }

    /// Orders pools as far as loops have paid for it.
    #[inline(always)]
    pub(crate) fn keep_order(&mut self) {
        let Self { order, pools, entities, groups, .. } = self;
        if order.is_due(pools, entities) {
            order.keep(pools, entities, groups);
        }
    }
}
