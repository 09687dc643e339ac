//! The recipes of the guide: old values, observers of one entity, events that go up a relation, and
//! notifications of pairs of components.

use crate::fixtures::Random;
use ecs::{ChildOf, Component, Entity, Resource, World};
use std::cell::Cell;

#[derive(Component, Clone, Copy, Debug, PartialEq)]
struct Health(i32);

#[derive(Resource, Default)]
struct Heard(Vec<(i32, i32)>);

#[test]
fn observers_of_updates_compare_with_the_value_before() {
    #[derive(Component)]
    struct Known(Health);

    let mut world = World::new();
    world.insert_resource(Heard::default());
    world.on_insert::<Health>(|world, entity| {
        let health = *world.get::<Health>(entity).unwrap();
        world.insert(entity, Known(health)).unwrap();
    });
    world.on_update::<Health>(|world, entity| {
        let health = *world.get::<Health>(entity).unwrap();
        let old = world.replace(entity, Known(health)).unwrap().unwrap().0;
        world.resource_mut::<Heard>().0.push((old.0, health.0));
    });
    let heard = |world: &mut World| std::mem::take(&mut world.resource_mut::<Heard>().0);

    let entity = world.spawn(Health(1)).insert(Health(2)).id();
    world.patch::<Health>(entity, |health| health.0 = 3);
    world.replace(entity, Health(4)).unwrap();
    assert_eq!(heard(&mut world), [(1, 2), (2, 3), (3, 4)]);

    let entities = world.spawn_batch((0..3).map(Health));
    world.insert_batch(entities.iter().map(|&entity| (entity, Health(9)))).unwrap();
    assert_eq!(heard(&mut world), [(0, 9), (1, 9), (2, 9)]);

    world.get_mut::<Health>(entity).unwrap().0 = 5; // notifies no observer
    world.insert(entity, Health(6)).unwrap();
    assert_eq!(heard(&mut world), [(4, 6)]);

    world.remove::<Health>(entity);
    world.insert(entity, Health(7)).unwrap();
    world.insert(entity, Health(8)).unwrap();
    assert_eq!(heard(&mut world), [(7, 8)]);
}

#[test]
fn a_component_is_an_observer_of_its_entity() {
    #[derive(Component, Clone, Copy)]
    struct WhenHurt(fn(&mut World, Entity));

    let mut world = World::new();
    world.insert_resource(Heard::default());
    world.on_update::<Health>(|world, entity| {
        let observer = world.get::<WhenHurt>(entity).copied();
        observer.into_iter().for_each(|WhenHurt(call)| call(world, entity));
    });
    let hear = WhenHurt(|world, entity| {
        let health = world.get::<Health>(entity).unwrap().0;
        world.resource_mut::<Heard>().0.push((health, health));
    });
    let despawn = WhenHurt(|world, entity| world.despawn(entity).unwrap());
    let [noisy, frail, quiet] = [
        world.spawn((Health(1), hear)).id(),
        world.spawn((Health(1), despawn)).id(),
        world.spawn(Health(1)).id(),
    ];
    let hurt = [noisy, frail, quiet].map(|entity| (entity, Health(2)));
    world.insert_batch(hurt).unwrap();
    assert!(!world.is_alive(frail) && world.is_alive(quiet));
    world.insert(noisy, Health(3)).unwrap();
    world.remove::<WhenHurt>(noisy);
    world.insert(noisy, Health(4)).unwrap();
    assert_eq!(world.resource::<Heard>().0, [(2, 2), (3, 3)]);
}

#[test]
fn an_event_goes_up_a_relation_until_it_is_handled() {
    /// Handles clicks, and may despawn its entity.
    #[derive(Component)]
    struct Window {
        closes: bool,
    }
    struct Click {
        handled: Cell<bool>,
        passed: Cell<u32>,
    }
    fn click(world: &mut World, entity: Entity) -> (bool, u32) {
        let click = Click { handled: Cell::new(false), passed: Cell::new(0) };
        let mut next = Some(entity);
        while let Some(entity) = next.filter(|_| !click.handled.get()) {
            next = world.parent(entity);
            _ = world.send_to(entity, &click);
        }
        (click.handled.get(), click.passed.get())
    }

    let mut world = World::new();
    world.on_entity::<Click>(|world, entity, click| {
        click.passed.set(click.passed.get() + 1);
        let closes = world.get::<Window>(entity).map(|window| window.closes);
        click.handled.set(closes.is_some());
        if closes == Some(true) {
            world.despawn(entity).unwrap();
        }
    });
    let screen = world.spawn(Window { closes: false }).id();
    let window = world.spawn((Window { closes: true }, ChildOf(screen))).id();
    let frame = world.spawn(ChildOf(window)).id();
    let button = world.spawn(ChildOf(frame)).id();
    let alone = world.spawn_empty().id();
    assert_eq!(click(&mut world, button), (true, 3));
    assert!(world.is_alive(screen) && !world.is_alive(button), "children end with a window");
    assert_eq!(click(&mut world, button), (false, 0));
    assert_eq!(click(&mut world, screen), (true, 1));
    assert_eq!(click(&mut world, alone), (false, 1));
}

#[derive(Component, Clone, Copy)]
struct Body;
#[derive(Component, Clone, Copy)]
struct Shape;
#[derive(Component)]
struct Solid;

/// The entities that have a pair, as observers of it believe.
#[derive(Resource, Default)]
struct Pairs(Vec<Entity>);

fn world_of_pairs() -> World {
    let mut world = World::new();
    world.insert_resource(Pairs::default());
    let join = |world: &mut World, entity| {
        if world.has::<(Body, Shape)>(entity) {
            world.insert(entity, Solid).unwrap();
        }
    };
    let part = |world: &mut World, entity| _ = world.remove::<Solid>(entity);
    _ = (world.on_insert::<Body>(join), world.on_remove::<Body>(part));
    _ = (world.on_insert::<Shape>(join), world.on_remove::<Shape>(part));
    world.on_insert::<Solid>(|world, entity| {
        let pairs = &mut world.resource_mut::<Pairs>().0;
        assert!(!pairs.contains(&entity), "a pair is notified once");
        pairs.push(entity);
    });
    world.on_remove::<Solid>(|world, entity| {
        let pairs = &mut world.resource_mut::<Pairs>().0;
        let place = pairs.iter().position(|&pair| pair == entity);
        pairs.remove(place.expect("each pair is notified before it parts"));
    });
    world
}

#[test]
fn two_components_that_are_both_there_are_notified_once() {
    let edits: [fn(&mut World, &[Entity]); 12] = [
        |world, all| world.insert(all[0], Body).unwrap(),
        |world, all| world.insert(all[0], Shape).unwrap(),
        |world, all| world.insert(all[0], (Body, Shape)).unwrap(),
        |world, all| world.insert(all[0], (Shape, Body)).unwrap(),
        |world, all| _ = world.remove::<Body>(all[0]),
        |world, all| _ = world.remove::<(Shape, Body)>(all[0]),
        |world, all| world.insert_batch(all.iter().map(|&it| (it, Body))).unwrap(),
        |world, all| world.insert_batch(all.iter().map(|&it| (it, (Shape, Body)))).unwrap(),
        |world, all| _ = world.remove_batch::<Shape>(all),
        |world, all| _ = world.despawn_batch(all),
        |world, _| _ = world.spawn_batch([(Body, Shape); 3]),
        |world, _| _ = [world.spawn(Body).id(), world.spawn((Shape, Body)).id()],
    ];
    let mut world = world_of_pairs();
    let mut random = Random(7);
    let rounds = std::env::var("ECS_PAIR_ROUNDS").map_or(1_000, |text| text.parse().unwrap());
    for _ in 0..rounds {
        let alive: Vec<_> = world.entities().collect();
        let first = random.below(alive.len().max(1));
        let some = &alive[first.min(alive.len())..alive.len().min(first + 4)];
        let edit = random.below(edits.len());
        if !some.is_empty() || edit >= 10 {
            edits[edit](&mut world, some);
        }
        let mut expected: Vec<_> = world.view::<(Body, Shape)>().iter().map(|it| it.0).collect();
        let mut known = world.resource::<Pairs>().0.clone();
        expected.sort();
        known.sort();
        assert_eq!(known, expected);
        assert_eq!(world.view::<Solid>().count(), known.len());
    }
}
