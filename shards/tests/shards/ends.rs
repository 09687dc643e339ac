//! Entities that end while entities of other ranks name them.
//!
//! `ECS_HISTORIES` says how many random programs are tried.

use crate::entities::{Random, histories};
use ecs::{ChildOf, Component, Entity, World};
use ecs_shards::{Channels, Identity, ShardError, Shards, StandIn};
use serde::{Deserialize, Serialize};

/// The quarter that an entity belongs to, whose rank owns it, and a number that changes.
#[derive(Component, Serialize, Deserialize, Clone, Copy, Debug, PartialEq)]
#[component(save = "at")]
struct At(usize, u32);
#[derive(Component, Serialize, Deserialize, Clone, Debug)]
#[component(save = "aim")]
struct Aim(#[component(entities)] Entity);
#[derive(Component, Serialize, Deserialize, Clone, Debug)]
#[component(save = "follows", relation)]
struct Follows(Entity);
#[derive(Component, Serialize, Deserialize)]
#[component(save = "anchor", veto = stays)]
struct Anchor;

fn stays(_: &mut Anchor) -> bool {
    false
}

type Ranks<'c> = Shards<&'c mut Channels>;

fn world() -> World {
    let mut world = World::new();
    world.register::<(At, Aim, ChildOf, Follows, Anchor)>();
    world
}

/// Runs ranks that share four quarters. The first one has the entities that `make` spawns, in quarter 0.
fn run<R: Send>(
    ranks: usize,
    make: impl Fn(&mut World) + Sync,
    then: impl Fn(&mut Ranks<'_>, &mut World) -> Result<R, ShardError> + Sync,
) -> Result<Vec<R>, ShardError> {
    Channels::run(ranks, |channels| {
        let mut world = world();
        let mut shards = Shards::new(channels, &mut world)?;
        if shards.rank() == 0 {
            make(&mut world);
        }
        then(&mut shards, &mut world)
    })
}

fn migrate(shards: &mut Ranks<'_>, world: &mut World) -> Result<(), ShardError> {
    let ranks = shards.ranks();
    shards.migrate::<At>(world, |at| at.0 * ranks / 4)?;
    world.check_invariants();
    Ok(())
}

/// Returns the entity of this identity, or its stand-in.
fn any(world: &World, identity: u64) -> Option<Entity> {
    world.pool::<Identity>().iter().find(|(_, found)| found.0 == identity).map(|(entity, _)| entity)
}

/// Returns the entity of this identity, if this rank has it.
fn own(world: &World, identity: u64) -> Option<Entity> {
    any(world, identity).filter(|entity| !world.has::<StandIn>(*entity))
}

/// All that can be seen of an entity, with identities in the place of handles.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
struct Line {
    identity: u64,
    at: Option<(usize, u32)>,
    /// The number of the entity in its `Aim`, if there is one and the entity is alive.
    #[expect(clippy::option_option, reason = "both are of interest")]
    aim: Option<Option<u64>>,
    parent: Option<u64>,
    follows: Option<u64>,
}

/// Returns the entities of all ranks, in the order of their identities.
fn lines(shards: &mut Ranks<'_>, world: &World) -> Result<Vec<Line>, ShardError> {
    let identity = |entity: Entity| world.get::<Identity>(entity).map(|it| it.0);
    let line = |(entity, of): (Entity, &Identity)| Line {
        identity: of.0,
        at: world.get::<At>(entity).map(|at| (at.0, at.1)),
        aim: world.get::<Aim>(entity).map(|aim| identity(aim.0)),
        parent: world.parent(entity).and_then(identity),
        follows: world.get::<Follows>(entity).and_then(|it| identity(it.0)),
    };
    let all = world.pool::<Identity>();
    let own = all.iter().filter(|(entity, _)| !world.has::<StandIn>(*entity)).map(line).collect();
    let mut lines: Vec<Line> = shards.reduce(own, |mut some, more: Vec<Line>| {
        some.extend(more);
        some
    })?;
    lines.sort();
    for (_, identity) in all {
        assert!(lines.iter().any(|it| it.identity == identity.0), "{identity} is alive somewhere");
    }
    Ok(lines)
}

const PLACES: u64 = 24;

/// Changes entities and their relations. All ranks draw the same numbers, and each changes its own entities. Entities of one
/// quarter are on one rank, on any number of ranks.
fn edit(world: &mut World, random: &mut Random, next: &mut u64) {
    let mut moves = Vec::new();
    for _ in 0..random.below(16) {
        let [kind, a, b, number] = [8, *next, *next, 1_000].map(|end| random.below(end));
        let number = u32::try_from(number).unwrap();
        if kind == 6 {
            *next += 1;
        }
        let Some(one) = own(world, a) else { continue };
        let at = *world.get::<At>(one).unwrap();
        let other = own(world, b).filter(|it| world.get::<At>(*it).unwrap().0 == at.0);
        match (kind, other) {
            (1, Some(other)) => world.insert(one, Aim(other)).unwrap(),
            (2, Some(other)) if b < a => world.attach(one, other).unwrap(),
            (3, _) => _ = world.detach(one),
            (4, Some(other)) => world.insert(one, Follows(other)).unwrap(),
            (5, _) => drop(world.remove::<Follows>(one)),
            (6, _) => _ = world.spawn((Identity(*next - 1), At(at.0, number), ChildOf(one))),
            (7, _) => moves.push((one, number as usize % 4)),
            _ => world.get_mut::<At>(one).unwrap().1 = number,
        }
    }
    // Until then, entities of one quarter are on one rank.
    for (entity, quarter) in moves {
        world.get_mut::<At>(entity).unwrap().0 = quarter;
    }
}

/// Despawns some entities: first one that another one names, then others.
fn end(world: &mut World, random: &mut Random, next: u64) {
    let [kind, first] = [4, next].map(|end| random.below(end));
    let named = own(world, first).and_then(|first| match kind {
        0 => world.parent(first),
        1 => world.get::<Aim>(first).map(|aim| aim.0),
        2 => world.get::<Follows>(first).map(|it| it.0),
        _ => None,
    });
    named.into_iter().for_each(|named| _ = world.despawn(named));
    for _ in 0..random.below(3) {
        let identity = random.below(next);
        own(world, identity).into_iter().for_each(|it| world.despawn(it).unwrap());
    }
}

/// Returns the entities after each step of a random program.
fn program(seed: u64, ranks: usize) -> Vec<Vec<Line>> {
    let run = run(
        ranks,
        |_| {},
        |shards, world| {
            let (mut random, mut next) = (Random(seed), PLACES);
            for it in 0..PLACES {
                let quarter = usize::try_from(random.below(4)).unwrap();
                if quarter * shards.ranks() / 4 == shards.rank() {
                    world.spawn((Identity(it), At(quarter, 0)));
                }
            }
            let mut steps = Vec::new();
            for _ in 0..15 {
                edit(world, &mut random, &mut next);
                end(world, &mut random, next);
                migrate(shards, world)?;
                steps.push(lines(shards, world)?);
            }
            Ok(steps)
        },
    );
    let mut of_ranks = run.unwrap_or_else(|error| panic!("seed {seed}, {ranks} ranks: {error}"));
    of_ranks.swap_remove(0)
}

#[test]
fn random_programs_have_one_result_on_any_number_of_ranks() {
    let mut ended = 0;
    for seed in 0..histories(15) {
        let alone = program(seed, 1);
        ended +=
            alone.windows(2).map(|two| two[0].len().saturating_sub(two[1].len())).sum::<usize>();
        for ranks in [2, 4] {
            let of_ranks = program(seed, ranks);
            for (step, (found, expected)) in of_ranks.iter().zip(&alone).enumerate() {
                let one_of = |some: &[Line], more: &[Line]| {
                    some.iter().find(|line| !more.contains(line)).cloned()
                };
                let differs = (one_of(found, expected), one_of(expected, found));
                assert_eq!(differs, (None, None), "seed {seed}, step {step}, {ranks} ranks");
            }
        }
    }
    assert!(ended > 0);
}

/// A chain over four quarters: each entity is a child of the one before. The last one aims at the first.
fn chain(world: &mut World) {
    let mut last = world.spawn((Identity(0), At(0, 0))).id();
    let first = last;
    for it in 1..4 {
        last = world.spawn((Identity(it), At(usize::try_from(it).unwrap(), 0), ChildOf(last))).id();
    }
    world.insert(last, Aim(first)).unwrap();
    world.spawn((Identity(4), At(0, 0), Follows(last)));
}

fn identities(lines: &[Line]) -> Vec<u64> {
    lines.iter().map(|line| line.identity).collect()
}

#[test]
fn children_on_other_ranks_end_with_their_parents_at_any_depth() {
    for ranks in [1, 2, 4] {
        let found = run(ranks, chain, |shards, world| {
            migrate(shards, world)?;
            assert_eq!(lines(shards, world)?.len(), 5);
            own(world, 0).into_iter().for_each(|first| world.despawn(first).unwrap());
            migrate(shards, world)?;
            assert_eq!(world.pool::<StandIn>().len(), 0);
            lines(shards, world)
        });
        let found = found.unwrap().swap_remove(0);
        assert_eq!(identities(&found), [4], "on {ranks} ranks");
        assert_eq!(found[0].follows, None);
    }
}

#[test]
fn an_entity_whose_stand_in_is_despawned_ends() {
    for ranks in [1, 2, 4] {
        let found = run(ranks, chain, |shards, world| {
            migrate(shards, world)?;
            // The last one ends its parent, and so itself.
            let parent = own(world, 3).and_then(|last| world.parent(last));
            parent.into_iter().for_each(|parent| world.despawn(parent).unwrap());
            migrate(shards, world)?;
            lines(shards, world)
        });
        let found = found.unwrap().swap_remove(0);
        assert_eq!(identities(&found), [0, 1, 4], "on {ranks} ranks");
    }
}

#[test]
fn entities_that_moved_on_end_with_those_of_the_rank_they_left() {
    for ranks in [1, 2, 4] {
        let found = run(ranks, chain, |shards, world| {
            migrate(shards, world)?;
            for _ in 0..4 {
                // All go round. The relations stay.
                world.view_mut::<&mut At>().for_each(|(_, at)| at.0 = (at.0 + 1) % 4);
                migrate(shards, world)?;
            }
            own(world, 1).into_iter().for_each(|it| world.despawn(it).unwrap());
            migrate(shards, world)?;
            lines(shards, world)
        });
        assert_eq!(identities(&found.unwrap()[0]), [0, 4], "on {ranks} ranks");
    }
}

#[test]
fn ends_cross_borders_after_a_checkpoint() {
    let folder = tempfile::tempdir().unwrap();
    let found = run(4, chain, |shards, world| {
        migrate(shards, world)?;
        shards.save(world, folder.path(), 1)?;
        let mut loaded = self::world();
        loaded.register::<(Identity, StandIn)>();
        assert_eq!(shards.load_last(&mut loaded, folder.path())?, Some(1));
        own(&loaded, 0).into_iter().for_each(|first| loaded.despawn(first).unwrap());
        migrate(shards, &mut loaded)?;
        lines(shards, &loaded)
    });
    assert_eq!(identities(&found.unwrap()[0]), [4]);
}

#[test]
fn a_veto_that_keeps_what_ends_on_another_rank_ends_the_run() {
    let make = |world: &mut World| {
        let parent = world.spawn((Identity(1), At(0, 0))).id();
        world.spawn((Identity(2), At(3, 0), ChildOf(parent)));
    };
    let error = run(2, make, |shards, world| {
        migrate(shards, world)?;
        own(world, 2).into_iter().for_each(|child| world.insert(child, Anchor).unwrap());
        own(world, 1).into_iter().for_each(|parent| world.despawn(parent).unwrap());
        migrate(shards, world)
    });
    let error = error.unwrap_err().to_string();
    assert!(
        error.contains("ends with an entity of another rank, and a veto refused it"),
        "{error}"
    );
}

#[test]
fn a_circle_over_a_border_is_refused_when_its_entities_meet() {
    let make = |world: &mut World| {
        let a = world.spawn((Identity(1), At(0, 0))).id();
        let b = world.spawn((Identity(2), At(3, 0), Aim(a))).id();
        world.attach(a, b).unwrap();
    };
    let error = run(2, make, |shards, world| {
        migrate(shards, world)?;
        if let Some(b) = own(world, 2) {
            let a = world.get::<Aim>(b).unwrap().0;
            world.attach(b, a).unwrap(); // here, `a` has no parent
        }
        migrate(shards, world)?;
        own(world, 1).into_iter().for_each(|a| world.get_mut::<At>(a).unwrap().0 = 3);
        migrate(shards, world)
    });
    let error = error.unwrap_err().to_string();
    assert!(error.contains("refused a message from rank 0") && error.contains("circle"), "{error}");
}

#[test]
fn components_that_name_entities_are_registered_before_the_shards_are_made() {
    let error = Channels::run(2, |channels| {
        let mut world = World::new();
        world.register::<At>();
        let mut shards = Shards::new(channels, &mut world)?;
        if shards.rank() == 0 {
            let aimed = world.spawn((Identity(1), At(0, 0))).id();
            world.spawn((Identity(2), At(1, 0), Aim(aimed)));
        }
        shards.migrate::<At>(&mut world, |at| at.0).map(drop)
    });
    let error = error.unwrap_err().to_string();
    assert!(
        error.contains("`Aim` names entities: register it before the shards are made"),
        "{error}"
    );
}

#[test]
fn ranks_that_name_no_entities_send_nothing_about_ends() {
    let messages = Channels::run(3, |channels| {
        let mut world = World::new();
        world.register::<At>();
        let mut shards = Shards::new(channels, &mut world)?;
        let before = shards.traffic().messages;
        shards.migrate::<At>(&mut world, |at| at.0)?;
        Ok(shards.traffic().messages - before)
    });
    assert_eq!(messages.unwrap(), [2, 2, 2]);
}
