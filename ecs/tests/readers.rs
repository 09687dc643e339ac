//! Many readers of changes, which come, advance and go in any order, beside a model of each.
//!
//! `ECS_HISTORIES=100000 cargo test --release -p ecs --test readers` runs so many.

use ecs::{Changes, Component, Entity, Marked, World};
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

#[derive(Component, Debug)]
#[component(track)]
struct Health(u32);

struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as usize) % end
    }
}

/// When each member was inserted and changed, and which entities lost the component.
#[derive(Default)]
struct Model {
    time: usize,
    members: BTreeMap<Entity, (usize, usize)>,
    removed: Vec<(usize, Entity)>,
}

impl Model {
    fn tick(&mut self) -> usize {
        self.time += 1;
        self.time
    }

    fn since(&self, time: usize, at: fn(&(usize, usize)) -> usize) -> Vec<Entity> {
        let members = self.members.iter().filter(|(_, times)| at(times) > time);
        members.map(|(entity, _)| *entity).collect()
    }
}

fn marked(world: &World, marked: &Marked) -> Vec<Entity> {
    let mut all: Vec<Entity> =
        world.view::<&Health>().among(marked).iter().map(|(entity, _)| entity).collect();
    assert_eq!(all.len(), marked.len());
    all.sort_unstable();
    all
}

fn history(seed: usize) {
    let (mut random, mut world, mut model) = (Random(seed as u64), World::new(), Model::default());
    let mut readers: Vec<(Changes<Health>, usize)> = Vec::new();
    let most = [1, 3, 12, 60][random.below(4)];
    for _ in 0..400 {
        let any = |random: &mut Random, model: &Model| {
            let at = random.below(model.members.len().max(1));
            model.members.keys().nth(at).copied()
        };
        match random.below(12) {
            0..3 => {
                let entity = world.spawn(Health(0)).id();
                let now = model.tick();
                model.members.insert(entity, (now, now));
            }
            3..5 => {
                if let Some(entity) = any(&mut random, &model) {
                    world.get_mut::<Health>(entity).unwrap().0 += 1;
                    let now = model.tick();
                    model.members.get_mut(&entity).unwrap().1 = now;
                }
            }
            5 => {
                if let Some(entity) = any(&mut random, &model) {
                    if random.below(2) == 0 {
                        world.despawn(entity).unwrap();
                    } else {
                        world.remove::<Health>(entity).unwrap();
                    }
                    let now = model.tick();
                    model.members.remove(&entity);
                    model.removed.push((now, entity));
                }
            }
            6 if readers.len() < most => readers.push((world.changes(), model.time)),
            7 if !readers.is_empty() && random.below(2) == 0 => {
                readers.swap_remove(random.below(readers.len()));
            }
            8 if random.below(40) == 0 => readers.truncate(1),
            _ if !readers.is_empty() => {
                let at = random.below(readers.len());
                let (reader, time) = &mut readers[at];
                world.advance(reader);
                let of = format!("history {seed}");
                assert_eq!(
                    marked(&world, reader.inserted()),
                    model.since(*time, |it| it.0),
                    "{of}"
                );
                assert_eq!(marked(&world, reader.changed()), model.since(*time, |it| it.1), "{of}");
                let removed = model.removed.iter().filter(|(at, _)| at > time);
                assert!(removed.map(|(_, entity)| entity).eq(reader.removed()), "{of}");
                *time = model.time;
            }
            _ => {}
        }
    }
}

#[test]
fn readers_that_come_and_go_see_what_happened_since_they_advanced() {
    let count = std::env::var("ECS_HISTORIES").ok().and_then(|count| count.parse().ok());
    (0..count.unwrap_or(200)).for_each(history);
}

/// The shortest of some times that this many readers take to come, advance and go.
fn time_of(count: usize) -> Duration {
    let run = || {
        let mut world = World::new();
        let entity = world.spawn(Health(0)).id();
        let edit = |world: &mut World| world.get_mut::<Health>(entity).unwrap().0 += 1;
        let start = Instant::now();
        let mut readers: Vec<_> = (0..count).map(|_| world.changes::<Health>()).collect();
        for _ in 0..3 {
            edit(&mut world);
            for reader in &mut readers {
                world.advance(reader);
                assert_eq!(reader.changed().len(), 1);
            }
        }
        // Each stands at a place of its own; then half of them are gone, and the latest ones advance first.
        readers.clear();
        for _ in 0..count {
            readers.push(world.changes());
            edit(&mut world);
        }
        let mut at = 0;
        readers.retain(|_| {
            at += 1;
            edit(&mut world);
            at % 2 == 0
        });
        for reader in readers.iter_mut().rev() {
            world.advance(reader);
        }
        start.elapsed()
    };
    (0..5).map(|_| run()).min().unwrap()
}

#[test]
fn advancing_a_reader_takes_no_longer_beside_many_others() {
    let (few, many) = (time_of(250), time_of(4_000));
    // 16 times as long, with room for noise; if each reader walked all others, it would be 256 times.
    assert!(many < few * 16 * 5, "{few:?} for 250, {many:?} for 4,000");
}
