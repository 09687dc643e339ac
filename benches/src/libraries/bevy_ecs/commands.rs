//! Edits that are recorded first, and applied when all are.

use super::{Burst, few};
use crate::components::{Position, Telling, Vec3};
use crate::library::Library;
use crate::scene::{self, Edit};
use bevy_ecs::prelude::{Commands, Entity, QueryState, With, World};
use bevy_ecs::world::CommandQueue;

/// A world, its entities, the ones that burst, and the recorded commands.
type Recording = (World, Vec<Entity>, QueryState<(), With<Burst>>, CommandQueue);

pub(super) fn commands(bevy: &mut Library) {
    let recording = || -> Recording {
        let (world, entities, query) = few();
        (world, entities, query, CommandQueue::default())
    };
    let bursts = |(world, _, query, _): &mut Recording| query.iter(world).len();
    bevy.add_prepared(
        "commands_insert",
        recording,
        |(world, entities, ..)| {
            for &entity in &*entities {
                world.entity_mut(entity).remove::<Burst>();
            }
        },
        |(world, entities, _, queue)| {
            let mut commands = Commands::new(queue, world);
            for &entity in &*entities {
                commands.entity(entity).insert(Burst(Vec3::ONE));
            }
            queue.apply(world);
        },
        bursts,
    );
    bevy.add_prepared(
        "commands_remove",
        recording,
        |(world, entities, ..)| {
            for &entity in &*entities {
                world.entity_mut(entity).insert(Burst(Vec3::ONE));
            }
        },
        |(world, entities, _, queue)| {
            let mut commands = Commands::new(queue, world);
            for &entity in &*entities {
                commands.entity(entity).remove::<Burst>();
            }
            queue.apply(world);
        },
        bursts,
    );
    let spawn = |(world, entities, _, queue): &mut Recording| {
        let mut commands = Commands::new(queue, world);
        for entity in &mut *entities {
            *entity = commands.spawn(scene::mover()).id();
        }
        queue.apply(world);
    };
    let count = |(world, ..): &mut Recording| super::count(world);
    let renew = |(world, ..): &mut Recording| *world = World::new();
    bevy.add_prepared("commands_spawn", recording, renew, spawn, count);
    bevy.add_prepared(
        "commands_respawn",
        recording,
        |(world, entities, ..)| {
            for &entity in &*entities {
                world.despawn(entity);
            }
        },
        spawn,
        count,
    );
    bevy.add_prepared(
        "commands_despawn",
        || {
            let mut world = World::new();
            let query = world.query_filtered::<(), With<Burst>>();
            (world, Vec::new(), query, CommandQueue::default())
        },
        |(world, entities, ..)| {
            *entities = world.spawn_batch((0..scene::FEW).map(|_| scene::mover())).collect();
        },
        |(world, entities, _, queue)| {
            let mut commands = Commands::new(queue, world);
            for &entity in &*entities {
                commands.entity(entity).despawn();
            }
            queue.apply(world);
        },
        count,
    );
    let turning = move || (recording(), 0);
    bevy.add("commands_mixed", turning, |((world, entities, query, queue), turn)| {
        let mut commands = Commands::new(queue, world);
        for (at, entity) in entities.iter_mut().enumerate() {
            match scene::edit(at, *turn) {
                Edit::Add => _ = commands.entity(*entity).insert(Burst(Vec3::ONE)),
                Edit::Remove => _ = commands.entity(*entity).remove::<Burst>(),
                Edit::Respawn => {
                    commands.entity(*entity).despawn();
                    *entity = commands.spawn(Position::of(at)).id();
                }
            }
        }
        *turn += 1;
        queue.apply(world);
        query.iter(world).len()
    });
}
