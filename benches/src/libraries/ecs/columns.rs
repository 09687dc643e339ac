//! Our components in columns: the workloads that the layout affects.

use crate::components::{Position, Telling};
use crate::library::{Kind, Library};
use crate::scene::{self, Factors};
use ecs::{Component, Entity, World};

/// A position, a column a coordinate.
#[derive(Component)]
#[component(layout = "soa")]
struct Place {
    x: f32,
    y: f32,
    z: f32,
}

impl Place {
    fn of(entity: usize) -> Self {
        let Position(at) = Position::of(entity);
        Self { x: at.x, y: at.y, z: at.z }
    }
}

/// The workloads in which components have a column a field.
pub fn library() -> Library {
    let mut columns = Library::new("ecs (columns)", Some("ecs"), Kind::OursColumns);
    columns.add(
        "add_remove",
        || super::few(|world| world),
        |(world, entities)| {
            for &entity in &*entities {
                world.insert(entity, Place { x: 1.0, y: 1.0, z: 1.0 }).expect("it is alive");
            }
            let added = world.pool::<Place>().len();
            for &entity in &*entities {
                world.remove::<Place>(entity);
            }
            added - world.pool::<Place>().len()
        },
    );
    columns.add(
        "add_remove_batch",
        || super::few(|world| world),
        |(world, entities)| {
            let place = |&entity: &Entity| (entity, Place { x: 1.0, y: 1.0, z: 1.0 });
            world.insert_batch(entities.iter().map(place)).expect("all are alive");
            let added = world.pool::<Place>().len();
            world.remove_batch::<Place>(entities);
            added - world.pool::<Place>().len()
        },
    );
    columns.add(
        "random_get",
        || scene::in_random_order(places()),
        |(world, entities)| {
            let places = world.pool::<Place>();
            let read = |&entity| places.get(entity).map_or(0.0, |place| *place.x);
            entities.iter().map(read).sum::<f32>()
        },
    );
    columns.add_checked(
        "field_1m",
        || (places().0, Factors::default()),
        |(world, factors)| {
            let factor = factors.next();
            world.view_mut::<&mut place::x>().for_each(|(_, x)| *x *= factor);
        },
        |(world, _)| world.view::<place::x>().iter().map(|(_, x)| f64::from(*x)).sum::<f64>(),
    );
    columns.add_checked(
        "fields_1m",
        || places().0,
        |world| world.view_mut::<&mut Place>().for_each(|(_, p)| *p.x += *p.y * *p.z),
        |world| world.view::<place::x>().iter().map(|(_, x)| f64::from(*x)).sum::<f64>(),
    );
    columns
}

fn places() -> (World, Vec<Entity>) {
    let mut world = World::new();
    let entities = world.spawn_batch((0..scene::MANY).map(Place::of));
    (world, entities)
}
