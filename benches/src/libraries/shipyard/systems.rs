//! Workloads, and parallel iterators. On one thread, systems are run one by one, because a workload
//! uses threads in any case. The compiler then removes systems that do nothing.
#![allow(clippy::needless_pass_by_value, reason = "systems take their parameters by value")]

use super::{joined, moved, movers};
use crate::components::{Audio, Force, Position, Proximity, Rotation, Sum, Velocity};
use crate::library::{Kind, Library};
use crate::scene::{self, for_hundred};
use rayon::iter::ParallelIterator;
use shipyard::{Component, IntoIter, UniqueView, UniqueViewMut, View, ViewMut, Workload, World};

fn empty<const N: usize>() {}

fn add<const N: usize>(mut sum: UniqueViewMut<Sum>) {
    sum.0 += N;
}

fn steer(mut positions: ViewMut<Position>, velocities: View<Velocity>) {
    (&mut positions, &velocities).iter().for_each(|(p, v)| scene::steer(p, v));
}

fn turn(mut rotations: ViewMut<Rotation>, forces: View<Force>) {
    (&mut rotations, &forces).iter().for_each(|(r, f)| scene::turn(r, f));
}

/// A function that runs systems one by one, and one that adds them to a workload.
macro_rules! list {
    ($run:ident $add:ident $system:ident [$($number:literal)*]) => {
        fn $run(world: &mut World) {
            $(world.run($system::<$number>);)*
        }
        fn $add(workload: Workload) -> Workload {
            workload $(.with_system($system::<$number>))*
        }
    };
}
list!(run_ten add_ten empty [0 1 2 3 4 5 6 7 8 9]);
for_hundred!(list! run_hundred add_hundred empty);
for_hundred!(list! run_conflicting add_conflicting add);

fn run_heavy(world: &mut World) {
    world.run(steer);
    world.run(turn);
}

fn add_heavy(workload: Workload) -> Workload {
    workload.with_system(steer).with_system(turn)
}

/// On one thread, and on rayon's threads.
pub fn libraries() -> [Library; 2] {
    let new = |name| Library::new(name, Some("shipyard"), Kind::SparseSets);
    let [mut alone, mut shared] = ["shipyard (one thread)", "shipyard (threads)"].map(new);
    let mut add =
        |name, make: fn() -> World, run: fn(&mut World), add: fn(Workload) -> Workload| {
            alone.add_checked(name, make, run, |world| came_to(world));
            let scene = move || {
                let world = make();
                add(Workload::new(name)).add_to_world(&world).expect("no cycle");
                world
            };
            let run = |world: &mut World| world.run_default_workload().expect("no system fails");
            shared.add_checked(name, scene, run, |world| came_to(world));
        };
    add("systems_10", World::new, run_ten, add_ten);
    add("systems_100", World::new, run_hundred, add_hundred);
    add("systems_conflicting", summing, run_conflicting, add_conflicting);
    add("systems_heavy", heavy, run_heavy, add_heavy);
    add("systems_heavy_after_work", heavy, run_heavy, add_heavy);
    for (name, count) in scene::LIGHT {
        let make = move || movers(count).0;
        alone.add_checked(name, make, |world| each(world, light), |world| moved(world));
        shared.add_checked(name, make, |world| par_each(world, light), |world| moved(world));
    }
    let check = |world: &mut World| came_to(world);
    for (name, count) in scene::MEDIUM {
        let make = move || movers(count).0;
        alone.add_checked(name, make, |world| each(world, scene::glide), check);
        shared.add_checked(name, make, |world| par_each(world, scene::glide), check);
    }
    let (name, make) = (scene::SHARED_JOIN.name, || joined(&scene::SHARED_JOIN));
    alone.add_checked(name, make, |world| each(world, near), check);
    shared.add_checked(name, make, |world| par_each(world, near), check);
    let (name, make) = (scene::SLOW.0, || movers(scene::SLOW.1).0);
    alone.add_checked(name, make, |world| each(world, scene::toil), check);
    shared.add_checked(name, make, |world| par_each(world, scene::toil), check);
    [alone, shared]
}

fn light(position: &mut Position, velocity: &Velocity) {
    position.0 += velocity.0;
}

fn near(proximity: &mut Proximity, audio: &Audio) {
    proximity.0 += audio.0;
}

/// Components without change detection.
type Untracked = shipyard::track::Untracked;

#[inline]
fn each<A, B>(world: &mut World, step: impl Fn(&mut A, &B))
where
    A: Component<Tracking = Untracked> + Send + Sync,
    B: Component<Tracking = Untracked> + Send + Sync,
{
    world.run(|mut some: ViewMut<A>, others: View<B>| {
        (&mut some, &others).iter().for_each(|(a, b)| step(a, b));
    });
}

#[inline]
fn par_each<A, B>(world: &mut World, step: impl Fn(&mut A, &B) + Sync)
where
    A: Component<Tracking = Untracked> + Send + Sync,
    B: Component<Tracking = Untracked> + Send + Sync,
{
    world.run(|mut some: ViewMut<A>, others: View<B>| {
        (&mut some, &others).par_iter().for_each(|(a, b)| step(a, b));
    });
}

fn summing() -> World {
    let world = World::new();
    world.add_unique(Sum(0));
    world
}

fn heavy() -> World {
    let mut world = World::new();
    world.bulk_add_entity((0..scene::HEAVY).map(scene::heavy));
    world
}

fn came_to(world: &World) -> usize {
    type All<'w> = (View<'w, Position>, View<'w, Rotation>, View<'w, Proximity>);
    let sum = world.borrow::<UniqueView<Sum>>().map_or(0, |sum| sum.0);
    world.run(|(positions, rotations, proximities): All| {
        let positions = positions.iter().map(|position| position.0);
        let rotations = rotations.iter().map(|rotation| rotation.0);
        let proximities = proximities.iter().map(|proximity| proximity.0);
        scene::bits(positions.chain(rotations).chain(proximities)).wrapping_add(sum)
    })
}
