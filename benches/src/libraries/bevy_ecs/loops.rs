//! The loops.

use super::{Burst, Queried, churned, fragmented, joined, moved, movers, tagged, wide};
use crate::components::{
    Audio, Colour, Data, Force, Position, Proximity, Rotation, Scale, Telling, Vec3, Velocity,
};
use crate::library::{Answer, Library};
use crate::scene::{self, Churn, Join};
use bevy_ecs::prelude::{Entity, QueryState, Without, World};
use bevy_ecs::query::{QueryData, QueryFilter};

type Moving = QueryState<(&'static mut Position, &'static Velocity)>;

pub fn move_all(world: &mut World, query: &mut Moving) {
    let mut query = query.query_mut(world);
    for (mut positions, velocities) in query.contiguous_iter_mut().expect("tables") {
        for (p, v) in positions.iter_mut().zip(velocities) {
            p.0 += v.0;
        }
    }
}

pub fn iteration(bevy: &mut Library) {
    let mut moving = |name, make: Box<dyn Fn() -> World>| {
        bevy.add_checked(
            name,
            move || Queried::new(make()),
            |Queried { world, query }| move_all(world, query),
            |queried| moved(&mut queried.world),
        );
    };
    for (name, count) in scene::MOVERS {
        moving(name, Box::new(move || movers(count).0));
    }
    moving("iter_churned", Box::new(churned));
    moving("frag_tags", Box::new(tagged));
    moving("terms_2", Box::new(wide));
    bevy.add_checked(
        "frag_iter",
        || Queried::<&mut Data>::new(fragmented()),
        |queried| {
            queried.query.iter_mut(&mut queried.world).for_each(|mut data| data.0 *= 2.0);
        },
        |queried| queried.query.iter(&queried.world).map(|data| data.0).sum::<f32>(),
    );
}

type First = (&'static mut Position, &'static Velocity, &'static Proximity, &'static Audio);
type Others = (&'static Rotation, &'static Scale, &'static Colour, &'static Force);

pub fn terms(bevy: &mut Library) {
    fn add<D: QueryData + 'static>(
        bevy: &mut Library,
        name: &'static str,
        run: impl Fn(&mut Queried<D>) + Copy + 'static,
    ) {
        let check = |queried: &mut Queried<D>| moved(&mut queried.world);
        bevy.add_checked(name, || Queried::new(wide()), run, check);
    }
    add::<&mut Position>(bevy, "terms_1", |Queried { world, query }| {
        for positions in query.contiguous_iter_mut(world).expect("tables") {
            for p in positions {
                p.0 += Vec3::ONE;
            }
        }
    });
    add::<First>(bevy, "terms_4", |Queried { world, query }| {
        for (mut p, a, b, c) in query.iter_mut(world) {
            scene::add(&mut p, [a.0, b.0, c.0]);
        }
    });
    add::<(First, Others)>(bevy, "terms_8", |Queried { world, query }| {
        for ((mut p, a, b, c), (d, e, f, g)) in query.iter_mut(world) {
            scene::add(&mut p, [a.0, b.0, c.0, d.0, e.0, f.0, g.0]);
        }
    });
}

type Both = (&'static Proximity, &'static Audio);
type Four = (&'static Proximity, &'static Audio, &'static Position, &'static Velocity);
type Maybe = (&'static Proximity, Option<&'static Audio>);
type Alone = Queried<&'static Proximity, Without<Audio>>;

pub fn joins(bevy: &mut Library) {
    fn add<D: QueryData + 'static, F: QueryFilter + 'static, A: Answer + 'static>(
        bevy: &mut Library,
        join: Join,
        name: &'static str,
        run: impl Fn(&mut Queried<D, F>) -> A + Copy + 'static,
    ) {
        bevy.add(name, move || Queried::new(joined(&join)), run);
    }
    let count = |Queried { world, query }: &mut Queried<Both>| query.iter(world).len();
    add(bevy, scene::COUNT, "join_1m", count);
    for join in scene::JOINS {
        add::<Both, (), _>(bevy, join, join.name, |Queried { world, query }| {
            query.iter(world).map(|(a, b)| a.x() * b.x()).sum::<f32>()
        });
    }
    add::<Four, (), _>(bevy, scene::JOIN4, "join4_1m", |Queried { world, query }| {
        let four = query.iter(world);
        four.map(|(a, b, p, v)| a.x() * b.x() + p.x() * v.x()).sum::<f32>()
    });
    add::<Maybe, (), _>(bevy, scene::SHUFFLED, "optional_1m", |Queried { world, query }| {
        let both = query.iter(world);
        both.map(|(a, b)| a.x() * b.map_or(1.0, Telling::x)).sum::<f32>()
    });
    add(bevy, scene::SHUFFLED, "excluded_1m", |Queried { world, query }: &mut Alone| {
        query.iter(world).map(Telling::x).sum::<f32>()
    });
}

pub fn frames(bevy: &mut Library) {
    bevy.add(
        "frame_churn",
        || {
            let (mut world, entities) = movers(Churn::<Entity>::ENTITIES);
            let churn = Churn::new(entities);
            for &entity in churn.first() {
                world.entity_mut(entity).insert(Burst(Vec3::ONE));
            }
            let (moving, heard) = (world.query(), world.query::<(&Position, &Burst)>());
            (world, churn, moving, heard)
        },
        |(world, churn, moving, heard)| {
            let (losers, gainers) = churn.turn();
            for &entity in losers {
                world.entity_mut(entity).remove::<Burst>();
            }
            let gained: Vec<_> = gainers.iter().map(|&entity| (entity, Burst(Vec3::ONE))).collect();
            world.insert_batch(gained);
            move_all(world, moving);
            heard.iter(world).map(|(p, a)| p.x() * a.0.x).sum::<f32>()
        },
    );
}
