//! The allocations of the library.
#![expect(clippy::cast_precision_loss, reason = "bytes and members are far from 2^52")]

mod counting;

use counting::{bytes, calls, most_bytes};
use ecs::by_name::Kind;
use ecs::{Commands, Component, Entity, Group, Inserted, SparseSet, World};

#[derive(Component, Default)]
struct Position([f32; 3]);
#[derive(Component, Default)]
struct Velocity([f32; 3]);
#[derive(Component, Default)]
struct Tag;
#[derive(Component)]
struct Rare;

fn movers(count: usize) -> (World, Vec<Entity>) {
    let mut world = World::new();
    let entities = world.spawn_batch((0..count).map(|_| (Position([1.0; 3]), Velocity([1.0; 3]))));
    for entity in entities.iter().step_by(3) {
        world.insert(*entity, Tag).unwrap();
    }
    (world, entities)
}

#[test]
fn nothing_is_allocated_in_steady_state() {
    let (mut world, entities) = movers(5_000);
    let scattered = |world: &World| {
        for (_, position, _) in world.view::<(Position, Tag)>() {
            for (_, other, _) in world.view::<(Position, Tag)>().into_iter().take(2) {
                assert!(position.0[0] >= other.0[0]);
            }
        }
    };
    let visit = || world.view::<(Position, Tag)>().for_each_many(&entities, |_| ());
    assert_eq!(calls(visit), 0, "a list of entities, be it the first");
    // The buffer of a thread's loops for scattered matches is kept for its later ones.
    let taken = most_bytes(|| assert!(world.view::<(Position, Tag)>().iter().next().is_some()));
    assert!((1..6_144).contains(&taken), "{taken} bytes for the first loop");
    scattered(&world);
    assert_eq!(calls(|| scattered(&world)), 0, "loops in loops");
    // The list of pools is kept, too.
    let look = |world: &mut World| {
        for (_, position, velocity) in world.view_mut::<(&mut Position, &Velocity)>() {
            position.0[0] += velocity.0[0];
        }
        let mut sum = 0.0;
        world.view::<(Position, Tag)>().for_each(|(_, position, _)| sum += position.0[0]);
        world.view::<(Position, Option<&Tag>)>().for_each_chunk(|_| ());
        assert!(sum > 0.0);
        assert_eq!(world.view::<(Position, Tag)>().without::<Velocity>().count(), 0);
        world.view::<(Position, Velocity)>().for_each_many(&entities, |(_, position, _)| {
            sum -= position.0[0];
        });
        for &entity in &entities {
            assert!(world.get::<Position>(entity).is_some());
            assert!(world.has::<(Position, Velocity)>(entity));
        }
    };
    look(&mut world);
    let asked = calls(|| look(&mut world));
    assert_eq!(asked, 0, "iterating, joining, counting and looking up");

    // Members come and go, as many as there were before.
    let churn = |world: &mut World| {
        for entity in entities.iter().skip(1).step_by(3) {
            world.insert(*entity, Tag).unwrap();
        }
        for entity in entities.iter().skip(1).step_by(3) {
            world.remove::<Tag>(*entity).unwrap();
        }
    };
    churn(&mut world);
    assert_eq!(calls(|| churn(&mut world)), 0, "inserting and removing within capacity");

    // On one entity alone.
    let blink = |world: &mut World| {
        world.insert(entities[7], Rare).unwrap();
        world.remove::<Rare>(entities[7]).unwrap();
    };
    blink(&mut world);
    let asked = calls(|| (0..10).for_each(|_| blink(&mut world)));
    assert_eq!(asked, 0, "what comes and goes on one entity");

    let some: Vec<_> = entities.iter().copied().skip(1).step_by(3).collect();
    let churn = |world: &mut World| {
        world.insert_batch(some.iter().map(|&entity| (entity, Tag))).unwrap();
        assert_eq!(world.remove_batch::<Tag>(&some), some.len());
        world.insert_batch(some[..50].iter().map(|&entity| (entity, Tag))).unwrap();
        assert_eq!(world.remove_batch::<Tag>(&some[..50]), 50);
    };
    churn(&mut world);
    assert_eq!(calls(|| churn(&mut world)), 0, "the same in batches");

    let respawn = |world: &mut World| {
        let entity = world.spawn((Position::default(), Velocity::default())).id();
        world.despawn(entity).unwrap();
    };
    respawn(&mut world);
    let asked = calls(|| (0..100).for_each(|_| respawn(&mut world)));
    assert_eq!(asked, 0, "spawning and despawning within capacity");

    let despawn = |world: &mut World, some: &[Entity]| {
        assert_eq!(calls(|| assert_eq!(world.despawn_batch(some), some.len())), 0);
        for _ in some {
            world.spawn((Position::default(), Velocity::default()));
        }
    };
    let last: Vec<_> = world.pool::<Position>().keys()[4_900..].to_vec();
    world.despawn_batch(&last);
    let mut all = world.spawn_batch(last.iter().map(|_| (Position([0.0; 3]), Velocity([0.0; 3]))));
    despawn(&mut world, &all[..10]);
    all.drain(..10);
    despawn(&mut world, &all);
}

#[test]
fn commands_keep_their_memory_for_the_next_frame() {
    let (mut world, entities) = movers(5_000);
    world.on::<usize>(|world, count| assert!(world.len() >= *count));
    let mut commands = Commands::new();
    let mut frame = |world: &mut World| {
        let view = world.view_mut::<&mut Position>();
        let handles = view.allocator();
        for (entity, position) in view {
            position.0[0] += 1.0;
            match entity.index() % 4 {
                0 => commands.insert(entity, (Velocity::default(), Rare)),
                1 => commands.remove::<(Velocity, Rare)>(entity),
                2 => {
                    let spawned = commands.spawn(handles, (Velocity::default(), Tag));
                    commands.queue(move |world| assert!(world.has::<Tag>(spawned)));
                    commands.despawn(spawned);
                }
                _ => commands.patch::<Velocity>(entity, |velocity| velocity.0[0] += 1.0),
            }
        }
        for &entity in &entities {
            commands.insert(entity, Tag);
        }
        commands.send(5_000_usize);
        commands.apply(world);
    };
    for _ in 0..3 {
        frame(&mut world);
    }
    assert_eq!(calls(|| frame(&mut world)), 0);
    assert_eq!(calls(|| drop(Commands::new())), 0);
}

/// A thread that ends iterators which another one makes does not keep the memory of all.
#[test]
fn buffers_of_a_few_iterators_are_kept() {
    let (world, _) = movers(5_000);
    let before = bytes();
    let items: Vec<_> = (0..1_000)
        .map(|_| {
            let mut items = world.view::<(Position, Tag)>().into_iter();
            assert!(items.next().is_some());
            items
        })
        .collect();
    let taken = bytes() - before;
    drop(items);
    let kept = bytes() - before;
    assert!(taken > 1_000_000 && kept < 128_000, "{kept} of {taken} bytes are kept");
}

#[test]
fn a_batch_of_one_allocates_like_a_single_call() {
    // All indices: of living entities and of dead ones.
    for (count, ended) in [(10, 0), (10, 50_000), (50_000, 0)] {
        let (mut world, entities) = movers(count + ended);
        world.despawn_batch(&entities[count..]);
        let one = entities[count / 2];
        for is_grouped in [false, true] {
            if is_grouped {
                world.declare_group(Group::owning::<(Position, Velocity)>()).unwrap();
            }
            let blink = |world: &mut World| {
                world.insert(one, Rare).unwrap();
                world.remove::<Rare>(one).unwrap();
                let entity = world.spawn((Position::default(), Velocity::default())).id();
                world.despawn(entity).unwrap();
            };
            blink(&mut world);
            let each = calls(|| blink(&mut world));
            let asked = calls(|| {
                world.insert_batch([(one, Rare)]).unwrap();
                assert_eq!(world.remove_batch::<Rare>(&[one]), 1);
                world.insert_batch([(one, Rare)].into_iter().filter(|_| true)).unwrap();
                assert_eq!(world.remove_batch::<Rare>(&[one]), 1);
                let entity = world.spawn((Position::default(), Velocity::default())).id();
                assert_eq!(world.despawn_batch(&[entity]), 1);
            });
            assert_eq!((each, asked), (0, 0));
            let mut made = Vec::new();
            let row = (Position::default(), Velocity::default());
            let asked = calls(|| made = world.spawn_batch([row]));
            assert_eq!(asked, 1, "the list that is returned");
            assert_eq!(world.despawn_batch(&made), 1);
        }
    }
}

#[test]
fn reserved_entities_allocate_nothing() {
    let (mut world, entities) = movers(5_000);
    world.despawn_batch(&entities[..2_000]);
    let reserved: Vec<_> = (0..10_000).map(|_| world.reserve_entity()).collect();
    assert_eq!(calls(|| assert!(reserved.iter().all(|&entity| world.is_alive(entity)))), 0);
}

#[test]
fn a_declaration_takes_memory_by_members() {
    // The number of allocations, and of bytes, of a hundred members among this many indices.
    let declared = |indices: usize, declare: fn(&mut World)| {
        let mut world = World::new();
        let all = world.spawn_batch((0..indices).map(|_| ()));
        for &entity in all[..50].iter().chain(&all[indices - 50..]) {
            world.insert(entity, (Position::default(), Velocity::default())).unwrap();
        }
        let mut bytes = 0;
        (calls(|| bytes = most_bytes(|| declare(&mut world))), bytes)
    };
    let owning: fn(&mut World) = |world| {
        world.declare_group(Group::owning::<(Position, Velocity)>()).unwrap();
    };
    assert_eq!(declared(1_000, owning), declared(2_000_000, owning));

    let observing: fn(&mut World) = |world| {
        world.declare_group(Group::observing::<(Position, Velocity)>()).unwrap();
    };
    let (few, many) = (declared(1_000, observing), declared(2_000_000, observing));
    let table = 8 * 2_000_000 / 1_024; // of the list: an address a page of indices, as any pool has
    assert!(many.0 <= few.0 + 1 && many.1 <= few.1 + table, "{few:?} among few, {many:?}");
}

fn numbered() -> World {
    let mut world = World::new();
    world.spawn_batch((0..5_000).map(|at| (Position([at as f32; 3]), Velocity([at as f32; 3]))));
    world
}

/// An order that is independent of the positions' order.
fn key(position: &Position) -> u32 {
    position.0[0].to_bits().wrapping_mul(2_654_435_761)
}

#[test]
fn sorting_takes_twelve_bytes_a_member() {
    let mut world = numbered();
    let mut pool = world.pool_mut::<Position>();
    // Once before, so that the sparse arrays have their memory.
    pool.sort_by(|a, b| b.0[0].total_cmp(&a.0[0])).unwrap();
    let stable = most_bytes(|| pool.sort_by(|a, b| key(a).cmp(&key(b))).unwrap());
    let unstable = most_bytes(|| pool.sort_unstable_by(|a, b| key(b).cmp(&key(a))).unwrap());
    assert_eq!((stable, unstable), (12 * 5_000, 12 * 5_000));
    let as_other = most_bytes(|| world.pool_mut::<Position>().sort_like::<Velocity>().unwrap());
    assert_eq!(as_other, (8 + 12) * 5_000, "those of the other are noted, too");
    let again = most_bytes(|| world.pool_mut::<Position>().sort_like::<Velocity>().unwrap());
    assert_eq!(again, (8 + 5) * 5_000, "nothing is moved");
    assert!(world.pool::<Position>().as_slice().is_sorted_by_key(|position| position.0[0]));
}

#[test]
fn a_group_is_sorted_by_one_list_of_exchanges() {
    let mut world = numbered();
    let mut pool = world.pool_mut::<Position>();
    // Once before, so that the sparse arrays have their memory.
    pool.sort_by(|a, b| b.0[0].total_cmp(&a.0[0])).unwrap();
    let of_a_pool = calls(|| pool.sort_by(|a, b| key(a).cmp(&key(b))).unwrap());

    let mut world = numbered();
    let moving = Group::owning::<(Position, Velocity)>();
    world.declare_group(moving).unwrap();
    let mut group = world.group_mut(moving).unwrap();
    group.sort_by(|(a, _), (b, _)| b.0[0].total_cmp(&a.0[0]));
    let of_a_group = calls(|| group.sort_by(|(a, _), (b, _)| key(a).cmp(&key(b))));
    assert_eq!(of_a_group, of_a_pool, "a group of two pools asks for no more memory than one pool");

    world.check_invariants();
    let view = world.view::<(Position, Velocity)>();
    let (_, positions, velocities) = view.as_slices().unwrap();
    assert!(positions.is_sorted_by_key(key));
    assert!(positions.iter().zip(velocities).all(|(p, v)| p.0[0].to_bits() == v.0[0].to_bits()));
}

#[test]
fn memory_usage_equals_the_allocations() {
    // The process-wide list of component types is no world's.
    drop(movers(1));
    let before = bytes();
    let mut world = World::new();
    let entities = movers_into(&mut world, 20_000);
    for entity in entities.iter().step_by(7) {
        world.insert(*entity, Tag).unwrap();
    }
    for entity in entities.iter().step_by(5) {
        world.despawn(*entity).unwrap();
    }
    let held = |world: &World| {
        let said = world.memory_usage().total();
        (said, bytes() - before)
    };
    drop(entities);
    let (said, given) = held(&world);
    assert_eq!(said.cast_signed(), given, "after spawning and despawning");

    world.shrink_to_fit();
    let (shrunk, given) = held(&world);
    assert_eq!(shrunk.cast_signed(), given, "after shrinking");
    assert!(shrunk < said, "shrinking gives {said} - {shrunk} bytes back");

    world.clear();
    world.shrink_to_fit();
    let (cleared, given) = held(&world);
    assert_eq!(cleared.cast_signed(), given, "after clearing");
    let pools = world.memory_usage().pools;
    assert!(pools.iter().all(|(_, usage)| usage.total() == 0), "pools keep {pools:?}");
    drop((pools, world));
    assert_eq!(bytes(), before, "a dropped world leaves nothing behind");
}

fn movers_into(world: &mut World, count: usize) -> Vec<Entity> {
    world.spawn_batch((0..count).map(|_| (Position([1.0; 3]), Velocity([1.0; 3]))))
}

/// The bytes a member that a sparse array of 4-byte cells in pages of 4,096 takes.
fn paged_cells(members: &[u32]) -> f64 {
    let mut pages: Vec<u32> = members.iter().map(|index| index / 4096).collect();
    pages.sort_unstable();
    pages.dedup();
    pages.len() as f64 * 4.0 * 4096.0 / members.len() as f64
}

/// Members among this many indices, at one of `every` on average, in random order.
fn scattered(indices: u32, every: u64) -> Vec<u32> {
    let mut state = 88_172_645_463_325_252_u64;
    let mut random = move || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state
    };
    let mut members: Vec<u32> = (0..indices).filter(|_| random() % every == 0).collect();
    for at in (1..members.len()).rev() {
        let other = usize::try_from(random() % (at as u64 + 1)).unwrap();
        members.swap(at, other);
    }
    members
}

#[test]
fn the_sparse_side_is_small_at_every_density() {
    // Shuffled, the worst order: a cell a member, and a bit an index.
    for (indices, every, most) in [
        (1_000_000, 1, 1.0),
        (1_000_000, 10, 0.5),
        (1_000_000, 100, 0.1),
        (1_000_000, 1_000, 0.05),
        // In small pools, whose cells fit the caches, packing costs more than it saves.
        (100_000, 10, 0.9),
        (100_000, 100, 0.9),
        (100_000, 1_000, 0.1),
    ] {
        let members = scattered(indices, every);
        let before = bytes();
        let set: SparseSet<()> = members.iter().map(|&index| (index, ())).collect();
        let usage = set.memory_usage();
        assert_eq!(usage.total().cast_signed(), bytes() - before);
        let each = usage.sparse as f64 / members.len() as f64;
        let ratio = each / paged_cells(&members);
        let found = format!(
            "1 of {every} of {indices}: {each:.2} bytes a member, {ratio:.3} of 4,096-cell pages"
        );
        println!("{found}");
        assert!(ratio <= most, "{found}");
    }
    // In order: bits only.
    let set: SparseSet<()> = (0..1_000_000).map(|index| (index, ())).collect();
    assert!(set.memory_usage().sparse < 250_000);
}

#[test]
fn pages_are_given_back_when_they_empty() {
    let members = scattered(1_000_000, 1);
    let mut set: SparseSet<()> = members.iter().map(|&index| (index, ())).collect();
    let full = set.memory_usage().sparse;
    for &index in &members[1..] {
        set.remove(index);
    }
    // The table of pages stays; of the pages, one, and one without cells for the next.
    assert!(set.memory_usage().sparse < full / 100);
    let mut one: SparseSet<()> = (0..1_000).rev().map(|index| (index, ())).collect();
    assert!(one.memory_usage().sparse > 3_000, "a page with cells");
    (0..1_000).for_each(|index| assert!(one.remove(index).is_some()));
    assert!((1..300).contains(&one.memory_usage().sparse), "one without");
    one.shrink_to_fit();
    assert_eq!(one.memory_usage().sparse, 0);
}

#[test]
fn parts_of_a_view_share_what_they_need() {
    let (world, _) = movers(3_000);
    let one = || world.view::<&Position>();
    let two = || world.view::<(&Position, &Tag)>();
    let sum = |parts: usize| {
        let ones = one().into_parts(parts).map(Iterator::count).sum::<usize>();
        let twos = two().into_parts(parts).map(Iterator::count).sum::<usize>();
        assert_eq!((ones, twos), (3_000, 1_000));
    };
    sum(2);
    assert_eq!(calls(|| sum(500)), calls(|| sum(2)), "each one as it is taken");
    let collect = || two().into_parts(500).collect::<Vec<_>>();
    assert!(calls(|| drop(collect())) <= 3, "parts that are not begun");
    let (mut parts, mut found) = (collect(), Vec::new());
    for (entity, ..) in parts.iter_mut().step_by(2).flatten() {
        found.push(entity);
    }
    for (entity, ..) in parts.into_iter().skip(1).step_by(2).flatten() {
        found.push(entity);
    }
    found.sort_unstable();
    let mut all: Vec<Entity> = two().into_iter().map(|(entity, ..)| entity).collect();
    all.sort_unstable();
    assert!(found == all);
}

#[test]
fn small_batches_take_no_more_memory_in_large_worlds() {
    let mut world = World::new();
    world.on_insert::<Tag>(|_, _| {});
    world.on_remove::<Tag>(|_, _| {});
    let entities = world.spawn_batch((0..200_000).map(|_| ()));
    let mut edit = || {
        let some = [entities[199_999], entities[5]];
        world.insert_batch(some.map(|entity| (entity, Tag))).unwrap();
        assert_eq!(world.remove_batch::<Tag>(&some), 2);
    };
    edit();
    let taken = most_bytes(edit);
    assert!(taken < 5_000, "{taken} bytes");
}

#[test]
fn one_huge_index_is_cheap() {
    let mut set = SparseSet::new();
    set.insert(u32::MAX, 1_u8);
    assert_eq!(set.get(u32::MAX), Some(&1));
    assert!(set.memory_usage().total() < 40 << 20, "the table of pages, and one page");
}

/// A component that is edited by its name.
#[derive(Component, Clone, Default, serde::Serialize, serde::Deserialize)]
#[component(clone, default, save = "counted")]
struct Counted(u64);

#[test]
fn overwriting_by_name_makes_no_room_in_the_pool() {
    let mut world = World::new();
    let entities = world.spawn_batch((0..1_000).map(Counted));
    world.shrink_to_fit();
    let kind = Kind::of::<Counted>();
    let full = |world: &World| world.memory_usage().total();
    let before = full(&world);
    for entity in &entities {
        world.insert_kind_default(kind, *entity).unwrap();
        world.copy_kind(kind, entities[0], *entity).unwrap();
        let mut from = serde_json::Deserializer::from_str("7");
        world.insert_kind(kind, *entity, &mut from).unwrap();
    }
    assert_eq!(full(&world), before);
    assert!(world.pool::<Counted>().as_slice().iter().all(|counted| counted.0 == 7));
    let most = most_bytes(|| world.insert_kind_default(kind, entities[5]).unwrap());
    assert!(most < 1_000, "{most} bytes for one value");
}

#[test]
fn an_observer_that_captures_nothing_takes_no_memory() {
    let mut world = World::new();
    let mut observe = |captured: Option<u64>| {
        let before = bytes();
        if let Some(captured) = captured {
            world.on_insert::<Position>(move |_, _| assert_eq!(captured, 7));
            world.on_batch::<Inserted<Position>>(move |_, _| assert_eq!(captured, 7));
        } else {
            world.on_insert::<Position>(|_, _| ());
            world.on_batch::<Inserted<Position>>(|_, _| ());
        }
        bytes() - before
    };
    observe(None); // the lists of the component have room for more
    assert_eq!(observe(None), 0);
    assert!(observe(Some(7)) > 0);
}
