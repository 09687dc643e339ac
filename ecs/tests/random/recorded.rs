//! Commands beside the same edits one by one, in cases that random operations found.

use ecs::{ChildOf, Commands, Component, Entity, World};

#[derive(Component, Clone, Debug, PartialEq)]
#[component(clone)]
struct A(u32);

#[derive(Component, Clone, Debug, PartialEq)]
#[component(clone, relation, at_end = remove)]
struct Likes(Entity);

#[derive(Component, Clone, Debug, PartialEq)]
#[component(clone, relation, at_end = despawn)]
struct PartOf(Entity);

#[test]
fn recorded_despawns_free_handles_in_the_order_of_single_despawns() {
    let worlds = [true, false].map(|is_recorded| {
        let mut world = World::new();
        let entities = world.spawn_batch((0..10).map(A));
        let children = world.spawn_batch([ChildOf(entities[1]), ChildOf(entities[1])]);
        let ended = [2, 3, 4, 7, 8, 1].map(|at| entities[at]);
        if is_recorded {
            let mut commands = Commands::new();
            for entity in ended {
                commands.despawn(entity);
            }
            commands.apply(&mut world);
        } else {
            for entity in ended {
                world.despawn(entity).unwrap();
            }
        }
        assert!(!world.is_alive(children[1]));
        world
    });
    let [recorded, single] = worlds;
    assert!(recorded.entities().eq(single.entities()));
    let next = |mut world: World| [(); 40].map(|()| world.spawn_empty().id());
    assert_eq!(next(recorded), next(single));
}

#[test]
fn spawns_that_fail_leave_no_entities() {
    let mut world = World::new();
    let mut commands = Commands::new();
    for _ in 0..100 {
        let tank = world.spawn(A(1)).id();
        commands.despawn(tank);
        let bullet = commands.spawn(&world, (A(2), Likes(tank)));
        commands.insert(bullet, A(3));
        let smoke = commands.spawn(&world, ChildOf(bullet));
        let applied = commands.apply(&mut world);
        assert_eq!((applied.missing, applied.refused), (3, 0));
        assert!([bullet, smoke].iter().all(|entity| !world.is_alive(*entity)));
        assert!(world.is_empty());
        world.check_invariants();
    }
    // One alone, while observers are called, and after others of its kind.
    world.on_insert::<A>(|world, entity| {
        if world.get::<A>(entity) == Some(&A(5)) {
            let (mut commands, dead) = (Commands::new(), world.spawn_empty().id());
            world.despawn(dead).unwrap();
            for count in [1, 3] {
                (0..count).for_each(|_| _ = commands.spawn(&*world, (A(1), PartOf(dead))));
                commands.spawn(&*world, A(6));
                assert_eq!(commands.apply(world).missing, count);
            }
        }
    });
    world.spawn(A(5));
    assert_eq!((world.len(), world.view::<A>().count()), (3, 3));
    world.check_invariants();
}

#[test]
fn a_failed_spawn_keeps_an_entity_that_other_edits_use() {
    let mut world = World::new();
    let dead = world.spawn_empty().id();
    let mut commands = Commands::new();
    let filled = commands.spawn(&world, Likes(dead));
    let target = commands.spawn(&world, Likes(dead));
    world.despawn(dead).unwrap();
    world.insert(filled, A(1)).unwrap();
    let child = world.spawn(ChildOf(target)).id();
    assert_eq!(commands.apply(&mut world).missing, 2);
    assert_eq!(world.get::<A>(filled), Some(&A(1)));
    assert_eq!(world.parent(child), Some(target));
    // An insertion that fails leaves the entity alone.
    let entity = world.spawn_empty().id();
    commands.insert(entity, Likes(dead));
    assert_eq!(commands.apply(&mut world).missing, 1);
    assert!(world.is_alive(entity));
    world.check_invariants();
}
