//! The loops of our two ways to iterate.

use super::{Eight, World, churned, fragmented, joined, moved, movers, tagged, wide};
use crate::components::{Audio, Data, Position, Proximity, Telling, Vec3, Velocity};
use crate::library::Library;
use crate::scene::{self, Churn};
use ecs::{Entity, Without};

pub fn iteration(ecs: &mut Library, by_for: &mut Library) {
    for (name, count) in scene::MOVERS {
        moving(ecs, by_for, name, move || movers(count).0);
    }
    moving(ecs, by_for, "iter_churned", || churned(|world| world));
    moving(ecs, by_for, "frag_tags", tagged);
    moving(ecs, by_for, "terms_2", wide);

    let check = |world: &mut World| world.view::<Data>().iter().map(|(_, d)| d.0).sum::<f32>();
    ecs.add_checked(
        "frag_iter",
        fragmented,
        |world| {
            world.view_mut::<&mut Data>().for_each(|(_, data)| data.0 *= 2.0);
        },
        check,
    );
    by_for.add_checked(
        "frag_iter",
        fragmented,
        |world| {
            for (_, data) in world.view_mut::<&mut Data>() {
                data.0 *= 2.0;
            }
        },
        check,
    );
}

fn moving(
    ecs: &mut Library,
    by_for: &mut Library,
    name: &'static str,
    make: impl Fn() -> World + Copy + 'static,
) {
    ecs.add_checked(name, make, move_by_fold, |world| moved(world));
    by_for.add_checked(name, make, move_by_for, |world| moved(world));
}

pub fn move_by_fold(world: &mut World) {
    world.view_mut::<(&mut Position, &Velocity)>().for_each(|(_, p, v)| p.0 += v.0);
}

pub fn move_by_for(world: &mut World) {
    for (_, p, v) in world.view_mut::<(&mut Position, &Velocity)>() {
        p.0 += v.0;
    }
}

pub fn terms(ecs: &mut Library, by_for: &mut Library) {
    let mut both = |name, by_fold: fn(&mut World), by_for_loop: fn(&mut World)| {
        ecs.add_checked(name, wide, by_fold, |world| moved(world));
        by_for.add_checked(name, wide, by_for_loop, |world| moved(world));
    };
    both(
        "terms_1",
        |world| {
            world.view_mut::<&mut Position>().for_each(|(_, p)| p.0 += Vec3::ONE);
        },
        |world| {
            for (_, p) in world.view_mut::<&mut Position>() {
                p.0 += Vec3::ONE;
            }
        },
    );
    both(
        "terms_4",
        |world| {
            let view = world.view_mut::<(&mut Position, &Velocity, &Proximity, &Audio)>();
            view.for_each(|(_, p, a, b, c)| scene::add(p, [a.0, b.0, c.0]));
        },
        |world| {
            for (_, p, a, b, c) in
                world.view_mut::<(&mut Position, &Velocity, &Proximity, &Audio)>()
            {
                scene::add(p, [a.0, b.0, c.0]);
            }
        },
    );
    both(
        "terms_8",
        |world| {
            world.view_mut::<Eight>().for_each(|(_, p, a, b, c, d, e, f, g)| {
                scene::add(p, [a.0, b.0, c.0, d.0, e.0, f.0, g.0]);
            });
        },
        |world| {
            for (_, p, a, b, c, d, e, f, g) in world.view_mut::<Eight>() {
                scene::add(p, [a.0, b.0, c.0, d.0, e.0, f.0, g.0]);
            }
        },
    );
}

pub fn joins(ecs: &mut Library, by_for: &mut Library) {
    ecs.add(
        "join_1m",
        || joined(&scene::COUNT),
        |world| world.view::<(Proximity, Audio)>().count(),
    );
    for join in scene::JOINS {
        ecs.add(join.name, move || joined(&join), sum_by_fold);
        by_for.add(join.name, move || joined(&join), sum_by_for);
    }
    let make = || joined(&scene::JOIN4);
    ecs.add("join4_1m", make, sum_of_four);
    by_for.add("join4_1m", make, |world| {
        let mut sum = 0.0;
        for (_, a, b, p, v) in world.view::<(Proximity, Audio, Position, Velocity)>() {
            sum += a.x() * b.x() + p.x() * v.x();
        }
        sum
    });

    let make = || joined(&scene::SHUFFLED);
    ecs.add("optional_1m", make, sum_of_optional);
    by_for.add("optional_1m", make, |world| {
        let mut sum = 0.0;
        for (_, a, b) in world.view::<(Proximity, Option<&Audio>)>() {
            sum += a.x() * b.map_or(1.0, Telling::x);
        }
        sum
    });
    ecs.add("excluded_1m", make, |world| {
        let mut sum = 0.0;
        world.view::<Proximity>().without::<Audio>().for_each(|(_, a)| sum += a.x());
        sum
    });
    by_for.add("excluded_1m", make, |world| {
        let mut sum = 0.0;
        for (_, a) in world.view::<(Proximity, Without<Audio>)>() {
            sum += a.x();
        }
        sum
    });
}

pub fn sum_of_four(world: &mut World) -> f32 {
    let mut sum = 0.0;
    let view = world.view::<(Proximity, Audio, Position, Velocity)>();
    view.for_each(|(_, a, b, p, v)| sum += a.x() * b.x() + p.x() * v.x());
    sum
}

pub fn sum_of_optional(world: &mut World) -> f32 {
    let mut sum = 0.0;
    let view = world.view::<(Proximity, Option<&Audio>)>();
    view.for_each(|(_, a, b)| sum += a.x() * b.map_or(1.0, Telling::x));
    sum
}

pub fn sum_by_fold(world: &mut World) -> f32 {
    let mut sum = 0.0;
    world.view::<(Proximity, Audio)>().for_each(|(_, a, b)| sum += a.x() * b.x());
    sum
}

fn sum_by_for(world: &mut World) -> f32 {
    let mut sum = 0.0;
    for (_, a, b) in world.view::<(Proximity, Audio)>() {
        sum += a.x() * b.x();
    }
    sum
}

pub fn frames(ecs: &mut Library, by_for: &mut Library) {
    ecs.add("frame_churn", make_frames, |(world, churn)| {
        turn(world, churn);
        move_by_fold(world);
        let mut sum = 0.0;
        world.view::<(Position, Audio)>().for_each(|(_, p, a)| sum += p.x() * a.x());
        sum
    });
    by_for.add("frame_churn", make_frames, |(world, churn)| {
        turn(world, churn);
        move_by_for(world);
        let mut sum = 0.0;
        for (_, p, a) in world.view::<(Position, Audio)>() {
            sum += p.x() * a.x();
        }
        sum
    });
}

pub fn make_frames() -> (World, Churn<Entity>) {
    let (mut world, entities) = movers(Churn::<Entity>::ENTITIES);
    let churn = Churn::new(entities);
    for &entity in churn.first() {
        world.insert(entity, Audio(Vec3::ONE)).expect("it is alive");
    }
    (world, churn)
}

pub fn turn(world: &mut World, churn: &mut Churn<Entity>) {
    let (losers, gainers) = churn.turn();
    world.remove_batch::<Audio>(losers);
    let gained = gainers.iter().map(|&entity| (entity, Audio(Vec3::ONE)));
    world.insert_batch(gained).expect("all are alive");
}
