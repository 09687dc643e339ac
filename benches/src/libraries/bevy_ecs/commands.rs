//! Edits that are recorded first, and applied when all are.

use super::{Burst, few};
use crate::components::{Position, Telling, Vec3};
use crate::library::Library;
use crate::scene::{self, Edit};
use bevy_ecs::prelude::{Commands, Entity, QueryState, With, World};
use bevy_ecs::world::CommandQueue;

/// A world, its entities, those that burst, and what is recorded.
type Recording = (World, Vec<Entity>, QueryState<(), With<Burst>>, CommandQueue);

pub(super) fn commands(bevy: &mut Library) {
    let recording = || -> Recording {
        let (world, entities, query) = few();
        (world, entities, query, CommandQueue::default())
    };
    bevy.add("commands_add_remove", recording, |(world, entities, query, queue)| {
        let mut commands = Commands::new(queue, world);
        for &entity in &*entities {
            commands.entity(entity).insert(Burst(Vec3::ONE));
        }
        queue.apply(world);
        let added = query.iter(world).len();
        let mut commands = Commands::new(queue, world);
        for &entity in &*entities {
            commands.entity(entity).remove::<Burst>();
        }
        queue.apply(world);
        added - query.iter(world).len()
    });
    bevy.add("commands_spawn_despawn", recording, |(world, entities, _, queue)| {
        let mut commands = Commands::new(queue, world);
        for entity in &mut *entities {
            *entity = commands.spawn(scene::mover()).id();
        }
        queue.apply(world);
        let spawned = super::count(world);
        let mut commands = Commands::new(queue, world);
        for &entity in &*entities {
            commands.entity(entity).despawn();
        }
        queue.apply(world);
        spawned - super::count(world)
    });
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
