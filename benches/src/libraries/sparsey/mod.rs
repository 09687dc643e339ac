//! sparsey: sparse sets, without and with a group declared for the workload's query.

mod loops;
mod worlds;

use crate::components::{
    Audio, Data, Matrix, Position, Proximity, Rotation, Telling, Vec3, Velocity, for_letters,
    letters,
};
use crate::library::{Kind, Library};
use crate::scene::{self, Join};
use sparsey::World;
use sparsey::component::{GroupDescriptor, GroupLayout};
use sparsey::entity::Entity;
use std::iter::repeat_n;

type Mesh = (Matrix, Position, Rotation, Velocity);
type Moving = (Position, Velocity);

/// Declares the groups of a scene.
type Groups = fn(&mut GroupLayout);

const fn ungrouped(_: &mut GroupLayout) {}

/// The workloads with sparsey, first without groups. Workloads that a group cannot help stand there
/// only.
pub fn libraries() -> [Library; 2] {
    let mut plain = Library::new("sparsey", Some("sparsey"), Kind::SparseSets);
    let mut grouped = Library::new("sparsey (group)", Some("sparsey"), Kind::Grouped);
    for (sparsey, with_groups) in [(&mut plain, false), (&mut grouped, true)] {
        let groups = |groups: Groups| if with_groups { groups } else { ungrouped };
        entities(sparsey, groups);
        loops::iteration(sparsey, groups);
        loops::terms(sparsey, groups);
        loops::joins(sparsey, groups);
        loops::frames(sparsey, groups);
        worlds::worlds(sparsey, groups);
    }
    loops::fragments(&mut plain);
    worlds::fragments(&mut plain);
    [plain, grouped]
}

/// An empty world with these components and no others: each one there is costs whenever entities
/// end.
fn empty<C: GroupDescriptor>(groups: Groups) -> World {
    let mut layout = GroupLayout::default();
    groups(&mut layout);
    let mut world = World::new(&layout);
    for &component in C::COMPONENTS {
        world.register_dyn(component);
    }
    world
}

fn entities(sparsey: &mut Library, groups: impl Fn(Groups) -> Groups) {
    let mesh = groups(GroupLayout::add_group::<Mesh>);
    let inserted = |groups: &mut Groups| {
        let mut world = empty::<Mesh>(*groups);
        for _ in 0..scene::FEW {
            world.create(scene::mesh());
        }
        world
    };
    sparsey.add_checked(
        "simple_insert",
        move || mesh,
        move |mesh| inserted(mesh).entities().len(),
        move |mesh| mesh_sum(&inserted(mesh)),
    );
    let batched = |groups: &mut Groups| {
        let mut world = empty::<Mesh>(*groups);
        world.extend((0..scene::FEW).map(|_| scene::mesh()));
        world
    };
    sparsey.add_checked(
        "bulk_insert",
        move || mesh,
        move |mesh| batched(mesh).entities().len(),
        move |mesh| mesh_sum(&batched(mesh)),
    );

    let moving = groups(GroupLayout::add_group::<Moving>);
    // Nothing is inserted or removed in batches.
    for name in ["add_remove", "add_remove_batch"] {
        sparsey.add(
            name,
            move || {
                let mut world = empty::<Moving>(moving);
                let entities = world.extend((0..scene::FEW).map(|at| (Position::of(at),))).to_vec();
                (world, entities)
            },
            |(world, entities)| {
                for &entity in &*entities {
                    world.insert(entity, (Velocity(Vec3::ONE),));
                }
                let added = world.borrow::<Velocity>().len();
                for &entity in &*entities {
                    world.delete::<(Velocity,)>(entity);
                }
                added - world.borrow::<Velocity>().len()
            },
        );
    }
    sparsey.add_checked(
        "respawn_10k",
        move || scene::in_random_order(movers(scene::FEW, moving)),
        |movers| scene::respawn(movers, replace),
        |(world, _)| moved(world),
    );
    for one_by_one in ["random_get", "random_get_batch"] {
        sparsey.add(
            one_by_one,
            move || scene::in_random_order(movers(scene::MANY, moving)),
            |(world, entities)| {
                let positions = world.borrow::<Position>();
                let read = |&entity| positions.get(entity).map_or(0.0, Telling::x);
                entities.iter().map(read).sum::<f32>()
            },
        );
    }
    sparsey.add(
        "spawn_despawn_1m",
        move || {
            let mut world = empty::<Moving>(moving);
            (moving, scene::shuffled(|| world.create(scene::mover())))
        },
        |(groups, entities)| {
            let mut world = empty::<Moving>(*groups);
            for _ in &*entities {
                world.create(scene::mover());
            }
            let spawned = world.entities().len();
            for &entity in &*entities {
                assert!(world.destroy(entity), "it is alive");
            }
            spawned - world.entities().len()
        },
    );
    sparsey.add(
        "spawn_despawn_batch_1m",
        move || {
            let mut world = empty::<Moving>(moving);
            let batch = world.extend(scene::batch_of_movers()).to_vec();
            (moving, scene::shuffled_batch(batch))
        },
        |(groups, entities)| {
            let mut world = empty::<Moving>(*groups);
            world.extend(scene::batch_of_movers());
            let spawned = world.entities().len();
            for &entity in &*entities {
                assert!(world.destroy(entity), "it is alive");
            }
            spawned - world.entities().len()
        },
    );
}

fn mesh_sum(world: &World) -> f32 {
    let mut sum = 0.0;
    world.for_each::<(&Matrix, &Position, &Rotation, &Velocity)>(|(m, p, r, v)| {
        sum += m.0[15] + p.x() + r.x() + v.x();
    });
    sum
}

fn movers(count: usize, groups: Groups) -> (World, Vec<Entity>) {
    let mut world = empty::<Moving>(groups);
    let movers = (0..count).map(|at| (Position::of(at), Velocity::of(at)));
    let entities = world.extend(movers).to_vec();
    (world, entities)
}

fn churned(groups: Groups) -> World {
    scene::churned(movers(scene::CHURNED, groups), replace)
}

#[inline]
fn replace(world: &mut World, entity: Entity, mover: (Position, Velocity)) -> Entity {
    assert!(world.destroy(entity), "it is alive");
    world.create(mover)
}

fn moved(world: &World) -> f64 {
    let mut sum = 0.0;
    world.for_each::<(&Position, &Velocity)>(|(p, v)| sum += f64::from(p.x() * (v.x() + 1.0)));
    sum
}

fn joined<C: GroupDescriptor>(join: &Join, groups: Groups) -> World {
    let mut world = empty::<C>(groups);
    let entities = world.extend(repeat_n((), join.entities)).to_vec();
    for at in join.members(0) {
        world.insert(entities[at], (Proximity::of(at),));
    }
    for at in join.members(1) {
        world.insert(entities[at], (Audio::of(at),));
    }
    for at in join.members(2) {
        world.insert(entities[at], (Position::of(at),));
    }
    for at in join.members(3) {
        world.insert(entities[at], (Velocity::of(at),));
    }
    world
}

fn tagged(groups: Groups) -> World {
    let (world, entities) = movers(scene::TAGGED, groups);
    lettered(world, &entities, scene::has_tag)
}

/// Inserts into each entity the letters that it `has`, by its number and the letter's.
fn lettered(mut world: World, entities: &[Entity], has: impl Fn(usize, u32) -> bool) -> World {
    macro_rules! tag {
        ($($letter:ident $index:literal,)*) => {
            $(world.register::<letters::$letter>();)*
            for (at, &entity) in entities.iter().enumerate() {
                $(if has(at, $index) {
                    world.insert(entity, (letters::$letter(1.0),));
                })*
            }
        };
    }
    for_letters!(tag);
    world
}

fn fragmented() -> World {
    let mut world = World::default();
    world.register::<Data>();
    macro_rules! spawn {
        ($($letter:ident $index:literal,)*) => {$(
            world.register::<letters::$letter>();
            world.extend(repeat_n((letters::$letter(1.0), Data(1.0)), scene::KIND));
        )*};
    }
    for_letters!(spawn);
    world
}

fn wide(groups: Groups) -> World {
    let mut world = empty::<scene::Wide>(groups);
    world.extend((0..scene::WIDE).map(scene::wide));
    world
}
