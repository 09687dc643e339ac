use crate::fixtures::{Ledger, Position, Promising, Tag, Velocity, panics};
use ecs::{Bundle, Component, World};

#[derive(Bundle)]
struct Mover {
    position: Position,
    moving: Moving,
}

#[derive(Bundle)]
struct Moving(Velocity, Tag);

fn mover(at: usize) -> Mover {
    Mover { position: Position(at as f32), moving: Moving(Velocity(1.0), Tag) }
}

#[test]
fn bundles_nest() {
    let mut world = World::new();
    let entity = world.spawn(mover(3)).id();
    assert!(world.has::<(Position, Velocity, Tag)>(entity));
    world.insert(entity, (mover(4), ())).unwrap();
    assert_eq!(world.get::<Position>(entity), Some(&Position(4.0)));
    world.check_invariants();
}

#[test]
fn a_batch_is_as_many_spawns() {
    let mut world = World::new();
    let recycled: Vec<_> = (0..10).map(|_| world.spawn(Tag).id()).collect();
    recycled.iter().step_by(2).for_each(|entity| world.despawn(*entity).unwrap());
    let entities = world.spawn_batch((0..3000).map(mover));
    assert_eq!(entities.len(), 3000);
    world.check_invariants();
    for (at, entity) in entities.iter().enumerate() {
        assert_eq!(world.get::<Position>(*entity), Some(&Position(at as f32)));
        assert!(world.has::<(Velocity, Tag)>(*entity));
    }
    assert!(world.spawn_batch(core::iter::empty::<Mover>()).is_empty());
    assert_eq!(world.spawn_batch([(), ()]).len(), 2);
    world.check_invariants();
}

#[test]
fn iterators_may_lie_about_their_length() {
    for promised in [0, 5, usize::MAX] {
        let mut world = World::new();
        let liar = Promising((0..100).map(|_| Position(1.0)), promised);
        assert_eq!(world.spawn_batch(liar).len(), 100);
        assert_eq!(world.view::<Position>().count(), 100);
        world.check_invariants();
    }
}

#[test]
fn an_iterator_that_panics_leaves_yielded_entities() {
    for bomb in [0_usize, 1, 50] {
        let (mut world, ledger) = (World::new(), Ledger::default());
        let bundles = (0..100).map(|at| {
            assert!(at != bomb, "no more");
            (ledger.tracked(), Position(at as f32))
        });
        assert_eq!(panics(|| world.spawn_batch(bundles)).unwrap(), "no more");
        world.check_invariants();
        assert_eq!((world.len(), ledger.alive()), (bomb, bomb.cast_signed()));
        world.spawn_batch((0..10).map(|_| (ledger.tracked(), Tag)));
        world.check_invariants();
        drop(world);
        assert_eq!(ledger.alive(), 0);
    }
}

#[test]
fn instances_of_one_generic_type_in_one_bundle() {
    #[derive(Component, Debug, PartialEq)]
    struct Wrapper<T>(T);

    let mut world = World::new();
    let entity = world.spawn((Wrapper(1_u8), Wrapper(2_u16))).id();
    assert_eq!(world.get::<Wrapper<u8>>(entity), Some(&Wrapper(1)));
    assert_eq!(world.get::<Wrapper<u16>>(entity), Some(&Wrapper(2)));
    // One type twice, which constants cannot detect: the last one stays.
    let twice = world.spawn((Wrapper(1_u8), Wrapper(2_u8))).id();
    assert_eq!(world.get::<Wrapper<u8>>(twice), Some(&Wrapper(2)));
    world.spawn_batch((0..10).map(|at| (Wrapper(at), Wrapper(at + 1))));
    world.check_invariants();
}
