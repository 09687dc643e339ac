//! Rules between components, beside a naive model: the components of an entity are bits, and an edit is refused if the
//! bits afterwards break a rule. Observers see no broken rule either. Saves, copies, deltas, change sets and merges of
//! the world keep the bits, with groups and orders.
//!
//! `ECS_RULE_EDITS` is the number of edits.

use crate::numbers::Random;
use ecs::by_name::{Kind, Values};
use ecs::save::{ChangeSets, Delta, Follower, Limits, Received};
use ecs::{Commands, Component, Entity, Group, World};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

macro_rules! components {
    ($($number:literal $saved:literal $(#[component($($rule:tt)*)])? $name:ident)+) => {
        $(
            #[derive(Component, Serialize, Deserialize, Default, Clone, PartialEq)]
            #[component(default, clone, track, save = $saved $(, $($rule)*)?)]
            struct $name;
        )+

        const COUNT: usize = [$($number),+].len();

        fn kinds() -> [Kind; COUNT] {
            [$(Kind::of::<$name>()),+]
        }

        fn bits_of(world: &World, entity: Entity) -> u32 {
            0 $(| u32::from(world.has::<$name>(entity)) << $number)+
        }

        fn insert(world: &mut World, component: usize, entity: Entity) -> bool {
            match component {
                $($number => world.try_insert(entity, $name).is_ok(),)+
                _ => unreachable!(),
            }
        }

        fn insert_batch(world: &mut World, component: usize, entities: &[Entity]) {
            let mut commands = Commands::new();
            match component {
                $($number => entities.iter().for_each(|entity| commands.insert(*entity, $name)),)+
                _ => unreachable!(),
            }
            commands.apply(world);
        }

        fn remove(world: &mut World, component: usize, entity: Entity) -> bool {
            match component {
                $($number => world.try_remove::<$name>(entity).is_ok(),)+
                _ => unreachable!(),
            }
        }

        fn remove_batch(world: &mut World, component: usize, entities: &[Entity]) {
            match component {
                $($number => _ = world.remove_batch::<$name>(entities),)+
                _ => unreachable!(),
            }
        }

        fn register(world: &mut World) {
            world.register::<($($name,)+)>();
        }

        fn observe(world: &mut World) {
            $(
                world.on_insert::<$name>(assert_valid);
                world.on_remove::<$name>(assert_valid);
            )+
        }
    };
}

components! {
    0 "body" Body
    1 "arm" #[component(needs(Body))] Arm
    2 "hand" #[component(needs(Arm))] Hand
    3 "walking" #[component(replaces(Swimming, Falling))] Walking
    4 "swimming" #[component(replaces(Walking, Falling))] Swimming
    5 "falling" Falling
    6 "boots" #[component(needs(Walking))] Boots
    7 "ghost" #[component(excludes(Body, Walking))] Ghost
    8 "soldier" #[component(requires(Arm, Body))] Soldier
    9 "plain" Plain
}

const NEEDS: [(usize, usize); 3] = [(1, 0), (2, 1), (6, 3)];
const EXCLUDES: [(usize, usize); 2] = [(7, 0), (7, 3)];
const REPLACES: [(usize, usize); 4] = [(3, 4), (3, 5), (4, 3), (4, 5)];

const fn has(bits: u32, component: usize) -> bool {
    bits >> component & 1 == 1
}

fn is_valid(bits: u32) -> bool {
    let both = |(a, b): &(usize, usize)| has(bits, *a) && has(bits, *b);
    NEEDS.iter().all(|(a, b)| !has(bits, *a) || has(bits, *b))
        && !EXCLUDES.iter().chain(&REPLACES).any(both)
}

fn assert_valid(world: &mut World, entity: Entity) {
    let bits = bits_of(world, entity);
    assert!(is_valid(bits), "a listener sees {bits:010b}");
}

/// Returns the bits after an insertion, or `None` if it is refused.
fn inserted(bits: u32, mut given: u32) -> Option<u32> {
    if has(given, 8) {
        given |= 0b11 & !bits;
    }
    let gone = REPLACES.iter().filter(|(a, b)| has(given, *a) && !has(given, *b));
    let left = gone.fold(bits, |bits, (_, b)| bits & !(1 << b));
    Some(left | given).filter(|bits| is_valid(*bits))
}

#[derive(Default)]
struct Trial {
    world: World,
    model: BTreeMap<Entity, u32>,
    random: Random,
    /// A world that follows the other by change sets, and its entities.
    client: (World, Follower, ChangeSets),
}

impl Trial {
    /// Sends the world through a file, a text, a copy, a delta, a change set or a merge.
    fn exchange(&mut self) {
        let Self { world, model, random, client } = self;
        let limits = Limits::default();
        match random.below(8) {
            0 => {
                let bytes = world.save().to_vec().unwrap();
                world.load(&bytes, &limits).unwrap();
            }
            1 => {
                let text = serde_json::to_string(&world.save()).unwrap();
                let from = &mut serde_json::Deserializer::from_str(&text);
                let (read, _) = world.read_from(from).unwrap();
                world.copy_from(&read).unwrap();
            }
            2 => {
                let mut old = world.try_clone().unwrap();
                (0..20).for_each(|_| self.edit());
                let delta = Delta::between(&old, &self.world).unwrap();
                old.apply_delta(delta.as_bytes(), &limits).unwrap();
                old.check_invariants();
                self.check_world(&old, Some);
                assert_eq!(old.len(), self.model.len());
            }
            3 | 4 => {
                let (copy, follower, sets) = client;
                let set = sets.drain(world).unwrap();
                let received = copy.apply_change_set(set.as_bytes(), follower, &limits).unwrap();
                assert!(matches!(received, Received::Applied), "{received:?}");
                copy.check_invariants();
                // Entities without components are not sent.
                self.check_world(&self.client.0, |entity| self.client.1.get(entity));
            }
            5 if model.len() < 40 => {
                let mut other = world.try_clone().unwrap();
                let made = world.merge(&mut other).unwrap();
                let copies: Vec<(Entity, u32)> =
                    model.iter().map(|(old, bits)| (*made.get(*old).unwrap(), *bits)).collect();
                model.extend(copies);
            }
            6 => {
                let body = Group::owning::<(Body, Arm)>();
                if world.declare_group(body).is_err() {
                    world.drop_group(body).unwrap();
                }
            }
            _ => world.order_pools(),
        }
    }

    fn check_world(&self, world: &World, there: impl Fn(Entity) -> Option<Entity>) {
        for (entity, bits) in &self.model {
            let found = there(*entity).map_or(0, |there| bits_of(world, there));
            assert_eq!(found, *bits, "{entity}");
        }
    }

    fn edit(&mut self) {
        let Self { world, model, random, .. } = self;
        let component = random.below(COUNT);
        let all: Vec<Entity> = model.keys().copied().collect();
        let Some(&entity) = all.get(random.below(all.len() + 1)) else {
            model.insert(world.spawn_empty().id(), 0);
            return;
        };
        let bits = model[&entity];
        let some = &all[random.below(all.len())..];
        match random.below(10) {
            0..3 => {
                let expected = inserted(bits, 1 << component);
                assert_eq!(insert(world, component, entity), expected.is_some());
                model.insert(entity, expected.unwrap_or(bits));
            }
            3 => {
                insert_batch(world, component, some);
                for entity in some {
                    let bits = model[entity];
                    model.insert(*entity, inserted(bits, 1 << component).unwrap_or(bits));
                }
            }
            4 | 5 => {
                let left = bits & !(1 << component);
                let expected = left != bits && is_valid(left);
                assert_eq!(remove(world, component, entity), expected);
                model.insert(entity, if expected { left } else { bits });
            }
            6 => {
                remove_batch(world, component, some);
                for entity in some {
                    let left = model[entity] & !(1 << component);
                    if is_valid(left) {
                        model.insert(*entity, left);
                    }
                }
            }
            7 => {
                let (mut values, mut given) = (Values::new(), 0);
                for component in (0..=random.below(4)).map(|_| random.below(COUNT)) {
                    values.add_default(world, kinds()[component]).unwrap();
                    given |= 1 << component;
                }
                if random.below(2) == 0 {
                    let spawned = world.spawn_values(values).ok();
                    assert_eq!(spawned.is_some(), inserted(0, given).is_some(), "{given:010b}");
                    model.extend(spawned.zip(inserted(0, given)));
                } else {
                    let expected = inserted(bits, given);
                    let result = world.insert_values(entity, values);
                    assert_eq!(result.is_ok(), expected.is_some(), "{bits:010b} {given:010b}");
                    model.insert(entity, expected.unwrap_or(bits));
                }
            }
            8 => {
                let expected = bits & 0b111 == 0b111 && is_valid(bits & !0b111);
                assert_eq!(world.take::<(Body, Hand, Arm)>(entity).is_some(), expected);
                model.insert(entity, if expected { bits & !0b111 } else { bits });
            }
            _ if random.below(3) > 0 => {
                let taken = world.take_entity(entity).unwrap();
                world.restore(taken).unwrap();
                let copy = world.spawn_copies(entity, 1).unwrap()[0];
                model.insert(copy, bits);
            }
            _ if all.len() > 20 => {
                assert_eq!(world.despawn_batch(some), some.len());
                some.iter().for_each(|entity| _ = model.remove(entity));
            }
            _ => {
                let left = bits & 0b10_0000_1000;
                let result = world.remove_except::<(Walking, Plain)>(entity);
                assert_eq!(result.is_ok(), is_valid(left));
                model.insert(entity, if is_valid(left) { left } else { bits });
            }
        }
    }

    fn check(&self) {
        self.world.check_invariants();
        self.check_world(&self.world, Some);
        assert_eq!(self.world.len(), self.model.len());
    }
}

#[test]
fn edits_keep_the_rules_of_a_model() {
    let edits = std::env::var("ECS_RULE_EDITS").map_or(4_000, |it| it.parse().unwrap());
    for is_observed in [false, true] {
        let mut trial = Trial { random: Random(7), ..Trial::default() };
        register(&mut trial.world);
        register(&mut trial.client.0);
        if is_observed {
            observe(&mut trial.world);
        }
        for at in 0..edits {
            trial.edit();
            if at % 16 == 0 {
                trial.exchange();
                trial.check();
            }
        }
        trial.check();
        assert!(trial.model.values().any(|bits| bits.count_ones() > 2), "edits are accepted");
    }
}
