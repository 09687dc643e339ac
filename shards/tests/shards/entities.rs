//! Entities that move between ranks, the entities that they name, and ghosts.
//!
//! `ECS_HISTORIES` says how many random runs are tried.

use ecs::by_name::{FieldValue, Fields};
use ecs::{ChildOf, Component, Entity, With, World};
use ecs_shards::{Channels, Cuts, Ghosts, Identity, ShardError, Shards, StandIn, Transport};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::env;

/// The rank that an entity belongs to, and a number that changes.
#[derive(Component, Serialize, Deserialize, Clone, Copy, Debug, PartialEq)]
#[component(save = "at", track)]
struct At(usize, u32);
#[derive(Component, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[component(save = "aim")]
struct Aim(#[component(entities)] Entity);
#[derive(Component, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[component(save = "cargo", track)]
struct Cargo(String);
/// Stays behind, as it says.
#[derive(Component)]
#[component(save = skip)]
struct Picture;
/// Has no attribute.
#[derive(Component)]
struct Forgotten;
#[derive(Component, Serialize, Deserialize)]
#[component(save = "anchor", veto = stays)]
struct Anchor;

fn stays(_: &mut Anchor) -> bool {
    false
}

type Result<T = ()> = std::result::Result<T, ShardError>;

fn world() -> World {
    let mut world = World::new();
    world.register::<(At, Aim, Cargo, ChildOf, Anchor)>();
    world
}

fn find(world: &World, identity: u64) -> Option<Entity> {
    let all = world.pool::<Identity>();
    all.iter().find(|(_, found)| found.0 == identity).map(|(entity, _)| entity)
}

fn identity(world: &World, entity: Entity) -> u64 {
    world.get::<Identity>(entity).unwrap().0
}

fn migrate<T: Transport>(shards: &mut Shards<T>, world: &mut World) -> Result<usize> {
    let came = shards.migrate::<At>(world, |at| at.0)?;
    world.check_invariants();
    Ok(came)
}

/// Runs two ranks, each with a world; the first one has the entities that `make` spawns.
fn two(
    make: impl Fn(&mut World) + Sync,
    then: impl Fn(&mut Shards<&mut Channels>, &mut World) -> Result + Sync,
) -> Result<Vec<()>> {
    Channels::run(2, |channels| {
        let mut world = world();
        let mut shards = Shards::new(channels, &mut world)?;
        if shards.rank() == 0 {
            make(&mut world);
        }
        then(&mut shards, &mut world)
    })
}

#[test]
fn components_without_a_rust_type_move_with_their_handles() {
    let ranks = Channels::run(2, |channels| {
        let mut world = world();
        let kind = world.define("Wound", Fields::new().u8("depth").entity("by")).unwrap();
        let mut shards = Shards::new(channels, &mut world)?;
        if shards.rank() == 0 {
            let wolf = world.spawn((Identity(1), At(0, 0))).id();
            let hero = world.spawn((Identity(2), At(1, 0))).id();
            let values: [FieldValue; 2] = [3_u8.into(), wolf.into()];
            world.insert_fields(kind, hero, &values).unwrap();
        }
        migrate(&mut shards, &mut world)?;
        if shards.rank() == 1 {
            let hero = find(&world, 2).unwrap();
            let value = world.kind_value(kind, hero).unwrap();
            assert_eq!(value.field("depth"), Some(3_u8.into()));
            assert_eq!(value.field("by"), Some(find(&world, 1).unwrap().into()));
        }
        Ok(())
    });
    ranks.unwrap();
}

#[test]
fn a_group_moves_with_its_relations_and_handles_of_the_rest() {
    let make = |world: &mut World| {
        let town = world.spawn((Identity(1), At(0, 0), Cargo("town".into()))).id();
        let ship = world.spawn((Identity(2), At(1, 0), ChildOf(town), Picture)).id();
        let crew: Vec<Entity> = [3, 4]
            .map(|it| world.spawn((Identity(it), At(1, 0), ChildOf(ship), Aim(town))).id())
            .into();
        world.move_related::<ChildOf>(crew[1], 0);
        world.spawn((Identity(5), ChildOf(crew[0]), Aim(ship))); // has no `At`, and follows
        world.spawn((Identity(6), At(0, 0), Aim(crew[1])));
    };
    two(make, |shards, world| {
        let came = migrate(shards, world)?;
        let find = |world: &World, it| find(world, it).unwrap();
        let ids = |world: &World, parent| -> Vec<u64> {
            world.children(parent).map(|child| identity(world, child)).collect()
        };
        if shards.rank() == 0 {
            assert_eq!((came, world.len()), (0, 3)); // the town, the aiming one, and its target
            let aim = world.get::<Aim>(find(world, 6)).unwrap().0;
            assert!(identity(world, aim) == 4 && world.has::<&StandIn>(aim));
            assert!(world.get::<At>(aim).is_none() && !world.has::<&StandIn>(find(world, 1)));
        } else {
            assert_eq!((came, world.len(), world.pool::<StandIn>().len()), (4, 5, 1));
            let town = find(world, 1);
            assert!(world.has::<&StandIn>(town) && world.get::<Cargo>(town).is_none());
            let ship = find(world, 2);
            assert_eq!((world.parent(ship), world.pool::<Picture>().len()), (Some(town), 0));
            assert_eq!(ids(world, ship), [4, 3]);
            assert_eq!(world.get::<Aim>(find(world, 3)), Some(&Aim(town)));
            assert_eq!(ids(world, find(world, 3)), [5]);
            assert_eq!(world.get::<Aim>(find(world, 5)), Some(&Aim(ship)));
            world.view_mut::<&mut At>().for_each(|(_, at)| at.0 = 0);
        }
        // All come home, to the handles that name them.
        let aim = find_in(world, 6).map(|entity| world.get::<Aim>(entity).unwrap().0);
        let came = migrate(shards, world)?;
        assert_eq!(world.pool::<StandIn>().len(), 0);
        if let Some(aim) = aim {
            assert_eq!((came, world.len(), find(world, 4)), (4, 6, aim));
            assert_eq!(world.parent(find(world, 2)), Some(find(world, 1)));
            assert_eq!(ids(world, find(world, 2)), [4, 3]);
            assert_eq!(world.get::<Aim>(find(world, 3)), Some(&Aim(find(world, 1))));
        } else {
            assert!(world.is_empty());
        }
        Ok(())
    })
    .unwrap();
}

fn find_in(world: &World, identity: u64) -> Option<Entity> {
    find(world, identity).filter(|entity| world.has::<&Aim>(*entity))
}

/// Steele, Lea and Flood's `SplitMix64`.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn below(&mut self, end: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed ^ (mixed >> 31)) % end
    }
}

/// The expected components of an entity, in terms of identities.
#[derive(Clone, Default)]
struct Expected {
    owner: usize,
    number: u32,
    cargo: Option<String>,
    aim: Option<u64>,
    parent: Option<u64>,
}

const ENTITIES: u64 = 30;

/// Changes some entities: each rank computes all changes, and makes the ones of its own entities.
fn edit(all: &mut BTreeMap<u64, Expected>, world: &mut World, own: usize, random: &mut Random) {
    for _ in 0..random.below(15) {
        let [a, b] = [(); 2].map(|()| random.below(ENTITIES));
        let (kind, number) = (random.below(6), u32::try_from(random.below(1_000)).unwrap());
        let owners = [a, b].map(|it| all[&it].owner);
        let expected = all.get_mut(&a).unwrap();
        let here = (owners[0] == own).then(|| find(world, a).unwrap());
        match kind {
            0 => {
                expected.cargo = Some(number.to_string());
                here.inspect(|it| world.insert(*it, Cargo(number.to_string())).unwrap());
            }
            1 => {
                expected.cargo = None;
                here.inspect(|it| drop(world.remove::<Cargo>(*it)));
            }
            // Only an entity of the same rank has a handle here for sure.
            2 if owners[0] == owners[1] => {
                expected.aim = Some(b);
                here.inspect(|it| world.insert(*it, Aim(find(world, b).unwrap())).unwrap());
            }
            3 if owners[0] == owners[1] && b < a => {
                expected.parent = Some(b);
                here.inspect(|it| world.attach(*it, find(world, b).unwrap()).unwrap());
            }
            4 => {
                expected.parent = None;
                here.inspect(|it| _ = world.detach(*it));
            }
            _ => {
                expected.number = number;
                here.inspect(|it| world.get_mut::<At>(*it).unwrap().1 = number);
            }
        }
    }
}

/// Moves a third of the entities to other ranks.
fn change_owners(
    all: &mut BTreeMap<u64, Expected>,
    world: &mut World,
    [own, ranks]: [usize; 2],
    random: &mut Random,
) {
    for (it, expected) in all {
        let owner = usize::try_from(random.below(ranks as u64)).unwrap();
        if random.below(3) == 0 {
            let before = std::mem::replace(&mut expected.owner, owner);
            if before == own {
                let entity = find(world, *it).unwrap();
                world.get_mut::<At>(entity).unwrap().0 = owner;
            }
        }
    }
}

fn check(all: &BTreeMap<u64, Expected>, world: &World, own: usize) {
    let owned = all.values().filter(|expected| expected.owner == own).count();
    assert_eq!(world.pool::<At>().len(), owned);
    assert_eq!(world.len(), owned + world.pool::<StandIn>().len());
    for (it, expected) in all.iter().filter(|(_, expected)| expected.owner == own) {
        let entity = find(world, *it).unwrap();
        assert_eq!(world.get::<At>(entity), Some(&At(own, expected.number)));
        assert_eq!(world.get::<Cargo>(entity).map(|cargo| cargo.0.clone()), expected.cargo);
        let aim = world.get::<Aim>(entity).map(|aim| identity(world, aim.0));
        let parent = world.parent(entity).map(|parent| identity(world, parent));
        assert_eq!((aim, parent), (expected.aim, expected.parent), "of {it}");
    }
}

pub(crate) fn histories(default: u64) -> u64 {
    env::var("ECS_HISTORIES").map_or(default, |count| count.parse().unwrap())
}

#[test]
fn random_entities_keep_components_and_handles_on_all_ranks() {
    for seed in 0..histories(30) {
        let ranks = 1 + usize::try_from(seed % 4).unwrap();
        let run = Channels::run(ranks, |channels| {
            let (mut random, mut world) = (Random(seed), world());
            let mut shards = Shards::new(channels, &mut world)?;
            let own = shards.rank();
            let mut all = BTreeMap::new();
            for it in 0..ENTITIES {
                let owner = usize::try_from(random.below(ranks as u64)).unwrap();
                all.insert(it, Expected { owner, ..Expected::default() });
                if owner == own {
                    world.spawn((Identity(it), At(own, 0)));
                }
            }
            for _ in 0..20 {
                edit(&mut all, &mut world, own, &mut random);
                change_owners(&mut all, &mut world, [own, ranks], &mut random);
                migrate(&mut shards, &mut world)?;
                check(&all, &world, own);
            }
            Ok(())
        });
        run.unwrap_or_else(|error| panic!("of seed {seed}: {error}"));
    }
}

#[test]
fn components_that_say_nothing_neither_move_nor_are_saved() {
    let folder = tempfile::tempdir().unwrap();
    let named = "cannot save `Forgotten`: entities have it, and it is not saved";
    let make = |world: &mut World| {
        world.spawn((Identity(1), At(1, 0), Forgotten));
    };
    let moved = two(make, |shards, world| migrate(shards, world).map(drop)).unwrap_err();
    assert!(moved.to_string().contains(named), "{moved}");
    let saved = two(make, |shards, world| shards.save(world, folder.path(), 1)).unwrap_err();
    assert!(saved.to_string().contains(named), "{saved}");
}

#[test]
fn components_that_are_not_saved_stay_out_of_sweeps_and_checkpoints() {
    let folder = tempfile::tempdir().unwrap();
    let make = |world: &mut World| {
        let town = world.spawn((Identity(1), At(0, 0), Picture)).id();
        world.spawn((Identity(2), At(1, 0), ChildOf(town)));
    };
    let checked = two(make, |shards, world| {
        world.spawn(Picture); // on each rank
        migrate(shards, world)?;
        world.view_mut::<&mut At>().for_each(|(_, at)| at.0 = 1 - at.0);
        migrate(shards, world)?;
        shards.save(world, folder.path(), 1)?;
        let mut loaded = self::world();
        loaded.register::<(Identity, StandIn)>();
        assert_eq!(shards.load_last(&mut loaded, folder.path())?, Some(1));
        assert_eq!((loaded.len(), loaded.pool::<Picture>().len()), (world.len(), 0));
        Ok(())
    });
    checked.unwrap();
}

#[test]
fn stand_ins_that_nothing_names_end() {
    let make = |world: &mut World| {
        let hub = world.spawn((Identity(0), At(0, 0))).id();
        world.spawn((Identity(1), At(0, 0), Aim(hub))); // so components name entities
        world.spawn_batch((2..5_002).map(|it| (Identity(it), At(1, 0))));
    };
    two(make, |shards, world| {
        migrate(shards, world)?;
        let expected = if shards.rank() == 0 { 2 } else { 5_000 };
        assert_eq!((world.len(), world.pool::<StandIn>().len()), (expected, 0));
        Ok(())
    })
    .unwrap();
}

#[test]
fn ghosts_equal_the_entities_of_other_ranks() {
    for seed in 0..histories(20) {
        let run = Channels::run(3, |channels| {
            let mut world = world();
            let mut shards = Shards::new(channels, &mut world)?;
            let own = shards.rank();
            shards.show_ghosts::<(At, Cargo)>(&mut world);
            let mut random = Random(seed);
            let mut all = BTreeMap::new();
            for it in 0..ENTITIES {
                let owner = usize::try_from(it % 3).unwrap();
                all.insert(it, Expected { owner, ..Expected::default() });
                if owner == own {
                    world.spawn((Identity(it), At(own, 0)));
                }
            }
            for _ in 0..15 {
                edit(&mut all, &mut world, own, &mut random);
                change_owners(&mut all, &mut world, [own, 3], &mut random);
                migrate(&mut shards, &mut world)?;
                let round = random.below(u64::MAX);
                let is_seen =
                    |rank: usize, it: u64| Random(round ^ it << 8 ^ rank as u64).below(2) == 0;
                shards.refresh(&mut world, |world, shown| {
                    for (entity, identity) in world.view::<(&Identity, With<At>)>() {
                        let others =
                            (0..3).filter(|rank| *rank != own && is_seen(*rank, identity.0));
                        others.for_each(|rank| shown.show(entity, rank));
                    }
                })?;
                let ghosts = world.resource::<Ghosts>();
                ghosts.world().check_invariants();
                let seen =
                    all.iter().filter(|(it, expected)| expected.owner != own && is_seen(own, **it));
                assert_eq!(ghosts.world().len(), seen.clone().count());
                for (it, expected) in seen {
                    let ghost = ghosts.get(Identity(*it)).unwrap();
                    assert_eq!(ghost.get::<At>(), Some(&At(expected.owner, expected.number)));
                    assert_eq!(ghost.get::<Cargo>().map(|cargo| cargo.0.clone()), expected.cargo);
                }
            }
            Ok(())
        });
        run.unwrap_or_else(|error| panic!("of seed {seed}: {error}"));
    }
}

#[test]
fn only_changes_of_ghosts_are_sent() {
    let make =
        |world: &mut World| drop(world.spawn_batch((0..1_000).map(|it| (Identity(it), At(0, 0)))));
    two(make, |shards, world| {
        shards.show_ghosts::<At>(world);
        let mut sent = Vec::new();
        for round in 0..3 {
            let entities: Vec<Entity> = world.pool::<At>().keys().to_vec();
            if let (2, Some(first)) = (round, entities.first()) {
                world.get_mut::<At>(*first).unwrap().1 = 9;
            }
            let before = shards.traffic();
            shards.refresh(world, |_, shown| entities.iter().for_each(|it| shown.show(*it, 1)))?;
            sent.push(shards.traffic().shown_bytes - before.shown_bytes);
        }
        if shards.rank() == 0 {
            assert!(sent[0] > 4_000 && sent[1] < 10 && sent[2] < 50, "{sent:?}");
        } else {
            let ghosts = world.resource::<Ghosts>();
            assert_eq!(ghosts.get(Identity(0)).unwrap().get::<At>(), Some(&At(0, 9)));
        }
        Ok(())
    })
    .unwrap();
}

#[test]
fn entities_are_shown_to_neighbours_only() {
    let show = |world: &mut World| _ = world.spawn((Identity(1), At(0, 0)));
    let error = two(show, |shards, world| {
        shards.show_ghosts::<At>(world);
        shards.refresh(world, |world, shown| {
            world.entities().for_each(|entity| shown.show(entity, 5));
        })
    });
    let error = error.unwrap_err().to_string();
    assert!(error.contains("cannot show 0v1 to rank 5, which is no neighbour"), "{error}");
}

#[test]
fn components_of_ghosts_are_tracked() {
    let error = two(
        |_| {},
        |shards, world| {
            shards.show_ghosts::<(At, Aim)>(world);
            Ok(())
        },
    );
    let error = error.unwrap_err().to_string();
    assert!(error.contains("the changes of `Aim`: track it"), "{error}");
}

/// The message of a run in which both ranks call `then`.
fn failure(make: impl Fn(&mut World) + Sync) -> String {
    two(make, |shards, world| migrate(shards, world).map(drop)).unwrap_err().to_string()
}

#[test]
fn an_entity_without_an_identity_may_not_move() {
    let moves = failure(|world| _ = world.spawn(At(1, 0)));
    assert!(moves.contains("and has no `Identity`: insert one"), "{moves}");
    let is_named = failure(|world| {
        let named = world.spawn_empty().id();
        world.spawn((Identity(1), At(1, 0), Aim(named)));
    });
    assert!(is_named.contains("0v1 moves, or is named by an entity that moves"), "{is_named}");
}

#[test]
fn an_entity_may_not_move_to_a_rank_that_does_not_exist() {
    let error = failure(|world| _ = world.spawn((Identity(1), At(7, 0))));
    assert!(error.contains("0v1 belongs to rank 7, which is no neighbour"), "{error}");
}

#[test]
fn a_veto_that_keeps_an_entity_ends_the_run() {
    for names in [false, true] {
        let error = failure(|world| {
            let anchored = world.spawn((Identity(1), At(1, 0), Anchor)).id();
            if names {
                world.spawn((Identity(2), At(0, 0), Aim(anchored)));
            }
        });
        assert!(error.contains("a veto refused its removal"), "{error}");
    }
}

#[test]
fn two_entities_of_one_identity_are_refused_where_it_is_looked_up() {
    let error = Channels::run(2, |channels| {
        let mut world = world();
        let mut shards = Shards::new(channels, &mut world)?;
        if shards.rank() == 0 {
            let named = world.spawn((Identity(1), At(0, 0))).id();
            world.spawn((Identity(2), At(1, 0), Aim(named)));
        } else {
            world.spawn((Identity(2), At(1, 0)));
        }
        migrate(&mut shards, &mut world)
    });
    let error = error.unwrap_err().to_string();
    assert!(error.contains("identity 2"), "{error}");
}

#[test]
fn ranks_with_other_components_are_refused() {
    let error = Channels::run(3, |channels| {
        let mut world = World::new();
        world.register::<At>();
        if channels.rank() == 1 {
            world.register::<Cargo>();
        }
        Shards::new(channels, &mut world).map(drop)
    });
    let error = error.unwrap_err().to_string();
    assert!(error.contains("does not fit: it registers other components"), "{error}");
}

#[test]
fn neighbours_name_each_other() {
    let error = Channels::run(3, |channels| {
        let neighbours: &[usize] = if channels.rank() == 2 { &[0, 1] } else { &[] };
        Shards::with_neighbours(channels, &mut World::new(), neighbours).map(drop)
    });
    let error = error.unwrap_err().to_string();
    assert!(error.contains("one rank names the other as its neighbour"), "{error}");
}

#[test]
fn reductions_fold_in_the_order_of_the_ranks() {
    for ranks in 1..20 {
        let texts = Channels::run(ranks, |channels| {
            let mut shards = Shards::new(channels, &mut World::new())?;
            let rank = shards.rank();
            let text = shards.reduce(rank.to_string(), |a, b| a + "," + &b)?;
            let before = shards.traffic().messages;
            shards.reduce(0, |a, b| a + b)?;
            Ok((text, shards.traffic().messages - before))
        });
        let expected: Vec<String> = (0..ranks).map(|rank| rank.to_string()).collect();
        let texts = texts.unwrap();
        assert!(texts.iter().all(|(text, _)| *text == expected.join(",")));
        let messages: u64 = texts.iter().map(|(_, messages)| messages).sum();
        assert_eq!(messages, 2 * (ranks as u64 - 1));
    }
}

#[test]
fn reductions_by_identity_are_equal_on_any_number_of_ranks() {
    let sum_on = |ranks: u32| {
        let sums = Channels::run(ranks as usize, |channels| {
            let mut shards = Shards::new(channels, &mut World::new())?;
            let own = (0..1_000).filter(|at| (at % ranks) as usize == shards.rank());
            let items = own.map(|at| (Identity(at.into()), 1.0 / f64::from(at + 1))).collect();
            shards.reduce_by_identity(items, 0.0, |sum: f64, item| sum + item)
        });
        let sums: Vec<u64> = sums.unwrap().into_iter().map(f64::to_bits).collect();
        assert!(sums.iter().all(|sum| *sum == sums[0]), "on all ranks");
        sums[0]
    };
    let in_order: f64 = (0..1_000).map(|at| 1.0 / f64::from(at + 1)).sum();
    for ranks in 1..6 {
        assert_eq!(sum_on(ranks), in_order.to_bits(), "on {ranks} ranks");
    }
}

#[test]
fn items_of_one_identity_are_not_reduced() {
    let error = Channels::run(2, |channels| {
        let mut shards = Shards::new(channels, &mut World::new())?;
        shards.reduce_by_identity(vec![(Identity(3), 1)], 0, |a, b| a + b)
    });
    assert!(error.unwrap_err().to_string().contains("identity 3"));
}

#[test]
fn balanced_ranks_have_equal_loads_and_repeat_exactly() {
    /// Returns the cuts of all ranks after some rounds, and the entities of each.
    fn rounds(rounds: usize) -> Vec<(Cuts, usize)> {
        let run = Channels::run(4, |channels| {
            let mut world = world();
            let mut cuts = Cuts::even(100, 4);
            let neighbours = cuts.neighbours(channels.rank());
            let mut shards = Shards::with_neighbours(channels, &mut world, &neighbours)?;
            if shards.rank() == 0 {
                let all = (0_u64..).zip((0..20).cycle()).take(2_000);
                world.spawn_batch(all.map(|(it, cell)| (Identity(it), At(cell, 0))));
            }
            for _ in 0..rounds {
                shards.balance::<At>(&world, &mut cuts, |at| (at.0, 1))?;
                shards.migrate::<At>(&mut world, |at| cuts.owner(at.0))?;
            }
            let have_moved = shards.balance::<At>(&world, &mut cuts, |at| (at.0, 1))?;
            assert_eq!(have_moved, rounds < 4);
            Ok((cuts, world.len()))
        });
        run.unwrap()
    }
    let ranks = rounds(8);
    assert!(ranks.iter().all(|(cuts, _)| *cuts == ranks[0].0), "{ranks:?}");
    assert!(ranks.iter().all(|(_, count)| *count == 500), "{ranks:?}");
    assert_eq!(rounds(2), rounds(2));
}

#[test]
fn ranks_with_other_cuts_are_refused() {
    let error = Channels::run(2, |channels| {
        let mut world = world();
        let mut shards = Shards::new(channels, &mut world)?;
        let mut cuts = Cuts::even(10 + shards.rank(), 2);
        shards.balance::<At>(&world, &mut cuts, |at| (at.0, 1))
    });
    let error = error.unwrap_err().to_string();
    assert!(error.contains("does not fit: it cuts "), "{error}");
}
