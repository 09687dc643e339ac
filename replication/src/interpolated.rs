//! Values between the ticks of a server, for smooth pictures.

use ecs::{Changes, Component, Entity, SparseSet, Tracked, World};
use std::collections::VecDeque;
use std::fmt;

/// The newest values of a component, with the server's ticks at which they came: for pictures of moments between these.
///
/// A picture shows the world a few ticks late, so that the value behind that moment has arrived in spite of losses.
///
/// ```
/// use ecs::{Component, World};
/// use ecs_replication::Interpolated;
///
/// #[derive(Component, Clone, Copy)]
/// #[component(track)]
/// struct Position(f32);
///
/// let mut world = World::new();
/// let ship = world.spawn(Position(0.0)).id();
/// let mut positions = Interpolated::<Position>::new(&mut world, 4);
/// for tick in 10..=14_u8 {
///     world.get_mut::<Position>(ship).unwrap().0 = f32::from(tick);
///     positions.record(&mut world, tick.into()); // behind `Client::update`, with `Client::tick`
/// }
/// let (before, after, share) = positions.get(ship, 12.25).unwrap();
/// assert_eq!(before.0 + (after.0 - before.0) * share, 12.25);
/// ```
pub struct Interpolated<T: Tracked> {
    changes: Changes<T>,
    samples: SparseSet<VecDeque<(u64, T)>, Entity>,
    /// The last tick, and the one before.
    tick: u64,
    most: usize,
}

impl<T: Tracked + Component + Clone> Interpolated<T> {
    /// Returns a memory of the newest `most` values of each entity, at least two. A value is kept with its tick, and a
    /// picture that is `delay` ticks late needs `delay + 1` values.
    #[must_use]
    pub fn new(world: &mut World, most: usize) -> Self {
        let most = most.max(2);
        Self { changes: world.changes(), samples: SparseSet::default(), tick: 0, most }
    }

    /// Records the values that changed since the last call, as values of this tick. O(changed entities), and O(entities)
    /// after entities lost the component.
    pub fn record(&mut self, world: &mut World, tick: u64) {
        world.advance(&mut self.changes);
        let mut changed: Vec<Entity> = world.entities_in(self.changes.changed()).collect();
        if self.tick == 0 {
            changed = world.pool::<T>().keys().to_vec(); // all that were there before the first call
        }
        for entity in changed {
            let Some(value) = world.get::<T>(entity).cloned() else { continue };
            if self.samples.get(entity).is_none() {
                self.samples.insert(entity, VecDeque::new());
            }
            let Some(samples) = self.samples.get_mut(entity) else { continue };
            match samples.back_mut() {
                Some((at, last)) if *at >= tick => {
                    *last = value;
                    continue;
                }
                // It rested until the last tick.
                Some((at, last)) if *at < self.tick => {
                    let rested = last.clone();
                    samples.push_back((self.tick, rested));
                }
                _ => {}
            }
            samples.push_back((tick, value));
            while samples.len() > self.most {
                samples.pop_front();
            }
        }
        if !self.changes.removed().is_empty() {
            self.samples.retain(|entity, _| world.get::<T>(entity).is_some());
        }
        self.tick = self.tick.max(tick);
    }

    /// Returns the values of an entity around a moment, in ticks, and how far the moment is from the first to the second
    /// one, from 0 to 1. Before the oldest value and behind the newest one, both are this one.
    #[must_use]
    pub fn get(&self, entity: Entity, moment: f64) -> Option<(&T, &T, f32)> {
        let samples = self.samples.get(entity)?;
        let after = samples.partition_point(|(tick, _)| time(*tick) <= moment);
        match (after.checked_sub(1).and_then(|at| samples.get(at)), samples.get(after)) {
            (Some((from, before)), Some((to, after))) => {
                let share = (moment - time(*from)) / (time(*to) - time(*from));
                #[expect(clippy::cast_possible_truncation, reason = "it is from 0 to 1")]
                Some((before, after, share as f32))
            }
            (Some((_, only)), None) | (None, Some((_, only))) => Some((only, only, 0.0)),
            (None, None) => None,
        }
    }
}

#[expect(clippy::cast_precision_loss, reason = "ticks of years are exact")]
const fn time(tick: u64) -> f64 {
    tick as f64
}

impl<T: Tracked> fmt::Debug for Interpolated<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Interpolated").field("tick", &self.tick).finish_non_exhaustive()
    }
}
