//! shipyard: sparse sets, used through views, as in its systems.

mod loops;
pub(super) mod systems;
mod worlds;

use crate::components::{
    Audio, Data, Matrix, Position, Proximity, Rotation, Telling, Vec3, Velocity, for_letters,
    letters,
};
use crate::library::{Kind, Library};
use crate::scene::{self, Join, Orders};
use shipyard::{
    AllStoragesViewMut, Delete, EntitiesView, EntitiesViewMut, EntityId, Get, View, ViewMut, World,
};

/// The workloads with shipyard.
pub fn library() -> Library {
    let mut shipyard = Library::new("shipyard", Some("shipyard"), Kind::SparseSets);
    entities(&mut shipyard);
    sorts(&mut shipyard);
    loops::iteration(&mut shipyard);
    loops::terms(&mut shipyard);
    loops::joins(&mut shipyard);
    loops::frames(&mut shipyard);
    worlds::worlds(&mut shipyard);
    shipyard
}

fn sorts(shipyard: &mut Library) {
    shipyard.add(
        "sort_1m",
        || {
            let mut world = World::new();
            world.bulk_add_entity(scene::numbers().map(|number| (Data(number),)));
            (world, Orders::default())
        },
        |(world, orders)| {
            let key = orders.next();
            world.run(|mut data: ViewMut<Data>| {
                data.sort_unstable_by(|a, b| key(a.0).cmp(&key(b.0)));
                scene::ends(|at| data.as_slice()[at].0)
            })
        },
    );
}

fn entities(shipyard: &mut Library) {
    shipyard.add_checked(
        "simple_insert",
        || (),
        |()| placed(&inserted()),
        |()| mesh_sum(&inserted()),
    );
    shipyard.add_checked("bulk_insert", || (), |()| placed(&batched()), |()| mesh_sum(&batched()));
    // Nothing is inserted or removed in batches.
    for name in ["add_remove", "add_remove_batch"] {
        shipyard.add(
            name,
            || {
                let mut world = World::new();
                let positions = (0..scene::FEW).map(Position::of);
                let entities: Vec<_> = world.bulk_add_entity(positions).collect();
                (world, entities)
            },
            |(world, handles)| {
                world.run(|entities: EntitiesView, mut velocities: ViewMut<Velocity>| {
                    for &entity in &*handles {
                        entities.add_component(entity, &mut velocities, Velocity(Vec3::ONE));
                    }
                    let added = velocities.len();
                    for &entity in &*handles {
                        velocities.delete(entity);
                    }
                    added - velocities.len()
                })
            },
        );
    }
    shipyard.add_checked(
        "respawn_10k",
        || scene::in_random_order(movers(scene::FEW)),
        |movers| scene::respawn(movers, replace),
        |(world, _)| moved(world),
    );
    for one_by_one in ["random_get", "random_get_batch"] {
        shipyard.add(
            one_by_one,
            || scene::in_random_order(movers(scene::MANY)),
            |(world, entities)| {
                world.run(|positions: View<Position>| {
                    let read = |&entity| (&positions).get(entity).map_or(0.0, Telling::x);
                    entities.iter().map(read).sum::<f32>()
                })
            },
        );
    }
    shipyard.add(
        "spawn_despawn_1m",
        || {
            let mut world = World::new();
            scene::shuffled(|| world.add_entity(scene::mover()))
        },
        |handles| {
            let world = World::new();
            world.run(|mut entities: EntitiesViewMut, mut p: ViewMut<_>, mut v: ViewMut<_>| {
                for _ in &*handles {
                    entities.add_entity((&mut p, &mut v), scene::mover());
                }
            });
            let spawned = placed(&world);
            world.run(|mut storages: AllStoragesViewMut| {
                for &entity in &*handles {
                    assert!(storages.delete_entity(entity), "it is alive");
                }
            });
            spawned - placed(&world)
        },
    );
    shipyard.add(
        "spawn_despawn_batch_1m",
        || scene::shuffled_batch(World::new().bulk_add_entity(scene::batch_of_movers())),
        |handles| {
            let mut world = World::new();
            world.bulk_add_entity(scene::batch_of_movers());
            let spawned = placed(&world);
            world.run(|mut storages: AllStoragesViewMut| {
                for &entity in &*handles {
                    assert!(storages.delete_entity(entity), "it is alive");
                }
            });
            spawned - placed(&world)
        },
    );
}

/// Returns the number of positions there are: an iterator over the entities would walk them.
fn placed(world: &World) -> usize {
    world.run(|positions: View<Position>| positions.len())
}

fn inserted() -> World {
    type Mesh<'w> =
        (ViewMut<'w, Matrix>, ViewMut<'w, Position>, ViewMut<'w, Rotation>, ViewMut<'w, Velocity>);
    let world = World::new();
    world.run(|mut entities: EntitiesViewMut, (mut m, mut p, mut r, mut v): Mesh| {
        for _ in 0..scene::FEW {
            entities.add_entity((&mut m, &mut p, &mut r, &mut v), scene::mesh());
        }
    });
    world
}

fn batched() -> World {
    let mut world = World::new();
    world.bulk_add_entity((0..scene::FEW).map(|_| scene::mesh()));
    world
}

fn mesh_sum(world: &World) -> f32 {
    let mut meshes = world.iter::<(&Matrix, &Position, &Rotation, &Velocity)>();
    meshes.iter().map(|(m, p, r, v)| m.0[15] + p.x() + r.x() + v.x()).sum()
}

fn movers(count: usize) -> (World, Vec<EntityId>) {
    let mut world = World::new();
    let movers = (0..count).map(|at| (Position::of(at), Velocity::of(at)));
    let entities = world.bulk_add_entity(movers).collect();
    (world, entities)
}

fn churned() -> World {
    scene::churned(movers(scene::CHURNED), replace)
}

#[inline]
fn replace(world: &mut World, entity: EntityId, mover: (Position, Velocity)) -> EntityId {
    assert!(world.delete_entity(entity), "it is alive");
    world.add_entity(mover)
}

fn moved(world: &World) -> f64 {
    let mut movers = world.iter::<(&Position, &Velocity)>();
    movers.iter().map(|(p, v)| f64::from(p.x() * (v.x() + 1.0))).sum()
}

fn tagged() -> World {
    let (world, entities) = movers(scene::TAGGED);
    lettered(world, &entities, scene::has_tag)
}

/// Inserts into each entity the letters that it `has`, by its number and the letter's.
fn lettered(mut world: World, entities: &[EntityId], has: impl Fn(usize, u32) -> bool) -> World {
    macro_rules! tag {
        ($($letter:ident $index:literal,)*) => {
            for (at, &entity) in entities.iter().enumerate() {
                $(if has(at, $index) {
                    world.add_component(entity, letters::$letter(1.0));
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
            world.bulk_add_entity(
                (0..scene::KIND).map(|_| (letters::$letter(1.0), Data(1.0)))
            );
        )*};
    }
    for_letters!(spawn);
    world
}

fn joined(join: &Join) -> World {
    let mut world = World::new();
    let entities: Vec<_> = world.bulk_add_entity((0..join.entities).map(|_| ())).collect();
    for at in join.members(0) {
        world.add_component(entities[at], Proximity::of(at));
    }
    for at in join.members(1) {
        world.add_component(entities[at], Audio::of(at));
    }
    for at in join.members(2) {
        world.add_component(entities[at], Position::of(at));
    }
    for at in join.members(3) {
        world.add_component(entities[at], Velocity::of(at));
    }
    world
}

fn wide() -> World {
    let mut world = World::new();
    world.bulk_add_entity((0..scene::WIDE).map(scene::wide));
    world
}
