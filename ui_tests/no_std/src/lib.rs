//! A crate without the standard library that uses all derives of `ecs`, and `ecs` without it.
#![no_std]
#![deny(missing_docs)]

use ecs::{Bundle, Component, Entity, Group, Query, View, Views, World};

/// In columns.
#[derive(Component, Clone, Debug, PartialEq)]
#[component(layout = "soa")]
pub struct Position {
    /// To the right.
    pub x: f32,
    /// Up.
    pub y: f32,
}

/// In rows.
#[derive(Component, Clone, Debug, PartialEq)]
pub struct Velocity {
    /// To the right.
    pub x: f32,
    /// Up.
    pub y: f32,
}

/// One instance of a generic type, whose number is looked up.
#[derive(Component)]
pub struct Marked<const WHY: u32>;

/// Stays while it is locked.
#[derive(Component)]
#[component(veto = Lock::may_go)]
pub struct Lock(pub bool);

impl Lock {
    fn may_go(&mut self) -> bool {
        !self.0
    }
}

/// The components of a moving entity.
#[derive(Bundle)]
pub struct Mover {
    /// The place.
    pub position: Position,
    /// The direction.
    pub velocity: Velocity,
}

/// A moving entity, to be moved.
#[derive(Query)]
#[query(without(Marked<0>))]
pub struct Moving<'w> {
    /// The entity.
    pub entity: Entity,
    /// To the right.
    #[query(column = position::x)]
    pub x: &'w mut f32,
    /// The direction.
    pub velocity: &'w Velocity,
}

/// Two views that live together.
#[derive(Views)]
pub struct Both<'w> {
    /// The moving entities.
    pub moving: View<'w, Moving<'static>>,
    /// The entities that may stay.
    pub locks: View<'w, Lock>,
}

/// A world of some movers; every third is marked, in a group.
#[must_use]
pub fn some_world(movers: u16) -> World {
    let mut world = World::new();
    let _ = world.declare_group(Group::owning::<(Position, Velocity)>()); // the first one
    let mover = |at: u16| Mover {
        position: Position { x: at.into(), y: 0.0 },
        velocity: Velocity { x: 1.0, y: 2.0 },
    };
    let entities = world.spawn_batch((0..movers).map(mover));
    for entity in entities.into_iter().step_by(3) {
        let _ = world.insert(entity, Marked::<0>); // it is alive
    }
    world.spawn_named("Bob").insert(Lock(true));
    world
}

/// Moves unmarked ones to the right, and all of them up. How many there were of either, and how many
/// locks.
pub fn step(world: &mut World) -> [usize; 3] {
    let Both { mut moving, locks } = world.split_mut::<Both>();
    let locks = locks.count();
    let mut moved = 0;
    for Moving { x, velocity, .. } in &mut moving {
        *x += velocity.x;
        moved += 1;
    }
    let mut all = 0;
    world.view_mut::<(&mut position::y, &Velocity)>().for_each_chunk(|(_, ys, velocities)| {
        for (y, velocity) in ys.iter_mut().zip(velocities) {
            *y += velocity.y;
        }
        all += ys.len();
    });
    [moved, all, locks]
}
