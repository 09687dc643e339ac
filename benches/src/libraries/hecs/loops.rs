//! The loops.

use super::{churned, fragmented, joined, moved, movers, tagged, wide};
use crate::components::{
    Audio, Colour, Data, Force, Position, Proximity, Rotation, Scale, Telling, Vec3, Velocity,
};
use crate::library::Library;
use crate::scene::{self, Churn};
use hecs::{Entity, PreparedQuery, World};

pub fn iteration(hecs: &mut Library) {
    for (name, count) in scene::MOVERS {
        hecs.add_checked(name, move || movers(count).0, move_all, |world| moved(world));
    }
    hecs.add_checked("iter_churned", churned, move_all, |world| moved(world));
    hecs.add_checked(
        "frag_tags",
        || (tagged(), PreparedQuery::<(&mut Position, &Velocity)>::new()),
        |(world, query)| query.query_mut(world).for_each(|(p, v)| p.0 += v.0),
        |(world, _)| moved(world),
    );
    hecs.add_checked(
        "frag_iter",
        || (fragmented(), PreparedQuery::<&mut Data>::new()),
        |(world, query)| query.query_mut(world).for_each(|data| data.0 *= 2.0),
        |(world, _)| world.query_mut::<&Data>().into_iter().map(|data| data.0).sum::<f32>(),
    );
}

pub fn move_all(world: &mut World) {
    world.query_mut::<(&mut Position, &Velocity)>().into_iter().for_each(|(p, v)| p.0 += v.0);
}

pub fn terms(hecs: &mut Library) {
    type Eight<'w> = (
        &'w mut Position,
        (&'w Velocity, &'w Proximity, &'w Audio, &'w Rotation),
        (&'w Scale, &'w Colour, &'w Force),
    );
    let mut add = |name, run: fn(&mut World)| {
        hecs.add_checked(name, wide, run, |world| moved(world));
    };
    add("terms_1", |world| {
        world.query_mut::<&mut Position>().into_iter().for_each(|p| p.0 += Vec3::ONE);
    });
    add("terms_2", move_all);
    add("terms_4", |world| {
        for (p, a, b, c) in world.query_mut::<(&mut Position, &Velocity, &Proximity, &Audio)>() {
            scene::add(p, [a.0, b.0, c.0]);
        }
    });
    add("terms_8", |world| {
        for (p, (a, b, c, d), (e, f, g)) in world.query_mut::<Eight>() {
            scene::add(p, [a.0, b.0, c.0, d.0, e.0, f.0, g.0]);
        }
    });
}

pub fn joins(hecs: &mut Library) {
    hecs.add(
        "join_1m",
        || joined(&scene::COUNT),
        |world| world.query_mut::<(&Proximity, &Audio)>().into_iter().len(),
    );
    for join in scene::JOINS {
        hecs.add(
            join.name,
            move || joined(&join),
            |world| {
                let both = world.query_mut::<(&Proximity, &Audio)>().into_iter();
                both.map(|(a, b)| a.x() * b.x()).sum::<f32>()
            },
        );
    }
    hecs.add(
        "join4_1m",
        || joined(&scene::JOIN4),
        |world| {
            let four = world.query_mut::<(&Proximity, &Audio, &Position, &Velocity)>().into_iter();
            four.map(|(a, b, p, v)| a.x() * b.x() + p.x() * v.x()).sum::<f32>()
        },
    );
    hecs.add(
        "optional_1m",
        || joined(&scene::SHUFFLED),
        |world| {
            let both = world.query_mut::<(&Proximity, Option<&Audio>)>().into_iter();
            both.map(|(a, b)| a.x() * b.map_or(1.0, Telling::x)).sum::<f32>()
        },
    );
    hecs.add(
        "excluded_1m",
        || joined(&scene::SHUFFLED),
        |world| {
            let one = world.query_mut::<&Proximity>().without::<&Audio>().into_iter();
            one.map(Telling::x).sum::<f32>()
        },
    );
}

pub fn frames(hecs: &mut Library) {
    hecs.add(
        "frame_churn",
        || {
            let (mut world, entities) = movers(Churn::<Entity>::ENTITIES);
            let churn = Churn::new(entities);
            for &entity in churn.first() {
                world.insert_one(entity, Audio(Vec3::ONE)).expect("it is alive");
            }
            (world, churn)
        },
        |(world, churn)| {
            let (losers, gainers) = churn.turn();
            for &entity in losers {
                world.remove_one::<Audio>(entity).expect("it has one");
            }
            for &entity in gainers {
                world.insert_one(entity, Audio(Vec3::ONE)).expect("it is alive");
            }
            move_all(world);
            let both = world.query_mut::<(&Position, &Audio)>().into_iter();
            both.map(|(p, a)| p.x() * a.x()).sum::<f32>()
        },
    );
}
