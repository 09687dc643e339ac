//! Our groups: each workload with the group declared that its views ask for.

use super::loops::{make_frames, move_by_fold, sum_by_fold, sum_of_four, sum_of_optional, turn};
use super::{joined, moved, movers, tagged, worlds};
use crate::components::{Audio, Matrix, Position, Proximity, Rotation, Telling, Velocity};
use crate::library::{Kind, Library};
use crate::scene::{self, Join};
use ecs::{Group, GroupList, World};

/// The workloads that a group can help.
pub fn library() -> Library {
    let mut grouped = Library::new("ecs (group)", Some("ecs"), Kind::OursGrouped);
    for (name, count) in scene::MOVERS {
        let make = move || moving(movers(count).0);
        grouped.add_checked(name, make, move_by_fold, |world| moved(world));
    }
    let churned = || super::churned(moving);
    grouped.add_checked("iter_churned", churned, move_by_fold, |world| moved(world));
    grouped.add_checked("frag_tags", || moving(tagged()), move_by_fold, |world| moved(world));
    super::entities(&mut grouped, meshes, moving);
    grouped.add(
        "join_1m",
        || pairs(&scene::COUNT),
        |world| world.view::<(Proximity, Audio)>().count(),
    );
    for join in scene::JOINS {
        grouped.add(join.name, move || pairs(&join), sum_by_fold);
    }
    grouped.add(
        "join4_1m",
        || {
            let four = Group::owning::<(Proximity, Audio, Position, Velocity)>();
            with(joined(&scene::JOIN4), four)
        },
        sum_of_four,
    );
    grouped.add("optional_1m", || pairs(&scene::SHUFFLED), sum_of_optional);
    grouped.add(
        "excluded_1m",
        || with(joined(&scene::SHUFFLED), Group::owning::<Proximity>().without::<Audio>()),
        |world| {
            let mut sum = 0.0;
            world.view::<Proximity>().without::<Audio>().for_each(|(_, a)| sum += a.x());
            sum
        },
    );
    grouped.add(
        "frame_churn",
        || {
            let (world, churn) = make_frames();
            (moving(world), churn)
        },
        |(world, churn)| {
            turn(world, churn);
            move_by_fold(world);
            let mut sum = 0.0;
            world.view::<(Position, Audio)>().for_each(|(_, p, a)| sum += p.x() * a.x());
            sum
        },
    );
    worlds::grouped(&mut grouped);
    grouped
}

pub fn with<O: GroupList, S: GroupList, X: GroupList>(
    mut world: World,
    group: Group<O, S, X>,
) -> World {
    world.declare_group(group).expect("the only one that owns these pools");
    world
}

fn meshes(world: World) -> World {
    with(world, Group::owning::<(Matrix, Position, Rotation, Velocity)>())
}

pub fn moving(world: World) -> World {
    with(world, Group::owning::<(Position, Velocity)>())
}

fn pairs(join: &Join) -> World {
    with(joined(join), Group::owning::<(Proximity, Audio)>())
}
