//! Loops whose changes are read, and loops over changed entities.

use super::loops::move_all;
use super::{Queried, moved, movers};
use crate::components::{Position, Telling};
use crate::library::Library;
use crate::scene::{self, Changed as Case};
use bevy_ecs::prelude::{Changed, World};

pub fn all(bevy: &mut Library) {
    for (name, count) in scene::TRACKED {
        bevy.add_prepared(
            name,
            move || Queried::new(movers(count).0),
            |queried| queried.world.clear_trackers(),
            |Queried { world, query }| move_all(world, query),
            |queried| moved(&mut queried.world),
        );
    }
    for case in Case::ALL {
        bevy.add(
            case.name,
            move || Queried::<&Position, Changed<Position>>::new(changed(case)),
            |Queried { world, query }| {
                query.iter(world).map(|position| f64::from(position.x())).sum::<f64>()
            },
        );
    }
}

fn changed(case: Case) -> World {
    let (mut world, entities) = movers(scene::MANY);
    world.clear_trackers();
    for at in case.members() {
        world.get_mut::<Position>(entities[at]).expect("all have one").0.x += 1.0;
    }
    world
}
