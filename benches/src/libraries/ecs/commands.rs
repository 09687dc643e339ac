//! Edits that are recorded first, and applied when all are.

use super::{Prepare, few};
use crate::components::{Position, Telling, Vec3, Velocity};
use crate::library::Library;
use crate::scene::{self, Edit};
use ecs::{Commands, Entity, World};

/// A world, its entities, and the recorded commands.
type Recording = (World, Vec<Entity>, Commands);

pub(super) fn commands(ecs: &mut Library, prepare: Prepare) {
    let recording = move || -> Recording {
        let (world, entities) = few(prepare);
        (world, entities, Commands::new())
    };
    ecs.add_prepared(
        "commands_insert",
        recording,
        |(world, entities, _)| _ = world.remove_batch::<Velocity>(entities),
        |(world, entities, commands)| {
            for &entity in &*entities {
                commands.insert(entity, Velocity(Vec3::ONE));
            }
            commands.apply(world).missing
        },
        |(world, ..)| world.pool::<Velocity>().len(),
    );
    ecs.add_prepared(
        "commands_remove",
        recording,
        |(world, entities, _)| {
            let all = entities.iter().map(|&entity| (entity, Velocity(Vec3::ONE)));
            world.insert_batch(all).expect("all are alive");
        },
        |(world, entities, commands)| {
            for &entity in &*entities {
                commands.remove::<Velocity>(entity);
            }
            commands.apply(world).missing
        },
        |(world, ..)| world.pool::<Velocity>().len(),
    );
    let spawn = |(world, entities, commands): &mut Recording| {
        for entity in &mut *entities {
            *entity = commands.spawn(&*world, scene::mover());
        }
        commands.apply(world).missing
    };
    let count = |(world, ..): &mut Recording| world.len();
    let renew = move |(world, ..): &mut Recording| *world = prepare(World::new());
    ecs.add_prepared("commands_spawn", recording, renew, spawn, count);
    ecs.add_prepared(
        "commands_respawn",
        recording,
        |(world, entities, _)| _ = world.despawn_batch(entities),
        spawn,
        count,
    );
    ecs.add_prepared(
        "commands_despawn",
        move || (prepare(World::new()), Vec::new(), Commands::new()),
        |(world, entities, _)| {
            *entities = world.spawn_batch((0..scene::FEW).map(|_| scene::mover()));
        },
        |(world, entities, commands)| {
            for &entity in &*entities {
                commands.despawn(entity);
            }
            commands.apply(world).missing
        },
        count,
    );
    let turning = move || (recording(), 0);
    ecs.add("commands_mixed", turning, |((world, entities, commands), turn)| {
        for (at, entity) in entities.iter_mut().enumerate() {
            match scene::edit(at, *turn) {
                Edit::Add => commands.insert(*entity, Velocity(Vec3::ONE)),
                Edit::Remove => commands.remove::<Velocity>(*entity),
                Edit::Respawn => {
                    commands.despawn(*entity);
                    *entity = commands.spawn(&*world, Position::of(at));
                }
            }
        }
        *turn += 1;
        commands.apply(world);
        world.pool::<Velocity>().len()
    });
}
