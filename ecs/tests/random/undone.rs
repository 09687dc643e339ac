//! Worlds whose entities are taken out and come back, beside worlds that never lost them.
//!
//! `ECS_HISTORIES` says how many worlds are tried.

use crate::numbers::Random;
use ecs::by_name::{Despawned, RestoreError};
use ecs::{ChildOf, Component, Entity, Group, Name, World};
use serde::{Deserialize, Serialize};
use serde_json::Value;

#[derive(Component, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[component(save = "number", clone)]
struct Number(u32);
#[derive(Component, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[component(save = "text", clone, track)]
struct Text(String);
#[derive(Component, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[component(save = "tag", clone)]
struct Tag;
#[derive(Component, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[component(save = "columns", clone, layout = "soa", requires(Tag = Tag))]
struct Columns {
    x: u32,
    label: String,
}
/// Ends with its target, and may form circles.
#[derive(Component, Serialize, Deserialize, Clone, Debug)]
#[component(save = "part", clone, relation, at_end = despawn)]
struct PartOf(#[component(target)] Entity);
#[derive(Component, Serialize, Deserialize, Clone, Debug)]
#[component(save = "likes", clone, relation)]
struct Likes(#[component(target)] Entity);
/// Is lost with its target; no entity is above itself.
#[derive(Component, Serialize, Deserialize, Clone, Debug)]
#[component(save = "above", clone, relation, acyclic)]
struct Above(#[component(target)] Entity);

/// Declares one of several sets of groups.
fn declare(world: &mut World, random: &mut Random) {
    let groups: &[fn(&mut World)] = match random.below(5) {
        0 => &[],
        1 => &[
            |world| world.declare_group(Group::owning::<(Number, Text)>()).unwrap(),
            |world| world.declare_group(Group::owning::<(Number, Text, Tag)>()).unwrap(),
        ],
        2 => &[
            |world| world.declare_group(Group::owning::<(Number, Likes)>()).unwrap(),
            |world| world.declare_group(Group::observing::<(Number, Tag)>()).unwrap(),
            |world| {
                world.declare_group(Group::observing::<Tag>().without::<Likes>()).unwrap();
            },
        ],
        3 => &[
            |world| world.declare_group(Group::owning::<Number>().without::<Likes>()).unwrap(),
            |world| {
                let group = Group::owning::<(Columns, Tag)>().with::<Above>();
                world.declare_group(group).unwrap();
            },
        ],
        _ => &[
            |world| world.declare_group(Group::owning::<Columns>()).unwrap(),
            |world| {
                let group = Group::owning::<(Columns, Text)>().without::<(Above, Likes)>();
                world.declare_group(group).unwrap();
            },
            |world| world.declare_group(Group::observing::<ChildOf>()).unwrap(),
        ],
    };
    groups.iter().for_each(|declare| declare(world));
}

fn pick(world: &World, random: &mut Random) -> Option<Entity> {
    let all: Vec<Entity> = world.entities().collect();
    (!all.is_empty()).then(|| all[random.below(all.len())])
}

/// An edit of entities, which worlds with equal living entities make alike.
#[derive(Clone, Copy, Debug)]
enum Edit {
    Spawn(usize, Entity),
    Insert(usize, Entity, Entity),
    Remove(usize, Entity),
    Patch(Entity),
    Move(Entity, usize),
}

impl Edit {
    fn random(world: &World, random: &mut Random) -> Option<Self> {
        let (on, to) = (pick(world, random)?, pick(world, random)?);
        Some(match random.below(10) {
            0 | 1 => Self::Spawn(random.below(9), to),
            2..=5 => Self::Insert(random.below(9), on, to),
            6 | 7 => Self::Remove(random.below(9), on),
            8 => Self::Patch(on),
            _ => Self::Move(on, random.below(4)),
        })
    }

    /// Returns `false` if a relation would close a circle.
    fn make(self, world: &mut World) -> bool {
        let label = |entity: Entity| entity.to_string();
        match self {
            Self::Spawn(kind, to) => {
                let entity = world.spawn(Number(to.index())).id();
                return Self::Insert(kind, entity, to).make(world);
            }
            Self::Insert(kind, on, to) => match kind {
                0 => world.insert(on, Number(to.index())).unwrap(),
                1 => world.insert(on, Text(label(to))).unwrap(),
                2 => world.insert(on, Tag).unwrap(),
                3 => world.insert(on, Columns { x: to.index(), label: label(to) }).unwrap(),
                4 => world.insert(on, Name::new(label(to))).unwrap(),
                5 => return world.relate(on, ChildOf(to)).is_ok(),
                6 => world.insert(on, PartOf(to)).unwrap(),
                7 => world.insert(on, Likes(to)).unwrap(),
                _ => return world.relate(on, Above(to)).is_ok(),
            },
            Self::Remove(kind, on) => match kind {
                0 => drop(world.remove::<Number>(on)),
                1 => drop(world.remove::<Text>(on)),
                2 => drop(world.remove::<Tag>(on)),
                3 => drop(world.remove::<Columns>(on)),
                4 => drop(world.remove::<Name>(on)),
                5 => drop(world.remove::<ChildOf>(on)),
                6 => drop(world.remove::<PartOf>(on)),
                7 => drop(world.remove::<Likes>(on)),
                _ => drop(world.remove::<Above>(on)),
            },
            Self::Patch(on) => _ = world.patch::<Number>(on, |number| number.0 += 1),
            Self::Move(on, to) => {
                world.move_related::<Likes>(on, to);
                world.move_related::<ChildOf>(on, to);
            }
        }
        true
    }
}

fn has_relation(world: &World, kind: usize, entity: Entity) -> bool {
    match kind {
        5 => world.has::<&ChildOf>(entity),
        6 => world.has::<&PartOf>(entity),
        7 => world.has::<&Likes>(entity),
        _ => world.has::<&Above>(entity),
    }
}

/// A world of entities on a few pages, some of them sparse.
fn world(random: &mut Random, size: usize) -> World {
    let mut world = World::new();
    world.register::<(Number, Text, Tag, Columns, Name, ChildOf, PartOf, Likes, Above)>();
    for at in 0..size {
        if random.below(4) == 0 {
            let index = random.below(2_500) as u64;
            _ = world.spawn_at(Entity::from_bits(1 << 32 | index).unwrap());
        } else if random.below(3) == 0 {
            world.spawn_batch((0..random.below(4)).map(|_| (Number(7), Tag)));
        } else {
            world.spawn_empty();
        }
        if at == size / 2 {
            declare(&mut world, random);
        }
        for _ in 0..random.below(4) {
            if let Some(edit) = Edit::random(&world, random) {
                edit.make(&mut world);
            }
        }
        if random.below(7) == 0
            && let Some(entity) = pick(&world, random)
        {
            world.despawn(entity).unwrap();
        }
    }
    world
}

fn bytes_of(world: &World) -> Vec<u8> {
    let mut bytes = Vec::new();
    world.save().to_bytes(&mut bytes).unwrap();
    bytes
}

/// Returns the content of a world without the orders of its pools, targets and sources, which depend on the edits between,
/// and on the order of the entries.
fn content_of(world: &World) -> Value {
    let mut all = serde_json::to_value(world.save()).unwrap();
    let of = |value: &Value| value.to_string();
    for part in all["components"].as_object_mut().unwrap().values_mut() {
        part["values"].as_array_mut().unwrap().sort_by_key(of);
        if let Some(order) = part.get_mut("order") {
            let targets = order.as_array_mut().unwrap();
            targets.iter_mut().for_each(|it| it.as_array_mut().unwrap().sort_by_key(of));
            targets.sort_by_key(of);
        }
    }
    all
}

/// Returns the parts of saved worlds that differ.
fn differences(one: &Value, other: &Value) -> Vec<String> {
    match (one, other) {
        (Value::Object(one), Value::Object(other)) if one.keys().eq(other.keys()) => {
            let part = |(name, one): (&String, &Value)| {
                let all = differences(one, &other[name]).into_iter();
                all.map(|it| format!("{name}.{it}")).collect::<Vec<_>>()
            };
            one.iter().flat_map(part).collect()
        }
        _ if one == other => Vec::new(),
        _ => vec![format!("{one}\n    is not {other}")],
    }
}

fn histories(otherwise: u64) -> u64 {
    std::env::var("ECS_HISTORIES").map_or(otherwise, |count| count.parse().unwrap())
}

/// Entries that are restored in reverse order, and nothing else: all bytes are equal.
#[test]
fn entities_that_come_back_at_once_leave_no_trace() {
    for seed in 0..histories(60) {
        let mut random = Random(seed * 7 + 1);
        let size = [4, 12, 60, 250][random.below(4)];
        let mut world = world(&mut random, size);
        for _ in 0..4 {
            let mut entries = Vec::new();
            for _ in 0..=random.below(4) {
                let Some(entity) = pick(&world, &mut random) else { break };
                let before = bytes_of(&world);
                let entry = world.take_entity(entity).unwrap();
                assert!(!world.is_alive(entity));
                entries.push((before, entry));
            }
            world.check_invariants();
            while let Some((before, entry)) = entries.pop() {
                world.restore(entry).unwrap();
                world.check_invariants();
                let after = bytes_of(&world);
                if after != before {
                    let mut old = World::new();
                    old.register::<(Number, Text, Tag, Columns, Name, ChildOf, PartOf, Likes, Above)>();
                    let (old, _) = old.read(&before, &ecs::save::Limits::default()).unwrap();
                    let [now, old] =
                        [&world, &old].map(|it| serde_json::to_value(it.save()).unwrap());
                    panic!(
                        "seed {seed}: {}, or the forms of pages or the lists of groups",
                        differences(&now, &old).join("\n")
                    );
                }
            }
            // And the world goes on like before.
            let mut twin = world.try_clone().unwrap();
            for _ in 0..random.below(6) {
                if let Some(edit) = Edit::random(&world, &mut random) {
                    assert_eq!(edit.make(&mut world), edit.make(&mut twin));
                }
            }
            assert!(bytes_of(&world) == bytes_of(&twin), "seed {seed}");
        }
    }
}

/// Entries that are restored in any order, among edits of other entities: the content is equal to a world with these
/// edits alone.
#[test]
fn entities_that_come_back_later_have_all_that_they_had() {
    for seed in 0..histories(60) {
        let mut random = Random(seed * 13 + 5);
        let size = [4, 12, 60, 250][random.below(4)];
        let mut world = world(&mut random, size);
        let mut twin = world.try_clone().unwrap();
        let mut entries: Vec<Despawned> = Vec::new();
        for _ in 0..8 + random.below(30) {
            match random.below(6) {
                0 => {
                    if let Some(entity) = pick(&world, &mut random) {
                        entries.push(world.take_entity(entity).unwrap());
                    }
                }
                1 if !entries.is_empty() => {
                    let entry = entries.swap_remove(random.below(entries.len()));
                    match world.restore(entry) {
                        Ok(()) => {}
                        Err(entry) => entries.push(entry),
                    }
                }
                _ => {
                    let Some(edit) = Edit::random(&world, &mut random) else { continue };
                    if let Edit::Remove(kind @ 5.., on) = edit
                        && has_relation(&world, kind, on) != has_relation(&twin, kind, on)
                    {
                        continue; // it was lost to an entity that is out, and comes back
                    }
                    // Circles with entities that are out are not seen in the world.
                    let mut tried = twin.try_clone().unwrap();
                    if edit.make(&mut tried) {
                        assert!(edit.make(&mut world), "seed {seed}");
                        assert!(edit.make(&mut twin));
                    }
                }
            }
            world.check_invariants();
        }
        while !entries.is_empty() {
            let before = entries.len();
            for entry in std::mem::take(&mut entries) {
                let bytes = bytes_of(&world);
                let is_ready = world.check_restore(&entry);
                match world.restore(entry) {
                    Ok(()) => assert_eq!(is_ready, Ok(())),
                    Err(entry) => {
                        assert!(matches!(is_ready, Err(RestoreError::Held(..))), "seed {seed}");
                        assert!(bytes_of(&world) == bytes, "seed {seed}");
                        entries.push(entry);
                    }
                }
                world.check_invariants();
            }
            assert!(entries.len() < before, "seed {seed}: entries wait for each other");
        }
        let [after, expected] = [&world, &twin].map(content_of);
        let differences = differences(&after, &expected);
        assert!(differences.is_empty(), "seed {seed}: {}", differences.join("\n"));
    }
}
