//! Many readers of changes, which come, advance and go in any order, beside a model of each.
//!
//! `ECS_HISTORIES=100000 cargo test --release -p ecs --test random readers` runs so many.

use crate::numbers::Random;
use ecs::{Changes, Component, Entity, EntitySet, World};
use std::collections::BTreeMap;

#[derive(Component, Debug)]
#[component(track)]
struct Health(u32);

/// The times at which each member was inserted and changed, and the entities that lost the component.
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

fn marked(world: &World, marked: &EntitySet) -> Vec<Entity> {
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
fn temporary_readers_see_changes_since_they_advanced() {
    let count = std::env::var("ECS_HISTORIES").ok().and_then(|count| count.parse().ok());
    (0..count.unwrap_or(200)).for_each(history);
}
