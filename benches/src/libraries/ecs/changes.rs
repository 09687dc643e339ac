//! Loops over a tracked component, and over its changes.

use crate::components::{Telling, Vec3, Velocity};
use crate::library::Library;
use crate::scene::{self, Changed};
use ecs::{Changes, Component, Entity, World};

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
        let take = |(world, reader): &mut Read| world.advance(reader);
        let moved = |(world, _): &mut Read| moved(world);
        ecs.add_prepared(name, make, take, move_by_fold, moved);
        by_for.add_prepared(name, make, take, move_by_for, moved);
    }
    for (name, readers) in scene::ADVANCED {
        ecs.add_prepared(
            name,
            move || Crowd::new(readers),
            Crowd::write,
            Crowd::take_all,
            |it| it.readers.iter().map(|reader| reader.changed().len()).sum::<usize>(),
        );
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

fn move_by_fold((world, _): &mut Read) {
    world.view_mut::<(&mut Tracked, &Velocity)>().for_each(|(_, p, v)| p.0 += v.0);
}

fn move_by_for((world, _): &mut Read) {
    for (_, p, v) in world.view_mut::<(&mut Tracked, &Velocity)>() {
        p.0 += v.0;
    }
}

/// Several readers of the changes of many entities.
struct Crowd {
    world: World,
    readers: Vec<Changes<Tracked>>,
    written: Vec<Entity>,
}

impl Crowd {
    fn new(readers: usize) -> Self {
        let mut world = World::new();
        let entities = world.spawn_batch((0..scene::MANY).map(Tracked::of));
        let written = Changed::ALL[0].members().into_iter().map(|at| entities[at]).collect();
        let readers = (0..readers).map(|_| world.changes()).collect();
        Self { world, readers, written }
    }

    fn write(&mut self) {
        for &entity in &self.written {
            self.world.get_mut::<Tracked>(entity).expect("all have one").0.x += 1.0;
        }
    }

    fn take_all(&mut self) {
        for reader in &mut self.readers {
            self.world.advance(reader);
        }
    }
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

/// Returns the sum of all positions, as in the other libraries.
fn moved(world: &World) -> f64 {
    let movers = world.view::<(&Tracked, &Velocity)>().into_iter();
    movers.map(|(_, p, v)| f64::from(p.x() * (v.x() + 1.0))).sum()
}
