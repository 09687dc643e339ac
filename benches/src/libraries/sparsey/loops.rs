//! The loops.

use super::{Groups, Moving, churned, fragmented, joined, moved, movers, tagged, ungrouped, wide};
use crate::components::{
    Audio, Colour, Data, Force, Position, Proximity, Rotation, Scale, Telling, Vec3, Velocity,
};
use crate::library::Library;
use crate::scene::{self, Churn};
use sparsey::World;
use sparsey::component::GroupLayout;
use sparsey::entity::Entity;

pub fn move_all(world: &mut World) {
    world.for_each::<(&mut Position, &Velocity)>(|(p, v)| p.0 += v.0);
}

pub fn iteration(sparsey: &mut Library, groups: impl Fn(Groups) -> Groups) {
    let moving = groups(GroupLayout::add_group::<Moving>);
    for (name, count) in scene::MOVERS {
        sparsey.add_checked(name, move || movers(count, moving).0, move_all, |world| moved(world));
    }
    sparsey.add_checked("iter_churned", move || churned(moving), move_all, |world| moved(world));
    sparsey.add_checked("frag_tags", move || tagged(moving), move_all, |world| moved(world));
}

/// One component needs no group.
pub fn fragments(sparsey: &mut Library) {
    sparsey.add_checked(
        "frag_iter",
        fragmented,
        |world| world.for_each::<&mut Data>(|data| data.0 *= 2.0),
        |world| {
            let data = world.borrow::<Data>();
            data.as_slice().iter().map(|data| data.0).sum::<f32>()
        },
    );
}

pub fn terms(sparsey: &mut Library, groups: impl Fn(Groups) -> Groups) {
    let mut add = |name, groups: Groups, run: fn(&mut World)| {
        sparsey.add_checked(name, move || wide(groups), run, |world| moved(world));
    };
    let four = groups(GroupLayout::add_group::<(Position, Velocity, Proximity, Audio)>);
    let two = groups(GroupLayout::add_group::<Moving>);
    let eight = groups(GroupLayout::add_group::<scene::Wide>);
    add("terms_1", ungrouped, |world| {
        world.for_each::<&mut Position>(|p| p.0 += Vec3::ONE);
    });
    add("terms_2", two, move_all);
    add("terms_4", four, |world| {
        type Four<'w> = (&'w mut Position, &'w Velocity, &'w Proximity, &'w Audio);
        for (p, a, b, c) in &mut world.query_all::<Four>() {
            scene::add(p, [a.0, b.0, c.0]);
        }
    });
    add("terms_8", eight, |world| {
        for (p, a, b, c, d, e, f, g) in &mut world.query_all::<Eight>() {
            scene::add(p, [a.0, b.0, c.0, d.0, e.0, f.0, g.0]);
        }
    });
}

type Eight<'w> = (
    &'w mut Position,
    &'w Velocity,
    &'w Proximity,
    &'w Audio,
    &'w Rotation,
    &'w Scale,
    &'w Colour,
    &'w Force,
);

pub fn joins(sparsey: &mut Library, groups: impl Fn(Groups) -> Groups) {
    type Two = (Proximity, Audio);
    type Four = (Proximity, Audio, Position, Velocity);
    let two = groups(GroupLayout::add_group::<Two>);
    let four = groups(GroupLayout::add_group::<Four>);
    sparsey.add(
        "join_1m",
        move || joined::<Two>(&scene::COUNT, two),
        |world| {
            let mut both = world.query_all::<(&Proximity, &Audio)>();
            if let Some((slice, _)) = both.slice() { slice.len() } else { both.iter().count() }
        },
    );
    for join in scene::JOINS {
        sparsey.add(
            join.name,
            move || joined::<Two>(&join, two),
            |world| {
                let mut sum = 0.0;
                world.for_each::<(&Proximity, &Audio)>(|(a, b)| sum += a.x() * b.x());
                sum
            },
        );
    }
    sparsey.add(
        "join4_1m",
        move || joined::<Four>(&scene::JOIN4, four),
        |world| {
            let mut sum = 0.0;
            world.for_each::<(&Proximity, &Audio, &Position, &Velocity)>(|(a, b, p, v)| {
                sum += a.x() * b.x() + p.x() * v.x();
            });
            sum
        },
    );
    sparsey.add(
        "optional_1m",
        move || joined::<Two>(&scene::SHUFFLED, two),
        |world| {
            let mut sum = 0.0;
            world.for_each::<(&Proximity, Option<&Audio>)>(|(a, b)| {
                sum += a.x() * b.map_or(1.0, Telling::x);
            });
            sum
        },
    );
    sparsey.add(
        "excluded_1m",
        move || joined::<Two>(&scene::SHUFFLED, two),
        |world| {
            let mut sum = 0.0;
            world.query_all::<&Proximity>().exclude::<&Audio>().for_each(|a| sum += a.x());
            sum
        },
    );
}

pub fn frames(sparsey: &mut Library, groups: impl Fn(Groups) -> Groups) {
    let moving = groups(GroupLayout::add_group::<Moving>);
    sparsey.add(
        "frame_churn",
        move || {
            let (mut world, entities) = movers(Churn::<Entity>::ENTITIES, moving);
            world.register::<Audio>();
            let churn = Churn::new(entities);
            for &entity in churn.first() {
                world.insert(entity, (Audio(Vec3::ONE),));
            }
            (world, churn)
        },
        |(world, churn)| {
            let (losers, gainers) = churn.turn();
            for &entity in losers {
                world.delete::<(Audio,)>(entity);
            }
            for &entity in gainers {
                world.insert(entity, (Audio(Vec3::ONE),));
            }
            move_all(world);
            let mut sum = 0.0;
            world.for_each::<(&Position, &Audio)>(|(p, a)| sum += p.x() * a.x());
            sum
        },
    );
}
