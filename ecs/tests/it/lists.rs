//! The items of lists of entities.

use crate::fixtures::{Asleep, Mass, Position, Promising, Tag, Velocity, scattered};
use ecs::{Component, Entity, Query, With, Without, World};
use std::borrow::Borrow;
use std::cell::Cell;
use std::collections::BTreeMap;

#[derive(Component)]
#[component(layout = "soa")]
struct Place {
    x: f32,
    y: f32,
}

#[derive(Query)]
struct Mover<'w> {
    entity: Entity,
    position: &'w mut Position,
    velocity: &'w Velocity,
}

/// So few entities that values are in the caches, and enough that they are not: two thirds move, and
/// up to 32,768 are near.
const COUNTS: [u32; 2] = [600, 65_536];

/// A world, and its entities in another order: alive, dead, recycled, and some twice.
fn scene(count: u32) -> (World, Vec<Entity>) {
    let mut world = World::new();
    let mut entities = scattered(&mut world, count);
    for at in (0..entities.len()).step_by(10) {
        world.despawn(entities[at]).unwrap();
    }
    for at in 0..count / 20 {
        entities.push(world.spawn((Position(at as f32), Velocity(1.0))).id());
    }
    let len = entities.len();
    let list = (0..len + len / 3).map(|step| entities[step * 11 % len]).collect();
    (world, list)
}

#[test]
fn a_list_yields_the_item_of_each_entity() {
    for count in COUNTS {
        let (mut world, list) = scene(count);
        let mut view = world.view_mut::<(&mut Position, &Velocity, Option<&Mass>)>();
        for len in [0, 1, 2, 63, 64, 65, 128, 300, list.len()] {
            let (mut expected, mut found) = (Vec::new(), Vec::new());
            for &entity in &list[..len] {
                if let Some((entity, position, velocity, mass)) = view.get_mut(entity) {
                    expected.push((entity, *position, *velocity, mass.cloned()));
                }
            }
            view.for_each_many(&list[..len], |(entity, position, velocity, mass)| {
                found.push((entity, *position, *velocity, mass.cloned()));
            });
            assert_eq!(found, expected);
            assert!(len < 300 || found.len() < len * 3 / 4 && found.len() > len / 3);
        }
    }
}

#[test]
fn entities_named_twice_are_changed_twice() {
    for count in COUNTS {
        let (mut world, list) = scene(count);
        let before: Vec<_> = list
            .iter()
            .map(|&entity| {
                (world.get::<Position>(entity).copied(), world.get::<Velocity>(entity).copied())
            })
            .collect();
        let (mut listed, mut found) = (BTreeMap::new(), BTreeMap::new());
        for &entity in &list {
            *listed.entry(entity).or_insert(0) += 1;
        }
        world.view_mut::<Mover>().for_each_many(&list, |mover| {
            mover.position.0 += mover.velocity.0;
            *found.entry(mover.entity).or_insert(0) += 1;
        });
        let mut twice = 0;
        for (entity, (position, velocity)) in list.iter().zip(before) {
            let times = listed[entity];
            assert_eq!(found.get(entity), velocity.map(|_| &times));
            let moved = times as f32 * velocity.map_or(0.0, |velocity| velocity.0);
            let expected = position.map(|position| Position(position.0 + moved));
            assert_eq!(world.get::<Position>(*entity).copied(), expected);
            twice += usize::from(times == 2);
        }
        assert!(twice > list.len() / 4);
    }
}

#[test]
fn lists_and_every_kind_of_view() {
    for count in COUNTS {
        let (mut world, list) = scene(count);
        let alive = list.iter().filter(|entity| world.is_alive(**entity)).count();
        assert!(alive < list.len());
        let with =
            |found: &dyn Fn(Entity) -> bool| list.iter().filter(|entity| found(**entity)).count();
        let (asleep, awake, light) = (
            with(&|entity| world.has::<(Velocity, Asleep)>(entity)),
            with(&|entity| world.has::<Velocity>(entity) && !world.has::<Asleep>(entity)),
            with(&|entity| world.is_alive(entity) && !world.has::<Mass>(entity)),
        );
        assert!(asleep > 0 && awake > 0 && light > 0);

        let (mut all, mut some, mut none) = (0, 0, 0);
        world.view::<Option<&Mass>>().for_each_many(&list, |_| all += 1);
        world.view::<Velocity>().with::<Asleep>().for_each_many(&list, |_| some += 1);
        world.view::<Tag>().for_each_many(&list, |_| none += 1);
        assert_eq!((all, some, none), (alive, asleep, 0));
        let (mut some, mut few) = (0, 0);
        world.view::<With<Velocity>>().without::<Asleep>().for_each_many(&list, |_| some += 1);
        world.view::<Without<Mass>>().for_each_many(&list, |_| few += 1);
        assert_eq!((some, few), (awake, light));

        // By value and by iterator; columns.
        for entity in
            list.iter().copied().filter(|entity| world.is_alive(*entity)).collect::<Vec<_>>()
        {
            world.insert(entity, Place { x: 1.0, y: entity.index() as f32 }).unwrap();
        }
        let evens = list.iter().filter(|entity| entity.index() % 2 == 0);
        world.view_mut::<&mut place::x>().for_each_many(evens, |(_, x)| *x = 0.0);
        let (mut odd, mut expected) = (0.0, 0.0);
        world.view::<Place>().for_each_many(list.clone(), |(entity, place)| {
            assert_eq!(*place.y, entity.index() as f32);
            odd += *place.x;
            expected += (entity.index() % 2) as f32;
        });
        assert_eq!(odd, expected);
    }
}

/// Shows one handle or the other.
struct Fickle([Entity; 2], Cell<usize>);

impl Borrow<Entity> for Fickle {
    fn borrow(&self) -> &Entity {
        self.1.set(self.1.get() + 1);
        &self.0[self.1.get() % 2]
    }
}

#[test]
fn lists_may_lie() {
    for count in COUNTS {
        let mut world = World::new();
        let entities = world.spawn_batch((0..count).map(|at| (Mass(at), Tag)));
        let dead = entities[3];
        world.despawn(dead).unwrap();
        let mut view = world.view_mut::<(&mut Mass, &Tag)>();
        let list = (0..1_000).map(|at| Fickle([entities[at % 600], dead], Cell::new(at)));
        let mut seen = 0;
        view.for_each_many(list, |(entity, mass, _)| {
            assert_eq!(entity.index(), mass.0);
            seen += 1;
        });
        assert!(seen > 400 && seen < 600, "{seen}");
        for promised in [0, 3, usize::MAX] {
            let mut left = entities.len() - 1;
            view.for_each_many(Promising(&mut entities.iter(), promised), |_| left -= 1);
            assert_eq!(left, 0);
        }
        world.check_invariants();
    }
}
