use crate::fixtures::{Position, Tag, Velocity};
use ecs::by_name::Kind;
use ecs::{AnyComponent, Component, Group, World};

#[test]
fn pools_show_entities_and_values_in_one_order() {
    let mut world = World::new();
    let entities = world.spawn_batch((0..10).map(|at| Position(at as f32)));
    world.remove::<Position>(entities[0]);
    let pool = world.pool::<Position>();
    assert_eq!((pool.len(), pool.is_empty()), (9, false));
    assert_eq!(pool.keys()[0], entities[9]);
    assert_eq!(pool.as_slice()[0], Position(9.0));
    assert!(pool.contains(entities[1]) && !pool.contains(entities[0]));
    assert_eq!(pool.get(entities[4]), Some(&Position(4.0)));
    assert!(pool.iter().all(|(entity, position)| entity.index() as f32 == position.0));
    assert_eq!(format!("{pool:?}"), "PoolRef<Position>(9 entities)");
    assert!(world.pool::<Velocity>().is_empty() && world.pool::<Velocity>().as_slice().is_empty());
}

#[test]
fn values_change_in_place() {
    let mut world = World::new();
    let entities = world.spawn_batch((0..10).map(|at| Position(at as f32)));
    let mut pool = world.pool_mut::<Position>();
    pool.as_mut_slice().reverse();
    pool.get_mut(entities[0]).unwrap().0 += 0.5;
    pool.iter_mut().for_each(|(_, position)| position.0 *= 2.0);
    assert_eq!(pool.keys(), entities);
    assert_eq!(pool.as_ref().get(entities[0]), Some(&Position(19.0)));
    pool.shrink_to_fit();
    assert_eq!(world.pool::<Position>().memory_usage().values, 40);
}

#[test]
fn pools_without_their_types() {
    let mut world = World::new();
    let entity = world.spawn((Position(1.0), Tag)).id();
    let mut names: Vec<_> = world.kinds().map(Kind::name).collect();
    names.sort_unstable();
    assert_eq!(names, ["Position", "Tag"]);
    for kind in world.components(entity) {
        assert!(world.kind_value(kind, entity).is_some() && world.kind_entities(kind) == [entity]);
        assert!(kind.type_name().ends_with(kind.name()));
        assert!([Position::ID, Tag::ID].contains(&kind.id()));
        assert!(Position::BIT.union(Tag::BIT).contains(kind.bit()));
    }
    let positions = world.pool::<Position>().memory_usage();
    assert_eq!(world.kind_memory_usage(Kind::of::<Position>()), positions);
    let velocity = Kind::of::<Velocity>(); // has no pool
    assert!(
        world.kind_entities(velocity).is_empty() && world.kind_memory_usage(velocity).total() == 0
    );
    let usage = world.memory_usage();
    assert_eq!(usage.pools.len(), 2);
    assert!(usage.total() > usage.entities + usage.tables);
}

#[test]
fn a_component_after_a_hundred_others() {
    #[derive(Component)]
    struct Nth<const N: usize>;
    #[derive(Component, Debug, PartialEq)]
    struct Late(u32);
    #[derive(Component)]
    struct Later;

    /// Numbers types by using them.
    macro_rules! ask_for {
        ($world:ident: $($ten:literal)*) => {$(
            ask_for!($world $ten: 0 1 2 3 4 5 6 7 8 9);
        )*};
        ($world:ident $ten:literal: $($one:literal)*) => {
            $(assert!($world.pool::<Nth<{ $ten * 10 + $one }>>().is_empty());)*
        };
    }
    let mut world = World::new();
    ask_for!(world: 0 1 2 3 4 5 6 7 8 9);
    let [a, b] = [world.spawn_empty().id(), world.spawn_empty().id()];
    assert_eq!((world.get::<Late>(a).is_none(), world.remove::<Late>(a)), (true, None));
    world.insert(a, (Later, Position(1.0), Late(3))).unwrap();
    world.insert(b, Late(4)).unwrap();
    world.check_invariants();
    assert_eq!((world.kinds().count(), world.components(a).count()), (3, 3));
    assert_eq!((world.get::<Late>(a), world.get::<Late>(b)), (Some(&Late(3)), Some(&Late(4))));
    world.get_mut::<Late>(b).unwrap().0 += 1;
    assert_eq!(world.view::<&Late>().without::<Later>().single().unwrap(), (b, &Late(5)));
    assert_eq!(world.remove::<Late>(a), Some(Late(3)));
    world.despawn(a).unwrap();
    assert!(world.pool::<Later>().is_empty() && world.pool::<Position>().is_empty());
    world.clear();
    assert!(world.pool::<Late>().is_empty());
    world.check_invariants();
}

#[test]
fn pools_lose_members_and_groups_follow() {
    let mut world = World::new();
    world.declare_group(Group::owning::<(Position, Velocity)>()).unwrap();
    let bundles = (0..100).map(|at| (Position(at as f32), Velocity(0.0)));
    let entities = world.spawn_batch(bundles);
    world.pool_mut::<Position>().retain(|_, position| position.0 % 2.0 == 0.0);
    assert_eq!(
        (world.pool::<Position>().len(), world.view::<(Position, Velocity)>().count()),
        (50, 50)
    );
    world.check_invariants();
    let order = world.pool::<Velocity>().keys().to_vec();
    let drained: Vec<_> = world.pool_mut::<Velocity>().drain().map(|(entity, _)| entity).collect();
    assert_eq!((drained, world.pool::<Velocity>().len()), (order, 0));
    assert!(world.has::<Position>(entities[2]));
    world.check_invariants();
    world.pool_mut::<Position>().clear();
    assert!(world.pool::<Position>().is_empty() && world.len() == 100);
    world.check_invariants();
}

#[test]
fn a_pool_is_walked_from_both_ends() {
    let mut world = World::new();
    assert_eq!(world.pool::<Position>().into_iter().rev().len(), 0);
    let entities = world.spawn_batch((0..4).map(|at| Position(at as f32)));
    let mut iter = world.pool::<Position>().iter();
    assert_eq!((iter.next_back(), iter.len()), (Some((entities[3], &Position(3.0))), 3));
    let again = iter.clone();
    assert!(iter.eq(again));
    let mut pool = world.pool_mut::<Position>();
    (&mut pool).into_iter().rev().zip(1..).for_each(|((_, position), at)| position.0 = at as f32);
    assert_eq!(
        pool.into_iter().map(|(_, position)| position.0).collect::<Vec<_>>(),
        [4., 3., 2., 1.]
    );
}

#[test]
fn positions_are_the_groups_where_it_owns_the_pool() {
    let mut world = World::new();
    let entities = world.spawn_batch((0..4).map(|at| (Position(at as f32), Velocity(0.0))));
    world.pool_mut::<Position>().swap(entities[0], entities[3]).unwrap();
    assert_eq!(world.pool::<Position>().keys()[0], entities[3]);
    world.pool_mut::<Position>().sort_as(&[entities[2], entities[1]]).unwrap();
    assert_eq!(world.pool::<Position>().keys()[..2], [entities[2], entities[1]]);
    world.pool_mut::<Position>().sort_by_entity().unwrap();
    assert_eq!(world.pool::<Position>().keys(), entities);
    world.declare_group(Group::owning::<(Position, Velocity)>()).unwrap();
    let mut pool = world.pool_mut::<Position>();
    assert!(pool.swap(entities[0], entities[3]).is_err());
    assert!(pool.sort_by_entity().is_err() && pool.sort_as(&[]).is_err());
}
