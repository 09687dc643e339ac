//! Schedules of either executor, and parallel queries, which `contiguous` ones are the fastest of. What is not ordered is
//! not: its documentation advises orders only where they matter.

use super::{Queried, moved, movers};
use crate::components::{Force, Position, Rotation, Sum, Velocity};
use crate::library::{Kind, Library};
use crate::scene::{self, for_hundred};
use bevy_ecs::prelude::{Query, ResMut, Schedule, World};
use bevy_ecs::schedule::{MultiThreadedExecutor, SingleThreadedExecutor};

fn empty<const N: usize>() {}

fn add<const N: usize>(mut sum: ResMut<Sum>) {
    sum.0 += N;
}

fn steer(mut movers: Query<(&mut Position, &Velocity)>) {
    for (positions, velocities) in movers.contiguous_iter_mut().expect("tables") {
        positions.into_iter().zip(velocities).for_each(|(p, v)| scene::steer(p, v));
    }
}

fn turn(mut turners: Query<(&mut Rotation, &Force)>) {
    for (rotations, forces) in turners.contiguous_iter_mut().expect("tables") {
        rotations.into_iter().zip(forces).for_each(|(r, f)| scene::turn(r, f));
    }
}

macro_rules! list {
    ($name:ident $system:ident [$($number:literal)*]) => {
        fn $name(schedule: &mut Schedule) {
            $(schedule.add_systems($system::<$number>);)*
        }
    };
}
list!(ten empty [0 1 2 3 4 5 6 7 8 9]);
for_hundred!(list! hundred empty);
for_hundred!(list! conflicting add);

/// Both executors, each with the loops that are of its kind.
pub fn libraries() -> [Library; 2] {
    let new = |name| Library::new(name, Some("bevy_ecs"), Kind::Archetypes);
    let [mut alone, mut shared] = ["bevy_ecs (one thread)", "bevy_ecs (threads)"].map(new);
    let executors: [fn() -> Schedule; 2] = [one_thread, threads];
    for (library, schedule) in [&mut alone, &mut shared].into_iter().zip(executors) {
        let mut add = |name, world: fn() -> World, fill: fn(&mut Schedule)| {
            let scene = move || {
                let mut schedule = schedule();
                fill(&mut schedule);
                (world(), schedule)
            };
            let run = |(world, schedule): &mut (World, Schedule)| schedule.run(world);
            library.add_checked(name, scene, run, |(world, _)| came_to(world));
        };
        add("systems_10", World::new, ten);
        add("systems_100", World::new, hundred);
        add("systems_conflicting", summing, conflicting);
        add("systems_heavy", heavy, |schedule| {
            schedule.add_systems((steer, turn));
        });
    }
    for (name, count) in scene::SHARED {
        let make = move || moving(count);
        let check = |scene: &mut Moving| moved(&mut scene.world);
        alone.add_checked(name, make, |scene| each(scene, light), check);
        shared.add_checked(name, make, |scene| par_each(scene, light), check);
    }
    let make = || moving(scene::MANY);
    let check = |scene: &mut Moving| came_to(&mut scene.world);
    alone.add_checked("loop_1m_medium", make, |scene| each(scene, scene::glide), check);
    shared.add_checked("loop_1m_medium", make, |scene| par_each(scene, scene::glide), check);
    [alone, shared]
}

fn one_thread() -> Schedule {
    let mut schedule = Schedule::default();
    schedule.set_executor(SingleThreadedExecutor::new());
    schedule
}

fn threads() -> Schedule {
    let mut schedule = Schedule::default();
    schedule.set_executor(MultiThreadedExecutor::new());
    schedule
}

type Moving = Queried<(&'static mut Position, &'static Velocity)>;

fn moving(count: usize) -> Moving {
    // Starts the threads, which parallel queries ask for.
    threads().add_systems(empty::<0>).run(&mut World::new());
    Queried::new(movers(count).0)
}

fn light(position: &mut Position, velocity: &Velocity) {
    position.0 += velocity.0;
}

#[inline]
fn each(Moving { world, query }: &mut Moving, step: impl Fn(&mut Position, &Velocity)) {
    let mut query = query.query_mut(world);
    for (positions, velocities) in query.contiguous_iter_mut().expect("tables") {
        positions.into_iter().zip(velocities).for_each(|(p, v)| step(p, v));
    }
}

#[inline]
fn par_each(
    Moving { world, query }: &mut Moving,
    step: impl Fn(&mut Position, &Velocity) + Copy + Send + Sync,
) {
    let mut query = query.query_mut(world);
    let all = query.contiguous_par_iter_mut().expect("tables");
    all.for_each(|(positions, velocities)| {
        positions.into_iter().zip(velocities).for_each(|(p, v)| step(p, v));
    });
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

fn came_to(world: &mut World) -> usize {
    let sum = world.get_resource::<Sum>().map_or(0, |sum| sum.0);
    let (mut positions, mut rotations) = (world.query::<&Position>(), world.query::<&Rotation>());
    let positions = positions.iter(world).map(|position| position.0);
    let rotations = rotations.iter(world).map(|rotation| rotation.0);
    scene::bits(positions.chain(rotations)).wrapping_add(sum)
}
