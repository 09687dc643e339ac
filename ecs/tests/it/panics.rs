//! After a panic in user code a world is whole, has dropped nothing twice, and goes on.

use crate::fixtures::{Ledger, Position, Tag, Tracked, Velocity, panics};
use ecs::{Component, Entity, SparseSet, World};
use std::cell::{Cell, RefCell};

/// Does everything once more.
fn use_on(mut world: World, ledger: &Ledger) {
    world.check_invariants();
    let alive = ledger.alive();
    let entity = world.spawn((ledger.tracked(), Position(1.0), Tag)).id();
    assert!(world.remove::<Tracked>(entity).is_some());
    for (_, tracked) in world.view_mut::<&mut Tracked>() {
        *tracked.value = 7;
    }
    world.despawn(entity).unwrap();
    world.check_invariants();
    assert_eq!(ledger.alive(), alive);
    drop(world);
    assert_eq!(ledger.alive(), 0);
}

#[test]
fn clearing() {
    for bomb in 0..5 {
        let (mut world, ledger) = (World::new(), Ledger::default());
        for at in 0..5 {
            let value = if at == bomb { ledger.bomb() } else { ledger.tracked() };
            world.spawn((value, Position(1.0)));
        }
        assert_eq!(panics(|| world.clear()).unwrap(), "a bomb went off");
        assert_eq!((world.len(), ledger.alive()), (0, 0));
        assert_eq!(world.view::<Position>().count(), 0, "the other pools are cleared, too");
        use_on(world, &ledger);
    }
}

#[test]
fn despawning() {
    #[derive(Component)]
    struct Before(Tracked);
    #[derive(Component)]
    struct After(Tracked);

    for bomb in 0..3 {
        let (mut world, ledger) = (World::new(), Ledger::default());
        let value = |at| if at == bomb { ledger.bomb() } else { ledger.tracked() };
        let entity = world.spawn((Before(value(0)), value(1), After(value(2)))).id();
        let other = world.spawn((Before(ledger.tracked()), ledger.tracked())).id();
        assert!(panics(|| world.despawn(entity)).is_some());
        assert_eq!(ledger.alive(), 2, "what is left is the other's");
        assert!(!world.is_alive(entity) && world.has::<(Before, Tracked)>(other));
        let recycled = world.spawn_empty().id();
        assert_eq!(recycled.index(), entity.index());
        assert_eq!(world.components(recycled).count(), 0);
        use_on(world, &ledger);
    }
}

#[test]
fn replacing_and_dropping_removed_values() {
    let (mut world, ledger) = (World::new(), Ledger::default());
    let entity = world.spawn((ledger.bomb(), Tag)).id();
    assert!(panics(|| world.insert(entity, (ledger.tracked(), Velocity(1.0)))).is_some());
    assert_eq!(*world.get::<Tracked>(entity).unwrap().value, 7, "the new value is in place");
    assert!(!world.has::<Velocity>(entity), "what comes after it in the bundle is not");
    world.insert(entity, ledger.bomb()).unwrap();
    assert!(panics(|| drop(world.remove::<Tracked>(entity))).is_some());
    assert!(!world.has::<Tracked>(entity) && world.has::<Tag>(entity));
    use_on(world, &ledger);
}

#[test]
fn dropping_the_world() {
    let (mut world, ledger) = (World::new(), Ledger::default());
    for at in 0..10 {
        world.spawn((if at == 4 { ledger.bomb() } else { ledger.tracked() }, Position(0.0)));
    }
    assert!(panics(move || drop(world)).is_some());
    assert_eq!(ledger.alive(), 0);
}

#[test]
fn closures() {
    let (mut world, ledger) = (World::new(), Ledger::default());
    let entity = world.spawn(ledger.tracked()).id();
    for _ in 0..100 {
        world.spawn((ledger.tracked(), Position(1.0)));
    }
    assert!(panics(|| world.patch::<Tracked>(entity, |_| panic!("no"))).is_some());
    let mut left = 50;
    let count_down = |(_, position): (_, &mut Position)| {
        left -= 1;
        position.0 = 2.0;
        assert!(left > 0, "enough");
    };
    assert_eq!(
        panics(|| world.view_mut::<&mut Position>().for_each(count_down)).unwrap(),
        "enough"
    );
    assert_eq!(world.view::<Position>().iter().filter(|(_, p)| p.0 > 1.0).count(), 50);
    use_on(world, &ledger);
}

#[test]
fn values_that_are_made_on_the_way_in() {
    fn never() -> Tracked {
        panic!("cannot be made")
    }
    let (mut world, ledger) = (World::new(), Ledger::default());
    let entity = world.spawn(Tag).id();
    assert!(panics(|| world.insert(entity, (Position(1.0), never()))).is_some());
    assert!(!world.has::<Position>(entity), "the bundle was never whole");
    use_on(world, &ledger);
}

#[test]
fn no_memory_for_a_huge_component() {
    #[derive(Component)]
    #[expect(dead_code)]
    struct Huge([u8; 1 << 44]);

    // Making room for it overflows before anything is touched.
    let mut world = World::new();
    let entity = world.spawn(Position(1.0)).id();
    let batch = (0..1 << 20).map(|_| -> Huge { unreachable!("there was no room") });
    assert!(panics(|| world.spawn_batch(batch)).unwrap().contains("capacity overflow"));
    assert!(!world.has::<Huge>(entity));
    world.check_invariants();
}

#[test]
fn members_of_a_set_that_are_dropped() {
    let edits: [fn(&mut SparseSet<Tracked>); 4] = [
        |set| set.retain(|key, _| key % 2 == 0),
        |set| drop(set.remove(5)),
        |set| drop(set.drain()),
        SparseSet::clear,
    ];
    for edit in edits {
        let ledger = Ledger::default();
        let value = |key| if key == 5 { ledger.bomb() } else { ledger.tracked() };
        let mut set: SparseSet<Tracked> = (0..10).map(|key| (key, value(key))).collect();
        assert_eq!(panics(|| edit(&mut set)).unwrap(), "a bomb went off");
        assert_eq!(set.len().cast_signed(), ledger.alive());
        assert!(set.keys().iter().all(|key| *key != 5 && *set.get(*key).unwrap().value == 7));
        set.extend([(5, ledger.tracked())]);
        assert_eq!(set.len().cast_signed(), ledger.alive());
        drop(set);
        assert_eq!(ledger.alive(), 0);
    }
}

#[test]
fn a_value_that_a_set_is_to_make() {
    let mut set: SparseSet<u32> = [(1, 1)].into_iter().collect();
    for key in [0, 1, 5_000] {
        assert!(panics(|| set.insert_with(key, || panic!("cannot be made"))).is_some());
        assert_eq!((set.keys(), set.as_slice(), set.contains(key)), (&[1][..], &[1][..], key == 1));
    }
}

#[test]
fn copies_that_are_made() {
    struct Copied(#[expect(dead_code)] Tracked, Ledger, isize);
    impl Clone for Copied {
        fn clone(&self) -> Self {
            assert!(self.1.alive() < self.2, "enough copies");
            Self(self.1.tracked(), self.1.clone(), self.2)
        }
    }
    for most in 10..=20 {
        let ledger = Ledger::default();
        let value = || Copied(ledger.tracked(), ledger.clone(), most);
        let set: SparseSet<Copied> = (0..10).map(|key| (key * 300, value())).collect();
        assert_eq!(panics(|| set.clone()).is_some(), most < 20);
        assert_eq!((ledger.alive(), set.len()), (10, 10), "what was copied is dropped");
        assert!(set.keys().iter().all(|key| set.contains(*key)));
        // A set whose `clone_from` panicked is empty and consistent.
        let mut other: SparseSet<Copied> = (5..8).map(|key| (key, value())).collect();
        let panicked = panics(|| other.clone_from(&set)).is_some();
        assert_eq!(panicked, most < 20);
        assert_eq!(other.len(), if panicked { 0 } else { 10 });
        other.check_invariants();
        other.insert(7, value());
        assert!(other.contains(7) && !other.contains(5));
    }
}

thread_local! {
    static HOME: RefCell<World> = const { RefCell::new(World::new()) };
    static REFUSED: Cell<usize> = const { Cell::new(0) };
}

/// Spawns in the thread's world when it is dropped, unless that is borrowed.
#[derive(Component)]
struct Caller;

impl Drop for Caller {
    fn drop(&mut self) {
        HOME.with(|home| match home.try_borrow_mut() {
            Ok(mut home) => _ = home.spawn(Position(1.0)),
            Err(_) => REFUSED.set(REFUSED.get() + 1),
        });
    }
}

#[test]
fn drops_that_call_back() {
    let edits: [fn(&mut World, &[Entity]); 7] = [
        |world, entities| world.despawn(entities[0]).unwrap(),
        |world, entities| drop(world.remove::<Caller>(entities[0])),
        |world, entities| world.insert(entities[0], Caller).unwrap(),
        |world, entities| _ = world.remove_batch::<Caller>(entities),
        |world, entities| _ = world.despawn_batch(entities),
        |world, entities| world.insert_batch(entities.iter().map(|&it| (it, Caller))).unwrap(),
        |world, _| world.clear(),
    ];
    for edit in edits {
        // The world that is edited is borrowed, which `RefCell` detects.
        HOME.with_borrow_mut(|home| {
            let entities = home.spawn_batch((0..10).map(|_| Caller));
            let before = REFUSED.get();
            edit(home, &entities);
            assert!(REFUSED.get() > before);
            home.check_invariants();
        });
        // Into another one.
        let mut world = World::new();
        let entities = world.spawn_batch((0..10).map(|_| Caller));
        let before = HOME.with_borrow(World::len);
        edit(&mut world, &entities);
        world.check_invariants();
        assert!(HOME.with_borrow(World::len) > before);
        drop(world);
        HOME.with_borrow(World::check_invariants);
        drop(HOME.take());
    }
}
