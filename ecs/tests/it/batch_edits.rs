//! Edits of many entities in one call are equal to a loop of single edits.

use crate::fixtures::{Door, Ledger, Position, Promising, Tag, Tracked, Velocity, panics};
use ecs::{Component, Entity, Group, World};

/// Enough of a thousand entities that they are taken out by a pass over all, and so few that each
/// is looked for.
const SHARES: [usize; 4] = [1, 70, 400, 1_000];

fn movers(count: usize) -> (World, Vec<Entity>) {
    let mut world = World::new();
    let entities = world.spawn_batch((0..count).map(|at| (Position(at as f32), Velocity(1.0))));
    (world, entities)
}

/// Returns the entities in a shuffled order, always the same one.
fn mixed(entities: &[Entity]) -> Vec<Entity> {
    let mut mixed: Vec<_> = entities.to_vec();
    mixed.sort_by_key(|entity| entity.index().wrapping_mul(0x9e37_79b1));
    mixed
}

#[test]
fn inserting_is_a_loop_of_insertions() {
    for count in [0, 1, 127, 128, 129, 1000, 3000] {
        for in_order in [true, false] {
            let ((mut one, entities), (mut many, _)) = (movers(count), movers(count));
            let entities = if in_order { entities } else { mixed(&entities) };
            let bundle = |at: usize| (Tag, Position(at as f32 * 2.0), Number(at));
            for (at, &entity) in entities.iter().enumerate().skip(3) {
                one.insert(entity, bundle(at)).unwrap();
            }
            let some = entities.iter().enumerate().skip(3);
            many.insert_batch(some.map(|(at, &entity)| (entity, bundle(at)))).unwrap();
            many.check_invariants();
            for &entity in &entities {
                assert_eq!(one.get::<Number>(entity), many.get::<Number>(entity));
                assert_eq!(one.get::<Position>(entity), many.get::<Position>(entity));
                assert_eq!(one.has::<(Tag, Velocity)>(entity), many.has::<(Tag, Velocity)>(entity));
            }
            assert_eq!(one.pool::<Number>().keys(), many.pool::<Number>().keys());
        }
    }
}

#[test]
fn a_run_that_is_taken_out_of_a_page_leaves_the_others_where_they_were() {
    for (len, run) in [(2_100, 100..700), (1_024, 0..512), (1_024, 700..1_024), (40, 30..40)] {
        let (mut world, entities) = movers(len);
        assert_eq!(world.remove_batch::<Position>(&entities[run.clone()]), run.len());
        world.check_invariants();
        for (at, &entity) in entities.iter().enumerate() {
            let expected = (!run.contains(&at)).then_some(Position(at as f32));
            assert_eq!(world.get::<Position>(entity), expected.as_ref());
        }
    }
}

#[derive(Component, Clone, Copy, Debug, PartialEq)]
struct Number(usize);

#[test]
fn inserting_into_one_entity_twice_keeps_the_last() {
    let (mut world, ledger) = (World::new(), Ledger::default());
    let entities: Vec<_> = (0..5).map(|_| world.spawn(Position(1.0)).id()).collect();
    let twice = [0, 1, 0, 2, 2, 2, 4, 0].map(|at| entities[at]);
    let bundles = (0..).zip(twice).map(|(at, entity)| (entity, (Number(at), ledger.tracked())));
    world.insert_batch(bundles).unwrap();
    world.check_invariants();
    let number = |at: usize| world.get::<Number>(entities[at]).map(|number| number.0);
    assert_eq!([0, 1, 2, 3, 4].map(number), [Some(7), Some(1), Some(5), None, Some(6)]);
    assert_eq!(ledger.alive(), 4, "what was replaced is dropped");
    assert_eq!(world.pool::<Number>().len(), 4);
}

#[test]
fn bundles_for_dead_entities_are_dropped_and_reported() {
    #[derive(Component)]
    struct At(usize);

    let (mut world, ledger) = (World::new(), Ledger::default());
    let entities: Vec<_> = (0..600).map(|_| world.spawn_empty().id()).collect();
    for at in [3, 70, 300, 599] {
        world.despawn(entities[at]).unwrap();
    }
    let recycled = world.spawn_empty().id();
    let bundle = |at| (ledger.tracked(), Tag, Number(at));
    let bundles = entities.iter().enumerate().map(|(at, &entity)| (entity, bundle(at)));
    let error = world.insert_batch(bundles).unwrap_err();
    for (at, &entity) in entities.iter().enumerate() {
        let number = world.get::<Number>(entity);
        assert_eq!(number, world.is_alive(entity).then_some(&Number(at)));
    }
    assert_eq!((error.first, error.count), (entities[3], 4));
    assert_eq!(error.to_string(), "no such entity: 3v1, and 3 more; their bundles were dropped");
    assert_eq!((ledger.alive(), world.view::<(Tracked, Tag)>().count()), (596, 596));
    assert!(!world.has::<Tag>(recycled));
    // Each living one its own, the dead ones' between them; of one that comes twice the later.
    let twice = [entities[5], entities[3], entities[5], recycled, entities[4]];
    let bundles = twice.iter().chain(&entities[..10]).zip(0..).map(|(&e, at)| (e, (At(at), Tag)));
    assert_eq!(world.insert_batch(bundles).unwrap_err().count, 2);
    let at = |entity| world.get::<At>(entity).map(|at| at.0);
    for (index, &entity) in entities[..11].iter().enumerate() {
        assert_eq!(at(entity), (index != 3 && index < 10).then_some(index + 5));
    }
    assert_eq!(at(recycled), Some(3));
    let error = world.insert_batch([(entities[70], Tag)]).unwrap_err();
    assert_eq!(error.to_string(), "no such entity: 70v1; its bundle was dropped");
    assert!(world.insert_batch(core::iter::empty::<(Entity, Tag)>()).is_ok());
    world.check_invariants();
}

#[test]
fn reserved_entities_come_alive() {
    let mut world = World::new();
    let reserved: Vec<_> = (0..100).map(|_| world.reserve_entity()).collect();
    world.insert_batch(reserved[..90].iter().map(|&entity| (entity, Tag))).unwrap();
    world.check_invariants();
    let more = world.reserve_entity();
    assert_eq!(world.remove_batch::<Tag>(&reserved), 90);
    assert_eq!(world.despawn_batch(&[more, reserved[99], more]), 2);
    assert_eq!(world.len(), 99);
    world.check_invariants();
}

#[test]
fn indices_of_a_batch_are_used_again_in_order() {
    let mut world = World::new();
    let entities = world.spawn_batch((0..300).map(|_| Tag));
    assert_eq!(world.despawn_batch(&entities[100..200]), 100);
    let indices = (0..103).map(|_| world.spawn(Tag).id().index());
    assert!(indices.eq((100..200).chain(300..303)), "one by one");
    let ended: Vec<_> = entities[..50].iter().rev().copied().collect();
    assert_eq!(world.despawn_batch(&ended), 50);
    let again = world.spawn_batch((0..50).map(|_| Tag));
    assert!(again.iter().map(|entity| entity.index()).eq(0..50), "as a batch");
    world.check_invariants();
}

#[test]
fn instances_of_one_generic_type_are_inserted_in_turn() {
    #[derive(Component, Debug, PartialEq)]
    struct Wrapper<T>(T);

    let mut world = World::new();
    let entities = world.spawn_batch((0..100).map(|_| Tag));
    world.despawn(entities[9]).unwrap();
    let bundles = entities.iter().map(|&entity| (entity, (Wrapper(1_u8), Wrapper(2_u16))));
    let error = world.insert_batch(bundles).unwrap_err();
    assert_eq!((error.first, error.count), (entities[9], 1));
    let same = entities[..5].iter().map(|&entity| (entity, (Wrapper(3_u8), Wrapper(4_u8))));
    world.insert_batch(same).unwrap();
    assert_eq!(world.get::<Wrapper<u8>>(entities[0]), Some(&Wrapper(4)));
    assert_eq!(world.get::<Wrapper<u8>>(entities[50]), Some(&Wrapper(1)));
    assert_eq!(world.remove_batch::<Wrapper<u8>>(&entities), 99);
    world.check_invariants();
}

#[test]
fn removing_is_a_loop_of_removals() {
    for share in SHARES {
        let ((mut one, entities), (mut many, _)) = (movers(1_000), movers(1_000));
        let some = &mixed(&entities)[..share];
        assert_eq!(many.remove_batch::<Velocity>(some), share);
        for &entity in some {
            assert!(one.remove::<Velocity>(entity).is_some());
            assert_eq!(many.remove::<Velocity>(entity), None);
        }
        many.check_invariants();
        for &entity in &entities {
            assert_eq!(one.get::<Velocity>(entity), many.get::<Velocity>(entity));
            assert_eq!(one.get::<Position>(entity), many.get::<Position>(entity));
        }
        assert_eq!(many.remove_batch::<Velocity>(&entities), 1_000 - share);
        assert_eq!(many.remove_batch::<Velocity>(&entities), 0);
        assert_eq!(many.remove_batch::<Tag>(&entities), 0, "the world has no such pool");
        many.check_invariants();
    }
}

#[test]
fn the_dead_and_those_named_twice_are_passed_over() {
    for share in SHARES {
        let (mut world, ledger) = (World::new(), Ledger::default());
        let entities: Vec<_> =
            (0..1_000).map(|_| world.spawn((ledger.tracked(), Position(1.0))).id()).collect();
        let dead: Vec<_> = entities.iter().copied().step_by(10).collect();
        assert_eq!(world.despawn_batch(&dead), 100);
        // Others live at their indices now.
        let heirs: Vec<_> = (0..100).map(|_| world.spawn(ledger.tracked()).id()).collect();
        let some = &entities[..share];
        let twice: Vec<_> = some.iter().chain(some).chain(&dead).copied().collect();
        let living = share - share.div_ceil(10);
        assert_eq!(world.remove_batch::<Tracked>(&twice), living);
        world.check_invariants();
        assert_eq!(ledger.alive(), 1_000 - living.cast_signed());
        assert_eq!(world.despawn_batch(&twice), living);
        world.check_invariants();
        assert_eq!(world.len(), 1_000 - living);
        assert!(heirs.iter().all(|heir| world.has::<Tracked>(*heir)));
    }
}

#[test]
fn neighbours_may_be_of_different_generations() {
    let (mut world, mut entities) = movers(64);
    let old = entities.clone();
    world.despawn(old[20]).unwrap();
    entities[20] = world.spawn_empty().id();
    assert_eq!(entities[20].index(), old[20].index());
    assert_eq!(world.insert_batch(old.iter().map(|&entity| (entity, Tag))).unwrap_err().count, 1);
    assert_eq!(world.pool::<Tag>().len(), 63);
    world.insert_batch(entities.iter().zip(0..).map(|(&entity, at)| (entity, Number(at)))).unwrap();
    world.check_invariants();
    assert_eq!(world.get::<Number>(entities[20]), Some(&Number(20)));
    assert_eq!(world.remove_batch::<Number>(&old), 63);
    world.check_invariants();
    assert_eq!(world.get::<Number>(entities[20]), Some(&Number(20)));
}

#[test]
fn neighbours_after_one_that_had_the_component_get_their_own_values() {
    let (mut world, entities) = movers(60);
    world.insert(entities[5], Number(0)).unwrap();
    let numbered = || [5].into_iter().chain(20..60);
    world.insert_batch(numbered().map(|at| (entities[at], Number(at)))).unwrap();
    world.check_invariants();
    for at in numbered() {
        assert_eq!(world.get::<Number>(entities[at]), Some(&Number(at)));
    }
}

#[test]
fn neighbours_may_be_on_different_pages() {
    let (mut world, entities) = movers(2_000);
    let numbered = entities[..100].iter().chain(&entities[990..1_090]);
    world.insert_batch(numbered.map(|&entity| (entity, Number(0)))).unwrap();
    assert_eq!(world.remove_batch::<Number>(&entities[1_000..1_064]), 64);
    world.check_invariants();
    let left = entities.iter().enumerate().filter(|(_, entity)| world.has::<Number>(**entity));
    let expected: Vec<_> = (0..100).chain(990..1_000).chain(1_064..1_090).collect();
    assert_eq!(left.map(|(at, _)| at).collect::<Vec<_>>(), expected);
}

#[test]
fn despawning_is_a_loop_of_despawns() {
    for share in SHARES {
        let ((mut one, entities), (mut many, _)) = (movers(1_000), movers(1_000));
        let some = &mixed(&entities)[..share];
        for world in [&mut one, &mut many] {
            for &entity in entities.iter().step_by(3) {
                world.insert(entity, (Tag, Number(7))).unwrap();
            }
        }
        some.iter().for_each(|entity| one.despawn(*entity).unwrap());
        assert_eq!(many.despawn_batch(some), share);
        many.check_invariants();
        for &entity in &entities {
            assert_eq!(one.is_alive(entity), many.is_alive(entity));
            assert_eq!(one.get::<Position>(entity), many.get::<Position>(entity));
            assert_eq!(one.get::<Number>(entity), many.get::<Number>(entity));
        }
        // Handles are reused in equal order.
        let again = |world: &mut World| world.spawn_batch((0..1_000).map(|_| Tag));
        assert_eq!(again(&mut one), again(&mut many));
        many.check_invariants();
    }
    assert_eq!(World::new().despawn_batch(&[]), 0);
}

/// Each third is locked, and the one at `bomb` panics in its veto.
fn doors(bomb: usize, are_grouped: bool) -> (World, Vec<Entity>) {
    let (mut world, entities) = movers(1_000);
    if are_grouped {
        world.declare_group(Group::owning::<(Position, Door)>()).unwrap();
        world.declare_group(Group::observing::<(Door, Velocity)>()).unwrap();
        world.declare_group(Group::owning::<Velocity>().without::<Door>()).unwrap();
    }
    let door =
        |at: usize| Door { locked: at.is_multiple_of(3), asked: if at == bomb { 100 } else { 0 } };
    world
        .insert_batch(entities.iter().enumerate().map(|(at, &entity)| (entity, door(at))))
        .unwrap();
    (world, entities)
}

#[test]
fn vetoes_are_checked() {
    for (share, are_grouped) in SHARES.into_iter().flat_map(|it| [(it, false), (it, true)]) {
        let (mut world, entities) = doors(usize::MAX, are_grouped);
        let (some, refused) = (&entities[..share], share.div_ceil(3));
        assert_eq!(world.remove_batch::<Door>(some), share - refused);
        world.check_invariants();
        assert_eq!(world.get::<Door>(entities[0]).unwrap().asked, 1);

        let (mut world, _) = doors(usize::MAX, are_grouped);
        assert_eq!(world.despawn_batch(some), share - refused);
        world.check_invariants();
        let left = |at: usize| at >= share || at.is_multiple_of(3);
        assert!((0..1_000).all(|at| world.has::<(Door, Position)>(entities[at]) == left(at)));
        assert_eq!(world.len(), 1_000 - share + refused);
    }
}

#[test]
fn a_veto_that_panics_leaves_the_whole_batch() {
    let cases = [(0, 1), (5, 7), (5, 1_000), (700, 1_000), (999, 1_000)];
    for ((bomb, share), are_grouped) in cases.into_iter().flat_map(|it| [(it, false), (it, true)]) {
        let (mut world, entities) = doors(bomb, are_grouped);
        let some = &entities[..share];
        assert_eq!(panics(|| world.remove_batch::<Door>(some)).unwrap(), "asked too often");
        world.check_invariants();
        assert!(entities.iter().all(|entity| world.has::<Door>(*entity)));

        let (mut world, _) = doors(bomb, are_grouped);
        assert_eq!(panics(|| world.despawn_batch(some)).unwrap(), "asked too often");
        world.check_invariants();
        assert_eq!((world.len(), world.pool::<Position>().len()), (1_000, 1_000));
    }
}

#[test]
fn groups_are_kept() {
    for early in [true, false] {
        for share in SHARES {
            let (mut world, entities) = movers(1_000);
            let declare = |world: &mut World| {
                world.declare_group(Group::owning::<(Position, Velocity)>()).unwrap();
                world.declare_group(Group::owning::<(Position, Velocity, Number)>()).unwrap();
                world.declare_group(Group::owning::<Tag>().without::<Number>()).unwrap();
                world.declare_group(Group::observing::<(Tag, Velocity)>()).unwrap();
            };
            if early {
                declare(&mut world);
            }
            let mixed = mixed(&entities);
            world.insert_batch(mixed.iter().skip(200).map(|&entity| (entity, Tag))).unwrap();
            let numbered = mixed.iter().take(600).map(|&entity| (entity, Number(7)));
            world.insert_batch(numbered).unwrap();
            if !early {
                declare(&mut world);
            }
            let lens = |world: &World| world.groups().map(ecs::GroupRef::len).sum::<usize>();
            world.check_invariants();
            assert_eq!(lens(&world), 1_000 + 600 + 400 + 800);
            let some = &mixed[500..500 + share.min(500)];
            world.remove_batch::<Velocity>(some);
            world.check_invariants();
            world.remove_batch::<Number>(some);
            world.check_invariants();
            world.insert_batch(some.iter().map(|&entity| (entity, Velocity(1.0)))).unwrap();
            world.check_invariants();
            world.insert_batch(some.iter().map(|&entity| (entity, (Number(1), Tag)))).unwrap();
            world.check_invariants();
            world.despawn_batch(&mixed[..share]);
            world.check_invariants();
            assert_eq!(world.view::<(Position, Velocity)>().count(), 1_000 - share);
            world.despawn_batch(&entities);
            world.check_invariants();
            assert_eq!(lens(&world), 0);
        }
    }
}

#[test]
fn nested_groups_are_left_and_entered() {
    for (share, in_order) in SHARES.into_iter().flat_map(|share| [(share, true), (share, false)]) {
        let (mut world, entities) = movers(1_000);
        world.declare_group(Group::owning::<(Position, Velocity)>()).unwrap();
        world.declare_group(Group::owning::<(Position, Velocity, Number)>()).unwrap();
        let lens = |world: &World| {
            world.check_invariants();
            world.groups().map(ecs::GroupRef::len).collect::<Vec<_>>()
        };
        let order = if in_order { entities } else { mixed(&entities) };
        let number = |&entity: &Entity| (entity, Number(7));
        world.insert_batch(order[200..800].iter().map(number)).unwrap();
        assert_eq!(lens(&world), [1_000, 600]);
        let some = &order[..share];
        let numbered = share.clamp(200, 800) - 200;
        for _ in 0..2 {
            assert_eq!(world.remove_batch::<Velocity>(some), share);
            assert_eq!(lens(&world), [1_000 - share, 600 - numbered]);
            world.insert_batch(some.iter().map(|&entity| (entity, Velocity(2.0)))).unwrap();
            assert_eq!(lens(&world), [1_000, 600]);
            assert_eq!(world.remove_batch::<Number>(some), numbered);
            assert_eq!(lens(&world), [1_000, 600 - numbered]);
            world.insert_batch(order[200..200 + numbered].iter().map(number)).unwrap();
            assert_eq!(lens(&world), [1_000, 600]);
        }
    }
}

#[test]
fn entities_that_follow_in_all_pools_may_lack_observed_components() {
    let (mut world, entities) = movers(1_000);
    world.declare_group(Group::owning::<(Position, Number)>().with::<Tag>()).unwrap();
    let tag =
        |entities: &[Entity]| entities.iter().map(|&entity| (entity, Tag)).collect::<Vec<_>>();
    world.insert_batch(tag(&entities[..500])).unwrap();
    world.insert_batch(entities.iter().map(|&entity| (entity, Number(1)))).unwrap();
    world.check_invariants();
    assert_eq!(world.groups().next().unwrap().len(), 500);
    world.insert_batch(tag(&entities[500..])).unwrap();
    world.check_invariants();
    assert_eq!(world.groups().next().unwrap().len(), 1_000);
    // They follow in one pool, and stand elsewhere in the other.
    world.remove_batch::<Position>(&entities);
    let mixed = mixed(&entities).into_iter().map(|entity| (entity, Position(1.0)));
    world.insert_batch(mixed).unwrap();
    world.check_invariants();
    assert_eq!(world.groups().next().unwrap().len(), 1_000);
}

#[test]
fn groups_of_small_and_of_large_pools_are_left_in_their_ways() {
    for share in SHARES {
        let (mut world, entities) = movers(1_000);
        world.declare_group(Group::owning::<(Position, Velocity)>()).unwrap();
        world.declare_group(Group::owning::<(Position, Velocity, Number)>()).unwrap();
        world.spawn_batch((0..40 * share).map(Number));
        for (at, &entity) in entities.iter().enumerate().step_by(3) {
            world.insert(entity, Number(at)).unwrap();
        }
        assert_eq!(world.despawn_batch(&mixed(&entities)[..share]), share);
        world.check_invariants();
        assert_eq!(world.view::<(Position, Velocity)>().count(), 1_000 - share);
    }
}

#[test]
fn a_group_of_a_small_pool_does_not_answer_for_one_that_shares_its_bit() {
    #[derive(Component)]
    #[component(bit = 5)]
    struct Rare;
    #[derive(Component)]
    #[component(bit = 5)]
    struct Common;

    for share in SHARES {
        let (mut world, entities) = movers(1_000);
        world.declare_group(Group::owning::<(Rare, Position)>()).unwrap();
        world.declare_group(Group::owning::<Common>().without::<Number>()).unwrap();
        world.insert_batch(entities.iter().map(|&entity| (entity, (Rare, Common)))).unwrap();
        world.spawn_batch((0..40 * share).map(|at| (Common, Number(at))));
        assert_eq!(world.despawn_batch(&mixed(&entities)[..share]), share);
        world.check_invariants();
        assert_eq!(world.view::<Common>().without::<Number>().count(), 1_000 - share);
    }
}

#[test]
fn a_shared_bit_stays_as_long_as_one_has_it() {
    #[derive(Component)]
    #[component(bit = 5)]
    struct One(#[expect(dead_code)] u8);
    #[derive(Component)]
    #[component(bit = 5)]
    struct Two;

    for share in SHARES {
        let (mut world, entities) = movers(1_000);
        world.insert_batch(entities.iter().map(|&entity| (entity, (One(1), Two)))).unwrap();
        world.declare_group(Group::owning::<(Two, Position)>()).unwrap();
        assert_eq!(world.remove_batch::<One>(&entities[..share]), share);
        world.check_invariants();
        assert_eq!((world.pool::<One>().len(), world.pool::<Two>().len()), (1_000 - share, 1_000));
        assert_eq!(world.despawn_batch(&entities[..share]), share);
        world.check_invariants();
        assert_eq!(
            (world.pool::<One>().len(), world.pool::<Two>().len()),
            (1_000 - share, 1_000 - share)
        );
    }
}

#[test]
fn columns_stay_in_step() {
    #[derive(Component, Clone, Debug, PartialEq)]
    #[component(layout = "soa")]
    struct Label {
        number: u32,
        text: String,
    }

    for share in SHARES {
        let (mut world, entities) = movers(1_000);
        let label = |number: u32| Label { number, text: number.to_string() };
        let labels = |first: u32| entities.iter().zip(first..).map(move |(&e, it)| (e, label(it)));
        world.insert_batch(labels(0).take(800)).unwrap();
        world.insert_batch(labels(1000).skip(600)).unwrap();
        assert_eq!(world.remove_batch::<Label>(&mixed(&entities)[..share]), share);
        world.check_invariants();
        for (at, &entity) in (0..).zip(&entities) {
            let Some(found) = world.get::<Label>(entity) else { continue };
            let number = if at < 600 { at } else { 1000 + at };
            assert_eq!((*found.number, found.text), (number, &number.to_string()));
        }
        assert_eq!(world.despawn_batch(&entities), 1_000);
        assert_eq!(world.pool::<Label>().len(), 0);
    }
}

#[test]
fn an_iterator_that_panics_leaves_yielded_components() {
    for bomb in [0_usize, 1, 127, 128, 129, 999] {
        let ((mut world, entities), ledger) = (movers(1_000), Ledger::default());
        world.declare_group(Group::owning::<(Position, Tag)>()).unwrap();
        world.insert_batch(entities[40..].iter().map(|&entity| (entity, Tag))).unwrap();
        let bundles = entities.iter().enumerate().map(|(at, &entity)| {
            assert!(at != bomb, "no more");
            (entity, (ledger.tracked(), Tag))
        });
        assert_eq!(panics(|| world.insert_batch(bundles)).unwrap(), "no more");
        world.check_invariants();
        assert_eq!(world.pool::<Tracked>().keys(), &entities[..bomb]);
        assert_eq!(ledger.alive(), bomb.cast_signed());
        drop(world);
        assert_eq!(ledger.alive(), 0);
    }
}

#[test]
fn a_drop_that_panics_comes_when_all_is_in_order() {
    #[derive(Component)]
    struct Second(Tracked);

    for bomb in [0_usize, 5, 127, 128, 999] {
        for share in SHARES {
            let ((mut world, entities), ledger) = (movers(1_000), Ledger::default());
            let first = |at| if at == bomb { ledger.bomb() } else { ledger.tracked() };
            let fill = |world: &mut World| {
                let bundles = entities.iter().enumerate();
                let bundles = bundles.map(|(at, &e)| (e, (first(at), Second(ledger.tracked()))));
                world.insert_batch(bundles).unwrap();
                world.check_invariants();
                assert_eq!(ledger.alive(), 2_000);
            };
            fill(&mut world);
            let some = &entities[..share];
            let goes_off = bomb < share;
            assert_eq!(panics(|| world.remove_batch::<Tracked>(some)).is_some(), goes_off);
            world.check_invariants();
            assert_eq!(world.pool::<Tracked>().len(), 1_000 - share, "all are removed");
            assert_eq!(ledger.alive(), 2_000 - share.cast_signed());
            world.remove_batch::<Second>(&entities);
            panics(|| world.remove_batch::<Tracked>(&entities));
            assert_eq!(ledger.alive(), 0);

            fill(&mut world);
            let replace = |world: &mut World| {
                let bundles =
                    some.iter().map(|&e| (e, (ledger.tracked(), Second(ledger.tracked()))));
                world.insert_batch(bundles)
            };
            assert_eq!(panics(|| replace(&mut world)).is_some(), goes_off);
            world.check_invariants();
            assert_eq!(ledger.alive(), 2_000, "no value is lost or dropped twice");
            if !goes_off {
                assert_eq!(panics(|| world.despawn_batch(&entities)).unwrap(), "a bomb went off");
                assert_eq!((world.len(), ledger.alive()), (0, 0), "all are ended");
            }
            world.check_invariants();
            drop(world);
            assert_eq!(ledger.alive(), 0);
        }
    }
}

#[test]
fn a_drop_that_panics_in_a_chunk_keeps_the_chunks_before() {
    let ((mut world, entities), ledger) = (movers(600), Ledger::default());
    world.insert(entities[300], ledger.bomb()).unwrap();
    let bundles = entities.iter().map(|&entity| (entity, ledger.tracked()));
    assert_eq!(panics(|| world.insert_batch(bundles)).unwrap(), "a bomb went off");
    world.check_invariants();
    let held = world.pool::<Tracked>().len();
    assert!((301..600).contains(&held), "{held} were inserted");
    assert_eq!(ledger.alive(), held.cast_signed());
}

#[test]
fn iterators_may_lie_about_their_length() {
    for promised in [0, 5, usize::MAX] {
        let (mut world, entities) = movers(1_000);
        let bundles = entities.iter().map(|&entity| (entity, (Number(7), Tag)));
        world.insert_batch(Promising(bundles, promised)).unwrap();
        assert_eq!(world.view::<(Number, Tag)>().count(), 1_000);
        world.check_invariants();
    }
}

#[test]
fn listeners_do_not_change_the_order_after_a_batch() {
    // A quarter of all are swept: with entities that are named twice, or are dead, these are more.
    for named in [1, 4, 5, 9, 12] {
        let [mut silent, mut heard] = [(); 2].map(|()| movers(20).0);
        heard.on_remove::<Position>(|_, _| {});
        let orders = [&mut silent, &mut heard].map(|world| {
            let entities: Vec<Entity> = world.entities().collect();
            world.despawn(entities[19]).unwrap();
            let mut list = vec![entities[2], entities[11], entities[7], entities[19]];
            list.extend([entities[2]; 8]);
            list.truncate(named);
            world.remove_batch::<Position>(&list);
            let removed = world.pool::<Position>().keys().to_vec();
            world.despawn_batch(&list);
            (removed, world.pool::<Velocity>().keys().to_vec())
        });
        assert_eq!(orders[0], orders[1], "{named} are named");
    }
}
