//! A plugin that depends on no other: boats, which are counted, and log their places.

pub use ecs;

use ecs::app::{App, Plugin, UPDATE};
use ecs::{Component, Resource, View};

/// A boat, and where it is.
#[derive(Component)]
pub struct Boat(pub f32);

/// The number of launched boats, and the places of all boats in each frame.
#[derive(Resource, Default)]
pub struct Harbour {
    /// The number of boats.
    pub launched: usize,
    /// The sum of their places, for each frame.
    pub log: Vec<f32>,
}

/// Adds [`Harbour`], an observer that counts boats, and the set "boats", which logs them.
pub struct BoatsPlugin;

impl Plugin for BoatsPlugin {
    fn install(self, app: &mut App) {
        app.world.insert_resource(Harbour::default());
        app.world.on_insert::<Boat>(|world, _| world.resource_mut::<Harbour>().launched += 1);
        app.add_systems(UPDATE, "boats", |list| {
            list.add(|boats: View<&Boat>, harbour: &mut Harbour| {
                harbour.log.push(boats.iter().map(|(_, boat)| boat.0).sum());
            })
        });
    }
}
