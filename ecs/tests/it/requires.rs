//! Components that come with others.

use crate::fixtures::{Ledger, Position, Tag, Tracked, Velocity, panics};
use ecs::{Bundle, Component, Entity, Group, World};
use std::cell::Cell;

/// Comes with a hull, whose own requirement is a position, and with fuel.
#[derive(Component, Default, Debug, PartialEq)]
#[component(requires(Hull, Fuel = Fuel::full()))]
struct Ship(u32);
#[derive(Component, Default, Debug, PartialEq)]
#[component(requires(Position, Velocity = Velocity(1.5)))]
struct Hull;
#[derive(Component, Debug, PartialEq)]
#[component(layout = "soa")]
struct Fuel {
    left: u32,
    room: u32,
}

thread_local! {
    /// The number of fuels that were made, and the one that panics.
    static MADE: Cell<u32> = const { Cell::new(0) };
    static PANICS_AT: Cell<u32> = const { Cell::new(u32::MAX) };
}

impl Fuel {
    fn full() -> Self {
        let made = MADE.get();
        MADE.set(made + 1);
        assert!(made != PANICS_AT.get(), "no fuel");
        Self { left: 100, room: 100 }
    }
}

fn is_whole(world: &World, entity: Entity) -> bool {
    world.has::<(Ship, Hull, Fuel, Position)>(entity)
        && world.get::<Velocity>(entity) == Some(&Velocity(1.5))
        && world.get::<Fuel>(entity).is_some_and(|fuel| *fuel.left == 100)
}

#[test]
fn a_required_value_may_begin_like_a_statement() {
    #[derive(Component, Debug, PartialEq)]
    struct Speed(u32);
    impl std::ops::Add<u32> for Speed {
        type Output = Self;
        fn add(self, more: u32) -> Self {
            Self(self.0 + more)
        }
    }
    macro_rules! slow {
        () => {
            Speed(1)
        };
    }
    #[derive(Component)]
    #[component(requires(Speed = slow! {} + 3))]
    struct Fast;
    let mut world = World::new();
    let fast = world.spawn(Fast).id();
    assert_eq!(world.get::<Speed>(fast), Some(&Speed(4)));
}

#[test]
fn every_insertion_inserts_required_components() {
    #[derive(Bundle)]
    struct Named {
        ship: (Ship, Tag),
        name: ecs::Name,
    }
    let mut world = World::new();
    let [inserted, added, replaced, made, handled] = [(); 5].map(|()| world.spawn_empty().id());
    world.insert(inserted, (Tag, Ship(1))).unwrap();
    world.insert(added, Ship::default()).unwrap();
    assert_eq!(world.replace(replaced, Ship(2)), Ok(None));
    world.get_or_insert_with(made, || Ship(3)).unwrap().0 += 1;
    world.entity_mut(handled).insert(Ship(4));
    let spawned = world.spawn(Named { ship: (Ship(5), Tag), name: ecs::Name::new("F") }).id();
    let reserved = world.reserve_entity();
    world.insert(reserved, Ship(6)).unwrap();
    let all = [inserted, added, replaced, made, handled, spawned, reserved];
    world.check_invariants();
    assert!(all.iter().all(|&entity| is_whole(&world, entity)));
    assert_eq!(world.get::<Ship>(made), Some(&Ship(4)));

    let spawned = world.spawn_batch((0..500).map(|at| (Ship(at), Tag)));
    world.check_invariants();
    assert!(spawned.iter().all(|&entity| is_whole(&world, entity)));
    let one = world.spawn_batch([Ship(7)]);
    let empty: Vec<Entity> = (0..500).map(|_| world.spawn_empty().id()).collect();
    world.insert_batch(empty.iter().map(|&entity| (entity, Ship(8)))).unwrap();
    world.insert_batch([(one[0], Tag)]).unwrap();
    world.check_invariants();
    assert!(empty.iter().chain(&one).all(|&entity| is_whole(&world, entity)));
}

#[test]
fn given_and_existing_components_are_not_made_anew() {
    let mut world = World::new();
    let fuel = || Fuel { left: 3, room: 4 };
    MADE.set(0);
    let with_fuel = world.spawn((Ship(1), fuel())).id();
    let nested = world.spawn((fuel(), (Ship(1), Position(7.0)))).id();
    let had_fuel = world.spawn(fuel()).id();
    world.insert(had_fuel, Ship(1)).unwrap();
    let had_more = world.spawn((fuel(), Velocity(2.0))).id();
    let absent = world.spawn(Tag).insert_if_absent((Ship(1), fuel())).id();
    let batch = world.spawn_batch([(Ship(1), fuel()), (Ship(2), fuel())]);
    world.insert_batch([(had_more, (Ship(1), Tag)), (batch[1], (Ship(3), Tag))]).unwrap();
    for entity in [with_fuel, nested, had_fuel, had_more, absent, batch[0], batch[1]] {
        assert_eq!(world.get::<Fuel>(entity).map(|fuel| (*fuel.left, *fuel.room)), Some((3, 4)));
        assert!(world.has::<(Ship, Hull, Position, Velocity)>(entity));
    }
    assert_eq!(world.get::<Position>(nested), Some(&Position(7.0)));
    assert_eq!(world.get::<Velocity>(had_more), Some(&Velocity(2.0)));
    assert_eq!(MADE.get(), 0);
    world.check_invariants();
}

#[test]
fn removed_requirements_return_with_the_next_insertion() {
    let mut world = World::new();
    let entity = world.spawn(Ship(1)).id();
    assert_eq!(world.remove::<Hull>(entity), Some(Hull));
    assert!(world.remove::<Position>(entity).is_some() && world.has::<Ship>(entity));
    world.get_mut::<Ship>(entity).unwrap().0 = 2;
    assert!(!world.has::<Hull>(entity));
    assert_eq!(world.replace(entity, Ship(3)), Ok(Some(Ship(2))));
    assert!(is_whole(&world, entity));
    // An existing component does not insert its own requirements.
    world.remove::<Position>(entity);
    world.insert(entity, Ship(4)).unwrap();
    assert!(!world.has::<Position>(entity));
    world.insert(entity, Hull).unwrap();
    assert!(is_whole(&world, entity));
    world.despawn(entity).unwrap();
    assert!(world.insert(entity, Ship(5)).is_err() && world.view::<Hull>().is_empty());
}

#[test]
fn groups_contain_entities_with_new_required_components() {
    let mut world = World::new();
    world.declare_group(Group::owning::<(Ship, Position)>()).unwrap();
    world.declare_group(Group::owning::<(Ship, Position, Velocity)>()).unwrap();
    world.declare_group(Group::owning::<Hull>().without::<Tag>()).unwrap();
    world.declare_group(Group::observing::<Ship>().without::<Hull>()).unwrap();
    let lens = |world: &World| {
        world.check_invariants();
        world.groups().map(ecs::GroupRef::len).collect::<Vec<_>>()
    };
    let mut all = world.spawn_batch((0..300).map(Ship));
    all.extend((0..300).map(|at| world.spawn((Ship(at), Tag)).id()));
    for _ in 0..300 {
        let entity = world.spawn(Position(1.0)).id();
        world.insert(entity, Ship(0)).unwrap();
        all.push(entity);
    }
    let mut expected = vec![900, 900, 600, 0];
    expected.sort_unstable();
    let mut found = lens(&world);
    found.sort_unstable();
    assert_eq!(found, expected);
    assert_eq!(world.remove_batch::<Hull>(&all[..150]), 150);
    assert_eq!(lens(&world).iter().sum::<usize>(), 900 + 900 + 450 + 150);
    world.insert_batch(all.iter().map(|&entity| (entity, Ship(1)))).unwrap();
    let mut found = lens(&world);
    found.sort_unstable();
    assert_eq!(found, expected);
    assert_eq!(world.despawn_batch(&all), 900);
    assert_eq!(lens(&world), [0; 4]);
}

#[test]
fn a_panic_while_a_value_is_made_leaves_it_out() {
    let mut world = World::new();
    world.declare_group(Group::owning::<(Ship, Hull)>()).unwrap();
    let panic_at = |count| {
        MADE.set(0);
        PANICS_AT.set(count);
    };
    panic_at(0);
    assert_eq!(panics(|| world.spawn((Ship(1), Tag))).as_deref(), Some("no fuel"));
    world.check_invariants();
    assert_eq!(world.view::<(Ship, Tag, Hull, Position, Velocity)>().count(), 1);
    assert!(world.view::<Fuel>().is_empty());

    panic_at(10);
    assert!(panics(|| world.spawn_batch((0..100).map(Ship))).is_some());
    world.check_invariants();
    assert_eq!((world.len(), world.view::<Ship>().count()), (101, 101));
    assert_eq!((world.view::<Hull>().count(), world.view::<Fuel>().count()), (12, 10));

    panic_at(20);
    let all: Vec<_> = world.entities().collect();
    let given = all.iter().map(|&entity| (entity, Ship(2)));
    assert!(panics(|| world.insert_batch(given.clone())).is_some());
    world.check_invariants();
    assert_eq!(world.view::<Fuel>().count(), 30);
    panic_at(u32::MAX);
    world.insert_batch(given).unwrap();
    world.check_invariants();
    assert!(all.iter().all(|&entity| is_whole(&world, entity)));
}

/// An iterator that panics ends a batch: its entities so far are whole.
#[test]
fn a_batch_that_ends_early_has_required_components() {
    let mut world = World::new();
    let ships =
        |count| (0..300).map(move |at| if at == count { panic!("enough") } else { Ship(at) });
    assert!(panics(|| world.spawn_batch(ships(200))).is_some());
    let all: Vec<_> = world.entities().collect();
    world.check_invariants();
    assert!(all.len() == 200 && all.iter().all(|&entity| is_whole(&world, entity)));
    let empty: Vec<_> = (0..300).map(|_| world.spawn_empty().id()).collect();
    let given = empty.iter().copied().zip(ships(200));
    assert!(panics(|| world.insert_batch(given)).is_some());
    world.check_invariants();
    assert!(empty[..200].iter().all(|&entity| is_whole(&world, entity)));
    assert!(!empty[200..].iter().any(|&entity| world.has::<Ship>(entity)));
}

#[test]
fn a_batch_whose_old_values_panic_has_required_components() {
    #[derive(Component)]
    #[component(requires(Hull))]
    struct Alarm(bool);
    impl Drop for Alarm {
        fn drop(&mut self) {
            assert!(!self.0 || std::thread::panicking(), "loud");
        }
    }
    let mut world = World::new();
    let all = world.spawn_batch((0..300).map(|at| Alarm(at == 140)));
    assert_eq!(world.remove_batch::<Hull>(&all), 300);
    let over = || world.insert_batch(all.iter().map(|&entity| (entity, Alarm(false))));
    assert_eq!(panics(over).as_deref(), Some("loud"));
    // All entities with the new value have its requirements; the others are unchanged.
    let whole = all.iter().take_while(|entity| world.has::<Hull>(**entity)).count();
    assert!(whole > 140 && all[whole..].iter().all(|entity| !world.has::<Hull>(*entity)));
    assert!(!world.get::<Alarm>(all[140]).unwrap().0);
    world.check_invariants();
}

#[test]
fn values_are_expressions_where_the_component_is() {
    const FULL: Cargo = Cargo(9);
    #[derive(Component, Debug, PartialEq)]
    struct Cargo(u32);
    #[derive(Component, Debug, PartialEq)]
    struct Crew(u32);
    #[derive(Component)]
    #[component(veto = Freighter::may_go, requires(Cargo = FULL, Crew = Crew(Self::CREW + 1)))]
    struct Freighter(bool);
    impl Freighter {
        const CREW: u32 = 4;
        fn may_go(&mut self) -> bool {
            self.0
        }
    }
    let mut world = World::new();
    let entity = world.spawn(Freighter(false)).id();
    assert_eq!(world.get::<Cargo>(entity), Some(&FULL));
    assert_eq!(world.get::<Crew>(entity), Some(&Crew(5)));
    assert!(world.remove::<Freighter>(entity).is_none() && world.remove::<Cargo>(entity).is_some());
}

#[test]
fn generic_components_require_and_are_required() {
    #[derive(Component, Default, Debug, PartialEq)]
    struct Slot<T>(Option<T>);
    #[derive(Component, Default)]
    #[component(requires(Slot<T>, Slot<char> = Slot(Some('a')), T))]
    struct Holder<T: Component + Default>(T);
    /// In a cycle with `Egg`, which constants cannot detect, as both are generic.
    #[derive(Component)]
    #[component(requires(Egg<T> = Egg(None)))]
    struct Hen<T>(Option<T>);
    #[derive(Component)]
    #[component(requires(Hen<u8> = Hen(None), Hen<u16> = Hen(None)))]
    struct Egg<T>(Option<T>);

    let mut world = World::new();
    let entity = world.spawn(Holder(Position(1.0))).id();
    assert_eq!(world.get::<Slot<Position>>(entity), Some(&Slot(None)));
    assert_eq!(world.get::<Slot<char>>(entity), Some(&Slot(Some('a'))));
    assert_eq!(world.get::<Position>(entity), Some(&Position(0.0)));
    let entity = world.spawn((Slot(Some('b')), Holder(Hull))).id();
    assert_eq!(world.get::<Slot<char>>(entity), Some(&Slot(Some('b'))));
    assert!(world.has::<(Slot<Hull>, Hull, Velocity)>(entity));

    let hen = world.spawn(Hen::<u8>(None)).id();
    assert!(world.has::<(Hen<u8>, Egg<u8>, Hen<u16>, Egg<u16>)>(hen));
    assert_eq!(world.components(hen).count(), 4);
    world.check_invariants();
}

/// More than the tuples of the library have room for.
#[test]
fn thirteen_requirements() {
    macro_rules! parts {
        ($($name:ident)*) => {
            $(#[derive(Component, Default)] struct $name;)*
            #[derive(Component)]
            #[component(requires($($name),*))]
            struct Engine;
        };
    }
    parts!(A B C D E F G H I J K L M);
    let mut world = World::new();
    let engine = world.spawn(Engine).id();
    assert_eq!(world.components(engine).count(), 14);
    assert!(world.has::<(A, L, M)>(engine));
}

#[test]
fn replaced_and_required_values_are_dropped_once() {
    thread_local!(static LEDGER: Ledger = Ledger::default());
    #[derive(Component)]
    #[component(requires(Tracked = LEDGER.with(Ledger::tracked)))]
    struct Owner;
    let mut world = World::new();
    let alive = || LEDGER.with(Ledger::alive);
    let entity = world.spawn(Owner).id();
    world.insert(entity, Owner).unwrap();
    assert_eq!(alive(), 1);
    world.insert(entity, (Owner, LEDGER.with(Ledger::tracked))).unwrap();
    world.spawn_batch((0..100).map(|_| Owner));
    assert_eq!(alive(), 101);
    drop(world);
    assert_eq!(alive(), 0);
}
