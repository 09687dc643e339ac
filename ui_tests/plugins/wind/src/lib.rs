//! A plugin that depends on no other: a wind that turns in each frame.

use ecs::Resource;
use ecs::app::{App, Plugin, UPDATE};

/// The direction of the wind: 1.0 or −1.0.
#[derive(Resource)]
pub struct Wind(pub f32);

/// Adds [`Wind`], and the set "wind", which turns it.
pub struct WindPlugin;

impl Plugin for WindPlugin {
    fn install(self, app: &mut App) {
        app.world.insert_resource(Wind(1.0));
        app.add_systems(UPDATE, "wind", |list| list.add(|wind: &mut Wind| wind.0 = -wind.0));
    }
}
