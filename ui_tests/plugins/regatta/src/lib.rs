//! A plugin of two independent ones: it installs them, and its system runs between theirs.

// Derives find the library here, as it is no dependency.
use boats::ecs;
use boats::{Boat, BoatsPlugin};
use ecs::View;
use ecs::app::{App, Plugin, UPDATE};
use wind::{Wind, WindPlugin};

/// Boats that the wind pushes: after it has turned, and before they are logged.
pub struct Regatta;

impl Plugin for Regatta {
    fn install(self, app: &mut App) {
        app.world.insert_resource(buoys::Buoys(0));
        app.install(BoatsPlugin).install(WindPlugin);
        app.add_systems(UPDATE, "push", |list| {
            list.add(|boats: View<&mut Boat>, wind: &Wind| {
                boats.for_each(|(_, boat)| boat.0 += wind.0);
            })
            .add(buoys::count)
        });
        app.order(UPDATE, "wind", "push").order(UPDATE, "push", "boats");
    }
}

/// Marks of the course, derived in a module of the crate.
pub mod buoys {
    use boats::ecs::{Component, Query, Resource, View};

    /// A buoy.
    #[derive(Component)]
    pub struct Buoy;

    /// Buoys, as systems read them.
    #[derive(Query)]
    pub struct Anchored<'w> {
        /// The buoy.
        pub buoy: &'w Buoy,
    }

    /// The number of buoys.
    #[derive(Resource)]
    pub struct Buoys(pub usize);

    pub(crate) fn count(all: View<Anchored<'_>>, buoys: &mut Buoys) {
        buoys.0 = all.into_iter().count();
    }
}
