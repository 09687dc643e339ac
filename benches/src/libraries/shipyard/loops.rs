//! The loops.

use super::{churned, fragmented, joined, moved, movers, tagged, wide};
use crate::components::{
    Audio, Colour, Data, Force, Position, Proximity, Rotation, Scale, Telling, Vec3, Velocity,
};
use crate::library::Library;
use crate::scene::{self, Churn};
use shipyard::{Delete, EntitiesView, EntityId, IntoIter, View, ViewMut, World};

pub fn move_all(world: &mut World) {
    world.run(|mut positions: ViewMut<Position>, velocities: View<Velocity>| {
        (&mut positions, &velocities).iter().for_each(|(p, v)| p.0 += v.0);
    });
}

pub fn iteration(shipyard: &mut Library) {
    for (name, count) in scene::MOVERS {
        let make = move || movers(count).0;
        shipyard.add_checked(name, make, move_all, |world| moved(world));
    }
    shipyard.add_checked("iter_churned", churned, move_all, |world| moved(world));
    shipyard.add_checked("frag_tags", tagged, move_all, |world| moved(world));
    shipyard.add_checked(
        "frag_iter",
        fragmented,
        |world| {
            world.run(|mut data: ViewMut<Data>| (&mut data).iter().for_each(|data| data.0 *= 2.0));
        },
        |world| world.run(|data: View<Data>| data.iter().map(|data| data.0).sum::<f32>()),
    );
}

pub fn terms(shipyard: &mut Library) {
    let mut add = |name, run: fn(&mut World)| {
        shipyard.add_checked(name, wide, run, |world| moved(world));
    };
    add("terms_1", |world| {
        world.run(|mut p: ViewMut<Position>| (&mut p).iter().for_each(|p| p.0 += Vec3::ONE));
    });
    add("terms_2", move_all);
    add("terms_4", |world| {
        type Three<'w> = (View<'w, Velocity>, View<'w, Proximity>, View<'w, Audio>);
        world.run(|mut p: ViewMut<Position>, (a, b, c): Three| {
            let four = (&mut p, &a, &b, &c).iter();
            four.for_each(|(p, a, b, c)| scene::add(p, [a.0, b.0, c.0]));
        });
    });
    add("terms_8", |world| {
        type Three<'w> = (View<'w, Velocity>, View<'w, Proximity>, View<'w, Audio>);
        type Four<'w> = (View<'w, Rotation>, View<'w, Scale>, View<'w, Colour>, View<'w, Force>);
        world.run(|mut p: ViewMut<Position>, (a, b, c): Three, (d, e, f, g): Four| {
            let eight = (&mut p, &a, &b, &c, &d, &e, &f, &g).iter();
            eight.for_each(|(p, a, b, c, d, e, f, g)| {
                scene::add(p, [a.0, b.0, c.0, d.0, e.0, f.0, g.0]);
            });
        });
    });
}

pub fn joins(shipyard: &mut Library) {
    shipyard.add(
        "join_1m",
        || joined(&scene::COUNT),
        |world| world.run(|a: View<Proximity>, b: View<Audio>| (&a, &b).iter().count()),
    );
    for join in scene::JOINS {
        shipyard.add(
            join.name,
            move || joined(&join),
            |world| {
                world.run(|a: View<Proximity>, b: View<Audio>| {
                    (&a, &b).iter().map(|(a, b)| a.x() * b.x()).sum::<f32>()
                })
            },
        );
    }
    shipyard.add(
        "join4_1m",
        || joined(&scene::JOIN4),
        |world| {
            type Four<'w> =
                (View<'w, Proximity>, View<'w, Audio>, View<'w, Position>, View<'w, Velocity>);
            world.run(|(a, b, p, v): Four| {
                let four = (&a, &b, &p, &v).iter();
                four.map(|(a, b, p, v)| a.x() * b.x() + p.x() * v.x()).sum::<f32>()
            })
        },
    );
    shipyard.add(
        "optional_1m",
        || joined(&scene::SHUFFLED),
        |world| {
            world.run(|a: View<Proximity>, b: View<Audio>| {
                let both = (&a, b.as_optional()).iter();
                both.map(|(a, b)| a.x() * b.map_or(1.0, Telling::x)).sum::<f32>()
            })
        },
    );
    shipyard.add(
        "excluded_1m",
        || joined(&scene::SHUFFLED),
        |world| {
            world.run(|a: View<Proximity>, b: View<Audio>| {
                (&a, !&b).iter().map(|(a, ())| a.x()).sum::<f32>()
            })
        },
    );
}

pub fn frames(shipyard: &mut Library) {
    shipyard.add(
        "frame_churn",
        || {
            let (mut world, entities) = movers(Churn::<EntityId>::ENTITIES);
            let churn = Churn::new(entities);
            for &entity in churn.first() {
                world.add_component(entity, Audio(Vec3::ONE));
            }
            (world, churn)
        },
        |(world, churn)| {
            let (losers, gainers) = churn.turn();
            world.run(|entities: EntitiesView, mut audio: ViewMut<Audio>| {
                for &entity in losers {
                    audio.delete(entity);
                }
                for &entity in gainers {
                    entities.add_component(entity, &mut audio, Audio(Vec3::ONE));
                }
            });
            move_all(world);
            world.run(|positions: View<Position>, audio: View<Audio>| {
                (&positions, &audio).iter().map(|(p, a)| p.x() * a.x()).sum::<f32>()
            })
        },
    );
}
