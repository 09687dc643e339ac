//! Edits that are recorded first, and applied when all are.

use crate::components::{Position, Telling, Vec3, Velocity};
use crate::library::Library;
use crate::scene::{self, Edit};
use hecs::{CommandBuffer, Entity, World};

/// A world, its entities, and what is recorded.
type Recording = (World, Vec<Entity>, CommandBuffer);

fn recording() -> Recording {
    let (world, entities) = super::few();
    (world, entities, CommandBuffer::new())
}

pub(super) fn commands(hecs: &mut Library) {
    hecs.add("commands_add_remove", recording, |(world, entities, commands)| {
        for &entity in &*entities {
            commands.insert_one(entity, Velocity(Vec3::ONE));
        }
        commands.run_on(world);
        let added = world.query_mut::<&Velocity>().into_iter().len();
        for &entity in &*entities {
            commands.remove_one::<Velocity>(entity);
        }
        commands.run_on(world);
        added - world.query_mut::<&Velocity>().into_iter().len()
    });
    hecs.add("commands_spawn_despawn", recording, |(world, entities, commands)| {
        for entity in &mut *entities {
            *entity = world.reserve_entity();
            commands.insert(*entity, scene::mover());
        }
        commands.run_on(world);
        let spawned = world.len();
        for &entity in &*entities {
            commands.despawn(entity);
        }
        commands.run_on(world);
        (spawned - world.len()) as usize
    });
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
