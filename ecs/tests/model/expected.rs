//! The expected content of a world: maps and lists of numbers, edited one component at a time.

use super::components::{
    ALL, Comp, EXCLUDES, GROUPS, NEEDS, RELATIONS, REPLACES, REQUIRED, TRACKED,
};
use super::op::{DEAD, Many, Script, Who};
use super::venom;
use ecs::Entity;
use std::collections::{BTreeMap, BTreeSet};
use std::mem;
use std::ops::Index;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum What {
    Insert,
    Update,
    Remove,
}

/// A notification.
pub type Note = (What, Comp, Entity);

/// The components of an entity, each as a number.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Row {
    /// A bit for each component.
    has: u32,
    values: [u64; ALL.len()],
}

fn bits(comps: &[Comp]) -> u32 {
    comps.iter().fold(0, |bits, comp| bits | 1 << *comp as u32)
}

impl Row {
    pub fn has(&self, comp: Comp) -> bool {
        self.has & bits(&[comp]) != 0
    }

    pub fn get(&self, comp: Comp) -> Option<u64> {
        self.has(comp).then(|| self.values[comp as usize])
    }

    /// Returns the components and their values, in the order of their numbers.
    pub fn iter(&self) -> impl Iterator<Item = (Comp, u64)> {
        ALL.iter().filter_map(|comp| Some((*comp, self.get(*comp)?)))
    }

    fn insert(&mut self, comp: Comp, value: u64) -> Option<u64> {
        let old = self.get(comp);
        self.has |= bits(&[comp]);
        self.values[comp as usize] = value;
        old
    }

    pub fn remove(&mut self, comp: Comp) -> Option<u64> {
        let old = self.get(comp);
        self.has &= !bits(&[comp]);
        self.values[comp as usize] = 0;
        old
    }
}

impl Index<Comp> for Row {
    type Output = u64;

    fn index(&self, comp: Comp) -> &u64 {
        assert!(self.has(comp), "{comp:?}");
        &self.values[comp as usize]
    }
}

/// The generation after which an index is retired.
const LAST: u32 = 0x7fff_ffff;

/// The outcome of an insertion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Given {
    Done,
    /// The entity or a target is dead.
    Missing,
    /// A relation would close a circle, another entity has an equal value, or a rule forbids a component.
    Refused,
}

/// The content of a world: equal in a world and its copy.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Content {
    pub rows: BTreeMap<Entity, Row>,
    /// The entities, to choose one.
    alive: Vec<Entity>,
    /// Some of the last handles that died.
    pub dead: Vec<Entity>,
    /// The last generation of each index.
    generations: Vec<u32>,
    /// The sources of each target, in order.
    pub sources: BTreeMap<(Comp, Entity), Vec<Entity>>,
    /// The members of each pool in order, where edits of single entities determine it.
    orders: BTreeMap<Comp, Option<Vec<Entity>>>,
    /// The amount, and the handle of the entity that has it.
    pub gold: Option<(u64, Entity)>,
    pub groups: BTreeSet<usize>,
    /// The version of the component without a type.
    pub version: usize,
    /// Entities that were taken out, whose indices no others get.
    pub held: Vec<Entity>,
}

/// A world's content, and its history as listeners and readers see it.
#[derive(Default)]
pub struct Model {
    pub content: Content,
    pub notes: Vec<Note>,
    /// The number of notes to which scripts reacted.
    reacted: usize,
    pub scripts: BTreeSet<Script>,
    pub time: u64,
    /// When each tracked component was inserted and changed.
    pub marks: BTreeMap<(Comp, Entity), (u64, u64)>,
    pub lost: Vec<(u64, Comp, Entity)>,
}

pub fn entity(bits: u64) -> Entity {
    Entity::from_bits(bits).unwrap()
}

impl Content {
    pub fn pick(&self, who: Who) -> Entity {
        let of = |list: &[Entity], at: Who| list.get(usize::from(at) % list.len().max(1)).copied();
        let dead = || of(&self.dead, who).unwrap_or("4000v1".parse().unwrap());
        if who < DEAD { of(&self.alive, who).unwrap_or_else(dead) } else { dead() }
    }

    /// Returns one of the living entities, if there are any.
    pub fn alive_at(&self, at: usize) -> Entity {
        self.alive.get(at % self.alive.len().max(1)).copied().unwrap_or(Entity::PLACEHOLDER)
    }

    pub fn list(&self, Many(first, step, count): Many) -> Vec<Entity> {
        let at = |at: u16| self.pick(first.wrapping_add(at.wrapping_mul(step)));
        (0..count).map(at).collect()
    }

    pub fn is_alive(&self, entity: Entity) -> bool {
        self.rows.contains_key(&entity)
    }

    pub fn value(&self, entity: Entity, comp: Comp) -> Option<u64> {
        self.rows.get(&entity)?.get(comp)
    }

    pub fn has(&self, entity: Entity, comp: Comp) -> bool {
        self.value(entity, comp).is_some()
    }

    pub fn target(&self, entity: Entity, relation: Comp) -> Option<Entity> {
        let bits = self.value(entity, relation).filter(|_| RELATIONS.contains(&relation));
        bits.map(self::entity)
    }

    pub fn sources(&self, target: Entity, relation: Comp) -> &[Entity] {
        self.sources.get(&(relation, target)).map_or(&[], Vec::as_slice)
    }

    /// Returns the source before this one among the sources of its target.
    pub fn source_before(&self, source: Entity, relation: Comp) -> Option<Entity> {
        let sources = self.sources(self.target(source, relation)?, relation);
        let at = sources.iter().position(|it| *it == source)?;
        Some(sources[at.checked_sub(1)?])
    }

    /// Moves a source, which is the last one of its target, behind another one, or to the front. It stays the last if the
    /// other one is gone.
    pub fn put_behind(&mut self, source: Entity, relation: Comp, before: Option<Entity>) {
        let Some(target) = self.target(source, relation) else { return };
        let sources = self.sources.get_mut(&(relation, target)).unwrap();
        let behind = |before| sources.iter().position(|it| *it == before).map(|at| at + 1);
        if let Some(at) = before.map_or(Some(0), behind) {
            let last = sources.pop().unwrap();
            assert_eq!(last, source);
            sources.insert(at, last);
        }
    }

    /// Returns the entities that have all of some components, and none of others, by their handles.
    pub fn matching(&self, all: &[Comp], none: &[Comp]) -> Vec<Entity> {
        let (all, none) = (bits(all), bits(none));
        let is_match = |row: &Row| row.has & all == all && row.has & none == 0;
        self.rows.iter().filter(|(_, row)| is_match(row)).map(|(entity, _)| *entity).collect()
    }

    pub fn is_owned(&self, comp: Comp) -> bool {
        self.groups.iter().any(|group| GROUPS[*group][0].contains(&comp))
    }

    /// Returns `true` if `entity` may be spawned under this handle.
    pub fn is_free(&self, handle: Entity) -> bool {
        let at = handle.index() as usize;
        let last = self.generations.get(at).copied().unwrap_or(0);
        generation(handle) > last && !self.is_alive_at(at)
    }

    /// Returns `true` if an entity with this index is alive: the one whose generation is the last.
    fn is_alive_at(&self, index: usize) -> bool {
        let last = self.generations.get(index).copied().unwrap_or(0);
        Entity::from_bits(u64::from(last) << 32 | index as u64).is_some_and(|it| self.is_alive(it))
    }

    /// An entity is there. Its handle was never given out, and its index is a new one only if none was free.
    pub fn born(&mut self, entity: Entity) {
        let at = entity.index() as usize;
        if at >= self.generations.len() {
            let retired = |at: usize| {
                self.generations[at] == LAST
                    && !self.is_alive_at(at)
                    && !self.held.iter().any(|it| it.index() as usize == at)
            };
            let retired = (0..self.generations.len()).filter(|at| retired(*at)).count();
            let used = self.alive.len() + self.held.len() + retired;
            assert_eq!((at, used), (self.generations.len(), at), "an index is free");
        }
        self.born_at(entity);
    }

    pub fn born_at(&mut self, entity: Entity) {
        assert!(self.is_free(entity), "{entity} was given out twice");
        let at = entity.index() as usize;
        if at >= self.generations.len() {
            self.generations.resize(at + 1, 0);
        }
        self.generations[at] = generation(entity);
        self.revive(entity);
    }

    /// Brings an entity to life, under a handle that may have died.
    pub fn revive(&mut self, entity: Entity) {
        self.alive.push(entity);
        self.rows.insert(entity, Row::default());
    }

    pub fn die(&mut self, entity: Entity) {
        assert!(self.rows.remove(&entity).is_some_and(|row| row == Row::default()));
        let at = self.alive.iter().position(|it| *it == entity).unwrap();
        self.alive.swap_remove(at);
        self.dead.push(entity);
        if self.dead.len() > 100 {
            self.dead.drain(..50);
        }
    }

    /// Returns `true` if a circle would be closed that may not be.
    pub fn is_circle(&self, entity: Entity, comps: &[Comp], to: Entity) -> bool {
        let up = |it: &Entity| self.target(*it, Comp::ChildOf);
        comps.contains(&Comp::ChildOf)
            && std::iter::successors(Some(to), up).any(|above| above == entity)
    }

    /// Returns the entity that has this unique value.
    pub fn holder(&self, value: u64) -> Option<Entity> {
        let mut all = self.matching(&[Comp::Callsign], &[]).into_iter();
        all.find(|it| self.value(*it, Comp::Callsign) == Some(value))
    }

    /// Returns `true` if no rule forbids an entity with these components to be given others.
    fn is_allowed(had: u32, comps: &[Comp]) -> bool {
        let replaced = REPLACES.iter().filter(|(it, _)| comps.contains(it)).map(|it| it.1);
        let gone: Vec<Comp> = replaced.filter(|it| !comps.contains(it)).collect();
        let has = (had & !bits(&gone)) | bits(comps);
        let has = |comp: &Comp| has & bits(&[*comp]) != 0;
        NEEDS.iter().all(|(it, other)| !has(it) || has(other))
            && !EXCLUDES.iter().any(|(a, b)| has(a) && has(b))
    }

    /// Returns `Done` if a new entity may be given these components.
    pub fn fits_new(&self, comps: &[Comp], number: u64, to: Entity) -> Given {
        let relates = comps.iter().any(|comp| RELATIONS.contains(comp));
        if relates && !self.is_alive(to) {
            Given::Missing
        } else if comps.contains(&Comp::Callsign) && self.holder(number).is_some()
            || !Self::is_allowed(0, comps)
        {
            Given::Refused
        } else {
            Given::Done
        }
    }

    /// Returns `Done` if an entity may be given these components.
    pub fn fits(&self, entity: Entity, comps: &[Comp], number: u64, to: Entity) -> Given {
        let relates = comps.iter().any(|comp| RELATIONS.contains(comp));
        let is_held = || self.holder(number).is_some_and(|holder| holder != entity);
        if !self.is_alive(entity) || relates && !self.is_alive(to) {
            Given::Missing
        } else if self.is_circle(entity, comps, to)
            || comps.contains(&Comp::Callsign) && is_held()
            || !Self::is_allowed(self.rows[&entity].has, comps)
        {
            Given::Refused
        } else {
            Given::Done
        }
    }

    /// Returns an entity, and all that ends with it.
    pub fn family(&self, entity: Entity) -> Vec<Entity> {
        let mut family = vec![entity];
        let mut at = 0;
        while let Some(&next) = family.get(at) {
            for relation in [Comp::PartOf, Comp::ChildOf] {
                for source in self.sources(next, relation) {
                    if !family.contains(source) {
                        family.push(*source);
                    }
                }
            }
            at += 1;
        }
        family
    }

    /// Returns `true` if a veto keeps the component, or another one needs it.
    pub fn refuses(&self, entity: Entity, comp: Comp) -> bool {
        let is_needed = |(by, needed): &(Comp, Comp)| *needed == comp && self.has(entity, *by);
        let is_kept = |value| match comp {
            Comp::Sticky => value % 2 == 1,
            Comp::Venom => venom::is_kept(value),
            _ => false,
        };
        self.value(entity, comp).is_some_and(|it| is_kept(it) || NEEDS.iter().any(is_needed))
    }

    /// Returns `true` if a veto keeps the entity alive.
    pub fn is_kept(&self, entity: Entity) -> bool {
        [Comp::Sticky, Comp::Venom].iter().any(|comp| self.refuses(entity, *comp))
    }

    pub fn forget_order(&mut self, comp: Comp) {
        self.orders.insert(comp, None);
    }

    pub fn forget_orders(&mut self) {
        self.orders = ALL.iter().map(|comp| (*comp, None)).collect();
    }

    /// Restores the orders of a content that has been equal.
    pub fn restore_orders(&mut self, before: Self) {
        let sorted = |sources: &BTreeMap<(Comp, Entity), Vec<Entity>>| {
            let mut sources = sources.clone();
            sources.values_mut().for_each(|it| it.sort());
            sources
        };
        assert_eq!((&self.rows, sorted(&self.sources)), (&before.rows, sorted(&before.sources)));
        (self.sources, self.orders) = (before.sources, before.orders);
    }

    pub fn is_order(&mut self, comp: Comp, found: &[Entity]) -> bool {
        let order = self.orders.entry(comp).or_default();
        order.get_or_insert_with(|| found.to_vec()) == found
    }

    pub fn order(&mut self, comp: Comp) -> Option<&mut Vec<Entity>> {
        self.orders.entry(comp).or_insert(Some(Vec::new())).as_mut()
    }
}

fn generation(entity: Entity) -> u32 {
    u32::try_from(entity.to_bits() >> 32).unwrap()
}

impl Model {
    /// Inserts a component, which replaces one that is there.
    pub fn put(&mut self, entity: Entity, comp: Comp, value: u64) {
        let target = self.content.target(entity, comp);
        if RELATIONS.contains(&comp) && target.is_none_or(|it| it.to_bits() != value) {
            self.unpoint(entity, comp);
            let sources = self.content.sources.entry((comp, self::entity(value)));
            sources.or_default().push(entity);
        }
        let row = self.content.rows.get_mut(&entity).unwrap();
        let is_new = row.insert(comp, value).is_none();
        if is_new && let Some(order) = self.content.order(comp) {
            order.push(entity);
        }
        self.notes.push((if is_new { What::Insert } else { What::Update }, comp, entity));
        self.mark(entity, comp);
    }

    /// Notes that a value changes in place.
    pub fn write(&mut self, entity: Entity, comp: Comp, value: u64) {
        self.content.rows.get_mut(&entity).unwrap().insert(comp, value);
        self.mark(entity, comp);
    }

    pub fn mark(&mut self, entity: Entity, comp: Comp) {
        if TRACKED.contains(&comp) {
            self.time += 1;
            self.marks.entry((comp, entity)).or_insert((self.time, 0)).1 = self.time;
        }
    }

    fn unpoint(&mut self, entity: Entity, comp: Comp) {
        if let Some(target) = self.content.target(entity, comp)
            && let Some(sources) = self.content.sources.get_mut(&(comp, target))
        {
            sources.retain(|other| *other != entity);
            if sources.is_empty() {
                self.content.sources.remove(&(comp, target));
            }
        }
    }

    /// Inserts a bundle, or its absent parts, and its requirements.
    pub fn give(
        &mut self,
        entity: Entity,
        comps: &[Comp],
        number: u64,
        to: Entity,
        absent: bool,
    ) -> Given {
        let content = &self.content;
        let is_there = |comp: &Comp| absent && content.has(entity, *comp);
        let comps: Vec<Comp> = comps.iter().filter(|it| !is_there(it)).copied().collect();
        let given = content.fits(entity, &comps, number, to);
        if given != Given::Done {
            return given;
        }
        for (by, replaced) in REPLACES {
            if comps.contains(&by) {
                self.lose(entity, replaced);
            }
        }
        for comp in &comps {
            self.put(entity, *comp, comp.value(number, to));
        }
        for (_, comp, value) in REQUIRED.into_iter().filter(|it| comps.contains(&it.0)) {
            if !self.content.has(entity, comp) {
                self.put(entity, comp, value);
            }
        }
        Given::Done
    }

    /// Inserts a component with a value of the model.
    pub fn give_value(&mut self, entity: Entity, comp: Comp, value: u64) -> Given {
        if comp == Comp::Venom {
            if !self.content.is_alive(entity) {
                return Given::Missing;
            }
            self.put(entity, comp, value);
            return Given::Done;
        }
        let to = Entity::from_bits(value).unwrap_or(Entity::PLACEHOLDER);
        self.give(entity, &[comp], value, to, false)
    }

    /// The component without a type has the next version; readers find all its values changed.
    pub fn redefine(&mut self, version: usize) {
        while self.content.version < version {
            self.content.version += 1;
            for entity in self.content.matching(&[Comp::Venom], &[]) {
                self.mark(entity, Comp::Venom);
            }
        }
    }

    /// Removes a component, whatever its veto says.
    pub fn lose(&mut self, entity: Entity, comp: Comp) -> Option<u64> {
        self.content.value(entity, comp)?;
        self.notes.push((What::Remove, comp, entity));
        if RELATIONS.contains(&comp) {
            self.unpoint(entity, comp);
        }
        if let Some(order) = self.content.order(comp) {
            let at = order.iter().position(|it| *it == entity).unwrap();
            order.swap_remove(at);
        }
        if self.marks.remove(&(comp, entity)).is_some() {
            self.time += 1;
            self.lost.push((self.time, comp, entity));
        }
        self.content.rows.get_mut(&entity)?.remove(comp)
    }

    /// Removes a component, unless its veto refuses.
    pub fn take(&mut self, entity: Entity, comp: Comp) -> Option<u64> {
        if self.content.refuses(entity, comp) { None } else { self.lose(entity, comp) }
    }

    /// Ends entities with the ones that end with them, except the ones that a veto keeps. Returns their
    /// number.
    pub fn despawn(&mut self, list: &[Entity]) -> usize {
        let content = &self.content;
        let mut ended = BTreeSet::new();
        for entity in list.iter().filter(|it| content.is_alive(**it)) {
            let family = content.family(*entity);
            if !family.iter().any(|it| content.is_kept(*it)) {
                ended.extend(family);
            }
        }
        let points_to_itself = |it: &Entity| content.sources(*it, Comp::On).contains(it);
        if ended.len() > 1 || ended.iter().any(points_to_itself) {
            // The order is left open in which the members of one pool go.
            let comps = ended.iter().flat_map(|it| content.rows[it].iter().map(|(comp, _)| comp));
            for comp in comps.collect::<BTreeSet<_>>() {
                self.content.forget_order(comp);
            }
        }
        for entity in &ended {
            for source in self.content.sources(*entity, Comp::On).to_vec() {
                self.lose(source, Comp::On);
            }
            for (comp, _) in self.content.rows[entity].clone().iter() {
                self.lose(*entity, comp);
            }
        }
        for entity in &ended {
            self.content.die(*entity);
        }
        ended.len()
    }

    /// Ends all without a notification.
    pub fn clear(&mut self) {
        let all: Vec<Entity> = self.content.rows.keys().copied().collect();
        for entity in all {
            for (comp, _) in self.content.rows[&entity].clone().iter() {
                self.lose(entity, comp);
            }
            self.content.die(entity);
        }
        self.take_notes();
    }

    /// Returns the notifications since the last call.
    pub fn take_notes(&mut self) -> Vec<Note> {
        self.reacted = 0;
        mem::take(&mut self.notes)
    }

    /// Puts another content in the place of this one. Readers find that all was removed and inserted.
    pub fn replace(&mut self, content: &Content) {
        self.time += 1;
        let lost = mem::take(&mut self.marks).into_keys();
        self.lost.extend(lost.map(|(comp, entity)| (self.time, comp, entity)));
        self.content = content.clone();
        self.time += 1;
        for (entity, row) in &content.rows {
            for comp in TRACKED.into_iter().filter(|it| row.has(*it)) {
                self.marks.insert((comp, *entity), (self.time, self.time));
            }
        }
    }

    /// Applies a delta: readers find the differences.
    pub fn change_into(&mut self, content: &Content) {
        self.time += 1;
        let old = mem::replace(&mut self.content, content.clone());
        for comp in TRACKED {
            for entity in old.rows.keys().chain(content.rows.keys()) {
                match (old.value(*entity, comp), content.value(*entity, comp)) {
                    (Some(_), None) if self.marks.remove(&(comp, *entity)).is_some() => {
                        self.time += 1;
                        self.lost.push((self.time, comp, *entity));
                    }
                    (before, now) if now.is_some() && before != now => self.mark(*entity, comp),
                    _ => {}
                }
            }
        }
    }

    /// Takes in copies of entities of another content. Handles among themselves become the copies'
    /// handles.
    pub fn take_in(&mut self, from: &Content, pairs: &BTreeMap<Entity, Entity>) {
        for (old, new) in pairs {
            for (comp, value) in from.rows[old].iter() {
                let named = comp.named(value).filter(|_| comp.names_entities());
                let mapped = |it| *pairs.get(&it).unwrap_or(&Entity::PLACEHOLDER);
                let value = named.map_or(value, |it| comp.renamed(value, mapped(it)));
                self.put(*new, comp, value);
                self.content.forget_order(comp);
            }
        }
        for ((comp, target), sources) in &from.sources {
            let mapped = sources.iter().map(|it| pairs[it]).collect();
            self.content.sources.insert((*comp, pairs[target]), mapped);
        }
    }

    /// Applies the edits of scripts that react to the notifications since the last call.
    pub fn react(&mut self) {
        while let Some(&(what, comp, entity)) = self.notes.get(self.reacted) {
            self.reacted += 1;
            let is_alive = self.content.is_alive(entity);
            let has = |script| is_alive && self.scripts.contains(&script);
            match (what, comp) {
                (What::Insert, Comp::Left) if has(Script::RightWithLeft) => {
                    self.give(entity, &[Comp::Right], 7, entity, true);
                }
                (What::Insert, Comp::Venom) if has(Script::RightWithVenom) => {
                    self.give(entity, &[Comp::Right], 7, entity, true);
                }
                (What::Remove, Comp::Number) if has(Script::TextWithNumber) => {
                    self.lose(entity, Comp::Text);
                }
                _ => {}
            }
        }
    }
}
