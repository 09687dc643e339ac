//! The term that reads the sources of a match.

use ecs::{ChildOf, Component, Entity, Has, Resource, Schedule, Sources, View, Views, World};
use std::panic::AssertUnwindSafe;

#[derive(Component, Debug, PartialEq)]
struct Belt(u32);
#[derive(Component, Debug, PartialEq)]
struct Weight(u32);
#[derive(Component, Debug, PartialEq)]
struct Fragile;
#[derive(Component, Debug, PartialEq)]
#[component(relation)]
struct CarriedBy(Entity);
#[derive(Component)]
#[component(track)]
struct Speed(u32);

fn sum<'w, R: ecs::Relation>(items: Sources<'w, R, &'w Weight>) -> u32 {
    items.map(|(_, weight)| weight.0).sum()
}

type Part<'w> = Option<(Option<Sources<'w, CarriedBy>>, Has<Weight>, &'w mut Speed)>;

#[test]
fn a_relation_that_no_entity_has_yet_has_no_targets() {
    let mut world = World::new();
    let belt = world.spawn(Belt(0)).id();
    assert!(world.view::<(&Belt, Sources<CarriedBy>)>().is_empty());
    assert!(world.view::<Belt>().with::<Sources<CarriedBy>>().is_empty());
    assert_eq!(world.view::<Belt>().without::<Sources<CarriedBy>>().count(), 1);
    let (_, _, none) = world.view::<(&Belt, Option<Sources<CarriedBy>>)>().get(belt).unwrap();
    assert!(none.is_none());
    world.spawn(ChildOf(belt)); // another relation
    assert!(world.view::<(&Belt, Sources<CarriedBy>)>().is_empty());
    assert_eq!(world.view::<(&Belt, Sources<ChildOf>)>().count(), 1);
}

#[test]
fn sources_stand_in_the_order_of_the_relation() {
    let mut world = World::new();
    let parent = world.spawn_empty().id();
    let children: Vec<_> =
        (0..4).map(|at| world.spawn((Weight(at), ChildOf(parent))).id()).collect();
    assert!(world.move_related::<ChildOf>(children[3], 0));
    world.despawn(children[1]).unwrap();
    let (_, handles) = world.view::<Sources<ChildOf>>().single().unwrap();
    assert!(handles.eq([children[3], children[0], children[2]]));
    let (_, mut weights) = world.view::<Sources<ChildOf, &Weight>>().single().unwrap();
    assert_eq!(weights.next_back(), Some((children[2], &Weight(2))));
    assert_eq!(weights.handles().len(), 2);
    assert_eq!(weights.size_hint(), (0, Some(2)));
    assert_eq!(format!("{weights:?}"), format!("[{:?}, {:?}]", children[3], children[0]));
    assert!(weights.clone().map(|(_, weight)| weight.0).eq([3, 0]));
    let mut folded = Vec::new();
    weights.for_each(|(_, weight)| folded.push(weight.0));
    assert_eq!(folded, [3, 0]);
}

#[test]
fn a_view_is_driven_by_the_targets_where_they_are_few() {
    let mut world = World::new();
    world.spawn_batch((0..5_000).map(Belt));
    let belt = world.spawn(Belt(7)).id();
    world.spawn(CarriedBy(belt));
    let plan = world.view::<(&Belt, Sources<CarriedBy>)>().explain();
    assert_eq!(plan.to_string(), "looks up the 1 member of `Sources` in the other pools");
    let plan = world.view::<Sources<ChildOf>>().explain();
    assert!(plan.to_string().starts_with("walks nothing"), "{plan}");
}

#[test]
fn loops_mark_written_components_and_not_the_sources() {
    let mut world = World::new();
    let target = world.spawn(Speed(1)).id();
    let other = world.spawn(Speed(2)).id();
    let source = world.spawn((Weight(5), CarriedBy(target))).id();
    world.insert(source, Speed(0)).unwrap();
    let mut changes = world.changes::<Speed>();
    for (_, speed, items) in world.view_mut::<(&mut Speed, Sources<CarriedBy, &Weight>)>() {
        speed.0 += sum(items);
    }
    world.advance(&mut changes);
    let marked = |entity: Entity| world.view::<Speed>().among(changes.changed()).matches(entity);
    assert_eq!([target, other, source].map(marked), [true, false, false]);
    assert_eq!(world.get::<Speed>(target).unwrap().0, 6);
    // A part that is optional keeps its own marks behind it.
    world.insert_batch([(target, Belt(0)), (other, Belt(0))]).unwrap();
    world.view_mut::<(&Belt, Option<Sources<CarriedBy, &Fragile>>, Part<'_>)>().for_each(drop);
    world.advance(&mut changes);
    let marked = |entity: Entity| world.view::<Speed>().among(changes.changed()).matches(entity);
    assert_eq!([target, other, source].map(marked), [true, true, false]);
}

#[derive(Resource, Default)]
struct Total(u32);

#[derive(Views)]
struct Line<'w> {
    belts: View<'w, (&'w mut Belt, Sources<'w, CarriedBy, &'w Weight>)>,
    total: &'w mut Total,
}

#[test]
fn systems_read_sources_by_views_and_by_fields() {
    fn lighten(weights: View<&mut Weight>) {
        weights.for_each(|(_, weight)| weight.0 -= 1);
    }
    fn load(belts: View<(&mut Belt, Sources<CarriedBy, &Weight>)>) {
        belts.for_each(|(_, belt, items)| belt.0 = sum(items));
    }
    fn add_up(line: Line) {
        line.total.0 += line.belts.into_iter().map(|(_, _, items)| sum(items)).sum::<u32>();
    }
    let mut world = World::new();
    world.insert_resource(Total::default());
    let belt = world.spawn(Belt(0)).id();
    world.spawn_batch([(Weight(3), CarriedBy(belt)), (Weight(4), CarriedBy(belt))]);
    let mut schedule = Schedule::new().add(lighten).add(load).add(add_up);
    schedule.run(&mut world).unwrap();
    assert_eq!((world.get::<Belt>(belt), world.resource::<Total>().0), (Some(&Belt(5)), 5));
}

/// A match of one view is looked up in the other.
#[test]
fn a_split_lends_handles_of_sources_beside_their_writer() {
    let mut world = World::new();
    let belt = world.spawn(Belt(10)).id();
    let items = world.spawn_batch([1, 2].map(|weight| (Weight(weight), CarriedBy(belt))));
    let (belts, mut weights) = world.split_mut::<((&Belt, Sources<CarriedBy>), &mut Weight)>();
    for (_, belt, carried) in belts {
        weights.for_each_many(carried, |(_, weight)| weight.0 += belt.0);
    }
    assert!(items.iter().map(|item| world.get::<Weight>(*item).unwrap().0).eq([11, 12]));
}

#[test]
fn two_instances_of_a_generic_component_are_compared_when_a_view_is_made() {
    #[derive(Component)]
    struct Of<T>(T);
    let mut world = World::new();
    let belt = world.spawn(Of(1_u8)).id();
    world.spawn((Of('a'), CarriedBy(belt)));
    let view = world.view_mut::<(&mut Of<u8>, Sources<CarriedBy, &Of<char>>)>();
    assert_eq!(view.into_iter().map(|(_, _, items)| items.count()).sum::<usize>(), 1);
    let refused = std::panic::catch_unwind(AssertUnwindSafe(|| {
        world.view_mut::<(&mut Of<u8>, Sources<CarriedBy, &Of<u8>>)>().count()
    }));
    let words = *refused.unwrap_err().downcast::<String>().unwrap();
    assert!(words.contains("which another of its terms writes"), "{words}");
}
