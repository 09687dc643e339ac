//! Schedules of either executor, and parallel queries, which `contiguous` ones are the fastest of. Other systems have no
//! order: its documentation advises orders only where they matter.

use super::{Queried, joined, moved, movers};
use crate::components::{Audio, Force, Position, Proximity, Rotation, Sum, Velocity};
use crate::library::{Kind, Library};
use crate::scene::{self, for_hundred};
use bevy_ecs::component::Mutable;
use bevy_ecs::prelude::{Component, Query, ResMut, Schedule, World};
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
        for name in ["systems_heavy", "systems_heavy_after_work"] {
            add(name, heavy, |schedule| {
                schedule.add_systems((steer, turn));
            });
        }
    }
    for (name, count) in scene::LIGHT {
        let make = move || moving(count);
        let check = |scene: &mut Moving| moved(&mut scene.world);
        alone.add_checked(name, make, |scene| each(scene, light), check);
        shared.add_checked(name, make, |scene| par_each(scene, light), check);
    }
    let check = |scene: &mut Moving| came_to(&mut scene.world);
    for (name, count) in scene::MEDIUM {
        let make = move || moving(count);
        alone.add_checked(name, make, |scene| each(scene, scene::glide), check);
        shared.add_checked(name, make, |scene| par_each(scene, scene::glide), check);
    }
    let make = || {
        start_threads();
        Nearing::new(joined(&scene::SHARED_JOIN))
    };
    let check = |scene: &mut Nearing| came_to(&mut scene.world);
    let name = scene::SHARED_JOIN.name;
    alone.add_checked(name, make, |scene| each(scene, near), check);
    shared.add_checked(name, make, |scene| par_each(scene, near), check);
    let (name, make) = (scene::SLOW.0, || moving(scene::SLOW.1));
    let check = |scene: &mut Moving| came_to(&mut scene.world);
    alone.add_checked(name, make, |scene| each(scene, scene::toil), check);
    shared.add_checked(name, make, |scene| par_each(scene, scene::toil), check);
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

type Moving = Pairs<Position, Velocity>;
type Nearing = Pairs<Proximity, Audio>;

/// Parallel queries ask for them.
fn start_threads() {
    threads().add_systems(empty::<0>).run(&mut World::new());
}

fn moving(count: usize) -> Moving {
    start_threads();
    Queried::new(movers(count).0)
}

fn light(position: &mut Position, velocity: &Velocity) {
    position.0 += velocity.0;
}

fn near(proximity: &mut Proximity, audio: &Audio) {
    proximity.0 += audio.0;
}

/// Something of each that has both.
type Pairs<A, B> = Queried<(&'static mut A, &'static B)>;

#[inline]
fn each<A: Component<Mutability = Mutable>, B: Component>(
    Pairs { world, query }: &mut Pairs<A, B>,
    step: impl Fn(&mut A, &B),
) {
    let mut query = query.query_mut(world);
    for (some, others) in query.contiguous_iter_mut().expect("tables") {
        some.into_iter().zip(others).for_each(|(a, b)| step(a, b));
    }
}

#[inline]
fn par_each<A: Component<Mutability = Mutable>, B: Component>(
    Pairs { world, query }: &mut Pairs<A, B>,
    step: impl Fn(&mut A, &B) + Copy + Send + Sync,
) {
    let mut query = query.query_mut(world);
    if cfg!(debug_assertions) {
        // There, bevy_ecs 0.20.1 asserts that each batch is as long as its table.
        return query.par_iter_mut().for_each(|(mut a, b)| step(&mut a, b));
    }
    let all = query.contiguous_par_iter_mut().expect("tables");
    all.for_each(|(some, others)| {
        some.into_iter().zip(others).for_each(|(a, b)| step(a, b));
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
    let mut proximities = world.query::<&Proximity>();
    let positions = positions.iter(world).map(|position| position.0);
    let rotations = rotations.iter(world).map(|rotation| rotation.0);
    let proximities = proximities.iter(world).map(|proximity| proximity.0);
    scene::bits(positions.chain(rotations).chain(proximities)).wrapping_add(sum)
}
