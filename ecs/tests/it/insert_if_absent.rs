//! `insert_if_absent` of components that require others.

use ecs::{Component, Entity, World};

#[derive(Component, Debug, PartialEq)]
#[component(track, requires(Required = Required(1)))]
struct Requiring(u32);
#[derive(Component, Debug, PartialEq)]
#[component(track, requires(Second = Second))]
struct Required(u32);
#[derive(Component, Debug, PartialEq)]
struct Second;
#[derive(Component, Debug, PartialEq)]
#[component(requires(Fourth = Fourth))]
struct Third;
#[derive(Component, Debug, PartialEq)]
struct Fourth;

/// Calls of observers, as text.
#[derive(ecs::Resource, Default)]
struct Calls(Vec<&'static str>);

fn note(world: &mut World, call: &'static str) {
    world.resource_mut::<Calls>().0.push(call);
}

/// A world that notes calls, and an entity with `Requiring` that lost the required components.
fn without_required() -> (World, Entity) {
    let mut world = World::new();
    world.insert_resource(Calls::default());
    let entity = world.spawn(Requiring(1)).id();
    assert!(world.remove::<(Required, Second)>(entity).0.is_some());
    world.on_insert::<Requiring>(|world, _| note(world, "Requiring inserted"));
    world.on_update::<Requiring>(|world, _| note(world, "Requiring updated"));
    world.on_insert::<Required>(|world, _| note(world, "Required inserted"));
    world.on_insert::<Second>(|world, _| note(world, "Second inserted"));
    world.on_insert::<Third>(|world, _| note(world, "Third inserted"));
    world.on_insert::<Fourth>(|world, _| note(world, "Fourth inserted"));
    (world, entity)
}

fn calls(world: &mut World) -> Vec<&'static str> {
    std::mem::take(&mut world.resource_mut::<Calls>().0)
}

#[test]
fn inserting_a_present_component_if_absent_inserts_nothing_that_it_requires() {
    let edits: [fn(&mut World, Entity); 5] = [
        |world, entity| world.insert_if_absent(entity, Requiring(2)).unwrap(),
        |world, entity| _ = world.entity_mut(entity).insert_if_absent(Requiring(2)),
        |world, entity| world.insert_if_absent(entity, ((Requiring(2), ()),)).unwrap(),
        |world, entity| _ = world.get_or_insert_with(entity, || Requiring(2)).unwrap(),
        |world, entity| {
            let mut commands = ecs::Commands::new();
            commands.queue(move |world| world.insert_if_absent(entity, Requiring(2)).unwrap());
            commands.apply(world);
        },
    ];
    for edit in edits {
        let (mut world, entity) = without_required();
        let (mut requiring, mut required) =
            (world.changes::<Requiring>(), world.changes::<Required>());
        edit(&mut world, entity);
        assert_eq!(world.get::<Requiring>(entity), Some(&Requiring(1)));
        assert!(!world.has::<Required>(entity) && !world.has::<Second>(entity));
        assert!(calls(&mut world).is_empty());
        world.advance(&mut required);
        assert!(required.inserted().is_empty());
        world.advance(&mut requiring);
        assert!(requiring.inserted().is_empty());
        world.check_invariants();
    }
}

#[test]
fn inserting_a_bundle_if_absent_inserts_requirements_of_absent_components() {
    let (mut world, entity) = without_required();
    world.insert_if_absent(entity, (Requiring(2), Third)).unwrap();
    assert!(world.has::<(Third, Fourth)>(entity) && !world.has::<Required>(entity));
    assert_eq!(calls(&mut world), ["Third inserted", "Fourth inserted"]);
    // A required component may be in the bundle itself, before or after the component that requires it.
    let (mut world, entity) = without_required();
    world.remove::<Requiring>(entity);
    world.insert_if_absent(entity, (Requiring(2), Required(5))).unwrap();
    assert_eq!(world.get::<Required>(entity), Some(&Required(5)));
    assert_eq!(calls(&mut world), ["Requiring inserted", "Required inserted", "Second inserted"]);
    // Only a component that is inserted again brings back its requirements.
    world.remove::<Required>(entity);
    world.insert_if_absent(entity, Third).unwrap();
    assert!(!world.has::<Required>(entity));
    world.insert(entity, Requiring(3)).unwrap();
    assert_eq!(world.get::<Required>(entity), Some(&Required(1)));
    world.check_invariants();
}
