//! Applying a change set that anybody may have made: all of it is checked first, and then carried out as edits are.

use crate::component::set::ComponentSet;
use crate::entity::Entity;
use crate::format::budget::GROWING;
use crate::format::reader::{ReadError, Reader, wrong};
use crate::pool::Loose;
use crate::pool::kind::Kind;
use crate::pool::relations::{Ends, Place, Pointing};
use crate::storage::page::Page;
use crate::storage::sparse_array::{PAGE_SHIFT, page_of};
use crate::storage::sparse_set::SparseSet;
use crate::world::World;
use crate::world::change_set::MAGIC;
use crate::world::load::{Limits, LoadError, entity_size};
use crate::world::restore::{check_name, pay_relation};
use alloc::borrow::ToOwned;
use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;
use core::num::NonZeroU32;

/// Whom the entities of another world are here.
type Known = SparseSet<Entity, Entity>;

/// # Change sets: receiving
impl World {
    /// Does what a [`ChangeSet`](crate::save::ChangeSet) tells. `known` says whom the entities of the other world are here, and
    /// is kept up to date: those that are new are spawned and added, those that ended are despawned and taken out. It may
    /// begin empty, with what [`absorb`](Self::absorb) returned, or, in a world that was [loaded](Self::load), with each
    /// entity for itself.
    ///
    /// First components are removed, then all values come, then those end that ended: in each step hooks, observers and
    /// vetoes are asked and told as ever, of values when all are there. A component brings only those that it requires
    /// and that no set carries, because they are not tracked or not saved; all others come and go by sets alone.
    ///
    /// Handles in relations and in fields that are marked by `#[component(entities)]` become those here. An entity that
    /// is named before it has a component which is sent is spawned without components, so the handle stays right when
    /// they come; a handle of an entity that is not alive in the other world becomes [`Entity::NOBODY`].
    ///
    /// Those that point to an entity by a relation get the order that they have in the other world. Others, which point
    /// to it in this world only, stay between them.
    ///
    /// O(what the set tells, and the sources of a target among which one was moved); of a relation that forms no
    /// circles, O(those that have it).
    ///
    /// # Errors
    /// When the bytes are not right, or take more than the limits allow. Nothing is changed then, unless an observer of
    /// what was removed related entities such that the set would close a circle.
    ///
    /// # Panics
    /// When it is called by a hook or an observer; and as [`spawn_empty`](Self::spawn_empty).
    ///
    /// See [`ChangeSet`](crate::save::ChangeSet) for an example.
    pub fn apply_change_set(
        &mut self,
        set: &[u8],
        known: &mut SparseSet<Entity, Entity>,
        limits: &Limits,
    ) -> Result<(), LoadError> {
        self.refuse_while_telling("changed by a set");
        self.entities.flush();
        let reader = Reader::new(set, limits.memory);
        let (told, next) = (Known::default(), self.entities.index_count());
        let mut applying =
            Applying { world: self, known, told, next, reader, component: None, entity: None };
        let read = applying.read();
        let Applying { told, reader, component, entity, .. } = applying;
        let wrong = |error: ReadError| {
            let (at, what) = (reader.at(), error.into_text());
            LoadError { component, entity, at, what }
        };
        let (ended, parts) = read.map_err(wrong)?;
        // Where another entity has the index, the one before ended, too.
        let before = |entity: &Entity| known.raw_keys().at_index(entity.index());
        let others = told.keys().iter().filter_map(before).filter(|it| !told.contains(*it));
        let pair = |entity| Some((entity, *known.get(entity)?));
        let ended: Vec<_> = others.chain(ended.iter().copied()).filter_map(pair).collect();
        for part in &parts {
            for entity in part.lost.iter().filter_map(|entity| known.get(*entity).copied()) {
                let _ = part.kind.remove(self, entity); // or it lacks it, or the veto refused
            }
        }
        self.entities.flush();
        self.spawn_unknown(told.keys(), known);
        self.give_changed(parts, known)?;
        let here: Vec<Entity> = ended.iter().map(|(_, here)| *here).collect();
        self.despawn_batch(&here);
        for (entity, here) in ended {
            if known.get(entity) == Some(&here) && !self.is_alive(here) {
                known.remove(entity);
            }
        }
        Ok(())
    }

    /// Spawns those who are to be there and are not known, or are not alive: an observer may have ended some.
    fn spawn_unknown(&mut self, told: &[Entity], known: &mut Known) {
        let is_alive = |here: &Entity| self.entities.is_alive(*here);
        let missing = told.iter().filter(|entity| !known.get(**entity).is_some_and(is_alive));
        let missing: Vec<Entity> = missing.copied().collect();
        let made = self.make(missing.len(), ComponentSet::EMPTY);
        for (entity, here) in missing.into_iter().zip(made) {
            known.insert(entity, here);
        }
    }

    fn give_changed(&mut self, parts: Vec<Part>, known: &Known) -> Result<(), LoadError> {
        let here = |entity: Entity| known.get(entity).copied().unwrap_or(Entity::NOBODY);
        let mut given = Vec::new();
        for Part { name, kind, changed, values, places, .. } in parts {
            let list: Vec<Entity> = changed.into_iter().map(here).collect();
            let places: Option<Vec<Place>> = places
                .map(|all| all.into_iter().map(|(at, before)| (at, before.map(here))).collect());
            let pool = self.pools.at(kind.number);
            let values = pool.map_loose(values, &mut |_, entity| here(entity));
            if let Some((_, true)) = pool.relation() {
                let targets = pool.pointings(&*values).into_iter().map(Pointing::target);
                let ends: Vec<_> = list.iter().copied().zip(targets).collect();
                let before = self.pools.relations.get(kind.number);
                if before.is_some_and(|before| after(before, &ends, |_| true).has_circle()) {
                    let what = CIRCLE.to_owned();
                    return Err(LoadError { component: Some(name), entity: None, at: 0, what });
                }
            }
            given.push((list, kind, values, places));
        }
        self.pools.watch.log.begin();
        let (mut gone, mut requiring) = (Vec::new(), Vec::new());
        for (list, kind, values, places) in given {
            let (new, replaced) = self.put_loose(&list, kind, values);
            if let (Some(places), Some(ends)) = (places, self.pools.relations.get_mut(kind.number))
            {
                ends.arrange(&list, &places);
            }
            gone.push(replaced);
            requiring.extend(kind.requiring_local().map(|require| (require, new)));
        }
        drop(gone); // while all is whole
        for (require, new) in requiring {
            for entity in new {
                require(self, entity);
            }
        }
        if !self.pools.watch.log.added().is_empty() {
            self.notify_insertions(true, true);
        }
        Ok(())
    }
}

const CIRCLE: &str = "entities point to each other in a circle";

/// A relation, as it is when these came to point to their targets, and of the others those stayed that may.
fn after(before: &Ends, ends: &[(Entity, Entity)], stays: impl Fn(Entity) -> bool) -> Ends {
    let changed: SparseSet<(), Entity> = ends.iter().map(|(source, _)| (*source, ())).collect();
    let all = before
        .targets()
        .iter()
        .flat_map(|target| before.sources(*target).map(move |source| (source, *target)));
    let old = all.filter(|(source, _)| !changed.contains(*source) && stays(*source));
    let most = before.len() + ends.len();
    before.with_ends((most, most), old.chain(ends.iter().copied()))
}

/// What a set tells of a component.
struct Part {
    name: String,
    kind: Kind,
    lost: Vec<Entity>,
    changed: Vec<Entity>,
    /// Those of what changed.
    values: Box<Loose>,
    /// The places of the relations that changed; none in the first version of the format.
    places: Option<Vec<Place>>,
}

/// The reading of a set, and where it is.
struct Applying<'w, 'b> {
    world: &'w World,
    known: &'w Known,
    /// Those who are to be there, each as it is here; those who are to be spawned, under an index that nobody has.
    told: Known,
    /// The next such index.
    next: usize,
    reader: Reader<'b>,
    component: Option<String>,
    entity: Option<Entity>,
}

type Result<T, E = ReadError> = core::result::Result<T, E>;

impl<'b> Applying<'_, 'b> {
    fn read(&mut self) -> Result<(Vec<Entity>, Vec<Part>)> {
        let has_order = self.reader.begin(MAGIC, "change set", "made")? > 1;
        let ended = self.handles()?;
        let (mut parts, mut before) = (Vec::new(), None);
        for _ in 0..self.reader.count()? {
            parts.push(self.part(&mut before, &ended, has_order)?);
            self.component = None;
        }
        let bare = if has_order { self.handles()? } else { Vec::new() };
        for entity in bare {
            if ended.contains_handle(entity) {
                self.entity = Some(entity);
                return wrong("it ended, and is still named");
            }
            self.here(entity)?;
        }
        if self.reader.left() > 0 {
            return wrong("there are bytes behind the end");
        }
        Ok((ended, parts))
    }

    /// Handles of the other world, in order.
    fn handles(&mut self) -> Result<Vec<Entity>> {
        let count = self.reader.count()?;
        self.reader.pay(count, 3 * size_of::<Entity>())?; // and the same here
        let mut handles: Vec<Entity> = Vec::with_capacity(count);
        for _ in 0..count {
            let (step, generation) = (self.reader.number()?, self.reader.number()?);
            let before = handles.last().map_or(0, |before| before.index());
            let entity = handle(step.saturating_add(before.into()), generation)?;
            let is_next = |before: &Entity| {
                (before.index(), before.generation()) < (entity.index(), entity.generation())
            };
            if !handles.last().is_none_or(is_next) {
                return wrong("entities are not in order");
            }
            handles.push(entity);
        }
        Ok(handles)
    }

    fn part(
        &mut self,
        before: &mut Option<&'b str>,
        ended: &[Entity],
        has_order: bool,
    ) -> Result<Part> {
        let name = self.reader.text()?;
        self.reader.pay(name.len(), 2)?;
        self.component = Some(name.to_owned());
        check_name(before.replace(name), name)?;
        let Ok(version) = u32::try_from(self.reader.number()?) else {
            return wrong("its version is greater than any");
        };
        let end = self.reader.block()? + self.reader.at();
        let Some(number) = self.world.saved_under(name)? else {
            return wrong("the world does not know it: `World::register` makes it known");
        };
        let pool = self.world.pools.at(number);
        let (lost, changed) = (self.handles()?, self.handles()?);
        if let Some(pair) = changed.windows(2).find(|pair| pair[0].index() == pair[1].index()) {
            self.entity = Some(pair[1]);
            return wrong("two entities have one index");
        }
        let is_ended = |entity: &Entity| ended.contains_handle(*entity);
        self.entity = changed.iter().copied().find(is_ended);
        if self.entity.is_some() {
            return wrong("it ended, and still has it");
        }
        let here = self.all_here(&changed)?;
        let pages = (self.next >> PAGE_SHIFT) + 1;
        self.reader.pay(here.len().min(pages), Page::MOST_MEMORY)?;
        self.reader.pay(GROWING * changed.len(), pool.kind().size())?; // where they are put
        let values = pool.read_loose(version, changed.len(), &mut self.reader);
        let values = values.map_err(|(at, error)| {
            self.entity = changed.get(at).copied();
            error
        })?;
        let mut places = None;
        if pool.relation().is_some() {
            self.check_relation(number, &lost, ended, &here, &*values)?;
            if has_order {
                places = Some(self.places(number, &pool.pointings(&*values))?);
            }
        }
        if self.reader.at() != end {
            return wrong("it is shorter or longer than it is said to be");
        }
        let (name, kind) = (name.to_owned(), pool.kind());
        Ok(Part { name, kind, lost, changed, values, places })
    }

    /// Reads the places of sources that changed, which point so by the relation with this number.
    fn places(&mut self, number: u32, changed: &[Pointing]) -> Result<Vec<Place>> {
        let count = self.reader.count()?;
        self.reader.pay(count, 2 * size_of::<(Place, Entity)>())?; // and the same here, with order
        let sources = self.world.pools.relations.get(number).map_or(0, Ends::len);
        self.reader.pay(if count > 0 { sources } else { 0 }, 2 * size_of::<Entity>())?;
        let mut places: Vec<Place> = Vec::with_capacity(count);
        for _ in 0..count {
            let (at, generation) = (self.reader.number()?, self.reader.number()?);
            let before = if generation == 0 {
                None
            } else {
                let index = self.reader.number()?;
                Some(handle(index, generation)?)
            };
            let at = usize::try_from(at).ok().filter(|at| *at < changed.len());
            let Some(at) = at else { return wrong("a place is behind the last that changed") };
            let target = |at: usize| changed[at].target();
            if places.last().is_some_and(|(last, _)| target(*last) > target(at)) {
                return wrong("places are not in the order of the targets");
            }
            places.push((at, before));
        }
        let mut positions: Vec<usize> = places.iter().map(|(at, _)| *at).collect();
        positions.sort_unstable();
        if positions.windows(2).any(|pair| pair[0] == pair[1]) {
            return wrong("an entity has two places");
        }
        Ok(places)
    }

    /// Who these are here.
    fn all_here(&mut self, entities: &[Entity]) -> Result<Vec<Entity>> {
        let mut here = Vec::with_capacity(entities.len());
        for entity in entities {
            here.push(self.here(*entity)?);
        }
        let mut sorted = here.clone();
        sorted.sort_unstable();
        if sorted.windows(2).any(|pair| pair[0] == pair[1]) {
            return wrong("two entities are known as one");
        }
        Ok(here)
    }

    fn here(&mut self, entity: Entity) -> Result<Entity> {
        if let Some(here) = self.told.get(entity) {
            return Ok(*here);
        }
        let keys = self.told.raw_keys();
        if keys.at_index(entity.index()).is_some() {
            self.entity = Some(entity);
            return wrong("two entities have one index");
        }
        // A record, and a place among those that are told, missing and known, each with pages.
        self.reader.pay(1, entity_size(&self.world.pools) + 6 * size_of::<Entity>())?;
        let page = page_of(entity.index());
        let more = (page + 1).saturating_sub(keys.page_count());
        self.reader.pay(2 * 2 * more, size_of::<usize>())?;
        if more > 0 || keys.page(page).is_empty() {
            self.reader.pay(2, Page::MOST_MEMORY)?;
        }
        let known = self.known.get(entity).filter(|here| self.world.entities.is_alive(**here));
        let here = if let Some(here) = known {
            *here
        } else {
            let index = u32::try_from(self.next).ok().filter(|index| *index < u32::MAX);
            let Some(index) = index else { return wrong("there are too many entities") };
            self.next += 1;
            Entity::new(index, NonZeroU32::MIN)
        };
        self.told.insert(entity, here);
        Ok(here)
    }

    /// Checks whom these, who are here so, come to point to.
    fn check_relation(
        &mut self,
        number: u32,
        lost: &[Entity],
        ended: &[Entity],
        here: &[Entity],
        values: &Loose,
    ) -> Result<()> {
        let pool = self.world.pools.at(number);
        self.reader.pay(here.len(), size_of::<(Entity, Entity)>() + size_of::<Pointing>())?;
        let mut ends = Vec::with_capacity(here.len());
        for (source, pointing) in here.iter().zip(pool.pointings(values)) {
            let target = pointing.target();
            if target.index() == u32::MAX || ended.contains_handle(target) {
                return wrong("it points to an entity that is dead");
            }
            ends.push((*source, self.here(target)?));
        }
        let (Some((_, acyclic)), Some(before)) =
            (pool.relation(), self.world.pools.relations.get(number))
        else {
            return Ok(());
        };
        if acyclic && !ends.is_empty() {
            let most = before.len() + ends.len() + lost.len();
            let pages = (self.next >> PAGE_SHIFT) + 1; // also of those that changed or lost it
            self.reader.pay(2 * most.min(pages), Page::MOST_MEMORY)?;
            self.reader.pay(10 * most, size_of::<Entity>())?;
            pay_relation(most, most, self.next, &mut self.reader.budget)?;
            let lost = lost.iter().filter_map(|it| Some((*self.known.get(*it)?, ())));
            let lost: SparseSet<(), Entity> = lost.collect();
            if after(before, &ends, |source| !lost.contains(source)).has_circle() {
                return wrong(CIRCLE);
            }
        }
        Ok(())
    }
}

/// Returns the handle of these parts.
fn handle(index: u64, generation: u64) -> Result<Entity> {
    let (true, Ok(generation)) = (index < u64::from(u32::MAX), u32::try_from(generation)) else {
        return wrong("an index or a generation is greater than any");
    };
    let entity = Entity::from_bits(u64::from(generation) << 32 | index);
    entity.map_or_else(|| wrong("a handle is none"), Ok)
}

/// Handles that are in order.
trait InOrder {
    fn contains_handle(&self, entity: Entity) -> bool;
}

impl InOrder for [Entity] {
    fn contains_handle(&self, entity: Entity) -> bool {
        let key = |entity: &Entity| (entity.index(), entity.generation());
        self.binary_search_by_key(&key(&entity), key).is_ok()
    }
}
