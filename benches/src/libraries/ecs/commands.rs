//! Edits that are recorded first, and applied when all are.

use super::{Prepare, few};
use crate::components::{Position, Telling, Vec3, Velocity};
use crate::library::Library;
use crate::scene::{self, Edit};
use ecs::{Commands, Entity, World};

/// A world, its entities, and what is recorded.
type Recording = (World, Vec<Entity>, Commands);

pub(super) fn commands(ecs: &mut Library, prepare: Prepare) {
    let recording = move || -> Recording {
        let (world, entities) = few(prepare);
        (world, entities, Commands::new())
    };
    ecs.add("commands_add_remove", recording, |(world, entities, commands)| {
        for &entity in &*entities {
            commands.insert(entity, Velocity(Vec3::ONE));
        }
        commands.apply(world);
        let added = world.pool::<Velocity>().len();
        for &entity in &*entities {
            commands.remove::<Velocity>(entity);
        }
        commands.apply(world);
        added - world.pool::<Velocity>().len()
    });
    ecs.add("commands_spawn_despawn", recording, |(world, entities, commands)| {
        for entity in &mut *entities {
            *entity = commands.spawn(&*world, scene::mover());
        }
        commands.apply(world);
        let spawned = world.len();
        for &entity in &*entities {
            commands.despawn(entity);
        }
        commands.apply(world);
        spawned - world.len()
    });
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
