//! `flecs_ecs`: archetypes (tables), in C. Queries are cached, and hand out a table's columns as
//! slices, which is its fastest way to iterate. Its default features stay on.

mod loops;
mod worlds;

use crate::components::{
    Audio, Colour, Data, Force, Matrix, Position, Proximity, Rotation, Scale, Telling, Vec3,
    Velocity, for_letters, letters,
};
use crate::library::{Kind, Library};
use crate::scene::{self, Join};
use flecs_ecs::prelude::*;

/// The workloads with `flecs_ecs`.
pub fn library() -> Library {
    let mut flecs = Library::new("flecs_ecs", Some("flecs_ecs"), Kind::Archetypes);
    entities(&mut flecs);
    loops::iteration(&mut flecs);
    loops::terms(&mut flecs);
    loops::joins(&mut flecs);
    loops::frames(&mut flecs);
    worlds::worlds(&mut flecs);
    flecs
}

/// A query and its world, which must be dropped in this order.
struct Queried<T: QueryTuple> {
    query: Query<T>,
    world: World,
}

impl<T: QueryTuple> Queried<T> {
    fn new(world: World) -> Self {
        Self { query: world.query::<T>().set_cached().build(), world }
    }

    /// Calls `f` with every table.
    fn tables(&self, mut f: impl FnMut(&TableIter<true>)) {
        self.query.run(|mut tables| {
            while tables.next() {
                f(&tables);
            }
        });
    }
}

fn entities(flecs: &mut Library) {
    flecs.add_checked(
        "simple_insert",
        || (),
        |()| count::<Matrix>(&inserted()),
        |()| mesh_sum(inserted()),
    );
    flecs.add_checked(
        "bulk_insert",
        || (),
        |()| count::<Matrix>(&batched()),
        |()| mesh_sum(batched()),
    );
    // Nothing is inserted or removed in batches.
    for name in ["add_remove", "add_remove_batch"] {
        flecs.add(
            name,
            || {
                let world = World::new();
                let positions: Vec<_> = (0..scene::FEW).map(Position::of).collect();
                let entities = world.entity_bulk(number(scene::FEW)).set(&positions).build();
                (world, entities)
            },
            |(world, entities)| {
                for &entity in &*entities {
                    world.entity_from_id(entity).set(Velocity(Vec3::ONE));
                }
                let added = count::<Velocity>(world);
                for &entity in &*entities {
                    world.entity_from_id(entity).remove(Velocity::id());
                }
                added - count::<Velocity>(world)
            },
        );
    }
    flecs.add_checked(
        "respawn_10k",
        || scene::in_random_order(movers(scene::FEW)),
        |movers| scene::respawn(movers, replace),
        |(world, _)| moved(world),
    );
    for one_by_one in ["random_get", "random_get_batch"] {
        flecs.add(
            one_by_one,
            || scene::in_random_order(movers(scene::MANY)),
            |(world, entities)| {
                let read = |&entity| {
                    world.entity_from_id(entity).try_get::<&Position>(Telling::x).unwrap_or(0.0)
                };
                entities.iter().map(read).sum::<f32>()
            },
        );
    }
    flecs.add(
        "spawn_despawn_1m",
        || {
            let world = World::new();
            scene::shuffled(|| spawn(&world))
        },
        |entities| {
            let world = World::new();
            for _ in &*entities {
                spawn(&world);
            }
            let spawned = count::<Position>(&world);
            for &entity in &*entities {
                world.entity_from_id(entity).destruct();
            }
            spawned - count::<Position>(&world)
        },
    );
    flecs.add(
        "spawn_despawn_batch_1m",
        || scene::shuffled_batch(spawned_batch().1),
        |entities| {
            let (world, _) = spawned_batch();
            let spawned = count::<Position>(&world);
            for &entity in &*entities {
                world.entity_from_id(entity).destruct();
            }
            spawned - count::<Position>(&world)
        },
    );
}

fn spawn(world: &World) -> Entity {
    let (position, velocity) = scene::mover();
    world.entity().set(position).set(velocity).id()
}

fn spawned_batch() -> (World, Vec<Entity>) {
    let world = World::new();
    let (positions, velocities): (Vec<_>, Vec<_>) = scene::batch_of_movers().unzip();
    let entities = world.entity_bulk(number(scene::MANY)).set(&positions).set(&velocities).build();
    (world, entities)
}

fn inserted() -> World {
    let world = World::new();
    for _ in 0..scene::FEW {
        let (matrix, position, rotation, velocity) = scene::mesh();
        world.entity().set(matrix).set(position).set(rotation).set(velocity);
    }
    world
}

fn batched() -> World {
    let world = World::new();
    let (matrix, position, rotation, velocity) = scene::mesh();
    world
        .entity_bulk(number(scene::FEW))
        .set(&vec![matrix; scene::FEW])
        .set(&vec![position; scene::FEW])
        .set(&vec![rotation; scene::FEW])
        .set(&vec![velocity; scene::FEW])
        .build();
    world
}

fn number(count: usize) -> u32 {
    u32::try_from(count).expect("few enough")
}

fn count<T: ComponentId>(world: &World) -> usize {
    usize::try_from(world.count(T::get_id(world))).expect("not negative")
}

fn mesh_sum(world: World) -> f32 {
    let mut sum = 0.0;
    let meshes = Queried::<(&Matrix, &Position, &Rotation, &Velocity)>::new(world);
    meshes.query.each(|(m, p, r, v)| sum += m.0[15] + p.x() + r.x() + v.x());
    sum
}

fn movers(count: usize) -> (World, Vec<Entity>) {
    let world = World::new();
    let positions: Vec<_> = (0..count).map(Position::of).collect();
    let velocities: Vec<_> = (0..count).map(Velocity::of).collect();
    let entities = world.entity_bulk(number(count)).set(&positions).set(&velocities).build();
    (world, entities)
}

fn churned() -> World {
    scene::churned(movers(scene::CHURNED), replace)
}

#[inline]
fn replace(
    world: &mut World,
    entity: Entity,
    (position, velocity): (Position, Velocity),
) -> Entity {
    world.entity_from_id(entity).destruct();
    world.entity().set(position).set(velocity).id()
}

fn moved(world: &World) -> f64 {
    let mut sum = 0.0;
    let movers = world.new_query::<(&Position, &Velocity)>();
    movers.each(|(p, v)| sum += f64::from(p.x() * (v.x() + 1.0)));
    sum
}

fn tagged() -> World {
    let (world, entities) = movers(scene::TAGGED);
    lettered(world, &entities, scene::has_tag)
}

/// Inserts into each entity the letters that it `has`, by its number and the letter's.
fn lettered(world: World, entities: &[Entity], has: impl Fn(usize, u32) -> bool) -> World {
    macro_rules! tag {
        ($($letter:ident $index:literal,)*) => {
            for (at, &entity) in entities.iter().enumerate() {
                let entity = world.entity_from_id(entity);
                $(if has(at, $index) {
                    entity.set(letters::$letter(1.0));
                })*
            }
        };
    }
    for_letters!(tag);
    world
}

fn fragmented() -> World {
    let world = World::new();
    macro_rules! spawn {
        ($($letter:ident $index:literal,)*) => {$(
            for _ in 0..scene::KIND {
                world.entity().set(letters::$letter(1.0)).set(Data(1.0));
            }
        )*};
    }
    for_letters!(spawn);
    world
}

fn wide() -> World {
    let (world, entities) = movers(scene::WIDE);
    for (at, &entity) in entities.iter().enumerate() {
        let entity = world.entity_from_id(entity);
        let entity = entity.set(Proximity::of(at)).set(Audio::of(at)).set(Rotation::of(at));
        entity.set(Scale::of(at)).set(Colour::of(at)).set(Force::of(at));
    }
    world
}

fn joined(join: &Join) -> World {
    let world = World::new();
    let entities: Vec<_> = (0..join.entities).map(|_| world.entity().id()).collect();
    for at in join.members(0) {
        world.entity_from_id(entities[at]).set(Proximity::of(at));
    }
    for at in join.members(1) {
        world.entity_from_id(entities[at]).set(Audio::of(at));
    }
    for at in join.members(2) {
        world.entity_from_id(entities[at]).set(Position::of(at));
    }
    for at in join.members(3) {
        world.entity_from_id(entities[at]).set(Velocity::of(at));
    }
    world
}
