use crate::fixtures::{Position, Tag, Velocity, panics};
use ecs::{DespawnError, Entity, Group, NoSuchEntityError, RemoveError, SpawnAtError, World};
use std::collections::BTreeSet;

#[test]
fn a_dead_handle_stays_dead_while_its_index_is_used_again() {
    let mut world = World::new();
    let mut dead = Vec::new();
    for _ in 0..100 {
        let entity = world.spawn(Position(1.0)).id();
        assert_eq!(entity.index(), 0, "the index is recycled");
        assert!(
            dead.iter().all(|old| !world.is_alive(*old) && world.get::<Position>(*old).is_none())
        );
        world.despawn(entity).unwrap();
        dead.push(entity);
    }
    assert_eq!(dead.iter().collect::<BTreeSet<_>>().len(), 100);
}

#[test]
fn despawning_twice_is_an_error_and_a_recycled_index_starts_empty() {
    let mut world = World::new();
    let old = world.spawn((Position(1.0), Velocity(2.0), Tag)).id();
    assert_eq!(world.despawn(old), Ok(()));
    assert_eq!(world.despawn(old), Err(DespawnError::NoSuchEntity(old)));
    let new = world.spawn_empty().id();
    assert_eq!((new.index(), new.generation().get()), (old.index(), 2));
    assert_eq!(world.components(new).count(), 0);
    world.check_invariants();
}

#[test]
fn handles_from_nowhere_are_refused_everywhere() {
    let mut world = World::new();
    world.spawn_batch((0..10).map(|_| (Position(0.0), Tag)));
    let freed = world.spawn_empty().id();
    world.despawn(freed).unwrap();
    let mut bits = 0x1234_5678_9abc_def1_u64;
    let strangers = (0..1000).filter_map(|_| {
        bits = bits.rotate_left(7).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        Entity::from_bits(bits)
    });
    // The next handle of a free index, which was never handed out, and a high generation.
    let near =
        [freed.to_bits() + (1 << 32), 5 | (9 << 32)].map(|bits| Entity::from_bits(bits).unwrap());
    for stranger in strangers.chain(near).chain([freed]) {
        assert!(!world.is_alive(stranger) && !world.has::<Position>(stranger));
        assert!(world.get::<Position>(stranger).is_none());
        assert!(world.get_mut::<Position>(stranger).is_none());
        assert_eq!(world.insert(stranger, Tag), Err(NoSuchEntityError(stranger)));
        assert_eq!(world.remove::<Position>(stranger), None);
        let error = Err(RemoveError::NoSuchEntity(stranger));
        assert_eq!(world.try_remove::<Position>(stranger), error);
        assert!(world.get_entity(stranger).is_err() && world.get_entity_mut(stranger).is_err());
        assert!(world.despawn(stranger).is_err() && world.name(stranger).is_none());
        assert!(world.view::<Position>().get(stranger).is_none());
        assert!(world.view_mut::<&mut Position>().get_mut(stranger).is_none());
        assert_eq!(world.components(stranger).count(), 0);
        assert!(!world.patch::<Position>(stranger, |_| ()));
    }
    world.check_invariants();
    assert_eq!(world.len(), 10);
}

#[test]
fn clearing_kills_every_handle() {
    let mut world = World::new();
    let entities = world.spawn_batch((0..500).map(|_| (Position(0.0), Tag)));
    let reserved = world.reserve_entity();
    world.clear();
    assert!(world.is_empty() && !world.is_alive(reserved));
    assert!(entities.iter().all(|entity| !world.is_alive(*entity)));
    world.check_invariants();
    let again = world.spawn_batch((0..600).map(|_| Tag));
    assert!(again.iter().all(|entity| !entities.contains(entity)));
}

#[test]
fn many_threads_reserve_distinct_entities() {
    let mut world = World::new();
    let freed: Vec<_> = (0..100).map(|_| world.spawn_empty().id()).collect();
    freed.iter().for_each(|entity| world.despawn(*entity).unwrap());
    let reserve = || (0..1000).map(|_| world.reserve_entity()).collect::<Vec<_>>();
    let reserved: Vec<Entity> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..4).map(|_| scope.spawn(reserve)).collect();
        threads.into_iter().flat_map(|thread| thread.join().unwrap()).collect()
    });
    assert_eq!(reserved.iter().collect::<BTreeSet<_>>().len(), 4000);
    assert_eq!(world.len(), 4000);
    assert!(reserved.iter().all(|entity| world.is_alive(*entity)));
    assert!(freed.iter().all(|entity| !world.is_alive(*entity)));
    for entity in &reserved {
        world.insert(*entity, Position(3.0)).unwrap();
    }
    world.check_invariants();
    assert_eq!(world.view::<Position>().count(), 4000);
}

#[test]
fn one_generation_of_a_reserved_index_is_alive() {
    let mut world = World::new();
    let old = world.spawn_empty().id();
    world.despawn(old).unwrap();
    let reserved = [world.reserve_entity(), world.reserve_entity()];
    assert_eq!(reserved.map(Entity::index), [0, 1], "a recycled one and a new one");
    let all = (0..4).flat_map(|index| (0..4_u64).map(move |generation| generation << 32 | index));
    let alive = all.filter_map(Entity::from_bits).filter(|entity| world.is_alive(*entity));
    assert_eq!(alive.collect::<Vec<_>>(), reserved);
}

#[test]
fn a_reserved_entity_can_be_despawned_at_once() {
    let mut world = World::new();
    let entity = world.reserve_entity();
    world.despawn(entity).unwrap();
    assert!(!world.is_alive(entity) && world.is_empty());
    assert_ne!(world.reserve_entity(), entity);
    world.check_invariants();
}

#[test]
fn names() {
    let mut world = World::new();
    let alice = world.spawn_named("Alice").id();
    let other = world.spawn_named(String::from("Alice")).id();
    assert_eq!(world.name(alice), Some("Alice"));
    assert!([alice, other].contains(&world.entity_named("Alice").unwrap()));
    assert_eq!(world.entity_named("Bob"), None);
    let nobody = world.spawn_empty().id();
    assert_eq!(world.name(nobody), None);
    assert_eq!(world.entity(alice).name(), Some("Alice"));
    world.despawn(alice).unwrap();
    assert_eq!(world.name(alice), None);
}

#[test]
fn errors_and_panics_name_the_entity() {
    let mut world = World::new();
    let entity = world.spawn_empty().id();
    assert_eq!(
        world.try_remove::<Position>(entity).unwrap_err().to_string(),
        "entity 0v1 has no `Position`"
    );
    world.despawn(entity).unwrap();
    assert_eq!(NoSuchEntityError(entity).to_string(), "no such entity: 0v1");
    assert_eq!(world.despawn(entity).unwrap_err().to_string(), "no such entity: 0v1");
    assert_eq!(RemoveError::NoSuchEntity(entity).to_string(), "no such entity: 0v1");
    let words = panics(|| world.entity(entity).id()).unwrap();
    assert_eq!(words, "no such entity: 0v1; `World::get_entity` returns an error instead");
    let words = panics(|| world.entity_mut(entity).id()).unwrap();
    assert_eq!(words, "no such entity: 0v1; `World::get_entity_mut` returns an error instead");
    assert_eq!(RemoveError::from(NoSuchEntityError(entity)), RemoveError::NoSuchEntity(entity));
    assert_eq!(DespawnError::from(NoSuchEntityError(entity)), DespawnError::NoSuchEntity(entity));
}

#[test]
fn worlds_and_handles_cross_threads() {
    fn is_send_sync<T: Send + Sync>() {}
    is_send_sync::<World>();
    is_send_sync::<Entity>();
    is_send_sync::<ecs::View<'static, (&mut Position, &Velocity)>>();
}

#[test]
fn a_handle_of_another_world_is_only_a_handle() {
    let (mut one, mut two) = (World::new(), World::new());
    let many = one.spawn_batch((0..2000).map(|_| Position(1.0)));
    let few = two.spawn_batch((0..3).map(|_| Velocity(1.0)));
    assert!(two.get::<Velocity>(many[1999]).is_none() && !two.is_alive(many[1999]));
    // Same index, same generation: the same handle, as documented for handles in general.
    assert_eq!(few[0], many[0]);
    two.despawn(many[2]).unwrap();
    two.check_invariants();
    one.check_invariants();
}

#[test]
fn a_world_and_its_handles_print_in_a_line() {
    let mut world = World::new();
    let entity = world.spawn_named("Bob").insert(Position(1.0)).id();
    assert_eq!(
        format!("{:?}", world.entity(entity)),
        "EntityRef { id: 0v1, components: [\"Name\", \"Position\"] }"
    );
    assert!(format!("{:?}", world.entity_mut(entity)).starts_with("EntityMut { id: 0v1, "));
    let printed = format!("{world:?}");
    assert!(printed.starts_with("World { entities: 1, pools: {"), "{printed}");
    assert!(printed.ends_with("}, groups: 0, resources: [] }"), "{printed}");
}

#[test]
fn lists_of_handles_from_nowhere_are_refused() {
    let handle = |index: u64, generation: u64| Entity::from_bits(generation << 32 | index).unwrap();
    let (end, oldest) = (1 << 32, (1 << 31) - 1);
    for count in [0, 1, 10, 3_000] {
        let mut world = World::new();
        world.spawn_batch((0..count).map(|_| (Position(0.0), Tag)));
        // Neighbours: of indices not given yet, of the greatest ones, and with other generations.
        let ranges =
            [count..count + 300, 1 << 20..(1 << 20) + 300, end - 1_024..end - 700, end - 7..end];
        let runs =
            ranges.into_iter().flat_map(|range| [1, 2, oldest].map(|it| (range.clone(), it)));
        for (range, generation) in runs.chain([(0..count, 2), (0..count, oldest)]) {
            let list: Vec<Entity> = range.map(|index| handle(index, generation)).collect();
            world.view_mut::<&mut Position>().for_each_many(&list, |_| unreachable!());
            world.view::<Option<&Position>>().for_each_many(&list, |_| unreachable!());
            let bundles = list.iter().map(|&it| (it, (Position(1.0), Velocity(1.0))));
            let missing = world.insert_batch(bundles).err().map_or(0, |missing| missing.count);
            assert_eq!(missing, list.len());
            assert_eq!(world.remove_batch::<Position>(&list), 0);
            assert_eq!(world.despawn_batch(&list), 0);
            for &stranger in &list {
                assert!(!world.pool::<Position>().contains(stranger));
                assert!(world.pool::<Position>().get(stranger).is_none());
                assert!(world.pool_mut::<Position>().get_mut(stranger).is_none());
                let mut view = world.view_mut::<Option<&mut Position>>();
                assert!(!view.matches(stranger) && view.get_disjoint_mut([stranger]).is_err());
            }
            world.check_invariants();
        }
        let left = (world.len(), world.pool::<Velocity>().len());
        assert_eq!(left, (usize::try_from(count).unwrap(), 0));
    }
}

#[test]
fn a_reserved_entity_may_meet_any_two_calls() {
    let calls: [fn(&mut World, Entity); 22] = [
        |world, it| assert!(world.get::<Position>(it).is_none()),
        |world, it| assert!(world.get_mut::<Position>(it).is_none()),
        |world, it| assert!(world.remove::<Position>(it).is_none()),
        |world, it| assert!(matches!(world.try_remove::<Tag>(it), Err(RemoveError::Missing(..)))),
        |world, it| world.insert(it, (Position(1.0), Tag)).unwrap(),
        |world, it| world.insert_batch([(it, Position(1.0))]).unwrap(),
        |world, it| assert_eq!(world.remove_batch::<Position>(&[it, it]), 0),
        |world, it| assert_eq!(world.despawn_batch(&[it, it]), 1),
        |world, it| world.despawn(it).unwrap(),
        |world, it| _ = world.entity_mut(it).insert(Position(1.0)).add::<Tag>().id(),
        |world, it| world.entity_mut(it).despawn().unwrap(),
        |world, it| assert!(!world.patch::<Position>(it, |_| ())),
        |world, it| assert_eq!((world.name(it), world.components(it).count()), (None, 0)),
        |world, it| assert!(world.view_mut::<Option<&mut Tag>>().get_mut(it).is_some()),
        |world, it| assert!(world.split_mut::<(Option<&mut Tag>, &Velocity)>().0.matches(it)),
        |world, _| world.declare_group(Group::owning::<(Position, Tag)>()).unwrap(),
        |world, _| {
            world.declare_group(Group::observing::<Velocity>().without::<Tag>()).unwrap();
        },
        |world, _| world.clear(),
        |world, _| world.shrink_to_fit(),
        |world, it| assert_ne!(world.spawn_empty().id(), it),
        |world, it| assert!(!world.spawn_batch([Tag; 40]).contains(&it)),
        |world, it| assert_ne!(world.reserve_entity(), it),
    ];
    let pairs = calls.iter().flat_map(|first| calls.iter().map(move |second| (first, second)));
    for ((first, second), freed) in pairs.flat_map(|pair| [0, 1, 3].map(|freed| (pair, freed))) {
        let mut world = World::new();
        let entities = world.spawn_batch([(Position(1.0), Velocity(1.0)); 5]);
        world.despawn_batch(&entities[..freed]);
        let [a, b, c] = [(); 3].map(|()| world.reserve_entity());
        first(&mut world, a);
        if world.is_alive(b) {
            second(&mut world, b);
        }
        assert_eq!(world.insert(c, (Velocity(1.0), Tag)).is_ok(), world.is_alive(c));
        let _ = world.view_mut::<&mut Tag>(); // reserved entities come alive
        world.check_invariants();
        assert_eq!(world.entities().count(), world.len());
        let ends = world.entities().last();
        let reserved = [world.reserve_entity(), world.reserve_entity()];
        assert_eq!(world.entities().count(), world.len());
        assert_eq!(world.entities().skip(world.len() - 2).collect::<Vec<_>>(), reserved);
        assert_eq!(world.entities().take(world.len() - 2).last(), ends);
    }
}

#[test]
fn a_handle_may_be_chosen_if_its_index_was_never_used() {
    let mut world = World::new();
    let saved: Entity = "7v3".parse().unwrap();
    world.spawn_at(saved).unwrap().insert(Tag);
    assert_eq!((world.len(), world.entities().collect::<Vec<_>>()), (1, vec![saved]));
    let again = world.spawn_at(saved).unwrap_err();
    assert_eq!(again, SpawnAtError::Taken(saved));
    let others: Vec<_> = (0..8).map(|_| world.spawn_empty().id().index()).collect();
    assert_eq!(others, [0, 1, 2, 3, 4, 5, 6, 8], "those that were passed over are given out first");
    world.despawn(saved).unwrap();
    for (text, is_free) in [("7v2", false), ("7v3", false), ("7v4", true), ("8v1", false)] {
        let entity: Entity = text.parse().unwrap();
        assert_eq!(world.spawn_at(entity).is_ok(), is_free, "{text}");
        world.check_invariants();
    }
    let reserved = world.reserve_entity();
    let taken = world.spawn_at(reserved).unwrap_err();
    assert_eq!(taken, SpawnAtError::Taken(reserved), "what is reserved is alive");
    let beyond = Entity::from_bits(u64::from(u32::MAX) | 1 << 32).unwrap();
    assert_eq!(world.spawn_at(beyond).unwrap_err(), SpawnAtError::NoIndex(beyond));
    world.check_invariants();
}

/// The last freed index is reused first; a batch that is sorted by index is reused in index order.
#[test]
fn indices_freed_by_a_batch_are_reused_in_a_fixed_order() {
    let reused = |ended: &[usize], with_components: bool| {
        let mut world = World::new();
        let entities: Vec<Entity> = if with_components {
            world.spawn_batch((0..10).map(|_| Tag))
        } else {
            (0..10).map(|_| world.spawn_empty().id()).collect()
        };
        let list: Vec<Entity> = ended.iter().map(|at| entities[*at]).collect();
        assert_eq!(world.despawn_batch(&list), list.len());
        world.check_invariants();
        let again: Vec<u32> = list.iter().map(|_| world.spawn_empty().id().index()).collect();
        world.check_invariants();
        again
    };
    for with_components in [false, true] {
        assert_eq!(reused(&[2, 3, 7], with_components), [2, 3, 7]);
        assert_eq!(reused(&[4, 5, 6, 7, 8, 9], with_components), [4, 5, 6, 7, 8, 9]);
        assert_eq!(reused(&[7, 3, 2], with_components), [2, 3, 7]);
        assert_eq!(reused(&[5, 3, 9], with_components), [9, 3, 5]);
        assert_eq!(reused(&[1, 8, 4, 6], with_components), [6, 4, 8, 1]);
    }
}

/// An index is retired when the entity of its last generation is despawned.
#[test]
fn a_retired_index_is_never_reused() {
    const LAST: u32 = u32::MAX >> 1;
    let handle = |index: u32, generation: u32| {
        Entity::from_bits(u64::from(generation) << 32 | u64::from(index)).unwrap()
    };
    let last = |index| handle(index, LAST);
    let retire: [fn(&mut World, Entity); 3] = [
        |world, entity| world.despawn(entity).unwrap(),
        |world, entity| assert_eq!(world.despawn_batch(&[entity, entity]), 1),
        |world, _| world.clear(),
    ];
    for retire in retire {
        for (index, others) in [(0, 0), (3, 0), (3, 5), (9, 4)] {
            let mut world = World::new();
            world.spawn_batch((0..others).map(|_| Tag));
            let freed: Vec<Entity> = world.entities().take(2).collect();
            world.despawn_batch(&freed);
            let found = world.entities().find(|entity| entity.index() == index);
            if let Some(entity) = found {
                world.despawn(entity).unwrap();
            }
            world.spawn_at(last(index)).unwrap().insert(Tag);
            retire(&mut world, last(index));
            world.check_invariants();
            for generation in [1, 2, LAST - 1, LAST] {
                let entity = handle(index, generation);
                assert_eq!(world.spawn_at(entity).unwrap_err(), SpawnAtError::Ended(entity));
                assert!(!world.is_alive(entity) && world.insert(entity, Tag).is_err());
            }
            world.check_invariants();
            // Neither spawned nor reserved entities use the index, and other indices stay available.
            let mut made = vec![world.spawn_empty().id(), world.reserve_entity()];
            made.extend(world.spawn_batch((0..20).map(|_| Tag)));
            made.extend((0..3).map(|_| world.spawn(Tag).id()));
            assert!(made.iter().all(|entity| entity.index() != index), "{made:?}");
            let beside = handle(index + 50, 2);
            assert_eq!(world.spawn_at(beside).unwrap().id(), beside);
            world.check_invariants();
        }
    }
}

#[test]
fn spawning_at_an_index_far_beyond_those_in_use_is_refused() {
    let mut world = World::new();
    world.spawn(Tag);
    let before = world.memory_usage().entities;
    for text in ["4294967294v1", "16777218v3"] {
        let far: Entity = text.parse().unwrap();
        let error = world.spawn_at(far).unwrap_err();
        assert_eq!(error, SpawnAtError::TooFar(far));
        assert!(
            error.to_string().starts_with(&format!("the index of {text} is more than 16777216"))
        );
    }
    assert_eq!((world.memory_usage().entities, world.len()), (before, 1));
    world.spawn_at("100000v3".parse().unwrap()).unwrap();
    world.check_invariants();
}

#[test]
fn handles_are_read_as_they_are_written() {
    for entity in ["0v1", "12v3", "4294967295v2147483647"] {
        assert_eq!(entity.parse::<Entity>().unwrap().to_string(), entity);
    }
    let wrong = [
        "",
        "v",
        "1v",
        "v1",
        "1v0",
        "1v2147483648",
        "4294967296v1",
        "+1v1",
        "1v+1",
        " 1v1",
        "1v1v1",
    ];
    for text in wrong {
        assert!(text.parse::<Entity>().is_err(), "{text:?}");
    }
}

#[test]
fn any_part_of_the_list_of_entities_is_reached() {
    let mut world = World::new();
    let listed = |world: &World| {
        let mut all: Vec<Entity> = world.entities().collect();
        all.sort_by_key(|entity| entity.index());
        for index in 0..25 {
            let behind: Vec<Entity> =
                all.iter().copied().filter(|entity| entity.index() >= index).collect();
            assert_eq!(world.entities_from(index).collect::<Vec<_>>(), behind, "from {index}");
        }
        for index in [u32::MAX - 1, u32::MAX] {
            assert_eq!(world.entities_from(index).next(), None);
        }
    };
    listed(&world);
    let reserved = world.reserve_entity();
    listed(&world);
    assert_eq!(world.entities_from(0).collect::<Vec<_>>(), [reserved]);
    let all = world.spawn_batch((0..15).map(|_| Tag));
    listed(&world);
    world.despawn_batch(&[all[2], all[14], all[7], all[8]]);
    listed(&world);
    for count in 1..8 {
        let reserved = world.reserve_entity();
        listed(&world);
        assert!(world.entities_from(reserved.index()).next() == Some(reserved), "{count}");
    }
    let _ = world.spawn_empty().id(); // all that are reserved come alive
    listed(&world);
}
