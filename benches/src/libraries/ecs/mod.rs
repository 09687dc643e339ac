//! Ours, by `for_each`, by `for`, with groups, and in columns.

mod changes;
mod columns;
mod commands;
mod grouped;
mod loops;
mod observed;
mod relations;
pub(super) mod systems;
pub(super) mod worlds;

use crate::components::{
    Audio, Colour, Data, Force, Matrix, Position, Proximity, Rotation, Scale, Telling, Vec3,
    Velocity, for_letters, letters,
};
use crate::library::{Kind, Library};
use crate::scene::{self, Factors, Join, Orders};
use ecs::{Entity, World};

/// Our two ways to iterate, groups, and columns. Workloads that do not iterate stand with
/// the first.
pub fn libraries() -> [Library; 4] {
    let mut ecs = Library::new("ecs", Some("ecs"), Kind::Ours);
    let mut by_for = Library::new("ecs (for)", Some("ecs"), Kind::Ours);
    entities(&mut ecs, |world| world, |world| world);
    fields(&mut ecs);
    sorts(&mut ecs);
    observed::observation(&mut ecs);
    relations::relations(&mut ecs);
    loops::iteration(&mut ecs, &mut by_for);
    loops::terms(&mut ecs, &mut by_for);
    loops::joins(&mut ecs, &mut by_for);
    loops::frames(&mut ecs, &mut by_for);
    changes::all(&mut ecs, &mut by_for);
    worlds::worlds(&mut ecs, &mut by_for);
    [ecs, by_for, grouped::library(), columns::library()]
}

/// Makes something of a world: declares groups, if any, or fills it.
type Prepare = fn(World) -> World;

/// The workloads in which entities and components come and go, and are read by handle.
fn entities(ecs: &mut Library, meshes: Prepare, moving: Prepare) {
    let fills: [(&str, Prepare); 2] = [("simple_insert", inserted), ("bulk_insert", batched)];
    for (name, fill) in fills {
        let filled = move || fill(meshes(World::new()));
        ecs.add_checked(name, || (), move |()| filled().len(), move |()| mesh_sum(&filled()));
    }
    ecs.add("add_remove", move || few(moving), add_and_remove);
    ecs.add("add_remove_batch", move || few(moving), add_and_remove_batch);
    commands::commands(ecs, moving);
    ecs.add_checked(
        "respawn_10k",
        move || {
            let (world, entities) = scene::in_random_order(movers(scene::FEW));
            (moving(world), entities)
        },
        |movers| scene::respawn(movers, replace),
        |(world, _)| moved(world),
    );
    let scattered = move || {
        let (world, entities) = scene::in_random_order(movers(scene::MANY));
        (moving(world), entities)
    };
    ecs.add("random_get", scattered, |(world, entities)| {
        let positions = world.pool::<Position>();
        let read = |&entity| positions.get(entity).map_or(0.0, Telling::x);
        entities.iter().map(read).sum::<f32>()
    });
    ecs.add("random_get_batch", scattered, |(world, entities)| {
        let mut sum = 0.0;
        world.view::<Position>().for_each_many(&*entities, |(_, position)| sum += position.x());
        sum
    });
    ecs.add(
        "spawn_despawn_1m",
        move || {
            let mut world = moving(World::new());
            scene::shuffled(|| world.spawn(scene::mover()).id())
        },
        move |entities| {
            let mut world = moving(World::new());
            for _ in &*entities {
                world.spawn(scene::mover());
            }
            let spawned = world.len();
            for &entity in &*entities {
                world.despawn(entity).expect("it is alive");
            }
            spawned - world.len()
        },
    );
    ecs.add(
        "spawn_despawn_batch_1m",
        move || {
            let mut world = moving(World::new());
            scene::shuffled_batch(world.spawn_batch(scene::batch_of_movers()))
        },
        move |entities| {
            let mut world = moving(World::new());
            world.spawn_batch(scene::batch_of_movers());
            let spawned = world.len();
            world.despawn_batch(entities);
            spawned - world.len()
        },
    );
}

/// Positions one after the other, beside those in columns.
fn fields(ecs: &mut Library) {
    fn places() -> World {
        let mut world = World::new();
        world.spawn_batch((0..scene::MANY).map(Position::of));
        world
    }
    let sum = |world: &World| world.view::<Position>().iter().map(|(_, p)| f64::from(p.x())).sum();
    ecs.add_checked(
        "field_1m",
        || (places(), Factors::default()),
        |(world, factors)| {
            let factor = factors.next();
            world.view_mut::<&mut Position>().for_each(|(_, p)| p.0.x *= factor);
        },
        move |(world, _)| -> f64 { sum(world) },
    );
    ecs.add_checked(
        "fields_1m",
        places,
        |world| world.view_mut::<&mut Position>().for_each(|(_, p)| p.0.x += p.0.y * p.0.z),
        move |world| -> f64 { sum(world) },
    );
}

fn sorts(ecs: &mut Library) {
    ecs.add(
        "sort_1m",
        || {
            let mut world = World::new();
            world.spawn_batch(scene::numbers().map(Data));
            (world, Orders::default())
        },
        |(world, orders)| {
            let key = orders.next();
            let mut pool = world.pool_mut::<Data>();
            pool.sort_unstable_by(|a, b| key(a.0).cmp(&key(b.0))).expect("no group owns it");
            scene::ends(|at| pool.as_ref().as_slice()[at].0)
        },
    );
    ecs.add(
        "sort_as_1m",
        || {
            let mut world = World::new();
            let entities = world.spawn_batch((0..scene::MANY).map(Position::of));
            for at in scene::order(1) {
                world.insert(entities[at], Proximity::of(at)).expect("it is alive");
            }
            for at in scene::order(2) {
                world.insert(entities[at], Audio::of(at)).expect("it is alive");
            }
            world
        },
        |world| {
            world.pool_mut::<Position>().sort_like::<Proximity>().expect("no group owns it");
            world.pool_mut::<Position>().sort_like::<Audio>().expect("no group owns it");
            scene::ends(|at| world.pool::<Position>().as_slice()[at].x())
        },
    );
}

fn few(prepare: Prepare) -> (World, Vec<Entity>) {
    let mut world = prepare(World::new());
    let entities = world.spawn_batch((0..scene::FEW).map(Position::of));
    (world, entities)
}

fn add_and_remove((world, entities): &mut (World, Vec<Entity>)) -> usize {
    for &entity in &*entities {
        world.insert(entity, Velocity(Vec3::ONE)).expect("it is alive");
    }
    let added = world.pool::<Velocity>().len();
    for &entity in &*entities {
        world.remove::<Velocity>(entity);
    }
    added - world.pool::<Velocity>().len()
}

fn add_and_remove_batch((world, entities): &mut (World, Vec<Entity>)) -> usize {
    let bundles = entities.iter().map(|&entity| (entity, Velocity(Vec3::ONE)));
    world.insert_batch(bundles).expect("all are alive");
    let added = world.pool::<Velocity>().len();
    world.remove_batch::<Velocity>(entities);
    added - world.pool::<Velocity>().len()
}

fn inserted(mut world: World) -> World {
    for _ in 0..scene::FEW {
        world.spawn(scene::mesh());
    }
    world
}

fn batched(mut world: World) -> World {
    world.spawn_batch((0..scene::FEW).map(|_| scene::mesh()));
    world
}

fn mesh_sum(world: &World) -> f32 {
    let meshes = world.view::<(Matrix, Position, Rotation, Velocity)>();
    meshes.iter().map(|(_, m, p, r, v)| m.0[15] + p.x() + r.x() + v.x()).sum()
}

fn movers(count: usize) -> (World, Vec<Entity>) {
    let mut world = World::new();
    let entities = world.spawn_batch((0..count).map(|at| (Position::of(at), Velocity::of(at))));
    (world, entities)
}

fn churned(group: impl FnOnce(World) -> World) -> World {
    let (world, entities) = movers(scene::CHURNED);
    scene::churned((group(world), entities), replace)
}

#[inline]
fn replace(world: &mut World, entity: Entity, mover: (Position, Velocity)) -> Entity {
    world.despawn(entity).expect("it is alive");
    world.spawn(mover).id()
}

fn moved(world: &World) -> f64 {
    let movers = world.view::<(Position, Velocity)>();
    movers.iter().map(|(_, p, v)| f64::from(p.x() * (v.x() + 1.0))).sum()
}

fn tagged() -> World {
    let (world, entities) = movers(scene::TAGGED);
    lettered(world, &entities, scene::has_tag)
}

/// Inserts into each entity the letters that it `has`, by its number and the letter's.
fn lettered(mut world: World, entities: &[Entity], has: impl Fn(usize, u32) -> bool) -> World {
    macro_rules! tag {
        ($($letter:ident $index:literal,)*) => {
            for (at, &entity) in entities.iter().enumerate() {
                $(if has(at, $index) {
                    world.insert(entity, letters::$letter(1.0)).expect("it is alive");
                })*
            }
        };
    }
    for_letters!(tag);
    world
}

fn fragmented() -> World {
    let mut world = World::new();
    macro_rules! spawn {
        ($($letter:ident $index:literal,)*) => {$(
            for _ in 0..scene::KIND {
                world.spawn((letters::$letter(1.0), Data(1.0)));
            }
        )*};
    }
    for_letters!(spawn);
    world
}

fn wide() -> World {
    let mut world = World::new();
    world.spawn_batch((0..scene::WIDE).map(scene::wide));
    world
}

fn joined(join: &Join) -> World {
    let mut world = World::new();
    let entities = world.spawn_batch((0..join.entities).map(|_| ()));
    for at in join.members(0) {
        world.insert(entities[at], Proximity::of(at)).expect("it is alive");
    }
    for at in join.members(1) {
        world.insert(entities[at], Audio::of(at)).expect("it is alive");
    }
    for at in join.members(2) {
        world.insert(entities[at], Position::of(at)).expect("it is alive");
    }
    for at in join.members(3) {
        world.insert(entities[at], Velocity::of(at)).expect("it is alive");
    }
    world
}

type Eight<'w> = (
    &'w mut Position,
    &'w Velocity,
    &'w Proximity,
    &'w Audio,
    &'w Rotation,
    &'w Scale,
    &'w Colour,
    &'w Force,
);
