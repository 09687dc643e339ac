//! Schedules, and loops that threads share, beside the same on one thread.

use super::{World, joined, moved, movers};
use crate::components::{Audio, Force, Position, Proximity, Rotation, Sum, Velocity};
use crate::library::{Kind, Library};
use crate::scene::{self, for_hundred};
use ecs::{Schedule, Sharing, View, schedule};

fn empty<const N: usize>() {}

fn add<const N: usize>(sum: &mut Sum) {
    sum.0 += N;
}

fn steer(movers: View<(&mut Position, &Velocity)>) {
    movers.for_each(|(_, position, velocity)| scene::steer(position, velocity));
}

fn turn(turners: View<(&mut Rotation, &Force)>) {
    turners.for_each(|(_, rotation, force)| scene::turn(rotation, force));
}

macro_rules! list {
    ($name:ident $system:ident [$($number:literal)*]) => {
        schedule! { struct $name { $($system::<$number>),* } }
    };
}
list!(Ten empty [0 1 2 3 4 5 6 7 8 9]);
for_hundred!(list! Hundred empty);
for_hundred!(list! Conflicting add);
schedule! { struct Heavy { together(steer, turn) } }

/// On one thread, and on as many as there are.
pub fn libraries() -> [Library; 2] {
    let mut alone = Library::new("ecs (one thread)", Some("ecs"), Kind::Ours);
    let mut shared = Library::new("ecs (threads)", Some("ecs"), Kind::Ours);
    for (library, sharing) in [(&mut alone, Sharing::Never), (&mut shared, Sharing::Measured)] {
        let mut add = |name, world: fn() -> World, make: fn() -> Schedule| {
            let scene = move || {
                let mut schedule = make();
                schedule.set_sharing(sharing);
                (world(), schedule)
            };
            let run = |(world, schedule): &mut (World, Schedule)| {
                schedule.run(world).expect("no system fails");
            };
            library.add_checked(name, scene, run, |(world, _)| came_to(world));
        };
        add("systems_10", World::new, || Ten::new().into());
        add("systems_100", World::new, || Hundred::new().into());
        add("systems_conflicting", summing, || Conflicting::new().into());
        add("systems_heavy", heavy, || Heavy::new().into());
        add("systems_heavy_after_work", heavy, || Heavy::new().into());
    }
    for (name, count) in scene::LIGHT {
        let make = move || movers(count).0;
        alone.add_checked(name, make, |world| moving(world).for_each(light), |world| moved(world));
        shared.add_checked(
            name,
            make,
            |world| moving(world).par_for_each(light),
            |world| moved(world),
        );
    }
    let check = |world: &mut World| came_to(world);
    for (name, count) in scene::MEDIUM {
        let make = move || movers(count).0;
        alone.add_checked(name, make, |world| moving(world).for_each(medium), check);
        shared.add_checked(name, make, |world| moving(world).par_for_each(medium), check);
    }
    let (name, make) = (scene::SHARED_JOIN.name, || joined(&scene::SHARED_JOIN));
    alone.add_checked(name, make, |world| nearing(world).for_each(near), check);
    shared.add_checked(name, make, |world| nearing(world).par_for_each(near), check);
    let (name, make) = (scene::SLOW.0, || movers(scene::SLOW.1).0);
    alone.add_checked(name, make, |world| moving(world).for_each(slow), check);
    shared.add_checked(name, make, |world| moving(world).par_for_each(slow), check);
    [alone, shared]
}

type Mover<'w> = (&'w mut Position, &'w Velocity);

fn moving(world: &mut World) -> View<'_, Mover<'_>> {
    world.view_mut::<Mover>()
}

fn light((_, position, velocity): (ecs::Entity, &mut Position, &Velocity)) {
    position.0 += velocity.0;
}

fn medium((_, position, velocity): (ecs::Entity, &mut Position, &Velocity)) {
    scene::glide(position, velocity);
}

fn slow((_, position, velocity): (ecs::Entity, &mut Position, &Velocity)) {
    scene::toil(position, velocity);
}

fn nearing(world: &mut World) -> View<'_, (&mut Proximity, &Audio)> {
    world.view_mut::<(&mut Proximity, &Audio)>()
}

fn near((_, proximity, audio): (ecs::Entity, &mut Proximity, &Audio)) {
    proximity.0 += audio.0;
}

fn summing() -> World {
    let mut world = World::new();
    world.insert_resource(Sum(0));
    world
}

fn heavy() -> World {
    let mut world = World::new();
    world.spawn_batch((0..scene::HEAVY).map(scene::heavy));
    world
}

fn came_to(world: &World) -> usize {
    let positions = world.view::<Position>().into_iter().map(|(_, position)| position.0);
    let rotations = world.view::<Rotation>().into_iter().map(|(_, rotation)| rotation.0);
    let proximities = world.view::<Proximity>().into_iter().map(|(_, proximity)| proximity.0);
    let sum = world.get_resource::<Sum>().map_or(0, |sum| sum.0);
    scene::bits(positions.chain(rotations).chain(proximities)).wrapping_add(sum)
}
