//! Handles that state a component of their entity.

use ecs::{Component, Entity, EntityOf, MapEntities, Query, View, With, World};
use std::collections::{BTreeSet, HashSet};

#[derive(Component, Clone, Debug, PartialEq)]
#[component(clone)]
struct Mass(u32);
#[derive(Component, Clone, Debug, PartialEq)]
#[component(clone)]
struct Fixed;
#[derive(Component, Clone, Debug, PartialEq)]
#[component(clone)]
struct Spring {
    ends: [EntityOf<Mass>; 2],
    broken_by: Option<EntityOf<Fixed>>,
}
#[derive(Component)]
#[component(layout = "soa")]
struct Place {
    x: u32,
}

#[test]
fn a_handle_is_made_only_of_an_entity_that_has_the_component() {
    let mut world = World::new();
    let [stone, idea] = [world.spawn(Mass(3)).id(), world.spawn(Fixed).id()];
    let handle: EntityOf<Mass> = world.handle_of(stone).unwrap();
    assert!(world.handle_of::<Mass>(idea).is_none());
    assert!(world.handle_of::<Mass>(Entity::PLACEHOLDER).is_none());
    assert_eq!(world.get_of(handle), Some(&Mass(3)));
    world.get_mut_of(handle).unwrap().0 = 4;
    assert_eq!(world.get::<Mass>(handle.entity()), Some(&Mass(4)));
    world.remove::<Mass>(stone).unwrap();
    assert!(world.get_of(handle).is_none() && world.get_mut_of(handle).is_none());
    world.insert(stone, Mass(5)).unwrap();
    assert_eq!(world.get_of(handle), Some(&Mass(5)));
    world.despawn(stone).unwrap();
    let other = world.spawn(Mass(6)).id();
    assert!(other.index() == stone.index() && world.get_of(handle).is_none());
    assert!(world.get_of(EntityOf::<Mass>::PLACEHOLDER).is_none());
}

#[test]
fn a_handle_is_a_value_like_an_entity() {
    let mut world = World::new();
    let all = world.spawn_batch((0..3).map(Mass));
    let handles: Vec<EntityOf<Mass>> =
        all.iter().filter_map(|entity| world.handle_of(*entity)).collect();
    assert_eq!(size_of::<Option<EntityOf<Mass>>>(), size_of::<Entity>());
    assert!(handles.iter().map(|handle| Entity::from(*handle)).eq(all.iter().copied()));
    assert!(handles.iter().collect::<HashSet<_>>().len() == 3 && handles.is_sorted());
    assert_eq!(handles.iter().rev().collect::<BTreeSet<_>>().first(), Some(&&handles[0]));
    assert_eq!(format!("{:?}", handles[2]), "2v1");
    let handle = world.spawn(Place { x: 2 }).id();
    let handle: EntityOf<Place> = world.handle_of(handle).unwrap();
    assert_eq!(*world.get_of(handle).unwrap().x, 2);
    *world.get_mut_of(handle).unwrap().x = 3;
    assert_eq!(*world.get_of(handle).unwrap().x, 3);
}

#[derive(Query)]
struct Loaded<'w> {
    handle: EntityOf<Mass>,
    mass: &'w mut Mass,
}

#[test]
fn views_yield_handles_of_the_entities_that_have_the_component() {
    let mut world = World::new();
    world.spawn(Fixed);
    let both = world.spawn((Mass(1), Fixed)).id();
    let one = world.spawn(Mass(2)).id();
    let of = |entity| world.handle_of::<Mass>(entity).unwrap();
    assert!(world.view::<EntityOf<Mass>>().iter().eq([of(both), of(one)]));
    assert_eq!(world.view::<EntityOf<Mass>>().iter().count(), 2);
    let fixed = world.view::<(EntityOf<Mass>, With<Fixed>)>();
    assert_eq!(fixed.iter().count(), 1);
    let with = world.view::<(EntityOf<Mass>, &Fixed)>();
    assert!(with.iter().all(|(entity, handle, _)| handle == of(both) && handle.entity() == entity));
    assert_eq!(with.iter().count(), 1);
    let maybe = world.view::<(&Fixed, Option<EntityOf<Mass>>)>();
    assert!(maybe.iter().map(|(_, _, handle)| handle).eq([None, Some(of(both))]));
    for Loaded { handle, mass } in world.view_mut::<Loaded>() {
        mass.0 += handle.entity().index();
    }
    assert_eq!((world.get::<Mass>(both), world.get::<Mass>(one)), (Some(&Mass(2)), Some(&Mass(4))));
    world.run(|handles: View<EntityOf<Mass>>| assert_eq!(handles.iter().count(), 2));
}

#[test]
fn handles_in_components_are_mapped_where_entities_are() {
    let mut prefab = World::new();
    let ends = prefab.spawn_batch([Mass(1), Mass(2)]);
    let ends = [0, 1].map(|at| prefab.handle_of::<Mass>(ends[at]).unwrap());
    let wall = prefab.spawn(Fixed).id();
    let broken_by = prefab.handle_of(wall);
    let spring = prefab.spawn(Spring { ends, broken_by }).id();
    let mut world = World::new();
    world.spawn_batch((0..5).map(|_| Fixed));
    let copies = world.spawn_copies_of(&prefab, 1).unwrap();
    let copy = copies.iter().find(|it| world.get::<Spring>(**it).is_some()).unwrap();
    let Spring { ends: [a, b], broken_by } = world.get::<Spring>(*copy).unwrap().clone();
    assert_eq!((world.get_of(a), world.get_of(b)), (Some(&Mass(1)), Some(&Mass(2))));
    assert!(a.entity() != ends[0].entity() && world.get_of(broken_by.unwrap()).is_some());

    let merged = world.merge(&mut prefab).unwrap();
    let there = *merged.get(spring).unwrap();
    let Spring { ends: [a, _], .. } = world.get::<Spring>(there).unwrap().clone();
    assert_eq!(world.get_of(a), Some(&Mass(1)));
    let mut handle = EntityOf::<Mass>::PLACEHOLDER;
    handle.visit_entities(&mut |entity| assert_eq!(entity, Entity::PLACEHOLDER));
    handle.map_entities(&mut |_| there);
    assert_eq!(handle.entity(), there);
}

/// Points to entities with a mass alone: another handle in its place does not compile.
#[derive(Component, Clone, Copy, Debug, PartialEq)]
#[component(relation, clone)]
struct Orbits(EntityOf<Mass>);

#[test]
fn a_relation_states_the_kind_of_its_target() {
    let mut world = World::new();
    let star = world.spawn(Mass(9)).id();
    let handle = world.handle_of(star).unwrap();
    let planet = world.spawn(Orbits(handle)).id();
    assert_eq!(world.target_of::<Orbits>(planet), Some(star));
    let around = world.get::<Orbits>(planet).unwrap().0;
    assert_eq!(world.get_of(around), Some(&Mass(9)));

    // In another world, the copied planet points to the copied star.
    let mut other = World::new();
    other.spawn_empty();
    let copies = other.spawn_copies_of(&world, 1).unwrap();
    assert_eq!(other.target_of::<Orbits>(copies[1]), Some(copies[0]));
    other.check_invariants();
    world.check_invariants();
    world.despawn(star).unwrap();
    assert!(!world.has::<Orbits>(planet));
}

#[derive(Component)]
#[component(needs(Mass))]
struct Moon;
#[derive(Component)]
#[component(needs(Moon))]
struct Base(u8);

#[test]
fn a_handle_is_one_of_the_needed_component_too() {
    let mut world = World::new();
    let base = world.spawn((Base(1), Moon, Mass(7))).id();
    let base: EntityOf<Base> = world.handle_of(base).unwrap();
    let moon: EntityOf<Moon> = base.needed();
    assert_eq!(world.get_of(moon.needed::<Mass>()), Some(&Mass(7)));
    let (one, Moon) = world.get_needed::<Base, Moon>(base).unwrap();
    assert_eq!(one.0, 1);
    // The rule holds: the needed component stays as long as the other one.
    assert!(world.remove::<Moon>(base.entity()).is_none());
    assert!(world.get_needed::<Base, Moon>(base).is_some());
    world.despawn(base.entity()).unwrap();
    assert!(world.get_needed::<Base, Moon>(base).is_none());
}
