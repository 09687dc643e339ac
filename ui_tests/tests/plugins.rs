//! Plugins in packages of their own.

use boats::{Boat, BoatsPlugin, Harbour};
use core::time::Duration;
use ecs::app::App;
use regatta::Regatta;
use regatta::buoys::{Buoy, Buoys};

#[test]
fn a_third_package_orders_the_systems_of_two_independent_ones() {
    let mut app = App::new();
    app.install(Regatta);
    app.world.spawn(Boat(10.0));
    app.world.spawn(Buoy);
    for _ in 0..2 {
        app.frame(Duration::ZERO).unwrap();
    }
    // The wind turns first, so the boat is pushed to 9 and back to 10, and each place is logged after the push.
    let harbour = app.world.resource::<Harbour>();
    assert_eq!((harbour.launched, &harbour.log[..]), (1, &[9.0, 10.0][..]));
    assert_eq!(app.world.resource::<Buoys>().0, 1);
}

#[test]
fn a_plugin_that_two_packages_install_is_there_once() {
    let mut app = App::new();
    app.install(BoatsPlugin).install(Regatta);
    app.world.spawn(Boat(0.0));
    app.frame(Duration::ZERO).unwrap();
    let harbour = app.world.resource::<Harbour>();
    assert_eq!((harbour.launched, harbour.log.len()), (1, 1));
}
