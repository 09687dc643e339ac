//! Loops over a tracked component, and over what changed of it.

use crate::components::{Telling, Vec3, Velocity};
use crate::library::Library;
use crate::scene::{self, Changed};
use ecs::{Changes, Component, World};

/// A position whose changes can be read.
#[derive(Component)]
#[component(track)]
struct Tracked(Vec3);

impl Telling for Tracked {
    fn of(entity: usize) -> Self {
        Self(crate::components::Position::of(entity).0)
    }
    fn x(&self) -> f32 {
        self.0.x
    }
}

type Read = (World, Changes<Tracked>);

pub fn all(ecs: &mut Library, by_for: &mut Library) {
    for (name, count) in scene::TRACKED {
        let make = move || movers(count);
        let moved = |(world, _): &mut Read| sum(world);
        ecs.add_checked(name, make, move_by_fold, moved);
        by_for.add_checked(name, make, move_by_for, moved);
    }
    for case in Changed::ALL {
        let make = move || changed(case);
        ecs.add(case.name, make, |(world, reader)| {
            let mut sum = 0.0;
            let changed = world.view::<&Tracked>().among(reader.changed());
            changed.for_each(|(_, position)| sum += f64::from(position.x()));
            sum
        });
        by_for.add(case.name, make, |(world, reader)| {
            let mut sum = 0.0;
            for (_, position) in world.view::<&Tracked>().among(reader.changed()) {
                sum += f64::from(position.x());
            }
            sum
        });
    }
}

fn movers(count: usize) -> Read {
    let mut world = World::new();
    world.spawn_batch((0..count).map(|at| (Tracked::of(at), Velocity::of(at))));
    let reader = world.changes();
    (world, reader)
}

fn move_by_fold((world, reader): &mut Read) -> usize {
    world.view_mut::<(&mut Tracked, &Velocity)>().for_each(|(_, p, v)| p.0 += v.0);
    world.advance(reader);
    reader.removed().len()
}

fn move_by_for((world, reader): &mut Read) -> usize {
    for (_, p, v) in world.view_mut::<(&mut Tracked, &Velocity)>() {
        p.0 += v.0;
    }
    world.advance(reader);
    reader.removed().len()
}

fn changed(case: Changed) -> Read {
    let mut world = World::new();
    let entities = world.spawn_batch((0..scene::MANY).map(Tracked::of));
    let mut reader = world.changes();
    for at in case.members() {
        world.get_mut::<Tracked>(entities[at]).expect("all have one").0.x += 1.0;
    }
    world.advance(&mut reader);
    (world, reader)
}

fn sum(world: &World) -> f64 {
    world.view::<&Tracked>().iter().map(|(_, position)| f64::from(position.x())).sum()
}
