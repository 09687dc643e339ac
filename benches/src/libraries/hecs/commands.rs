//! Edits that are recorded first, and applied when all are.

use crate::components::{Position, Telling, Vec3, Velocity};
use crate::library::Library;
use crate::scene::{self, Edit};
use hecs::{CommandBuffer, Entity, World};

/// A world, its entities, and the recorded commands.
type Recording = (World, Vec<Entity>, CommandBuffer);

fn recording() -> Recording {
    let (world, entities) = super::few();
    (world, entities, CommandBuffer::new())
}

pub(super) fn commands(hecs: &mut Library) {
    let count = |(world, ..): &mut Recording| world.len() as usize;
    let velocities = |(world, ..): &mut Recording| world.query_mut::<&Velocity>().into_iter().len();
    hecs.add_prepared(
        "commands_insert",
        recording,
        |(world, entities, _)| {
            for &entity in &*entities {
                _ = world.remove_one::<Velocity>(entity);
            }
        },
        |(world, entities, commands)| {
            for &entity in &*entities {
                commands.insert_one(entity, Velocity(Vec3::ONE));
            }
            commands.run_on(world);
        },
        velocities,
    );
    hecs.add_prepared(
        "commands_remove",
        recording,
        |(world, entities, _)| {
            for &entity in &*entities {
                world.insert_one(entity, Velocity(Vec3::ONE)).expect("it is alive");
            }
        },
        |(world, entities, commands)| {
            for &entity in &*entities {
                commands.remove_one::<Velocity>(entity);
            }
            commands.run_on(world);
        },
        velocities,
    );
    let spawn = |(world, entities, commands): &mut Recording| {
        for entity in &mut *entities {
            *entity = world.reserve_entity();
            commands.insert(*entity, scene::mover());
        }
        commands.run_on(world);
    };
    let renew = |(world, ..): &mut Recording| *world = World::new();
    hecs.add_prepared("commands_spawn", recording, renew, spawn, count);
    hecs.add_prepared(
        "commands_respawn",
        recording,
        |(world, entities, _)| {
            for &entity in &*entities {
                _ = world.despawn(entity);
            }
        },
        spawn,
        count,
    );
    hecs.add_prepared(
        "commands_despawn",
        || (World::new(), Vec::new(), CommandBuffer::new()),
        |(world, entities, _)| {
            *entities = world.spawn_batch((0..scene::FEW).map(|_| scene::mover())).collect();
        },
        |(world, entities, commands)| {
            for &entity in &*entities {
                commands.despawn(entity);
            }
            commands.run_on(world);
        },
        count,
    );
    let turning = || (recording(), 0);
    hecs.add("commands_mixed", turning, |((world, entities, commands), turn)| {
        for (at, entity) in entities.iter_mut().enumerate() {
            match scene::edit(at, *turn) {
                Edit::Add => commands.insert_one(*entity, Velocity(Vec3::ONE)),
                Edit::Remove => commands.remove_one::<Velocity>(*entity),
                Edit::Respawn => {
                    commands.despawn(*entity);
                    *entity = world.reserve_entity();
                    commands.insert_one(*entity, Position::of(at));
                }
            }
        }
        *turn += 1;
        commands.run_on(world);
        world.query_mut::<&Velocity>().into_iter().len()
    });
}
