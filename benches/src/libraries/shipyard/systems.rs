//! Workloads, and parallel iterators. On one thread, systems are run one by one: a workload asks for threads in any
//! case. Of systems that do nothing, the compiler leaves nothing then.
#![allow(clippy::needless_pass_by_value, reason = "systems take their parameters by value")]

use super::{moved, movers};
use crate::components::{Force, Position, Rotation, Sum, Velocity};
use crate::library::{Kind, Library};
use crate::scene::{self, for_hundred};
use rayon::iter::ParallelIterator;
use shipyard::{IntoIter, UniqueView, UniqueViewMut, View, ViewMut, Workload, World};

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

/// On one thread, and on those of rayon.
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
    for (name, count) in scene::SHARED {
        let make = move || movers(count).0;
        alone.add_checked(name, make, |world| each(world, light), |world| moved(world));
        shared.add_checked(name, make, |world| par_each(world, light), |world| moved(world));
    }
    let make = || movers(scene::MANY).0;
    let check = |world: &mut World| came_to(world);
    alone.add_checked("loop_1m_medium", make, |world| each(world, scene::glide), check);
    shared.add_checked("loop_1m_medium", make, |world| par_each(world, scene::glide), check);
    [alone, shared]
}

fn light(position: &mut Position, velocity: &Velocity) {
    position.0 += velocity.0;
}

#[inline]
fn each(world: &mut World, step: impl Fn(&mut Position, &Velocity)) {
    world.run(|mut positions: ViewMut<Position>, velocities: View<Velocity>| {
        (&mut positions, &velocities).iter().for_each(|(p, v)| step(p, v));
    });
}

#[inline]
fn par_each(world: &mut World, step: impl Fn(&mut Position, &Velocity) + Sync) {
    world.run(|mut positions: ViewMut<Position>, velocities: View<Velocity>| {
        (&mut positions, &velocities).par_iter().for_each(|(p, v)| step(p, v));
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
    let sum = world.borrow::<UniqueView<Sum>>().map_or(0, |sum| sum.0);
    world.run(|positions: View<Position>, rotations: View<Rotation>| {
        let positions = positions.iter().map(|position| position.0);
        let rotations = rotations.iter().map(|rotation| rotation.0);
        scene::bits(positions.chain(rotations)).wrapping_add(sum)
    })
}
