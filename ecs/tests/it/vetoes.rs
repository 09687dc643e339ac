use crate::fixtures::{Door, Position, panics};
use ecs::{ChildOf, Commands, Component, DespawnError, RemoveError, World};

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

/// Each entity of a chain ends with the one before.
#[test]
fn a_veto_that_refused_is_not_called_again_by_a_batch() {
    for by_commands in [false, true] {
        let mut world = World::new();
        let all = world.spawn_batch((0..50).map(|_| ()));
        for pair in all.windows(2) {
            world.attach(pair[1], pair[0]).unwrap();
        }
        let other = world.spawn(ChildOf(all[20])).id();
        world.insert(all[49], locked()).unwrap();
        if by_commands {
            let mut commands = Commands::new();
            all.iter().for_each(|it| commands.despawn(*it));
            let applied = commands.apply(&mut world);
            assert_eq!((applied.missing, applied.refused), (0, 50));
        } else {
            assert_eq!(world.despawn_batch(&all), 0);
        }
        assert_eq!((world.len(), world.get::<Door>(all[49]).unwrap().asked), (51, 1));
        assert_eq!(world.despawn_batch(&[all[3], other, all[3]]), 1, "it ends by itself");
        assert_eq!((world.is_alive(other), world.get::<Door>(all[49]).unwrap().asked), (false, 2));
        world.check_invariants();
    }
}

/// A veto keeps a relation to an entity, so neither the entity ends nor the ones that it ends with.
#[test]
fn a_relation_that_is_kept_keeps_all_that_its_target_depends_on() {
    #[derive(Component)]
    #[component(relation, veto = never)]
    struct Tied(#[component(target)] ecs::Entity);
    fn never(_: &Tied) -> bool {
        false
    }
    let mut world = World::new();
    let parent = world.spawn_empty().id();
    let [child, other] = [(); 2].map(|()| world.spawn(ChildOf(parent)).id());
    let tied = world.spawn(Tied(child)).id();
    assert_eq!(world.despawn_batch(&[parent, child, other]), 1);
    assert_eq!(
        [parent, child, other, tied].map(|it| world.is_alive(it)),
        [true, true, false, true]
    );
    assert_eq!(world.despawn_batch(&[tied]), 0, "its veto refuses");
    world.check_invariants();
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
