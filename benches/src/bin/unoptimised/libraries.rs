//! The measured code, written once for each library.

use ecs_benches::library::{Kind, Library};
use ecs_benches::workload::Workload;

/// The number of entities there are.
const COUNT: u16 = 10_000;

/// The loops, then the operations on single entities, each with the allowed multiple of hecs' time.
pub const WORKLOADS: [(Workload, Option<f64>); 7] = [
    (Workload { name: "for", about: "`for` over two components: a += b" }, Some(1.3)),
    (Workload { name: "for_each", about: "the same by `for_each`" }, Some(1.6)),
    (Workload { name: "for_each_read", about: "`for_each` reading both: sum += a × b" }, None),
    (Workload { name: "get", about: "read a component of each by its handle" }, None),
    (Workload { name: "add_remove", about: "insert a third component into each, remove it" }, None),
    (Workload { name: "spawn", about: "a new world, spawns of two components, dropped" }, None),
    (Workload { name: "respawn", about: "despawn each, spawn another" }, None),
];

/// A component of 12 bytes.
#[derive(ecs::Component, Clone, Copy)]
pub struct A([f32; 3]);
/// Another one.
#[derive(ecs::Component, Clone, Copy)]
pub struct B([f32; 3]);
/// The third.
#[derive(ecs::Component, Clone, Copy)]
pub struct C([f32; 3]);

fn bundle(number: u16) -> (A, B) {
    (A([f32::from(number % 16); 3]), B([1.0; 3]))
}

/// Ours and hecs.
pub fn libraries() -> [Library; 2] {
    [ours(), hecs()]
}

fn ours() -> Library {
    use ecs::{Entity, World};

    fn filled() -> (World, Vec<Entity>) {
        let mut world = World::new();
        let entities = (0..COUNT).map(|number| world.spawn(bundle(number)).id()).collect();
        (world, entities)
    }
    fn sum((world, _): &mut (World, Vec<Entity>)) -> f32 {
        let mut sum = 0.0;
        for (_, a) in world.view::<A>() {
            sum += a.0[0];
        }
        sum
    }

    let mut ecs = Library::new("ecs", Some("ecs"), Kind::Ours);
    ecs.add_checked(
        "for",
        filled,
        |(world, _)| {
            for (_, a, b) in world.view_mut::<(&mut A, &B)>() {
                a.0[0] += b.0[0];
            }
        },
        sum,
    );
    ecs.add_checked(
        "for_each",
        filled,
        |(world, _)| {
            world.view_mut::<(&mut A, &B)>().for_each(|(_, a, b)| a.0[0] += b.0[0]);
        },
        sum,
    );
    ecs.add("for_each_read", filled, |(world, _)| {
        let mut sum = 0.0;
        world.view::<(A, B)>().for_each(|(_, a, b)| sum += a.0[0] * b.0[0]);
        sum
    });
    ecs.add("get", filled, |(world, entities)| {
        let mut sum = 0.0;
        for &entity in &*entities {
            if let Some(a) = world.get::<A>(entity) {
                sum += a.0[0];
            }
        }
        sum
    });
    ecs.add("add_remove", filled, |(world, entities)| {
        for &entity in &*entities {
            world.insert(entity, C([1.0; 3])).expect("it is alive");
        }
        let mut sum = 0.0;
        for &entity in &*entities {
            sum += world.remove::<C>(entity).expect("it has one").0[0];
        }
        sum
    });
    ecs.add("spawn", || (), |()| filled().1.len());
    ecs.add_checked(
        "respawn",
        filled,
        |(world, entities)| {
            for (number, entity) in (0..COUNT).zip(entities) {
                world.despawn(*entity).expect("it is alive");
                *entity = world.spawn(bundle(number)).id();
            }
        },
        sum,
    );
    ecs
}

fn hecs() -> Library {
    use hecs::{Entity, World};

    fn filled() -> (World, Vec<Entity>) {
        let mut world = World::new();
        let entities = (0..COUNT).map(|number| world.spawn(bundle(number))).collect();
        (world, entities)
    }
    fn sum((world, _): &mut (World, Vec<Entity>)) -> f32 {
        let mut sum = 0.0;
        for a in world.query_mut::<&A>() {
            sum += a.0[0];
        }
        sum
    }

    let mut hecs = Library::new("hecs", Some("hecs"), Kind::Archetypes);
    hecs.add_checked(
        "for",
        filled,
        |(world, _)| {
            for (a, b) in world.query_mut::<(&mut A, &B)>() {
                a.0[0] += b.0[0];
            }
        },
        sum,
    );
    hecs.add_checked(
        "for_each",
        filled,
        |(world, _)| {
            world.query_mut::<(&mut A, &B)>().into_iter().for_each(|(a, b)| a.0[0] += b.0[0]);
        },
        sum,
    );
    hecs.add("for_each_read", filled, |(world, _)| {
        let mut sum = 0.0;
        world.query_mut::<(&A, &B)>().into_iter().for_each(|(a, b)| sum += a.0[0] * b.0[0]);
        sum
    });
    hecs.add("get", filled, |(world, entities)| {
        let mut sum = 0.0;
        for &entity in &*entities {
            if let Ok(a) = world.get::<&A>(entity) {
                sum += a.0[0];
            }
        }
        sum
    });
    hecs.add("add_remove", filled, |(world, entities)| {
        for &entity in &*entities {
            world.insert_one(entity, C([1.0; 3])).expect("it is alive");
        }
        let mut sum = 0.0;
        for &entity in &*entities {
            sum += world.remove_one::<C>(entity).expect("it has one").0[0];
        }
        sum
    });
    hecs.add("spawn", || (), |()| filled().1.len());
    hecs.add_checked(
        "respawn",
        filled,
        |(world, entities)| {
            for (number, entity) in (0..COUNT).zip(entities) {
                world.despawn(*entity).expect("it is alive");
                *entity = world.spawn(bundle(number));
            }
        },
        sum,
    );
    hecs
}
