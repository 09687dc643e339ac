//! The workloads with specs, with components in the storage that the module above names.

use super::scenes::{
    Both, Read, Six, churned, empty_for_movers, fragmented, insert, inserted, joined, joined_four,
    keep, mesh_sum, moved, movers, moving, read, replace, spawn, tagged, wide, write,
};
use crate::components::{Audio, Data, Position, Telling, Vec3, Velocity};
use crate::library::{Kind, Library};
use crate::scene::{self, Churn};
use specs::{BitSet, Builder, Entity, Join as _, LendJoin as _, World, WorldExt};

/// The workloads with specs.
pub fn library(name: &'static str, kind: Kind) -> Library {
    let mut specs = Library::new(name, Some("specs"), kind);
    entities(&mut specs);
    iteration(&mut specs);
    terms(&mut specs);
    joins(&mut specs);
    frames(&mut specs);
    super::worlds::worlds(&mut specs);
    specs
}

fn entities(specs: &mut Library) {
    specs.add_checked(
        "simple_insert",
        || (),
        |()| count(read::<Position>(&inserted()).mask()),
        |()| mesh_sum(&inserted()),
    );
    specs.add_checked(
        "bulk_insert",
        || (),
        |()| count(read::<Position>(&inserted()).mask()),
        |()| mesh_sum(&inserted()),
    );
    // Nothing is inserted or removed in batches.
    for name in ["add_remove", "add_remove_batch"] {
        specs.add(
            name,
            || {
                let mut world = empty_for_movers();
                let entities: Vec<_> = world.create_iter().take(scene::FEW).collect();
                insert(&world, &entities, 0..scene::FEW, Position::of);
                (world, entities)
            },
            |(world, entities)| {
                let mut velocities = write::<Velocity>(world);
                for &entity in &*entities {
                    velocities.insert(entity, keep(Velocity(Vec3::ONE))).expect("it is alive");
                }
                let added = count(velocities.mask());
                for &entity in &*entities {
                    velocities.remove(entity);
                }
                added - count(velocities.mask())
            },
        );
    }
    specs.add_checked(
        "respawn_10k",
        || scene::in_random_order(movers(scene::FEW)),
        |movers| scene::respawn(movers, replace),
        |(world, _)| moved(world),
    );
    for one_by_one in ["random_get", "random_get_batch"] {
        specs.add(
            one_by_one,
            || scene::in_random_order(movers(scene::MANY)),
            |(world, entities)| {
                let positions = read::<Position>(world);
                let read = |&entity| positions.get(entity).map_or(0.0, |position| position.x());
                entities.iter().map(read).sum::<f32>()
            },
        );
    }
    specs.add("spawn_despawn_1m", shuffled, |entities| {
        let mut world = empty_for_movers();
        spawn(&world, entities.len());
        let spawned = count(read::<Position>(&world).mask());
        for &entity in &*entities {
            world.delete_entity(entity).expect("it is alive");
        }
        spawned - count(read::<Position>(&world).mask())
    });
    specs.add("spawn_despawn_batch_1m", shuffled, |entities| {
        let mut world = empty_for_movers();
        spawn(&world, entities.len());
        let spawned = count(read::<Position>(&world).mask());
        world.delete_entities(entities).expect("all are alive");
        spawned - count(read::<Position>(&world).mask())
    });
}

/// By the words of the storage's mask: a storage's own `count` goes from bit to bit.
fn count(mask: &BitSet) -> usize {
    mask.layer0_as_slice().iter().map(|word| word.count_ones() as usize).sum()
}

fn shuffled() -> Vec<Entity> {
    let mut world = empty_for_movers();
    scene::shuffled(|| world.create_entity().build())
}

pub fn move_all(world: &mut World) {
    let (mut positions, velocities) = moving(world);
    (&mut positions, &velocities).join().for_each(|(p, v)| p.0 += v.0);
}

fn iteration(specs: &mut Library) {
    for (name, count) in scene::MOVERS {
        specs.add_checked(name, move || movers(count).0, move_all, |world| moved(world));
    }
    specs.add_checked("iter_churned", churned, move_all, |world| moved(world));
    specs.add_checked("frag_tags", tagged, move_all, |world| moved(world));
    specs.add_checked(
        "frag_iter",
        fragmented,
        |world| {
            let mut data = write::<Data>(world);
            (&mut data).join().for_each(|data| data.0 *= 2.0);
        },
        |world| read::<Data>(world).join().map(|data| data.0).sum::<f32>(),
    );
}

fn terms(specs: &mut Library) {
    let mut add = |name, run: fn(&mut World)| {
        specs.add_checked(name, wide, run, |world| moved(world));
    };
    add("terms_1", |world| {
        let mut positions = write::<Position>(world);
        (&mut positions).join().for_each(|p| p.0 += Vec3::ONE);
    });
    add("terms_2", move_all);
    add("terms_4", |world| {
        let (mut p, a) = moving(world);
        let (b, c): Both = world.system_data();
        let four = (&mut p, &a, &b, &c).join();
        four.for_each(|(p, a, b, c)| scene::add(p, [a.0, b.0, c.0]));
    });
    add("terms_8", |world| {
        let (mut p, a) = moving(world);
        let six: Six = world.system_data();
        let eight = (&mut p, &a, &six.0, &six.1, &six.2, &six.3, &six.4, &six.5).join();
        eight.for_each(|(p, a, b, c, d, e, f, g)| {
            scene::add(p, [a.0, b.0, c.0, d.0, e.0, f.0, g.0]);
        });
    });
}

fn joins(specs: &mut Library) {
    specs.add(
        "join_1m",
        || joined(&scene::COUNT),
        |world| {
            let (a, b): Both = world.system_data();
            (&a, &b).join().count()
        },
    );
    for join in scene::JOINS {
        specs.add(
            join.name,
            move || joined(&join),
            |world| {
                let (a, b): Both = world.system_data();
                (&a, &b).join().map(|(a, b)| a.x() * b.x()).sum::<f32>()
            },
        );
    }
    specs.add("join4_1m", joined_four, |world| {
        let (a, b): Both = world.system_data();
        let (p, v) = moving(world);
        let four = (&a, &b, &p, &v).join();
        four.map(|(a, b, p, v)| a.x() * b.x() + p.x() * v.x()).sum::<f32>()
    });
    specs.add(
        "optional_1m",
        || joined(&scene::SHUFFLED),
        |world| {
            let (a, b): Both = world.system_data();
            let both = (&a, b.maybe()).join();
            both.map(|(a, b)| a.x() * b.map_or(1.0, |b| b.x())).sum::<f32>()
        },
    );
    specs.add(
        "excluded_1m",
        || joined(&scene::SHUFFLED),
        |world| {
            let (a, b): Both = world.system_data();
            (&a, !&b).join().map(|(a, ())| a.x()).sum::<f32>()
        },
    );
}

fn frames(specs: &mut Library) {
    specs.add(
        "frame_churn",
        || {
            let (mut world, entities) = movers(Churn::<Entity>::ENTITIES);
            world.setup::<Read<Audio>>();
            let churn = Churn::new(entities);
            insert(&world, churn.first(), 0..churn.first().len(), |_| Audio(Vec3::ONE));
            (world, churn)
        },
        |(world, churn)| {
            let (losers, gainers) = churn.turn();
            let mut audio = write::<Audio>(world);
            for &entity in losers {
                audio.remove(entity);
            }
            for &entity in gainers {
                audio.insert(entity, keep(Audio(Vec3::ONE))).expect("it is alive");
            }
            let (mut positions, velocities) = moving(world);
            (&mut positions, &velocities).join().for_each(|(p, v)| p.0 += v.0);
            (&positions, &audio).join().map(|(p, a)| p.x() * a.x()).sum::<f32>()
        },
    );
}
