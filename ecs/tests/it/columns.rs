//! Components that are stored in columns.

use crate::fixtures::{Ledger, Position, Tracked, Velocity, panics};
use ecs::{Component, Entity, Query, World};

#[derive(Component, Clone, Debug, Default, PartialEq)]
#[component(layout = "soa")]
struct Proximity {
    distance: f32,
    angle: f32,
    label: String,
}

fn near(at: f32) -> Proximity {
    Proximity { distance: at, angle: at + 0.5, label: at.to_string() }
}

#[test]
fn values_come_and_go() {
    let mut world = World::new();
    let entity = world.spawn_with((near(1.0), Position(2.0))).id();
    let other = world.spawn_with(near(3.0)).id();
    let seen = world.get::<Proximity>(entity).unwrap();
    assert_eq!((*seen.distance, *seen.angle, seen.label.as_str()), (1.0, 1.5, "1"));
    assert_eq!(seen.to_owned(), near(1.0));
    *world.get_mut::<Proximity>(entity).unwrap().distance = 9.0;
    world.get_mut::<Proximity>(other).unwrap().set(near(5.0));
    assert_eq!(world.remove::<Proximity>(entity).unwrap().distance, 9.0);
    assert_eq!(world.remove::<Proximity>(other), Some(near(5.0)));
    world.check_invariants();
}
