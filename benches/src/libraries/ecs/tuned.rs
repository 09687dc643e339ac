//! Ours, where the world chooses its groups: the workloads that a group can help, the tuner's own work included.

use super::loops::{make_frames, move_by_fold, sum_by_fold, sum_of_four, sum_of_optional, turn};
use super::{joined, moved, movers, tagged, worlds};
use crate::components::{Audio, Position, Proximity, Telling, Velocity};
use crate::library::{Kind, Library};
use crate::scene;
use ecs::World;
use ecs::layout::Layout;

/// The number of calls of the tuner before the measurement, and of loops before each call.
const CALLS: usize = 10;
const LOOPS: usize = 5;

/// The workloads of the library with groups, without a declaration.
pub fn library() -> Library {
    let mut tuned = Library::new("ecs (tuned)", Some("ecs"), Kind::OursTuned);
    for (name, count) in scene::MOVERS {
        let make = move || moving(movers(count).0);
        tuned.add_checked(name, make, |world| and_tune(world, move_by_fold), |world| moved(world));
    }
    let move_tuned = |world: &mut World| and_tune(world, move_by_fold);
    let churned = || super::churned(moving);
    tuned.add_checked("iter_churned", churned, move_tuned, |world| moved(world));
    tuned.add_checked("frag_tags", || moving(tagged()), move_tuned, |world| moved(world));
    let count = |world: &mut World| world.view::<(Proximity, Audio)>().count();
    tuned.add(
        "join_1m",
        move || settled(joined(&scene::COUNT), count),
        move |world| and_tune(world, count),
    );
    for join in scene::JOINS {
        let make = move || settled(joined(&join), sum_by_fold);
        tuned.add(join.name, make, |world| and_tune(world, sum_by_fold));
    }
    let four = || settled(joined(&scene::JOIN4), sum_of_four);
    tuned.add("join4_1m", four, |world| and_tune(world, sum_of_four));
    let optional = || settled(joined(&scene::SHUFFLED), sum_of_optional);
    tuned.add("optional_1m", optional, |world| and_tune(world, sum_of_optional));
    let sum_excluded = |world: &mut World| {
        let mut sum = 0.0;
        world.view::<Proximity>().without::<Audio>().for_each(|(_, a)| sum += a.x());
        sum
    };
    let excluded = move || settled(joined(&scene::SHUFFLED), sum_excluded);
    tuned.add("excluded_1m", excluded, move |world| and_tune(world, sum_excluded));
    let frames = || {
        let (world, churn) = make_frames();
        let walk = |world: &mut World| {
            walk_movers(world);
            world.view::<(Position, Audio)>().for_each(|_| ());
        };
        (settled(world, walk), churn)
    };
    tuned.add("frame_churn", frames, |(world, churn)| {
        turn(world, churn);
        move_by_fold(world);
        let mut sum = 0.0;
        world.view::<(Position, Audio)>().for_each(|(_, p, a)| sum += p.x() * a.x());
        Layout::of(world).tune();
        sum
    });
    worlds::tuned(&mut tuned);
    tuned
}

/// Does the loop, and tunes.
fn and_tune<A>(world: &mut World, walk: impl Fn(&mut World) -> A) -> A {
    let answer = walk(world);
    Layout::of(world).tune();
    answer
}

/// A world that has chosen its groups for this loop.
fn settled<A>(mut world: World, walk: impl Fn(&mut World) -> A) -> World {
    Layout::of(&mut world).observe(true);
    for _ in 0..CALLS {
        (0..LOOPS).for_each(|_| _ = walk(&mut world));
        Layout::of(&mut world).tune();
    }
    world
}

fn moving(world: World) -> World {
    settled(world, walk_movers)
}

/// Walks the movers without moving them.
fn walk_movers(world: &mut World) {
    world.view_mut::<(&mut Position, &Velocity)>().for_each(|_| ());
}
