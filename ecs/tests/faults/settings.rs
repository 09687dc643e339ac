//! Worlds that scenarios begin with.

use crate::tick;
use crate::values::{
    Armour, Body, Ghost, Guarded, Hooked, Likes, Pair, PartOf, Store, pair, value,
};
use ecs::{ChildOf, Entity, Group, Inserted, Name, Removed, Replaced, Res, Updated, World};

pub struct Setting {
    pub name: &'static str,
    pub make: fn() -> (World, Vec<Entity>),
    /// The least number of faults that are found in it.
    pub least: usize,
}

pub const SETTINGS: [Setting; 6] = [
    Setting { name: "plain", make: plain, least: 1_500 },
    Setting { name: "grouped", make: grouped, least: 1_500 },
    Setting { name: "related", make: related, least: 1_600 },
    Setting { name: "observed", make: observed, least: 1_900 },
    Setting { name: "observed_in_batches", make: observed_in_batches, least: 1_700 },
    Setting { name: "all_at_once", make: all_at_once, least: 2_500 },
];

/// Eight entities with different sets of components, one without any, and four that are alike.
fn plain() -> (World, Vec<Entity>) {
    let mut world = World::new();
    world.register::<(Body, Pair, Armour, Hooked, Guarded, PartOf, Likes, Ghost, ChildOf, Name, Res<Store>)>();
    world.insert_resource(Store(value()));
    let entities = world.spawn_batch((0..8).map(|_| Body(value())));
    for (at, entity) in entities.iter().enumerate() {
        let mut entity = world.entity_mut(*entity);
        if at % 2 == 0 {
            entity.insert(pair());
        }
        if at % 3 == 0 {
            entity.insert(Armour(value()));
        }
        if at % 3 == 1 {
            entity.insert((Hooked(value()), Ghost));
        }
        if at % 4 == 3 {
            entity.insert(Guarded(0, value()));
        }
    }
    let empty = world.spawn_empty().id();
    let last = world.spawn_batch((0..4).map(|_| (Body(value()), pair(), Ghost)));
    (world, entities.into_iter().chain([empty]).chain(last).collect())
}

fn group(world: &mut World) {
    world.declare_group(Group::owning::<(Body, Pair)>()).unwrap();
    world.declare_group(Group::owning::<(Body, Pair, Armour)>()).unwrap();
    world.declare_group(Group::observing::<(Hooked, Ghost)>().without::<Guarded>()).unwrap();
}

fn grouped() -> (World, Vec<Entity>) {
    let (mut world, entities) = plain();
    group(&mut world);
    (world, entities)
}

/// The first entity has parts, children and admirers.
fn relate(world: &mut World, entities: &[Entity]) {
    let &[whole, first, second, part_of_part, child, both, admirer, ..] = entities else {
        unreachable!()
    };
    for part in [first, second] {
        world.insert(part, PartOf(whole, value())).unwrap();
    }
    world.insert(part_of_part, PartOf(second, value())).unwrap();
    for child in [child, both] {
        world.attach(child, whole).unwrap();
    }
    for admirer in [both, admirer] {
        world.insert(admirer, Likes(whole, value())).unwrap();
    }
    world.insert(whole, Likes(admirer, value())).unwrap();
}

fn related() -> (World, Vec<Entity>) {
    let (mut world, entities) = plain();
    relate(&mut world, &entities);
    (world, entities)
}

/// Observers of single entities; some edit.
fn observe(world: &mut World) {
    world.on_insert::<Body>(|_, _| tick());
    world.on_insert::<Body>(|world, entity| {
        world.patch::<Body>(entity, |body| body.0 = value());
        tick();
    });
    world.on_update::<Body>(|_, _| tick());
    world.on_remove::<Body>(|world, entity| {
        tick();
        world.remove::<Ghost>(entity);
    });
    world.on_remove::<Hooked>(|world, entity| {
        drop(world.remove::<Pair>(entity));
        tick();
    });
    world.on_insert::<Pair>(|world, entity| {
        tick();
        if !world.has::<Ghost>(entity) {
            _ = world.insert(entity, Ghost);
        }
    });
    world.on_remove::<PartOf>(|_, _| tick());
    world.on_remove::<Likes>(|_, _| tick());
    world.on::<Replaced>(|_, _| tick());
}

fn observed() -> (World, Vec<Entity>) {
    let (mut world, entities) = plain();
    observe(&mut world);
    (world, entities)
}

/// Observers of all entities of an operation, and collectors.
fn observe_batches(world: &mut World) {
    world.on_batch::<Inserted<Body>>(|_, _| tick());
    world.on_batch::<Updated<Body>>(|_, _| tick());
    world.on_batch::<Removed<Body>>(|world, entities| {
        tick();
        world.remove_batch::<Pair>(entities);
    });
    world.on_batch::<Inserted<Pair>>(|world, entities| {
        world.despawn_batch(&entities[1..]);
        tick();
    });
    _ = world.collector::<Inserted<Body>>();
    _ = world.collector::<Removed<Pair>>();
}

fn observed_in_batches() -> (World, Vec<Entity>) {
    let (mut world, entities) = plain();
    observe_batches(&mut world);
    (world, entities)
}

fn all_at_once() -> (World, Vec<Entity>) {
    let (mut world, entities) = related();
    group(&mut world);
    observe(&mut world);
    observe_batches(&mut world);
    (world, entities)
}
