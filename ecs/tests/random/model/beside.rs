//! The model's state beside the components of each entity: changes of a tracked one, by naive
//! ticks; relations, by naive lists; and a resource.

use super::{Model, Number, Random, Row, Tag};
use ecs::{Changes, Component, Entity, Mut, PlanKind, Resource, Sources, World};
use std::collections::{BTreeMap, BTreeSet};

/// Has the tick of its last write.
#[derive(Component, Clone, Debug, PartialEq)]
#[component(track)]
pub struct Ticked(pub u64);

/// Points to an entity, and is lost when that ends.
#[derive(Component, Clone, Debug, PartialEq)]
#[component(relation)]
pub struct On(pub Entity);

#[derive(Resource, Clone, Debug, PartialEq)]
pub struct Gold(u64);

#[derive(Default)]
pub struct Beside {
    tick: u64,
    /// Since when each has the tracked component that it has.
    since: BTreeMap<Entity, u64>,
    /// The times of losses, and their entities.
    lost: Vec<(u64, Entity)>,
    /// Readers, and when each was brought up to date.
    readers: Vec<(Changes<Ticked>, u64)>,
    /// The sources of each target, in order.
    lists: BTreeMap<Entity, Vec<Entity>>,
    targets: BTreeMap<Entity, Entity>,
    gold: Option<Gold>,
}

impl Beside {
    /// A value to be given to `entity`, or written over the one that it has.
    pub fn tick(&mut self, entity: Entity) -> Ticked {
        self.tick += 1;
        self.since.entry(entity).or_insert(self.tick);
        Ticked(self.tick)
    }

    /// `entity` lost the tracked component, if it had it.
    pub fn untick(&mut self, entity: Entity) {
        if self.since.remove(&entity).is_some() {
            self.tick += 1;
            self.lost.push((self.tick, entity));
        }
    }

    pub fn point(&mut self, entity: Entity, target: Entity) {
        if self.targets.get(&entity) != Some(&target) {
            self.unpoint(entity);
            self.targets.insert(entity, target);
            self.lists.entry(target).or_default().push(entity);
        }
    }

    pub fn unpoint(&mut self, entity: Entity) {
        if let Some(target) = self.targets.remove(&entity) {
            self.lists.get_mut(&target).unwrap().retain(|other| *other != entity);
        }
    }

    pub fn target(&self, entity: Entity) -> Option<Entity> {
        self.targets.get(&entity).copied()
    }

    /// Ends an entity; returns the entities that lose their relation to it.
    pub fn end(&mut self, entity: Entity) -> Vec<Entity> {
        self.untick(entity);
        self.unpoint(entity);
        let losers = self.lists.remove(&entity).unwrap_or_default();
        for loser in &losers {
            self.targets.remove(loser);
        }
        losers
    }

    pub fn end_all(&mut self) {
        let all: Vec<_> = self.since.keys().copied().collect();
        for entity in all {
            self.untick(entity);
        }
        self.lists.clear();
        self.targets.clear();
    }

    /// Writes tracked components by loops.
    pub fn write(&mut self, random: &mut Random, world: &mut World, model: &mut Model) {
        self.tick += 1;
        let now = Ticked(self.tick);
        let mut wrote = |entity, value: &mut Ticked| {
            *value = now.clone();
            model.get_mut(&entity).unwrap().ticked = Some(now.clone());
        };
        match random.below(4) {
            0 => {
                for (entity, value) in world.view_mut::<&mut Ticked>() {
                    wrote(entity, value);
                }
            }
            1 => world
                .view_mut::<(&mut Ticked, Option<&On>)>()
                .with::<Tag>()
                .for_each(|(entity, value, _)| wrote(entity, value)),
            2 => {
                for (entity, mut value, _) in world.view_mut::<(Mut<Ticked>, &Number)>() {
                    if value.0.is_multiple_of(3) {
                        wrote(entity, &mut value);
                    }
                }
            }
            _ => {
                let halves = world.view_mut::<(&mut Ticked, &On)>();
                halves.for_each_chunk(|(entities, values, _)| {
                    entities.iter().zip(values).for_each(|(entity, value)| wrote(*entity, value));
                });
            }
        }
    }

    /// Begins, ends or advances readers, and does something with a resource.
    pub fn step(&mut self, random: &mut Random, world: &mut World, model: &Model) {
        let (gold, version) = (self.gold.clone(), world.resource_version::<Gold>());
        match random.below(8) {
            0 if self.readers.len() < 4 => {
                self.readers.push((world.changes::<Ticked>(), self.tick));
            }
            1 if !self.readers.is_empty() => {
                self.readers.swap_remove(random.below(self.readers.len()));
            }
            2..5 if !self.readers.is_empty() => {
                self.advance(random.below(self.readers.len()), random, world, model);
            }
            5 => {
                let gold = Gold(random.next());
                assert_eq!(world.insert_resource(gold.clone()), self.gold.replace(gold));
            }
            6 => assert_eq!(world.remove_resource::<Gold>(), self.gold.take()),
            _ => {
                let sum = world.resource_or_insert_with(|| Gold(1)).0.wrapping_add(7);
                world.resource_scope(|world: &mut World, gold: &mut Gold| {
                    assert!(world.get_resource::<Gold>().is_none());
                    gold.0 = sum;
                });
                self.gold = Some(Gold(sum));
            }
        }
        assert_eq!(world.get_resource::<Gold>(), self.gold.as_ref());
        assert_eq!(world.resource_version::<Gold>() > version, gold != self.gold);
    }

    fn advance(&mut self, at: usize, random: &mut Random, world: &mut World, model: &Model) {
        let (reader, seen) = &mut self.readers[at];
        world.advance(reader);
        let then = std::mem::replace(seen, self.tick);
        let plans = [None, Some(PlanKind::Words), Some(PlanKind::Dense)];
        let plan = plans[random.below(plans.len())];
        let view = || world.view::<&Ticked>().with_plan(plan);
        let shown = |list: Vec<Entity>| {
            let set: BTreeSet<_> = list.iter().copied().collect();
            assert_eq!(set.len(), list.len(), "each once");
            set
        };
        let inserted = view().among(reader.inserted()).iter().map(|(entity, _)| entity).collect();
        let changed = view().among(reader.changed()).iter().map(|(entity, _)| entity).collect();
        let since = self.since.iter().filter(|(_, since)| **since > then);
        assert_eq!(shown(inserted), since.map(|(entity, _)| *entity).collect());
        let ticked = model.iter().filter_map(|(entity, row)| Some((*entity, row.ticked.as_ref()?)));
        let newer = ticked.filter(|(_, value)| value.0 > then);
        assert_eq!(shown(changed), newer.map(|(entity, _)| entity).collect());
        let lost = self.lost.iter().filter(|(tick, _)| *tick > then);
        let mut lost: Vec<_> = lost.map(|(_, entity)| *entity).collect();
        let mut removed = reader.removed().to_vec();
        lost.sort();
        removed.sort();
        assert_eq!(removed, lost);
        let oldest = self.readers.iter().map(|(_, seen)| *seen).min().unwrap_or(0);
        self.lost.retain(|(tick, _)| *tick > oldest);
    }

    /// Compares both ends of the relation.
    pub fn compare(&self, world: &World) {
        for (target, list) in &self.lists {
            assert!(world.related::<On>(*target).eq(list.iter().copied()), "{target}");
        }
        assert_eq!(world.pool::<On>().len(), self.targets.len());
        for (entity, on) in world.pool::<On>() {
            assert_eq!(self.targets.get(&entity), Some(&on.0));
        }
    }

    /// Compares what queries read of the entities that point to a match, by each way of finding matches.
    pub fn compare_sources(&self, world: &World, model: &Model, plan: Option<PlanKind>) {
        let numbered = |list: &Vec<Entity>| -> Vec<(Entity, u64)> {
            let numbers = list.iter().filter_map(|it| Some((*it, model[it].number.as_ref()?.0)));
            numbers.collect()
        };
        let of = |is_match: &dyn Fn(&Row) -> bool| -> BTreeMap<Entity, Vec<(Entity, u64)>> {
            let lists = self.lists.iter().filter(|(_, list)| !list.is_empty());
            let matches = lists.filter(|(target, _)| is_match(&model[target]));
            matches.map(|(target, list)| (*target, numbered(list))).collect()
        };
        let read = |numbers: Sources<'_, On, &Number>| -> Vec<(Entity, u64)> {
            numbers.map(|(entity, number)| (entity, number.0)).collect()
        };
        let all = world.view::<Sources<On, &Number>>().with_plan(plan).into_iter();
        assert_eq!(all.map(|(it, of)| (it, read(of))).collect::<BTreeMap<_, _>>(), of(&|_| true));
        let view = world.view::<(&Number, Sources<On, &Number>)>().without::<Tag>();
        let mut found = BTreeMap::new();
        view.with_plan(plan).for_each(|(it, _, of)| drop(found.insert(it, read(of))));
        assert_eq!(found, of(&|row| row.number.is_some() && row.tag.is_none()), "{plan:?}");
        let is_leaf = |entity: &Entity| self.lists.get(entity).is_none_or(Vec::is_empty);
        let leaves = world.view::<&Number>().without::<Sources<On>>().with_plan(plan);
        let found: BTreeSet<_> = leaves.into_iter().map(|(entity, _)| entity).collect();
        let numbers = model.iter().filter(|(_, row)| row.number.is_some()).map(|(it, _)| *it);
        assert_eq!(found, numbers.filter(is_leaf).collect(), "{plan:?}");
    }
}
