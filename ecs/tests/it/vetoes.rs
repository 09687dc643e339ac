use crate::fixtures::{Door, Position, panics};
use ecs::{Component, DespawnError, RemoveError, World};

fn locked() -> Door {
    Door { locked: true, asked: 0 }
}

#[test]
fn a_veto_keeps_the_component() {
    let mut world = World::new();
    let entity = world.spawn((locked(), Position(1.0))).id();
    assert_eq!(world.remove::<Door>(entity), None);
    assert_eq!(world.try_remove::<Door>(entity), Err(RemoveError::Refused(entity, "Door")));
    assert_eq!(
        world.try_remove::<Door>(entity).unwrap_err().to_string(),
        "entity 0v1 keeps its `Door`: the component's veto refused"
    );
    assert_eq!(world.get::<Door>(entity).unwrap().asked, 3);
    world.get_mut::<Door>(entity).unwrap().locked = false;
    assert!(world.try_remove::<Door>(entity).is_ok());
    world.check_invariants();
}

#[test]
fn a_veto_keeps_the_whole_entity() {
    let mut world = World::new();
    let entity = world.spawn((Position(1.0), locked())).id();
    let error = world.despawn(entity).unwrap_err();
    assert_eq!(error, DespawnError::Refused(entity, "Door"));
    assert_eq!(error.to_string(), "entity 0v1 stays: the veto of its `Door` refused");
    assert!(world.has::<(Position, Door)>(entity));
    assert!(world.entity_mut(entity).despawn().is_err());
    world.check_invariants();
    world.get_mut::<Door>(entity).unwrap().locked = false;
    assert_eq!(world.despawn(entity), Ok(()));
}

#[test]
fn replacing_clearing_and_dropping_check_no_veto() {
    let mut world = World::new();
    let entity = world.spawn(locked()).id();
    world.insert(entity, locked()).unwrap();
    assert_eq!(world.get::<Door>(entity).unwrap().asked, 0);
    world.clear();
    assert!(world.is_empty() && !world.is_alive(entity));
    world.spawn(locked());
    drop(world);
}

#[test]
fn vetoes_of_others_with_an_equal_bit_are_not_checked() {
    #[derive(Component)]
    #[component(bit = 11, veto = never)]
    struct Guarded;
    #[derive(Component)]
    #[component(bit = 11)]
    struct Free;
    fn never(_: &mut Guarded) -> bool {
        false
    }

    let mut world = World::new();
    let guarded = world.spawn(Guarded).id();
    let free = world.spawn(Free).id();
    assert_eq!(world.despawn(free), Ok(()));
    assert!(world.despawn(guarded).is_err());
}

#[test]
fn a_veto_that_panics_changes_nothing() {
    #[derive(Component)]
    #[component(veto = explode)]
    struct Fragile(u32);
    fn explode(fragile: &mut Fragile) -> bool {
        panic!("veto of {}", fragile.0)
    }

    let mut world = World::new();
    let entity = world.spawn((Fragile(5), Position(1.0))).id();
    assert_eq!(panics(|| world.despawn(entity)).unwrap(), "veto of 5");
    assert_eq!(panics(|| world.remove::<Fragile>(entity)).unwrap(), "veto of 5");
    assert!(world.has::<(Fragile, Position)>(entity));
    world.check_invariants();
}
