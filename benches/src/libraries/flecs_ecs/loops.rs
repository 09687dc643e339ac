//! The loops.

use super::{Queried, churned, fragmented, joined, moved, movers, tagged, wide};
use crate::components::{
    Audio, Colour, Data, Force, Position, Proximity, Rotation, Scale, Telling, Vec3, Velocity,
};
use crate::library::Library;
use crate::scene::{self, Churn};
use flecs_ecs::prelude::*;

type Moving = Queried<(&'static mut Position, &'static Velocity)>;

pub fn move_all(moving: &mut Moving) {
    moving.tables(|table| {
        let mut positions = table.field_mut::<Position>(0);
        let velocities = table.field::<Velocity>(1);
        for (p, v) in positions.as_mut_slice().iter_mut().zip(velocities.as_slice()) {
            p.0 += v.0;
        }
    });
}

pub fn iteration(flecs: &mut Library) {
    let mut moving = |name, make: Box<dyn Fn() -> World>| {
        let check = |moving: &mut Moving| moved(&moving.world);
        flecs.add_checked(name, move || Moving::new(make()), move_all, check);
    };
    for (name, count) in scene::MOVERS {
        moving(name, Box::new(move || movers(count).0));
    }
    moving("iter_churned", Box::new(churned));
    moving("frag_tags", Box::new(tagged));
    moving("terms_2", Box::new(wide));
    flecs.add_checked(
        "frag_iter",
        || Queried::<&mut Data>::new(fragmented()),
        |queried| {
            queried.tables(|table| {
                for data in table.field_mut::<Data>(0).as_mut_slice() {
                    data.0 *= 2.0;
                }
            });
        },
        |queried| {
            let mut sum = 0.0;
            queried.query.each(|data| sum += data.0);
            sum
        },
    );
}

type First =
    Queried<(&'static mut Position, &'static Velocity, &'static Proximity, &'static Audio)>;
type Eight = Queried<(
    &'static mut Position,
    &'static Velocity,
    &'static Proximity,
    &'static Audio,
    &'static Rotation,
    &'static Scale,
    &'static Colour,
    &'static Force,
)>;

pub fn terms(flecs: &mut Library) {
    flecs.add_checked(
        "terms_1",
        || Queried::<&mut Position>::new(wide()),
        |queried| {
            queried.tables(|table| {
                for p in table.field_mut::<Position>(0).as_mut_slice() {
                    p.0 += Vec3::ONE;
                }
            });
        },
        |queried| moved(&queried.world),
    );
    flecs.add_checked(
        "terms_4",
        || First::new(wide()),
        |queried| {
            queried.tables(|table| {
                let mut p = table.field_mut::<Position>(0);
                let a = table.field::<Velocity>(1);
                let (b, c) = (table.field::<Proximity>(2), table.field::<Audio>(3));
                for at in table.iter() {
                    scene::add(&mut p[at], [a[at].0, b[at].0, c[at].0]);
                }
            });
        },
        |queried| moved(&queried.world),
    );
    flecs.add_checked(
        "terms_8",
        || Eight::new(wide()),
        |queried| {
            queried.query.each(|(p, a, b, c, d, e, f, g)| {
                scene::add(p, [a.0, b.0, c.0, d.0, e.0, f.0, g.0]);
            });
        },
        |queried| moved(&queried.world),
    );
}

type Both = Queried<(&'static Proximity, &'static Audio)>;
type Four = Queried<(&'static Proximity, &'static Audio, &'static Position, &'static Velocity)>;
type Maybe = Queried<(&'static Proximity, Option<&'static Audio>)>;

pub fn joins(flecs: &mut Library) {
    flecs.add(
        "join_1m",
        || Both::new(joined(&scene::COUNT)),
        |both| usize::try_from(both.query.count()).expect("not negative"),
    );
    for join in scene::JOINS {
        flecs.add(
            join.name,
            move || Both::new(joined(&join)),
            |both| {
                let mut sum = 0.0;
                both.tables(|table| {
                    let (a, b) = (table.field::<Proximity>(0), table.field::<Audio>(1));
                    for (a, b) in a.as_slice().iter().zip(b.as_slice()) {
                        sum += a.x() * b.x();
                    }
                });
                sum
            },
        );
    }
    flecs.add(
        "join4_1m",
        || Four::new(joined(&scene::JOIN4)),
        |four| {
            let mut sum = 0.0;
            four.query.each(|(a, b, p, v)| sum += a.x() * b.x() + p.x() * v.x());
            sum
        },
    );
    flecs.add(
        "optional_1m",
        || Maybe::new(joined(&scene::SHUFFLED)),
        |maybe| {
            let mut sum = 0.0;
            maybe.query.each(|(a, b)| sum += a.x() * b.map_or(1.0, Telling::x));
            sum
        },
    );
    flecs.add(
        "excluded_1m",
        || {
            let world = joined(&scene::SHUFFLED);
            let query = world.query::<&Proximity>().without(Audio::id()).set_cached().build();
            Queried { query, world }
        },
        |alone| {
            let mut sum = 0.0;
            alone.tables(|table| {
                for a in table.field::<Proximity>(0).as_slice() {
                    sum += a.x();
                }
            });
            sum
        },
    );
}

pub fn frames(flecs: &mut Library) {
    flecs.add(
        "frame_churn",
        || {
            let (world, entities) = movers(Churn::<Entity>::ENTITIES);
            let churn = Churn::new(entities);
            for &entity in churn.first() {
                world.entity_from_id(entity).set(Audio(Vec3::ONE));
            }
            let heard = world.query::<(&Position, &Audio)>().set_cached().build();
            (churn, heard, Moving::new(world))
        },
        |(churn, heard, moving)| {
            let (losers, gainers) = churn.turn();
            for &entity in losers {
                moving.world.entity_from_id(entity).remove(Audio::id());
            }
            for &entity in gainers {
                moving.world.entity_from_id(entity).set(Audio(Vec3::ONE));
            }
            move_all(moving);
            let mut sum = 0.0;
            heard.each(|(p, a)| sum += p.x() * a.x());
            sum
        },
    );
}
