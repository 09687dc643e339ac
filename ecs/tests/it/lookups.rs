//! Lookups of several entities, pairs, and queries of unusual shapes.

use ecs::{Component, DisjointError, Entity, Has, Query, Without, World};
use std::marker::PhantomData;

#[derive(Component, Debug, PartialEq)]
struct Health(u32);
#[derive(Component, Debug, PartialEq)]
#[component(track)]
struct Armour(u32);
#[derive(Component)]
struct Asleep;

#[test]
fn shared_views_get_many_entities_also_twice() {
    let mut world = World::new();
    let [a, b, c] =
        [world.spawn(Health(1)).id(), world.spawn(Health(2)).id(), world.spawn_empty().id()];
    let view = world.view::<&Health>();
    let items = view.get_many([b, a, b]).unwrap();
    assert_eq!(items, [(b, &Health(2)), (a, &Health(1)), (b, &Health(2))]);
    assert_eq!(view.get_many([a, c, b]), Err(DisjointError::NoMatch(c)));
    assert_eq!(view.get_many([]), Ok([]));
    let none = world.view::<&Health>().with::<Asleep>();
    assert_eq!(none.get_many([a]), Err(DisjointError::NoMatch(a)));
}

#[test]
fn a_slice_of_different_entities_is_lent_at_once() {
    for count in [0, 1, 5, 16, 17, 200] {
        let mut world = World::new();
        let all = world.spawn_batch((0..count).map(Health));
        let other = world.spawn_empty().id();
        let mut view = world.view_mut::<&mut Health>();
        let reversed: Vec<Entity> = all.iter().rev().copied().collect();
        let items = view.get_disjoint_vec_mut(&reversed).unwrap();
        assert!(items.iter().map(|(entity, _)| *entity).eq(reversed.iter().copied()));
        items.into_iter().for_each(|(_, health)| health.0 += 1);
        let missing = [&all[..], &[other]].concat();
        assert_eq!(view.get_disjoint_vec_mut(&missing).unwrap_err(), DisjointError::NoMatch(other));
        if let Some(last) = all.last() {
            let twice = [&all[..], &[*last]].concat();
            let error = view.get_disjoint_vec_mut(&twice).unwrap_err();
            assert_eq!(error, DisjointError::Repeated(*last));
        }
        assert!(world.view::<&Health>().iter().map(|(_, health)| health.0).eq(1..=count));
    }
}

#[test]
fn a_slice_that_is_refused_marks_nothing() {
    let mut world = World::new();
    let a = world.spawn(Armour(1)).id();
    let b = world.spawn_empty().id();
    let mut changes = world.changes::<Armour>();
    assert!(world.view_mut::<&mut Armour>().get_disjoint_vec_mut(&[a, b]).is_err());
    world.advance(&mut changes);
    assert!(changes.changed().is_empty());
    assert!(world.view_mut::<&mut Armour>().get_disjoint_vec_mut(&[a]).is_ok());
    world.advance(&mut changes);
    assert_eq!(changes.changed().len(), 1);
}

#[test]
fn each_pair_is_lent_once_in_the_order_of_the_view() {
    let mut world = World::new();
    let all = world.spawn_batch((0..20).map(Health));
    world.insert_batch(all.iter().step_by(3).map(|entity| (*entity, Asleep))).unwrap();
    let mut pairs = Vec::new();
    let mut view = world.view_mut::<(&mut Health, Has<Asleep>)>().without::<Asleep>();
    view.for_each_pair(|(a, x, _), (b, y, _)| {
        std::mem::swap(x, y);
        std::mem::swap(x, y);
        (x.0, y.0) = (x.0 + 100, y.0 + 100);
        pairs.push((a, b));
    });
    let awake: Vec<Entity> = world.view::<Without<Asleep>>().iter().collect();
    let expected = (0..awake.len()).flat_map(|at| awake[at + 1..].iter().map(move |b| (at, *b)));
    assert!(pairs.iter().copied().eq(expected.map(|(a, b)| (awake[a], b))));
    let times = u32::try_from(awake.len() - 1).unwrap();
    for (at, entity) in (0..).zip(&all) {
        let more = if awake.contains(entity) { times * 100 } else { 0 };
        assert_eq!(world.get::<Health>(*entity), Some(&Health(at + more)));
    }
}

trait Unit {
    const SCALE: u32;
}
struct Tenth;
impl Unit for Tenth {
    const SCALE: u32 = 10;
}

#[derive(Query)]
struct Scaled<'w, U: Unit> {
    health: &'w mut Health,
    unit: PhantomData<U>,
    more: (Entity, PhantomData<&'w Health>),
}

impl<U: Unit> Scaled<'_, U> {
    fn grow(self) -> u32 {
        let Self { health, unit: PhantomData, .. } = self;
        health.0 *= U::SCALE;
        health.0
    }
}

#[test]
fn a_derived_query_may_hold_markers() {
    let mut world = World::new();
    let entity = world.spawn(Health(3)).id();
    world.spawn_empty();
    for scaled in world.view_mut::<Scaled<Tenth>>() {
        assert_eq!((scaled.more.0, scaled.grow()), (entity, 30));
    }
    let marked = world.view::<(PhantomData<Tenth>, &Health)>();
    assert_eq!(marked.single().unwrap(), (entity, PhantomData, &Health(30)));
    marked_chunks(&world);
}

fn marked_chunks(world: &World) {
    let mut seen = 0;
    world.view::<(&Health, PhantomData<Tenth>)>().for_each_chunk(|(entities, healths, _)| {
        seen += entities.len().min(healths.len());
    });
    assert_eq!(seen, 1);
}

#[test]
fn the_empty_query_matches_all_entities() {
    let mut world = World::new();
    let entities = [world.spawn(Health(3)).id(), world.spawn_empty().id()];
    assert!(world.view::<()>().iter().eq(entities));
    assert_eq!(world.view::<()>().with::<Health>().single(), Ok(entities[0]));
    assert_eq!(world.view::<(&Health, ())>().single(), Ok((entities[0], &Health(3), ())));
    assert!(world.has::<()>(entities[1]));
}

#[test]
fn a_world_is_extended_by_bundles() {
    let mut world = World::new();
    world.extend((0..3).map(|at| (Health(at), Armour(at))));
    world.extend([Health(7)]);
    assert_eq!((world.view::<&Health>().count(), world.view::<&Armour>().count()), (4, 3));
}
