//! A plugin of two independent ones: it installs them, and its system runs between theirs.

use boats::{Boat, BoatsPlugin};
use ecs::View;
use ecs::app::{App, Plugin, UPDATE};
use wind::{Wind, WindPlugin};

/// Boats that the wind pushes: after it has turned, and before they are logged.
pub struct Regatta;

impl Plugin for Regatta {
    fn install(self, app: &mut App) {
        app.install(BoatsPlugin).install(WindPlugin);
        app.add_systems(UPDATE, "push", |list| {
            list.add(|boats: View<&mut Boat>, wind: &Wind| {
                boats.for_each(|(_, boat)| boat.0 += wind.0);
            })
        });
        app.order(UPDATE, "wind", "push").order(UPDATE, "push", "boats");
    }
}
