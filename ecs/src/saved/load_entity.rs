//! Reading entities from any format of serde: one that was [saved](super::save_entity), or a prefab of a file.
//!
//! The entities are read into a world of their own, where all is checked. It becomes a prefab, or is merged into another
//! world. Its entities have the handles `0v1`, `1v1` and so on, in the order in which they are read.

use crate::component::data::{Late, Loose};
use crate::copy::prefab::Prefab;
use crate::entity::Entity;
use crate::format::budget::{Budget, GROWING};
use crate::format::document::{StructKeys, read_parts};
use crate::format::limited::read_within;
use crate::format::reader::{ReadError, wrong};
use crate::format::source::{Elements, Erased, Request, Source};
use crate::format::tree::{OverTree, ValueTree};
use crate::pool::WorldPool;
use crate::pool::kind::Kind;
use crate::relation::hierarchy::ChildOf;
use crate::saved::build::{Building, Filled, FilledPart, entity_size};
use crate::saved::load_text::{in_text, of};
use crate::saved::loaded::Limits;
use crate::storage::sparse_set::SparseSet;
use crate::text::{Nearest, nearest};
use crate::world::World;
use alloc::boxed::Box;
use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec;
use alloc::vec::Vec;
use serde::Deserializer;
use serde::de::{Error, IgnoredAny};

type Result<T = (), E = ReadError> = core::result::Result<T, E>;

/// The fields of an entity; each may be missing.
const FIELDS: &[&str] = &[
    "entity",
    "outside",
    "dead",
    "inherits",
    "versions",
    "removes",
    "components",
    "children",
    "others",
];
const ENTITY: StructKeys = StructKeys {
    of: "Entity",
    expected: "an entity: its `components`, and perhaps `children`",
    names: FIELDS,
    optional: FIELDS,
};

/// The greatest depth of children in a text.
const DEEPEST: usize = 32;

/// # Entities from texts and bytes
impl World {
    /// Reads an entity that [`Save::entity`](crate::save::Save::entity) wrote, in any format of serde, and spawns it under
    /// new handles. Returns the new entities in the order in which they were written: the first one is the saved entity.
    /// O(pools and components).
    ///
    /// Components are found by their saved names among the pools of this world: see [`register`](Self::register). Hooks
    /// and observers are notified of insertions when all entities are complete. A person may have written the text: see
    /// the [guide](crate::guide::saving#one-entity). The default [`Limits`] hold.
    ///
    /// # Errors
    /// Returns an error, and spawns nothing, if the text is no entity, or names an unknown component or field. So it
    /// does if it has a [kept](crate::save::SaveEntity::keep_outside) handle of a dead entity, or a
    /// [unique](crate::guide::indexes#unique-values) component that equals one of another entity.
    ///
    /// # Panics
    /// Panics like [`spawn_empty`](Self::spawn_empty).
    ///
    /// ```
    /// # use ecs::{Component, World};
    /// # use serde::{Deserialize, Serialize};
    /// #[derive(Component, Serialize, Deserialize)]
    /// #[component(save = "health")]
    /// struct Health(u32);
    ///
    /// let mut world = World::new();
    /// world.register::<Health>();
    /// let text = r#"{ "components": { "health": 3 }, "children": [{ "components": { "health": 1 } }] }"#;
    /// let new = world.spawn_from(&mut serde_json::Deserializer::from_str(text))?;
    /// assert_eq!(world.get::<Health>(new[0]).unwrap().0, 3);
    /// assert!(world.children(new[0]).eq([new[1]]));
    ///
    /// let text = r#"{ "components": { "helth": 3 } }"#;
    /// let error = world.spawn_from(&mut serde_json::Deserializer::from_str(text)).unwrap_err().to_string();
    /// assert!(error.starts_with("`helth`: the world knows no such component (the nearest is `health`)"));
    /// assert!(error.contains("at line 1 column"));
    /// # Ok::<(), serde_json::Error>(())
    /// ```
    pub fn spawn_from<'de, D: Deserializer<'de>>(
        &mut self,
        deserializer: D,
    ) -> Result<Vec<Entity>, D::Error> {
        self.entities.flush();
        self.spawn_read(&mut Erased::new(deserializer)).map_err(D::Error::custom)
    }

    #[inline]
    fn spawn_read(&mut self, source: &mut dyn Source<'_>) -> Result<Vec<Entity>> {
        let mut reading = EntityReading::new(self, None);
        reading.entity(source, None)?;
        let (mut read, standing) = reading.finish(Some(self))?;
        let old: Vec<Entity> = read.entities().collect();
        let new = self.merge_around(&mut read, &standing).map_err(ReadError::custom)?;
        let made = old[..old.len() - standing.len()].iter();
        Ok(made.filter_map(|entity| new.get(*entity).copied()).collect())
    }
}

/// Entities that are being read into a world of their own.
pub(super) struct EntityReading<'p> {
    building: Building,
    budget: Budget,
    count: u32,
    /// The entity for each handle of the text, if the text names its entities.
    named: BTreeMap<Entity, Entity>,
    /// The handles of living and of dead entities of another world.
    outside: [Vec<Entity>; 2],
    values: Vec<ReadValue>,
    /// The components that were removed, and the names of these that others may require.
    lacks: BTreeMap<Entity, Vec<String>>,
    /// Components that were to be removed, and not inherited.
    absent: Vec<(Entity, u32, String)>,
    late: Vec<(u32, Entity, Late)>,
    /// The prefabs that may be inherited, if there are any.
    prefabs: Option<&'p BTreeMap<String, Prefab>>,
    /// The name of the prefab that is inherited, and not among them. All else is passed over then.
    pub(super) missing: Option<String>,
    inherits: bool,
    /// `true` if a value without a version is of the present one, not of the first.
    pub(super) in_present_versions: bool,
    /// The number of parents of the entity that is being read.
    depth: usize,
}

/// A value that was read, with handles of the text.
struct ReadValue {
    entity: Entity,
    /// The handle of the entity in the text.
    handle: Entity,
    number: u32,
    name: String,
    value: Box<Loose>,
}

/// The beginning of an entity: it is made when the first part of it is read that it keeps.
#[derive(Default)]
struct Begun {
    entity: Option<Entity>,
    handle: Option<Entity>,
    parent: Option<Entity>,
}

/// Returns the entity of a reading with this index.
#[inline]
fn entity_at(index: u32) -> Entity {
    Entity::from_bits(1 << 32 | u64::from(index)).expect("the generation is not zero")
}

impl<'p> EntityReading<'p> {
    /// Begins to read entities with the components that a world has registered.
    #[inline]
    pub(super) fn new(world: &World, prefabs: Option<&'p BTreeMap<String, Prefab>>) -> Self {
        let limits = Limits::default();
        let mut building = Building::new(world, &limits);
        building.world.pools.get_or_create::<ChildOf>();
        Self {
            building,
            budget: Budget::new(limits.memory),
            count: 0,
            named: BTreeMap::new(),
            outside: <_>::default(),
            values: Vec::new(),
            lacks: BTreeMap::new(),
            absent: Vec::new(),
            late: Vec::new(),
            prefabs,
            missing: None,
            inherits: false,
            in_present_versions: false,
            depth: 0,
        }
    }

    /// Passes over a value.
    #[inline]
    pub(super) fn skip(&mut self, source: &mut dyn Source<'_>) -> Result {
        read_within::<IgnoredAny>(source, &mut self.budget).map(drop)
    }

    #[inline]
    fn make(&mut self) -> Result<Entity> {
        self.budget.pay(GROWING, entity_size(&self.building.world.pools))?;
        self.count += 1;
        Ok(entity_at(self.count - 1))
    }

    /// Reads an entity, which becomes a child of `parent`, and the entities within its text.
    #[inline]
    pub(super) fn entity(&mut self, source: &mut dyn Source<'_>, parent: Option<Entity>) -> Result {
        if self.depth > DEEPEST {
            return wrong(&format!(
                "children are nested deeper than {DEEPEST} levels: list them as `others`, with `ecs::ChildOf`"
            ));
        }
        let (mut begun, mut versions) = (Begun { parent, ..Begun::default() }, BTreeMap::new());
        ENTITY.read(source, &mut |key, value| {
            if self.missing.is_some() {
                return self.skip(value);
            }
            match key {
                "entity" => begun.handle = Some(read_within(value, &mut self.budget)?),
                "outside" => self.outside[0].extend(read_handles(value, &mut self.budget)?),
                "dead" => self.outside[1].extend(read_handles(value, &mut self.budget)?),
                "inherits" => {
                    let name = read_within(value, &mut self.budget)?;
                    begun.entity = self.inherit(name)?;
                }
                "versions" => versions = read_within(value, &mut self.budget)?,
                "removes" => {
                    let entity = self.begin(&mut begun)?;
                    let names: Vec<String> = read_within(value, &mut self.budget)?;
                    names.into_iter().try_for_each(|name| self.remove(entity, name))?;
                }
                "components" => {
                    let handle = begun.handle;
                    let entity = self.begin(&mut begun)?;
                    self.components((entity, handle.unwrap_or(entity)), &versions, value)?;
                }
                _ => {
                    let entity = self.begin(&mut begun)?;
                    self.entities(key, value, (key == "children").then_some(entity))?;
                }
            }
            Ok(())
        })?;
        if self.missing.is_none() {
            self.begin(&mut begun)?;
        }
        Ok(())
    }

    /// Returns the entity that is being read: made now, unless it inherited its components or was made before. Its
    /// handle and its parent are added once.
    #[inline]
    fn begin(&mut self, begun: &mut Begun) -> Result<Entity> {
        let entity = match begun.entity {
            Some(entity) => entity,
            None => self.make()?,
        };
        begun.entity = Some(entity);
        if let Some(handle) = begun.handle.take()
            && self.named.insert(handle, entity).is_some()
        {
            return wrong(&format!("two entities have the handle {handle}"));
        }
        if let Some(parent) = begun.parent.take() {
            let number = Kind::of::<ChildOf>().number;
            let value: Box<Loose> = Box::new(Vec::from([ChildOf(parent)]));
            drop(self.building.world.pools.at_mut(number).put_loose(&[entity], value));
        }
        Ok(entity)
    }

    /// Makes copies of all entities of a prefab, and returns the copy of its root.
    #[inline]
    fn inherit(&mut self, name: String) -> Result<Option<Entity>> {
        let Some(prefabs) = self.prefabs else {
            return wrong("only prefabs inherit: read them by `Prefabs::read`");
        };
        let Some(prefab) = prefabs.get(&name) else {
            self.missing = Some(name);
            return Ok(None);
        };
        self.inherits = true;
        let from = prefab.world();
        let mut copies = SparseSet::<Entity, Entity>::default();
        for entity in from.entities() {
            copies.insert(entity, self.make()?);
        }
        let copy = |entity| copies.get(entity).copied().unwrap_or(Entity::PLACEHOLDER);
        for (number, pool) in from.pools.numbered().filter(|(_, pool)| !pool.is_empty()) {
            let kind = pool.kind();
            if !kind.is_copied() || kind.skips_copies() {
                continue;
            }
            self.budget.pay(GROWING * pool.len(), kind.size() + size_of::<Entity>())?;
            let pools = &mut self.building.world.pools;
            pools.create_like(number, pool);
            let Some(values) = pool.copies_of(pool.keys(), 1) else { continue };
            let values = pool.kind().map_loose(values, &mut |_, entity| copy(entity));
            let keys: Vec<Entity> = pool.keys().iter().map(|entity| copy(*entity)).collect();
            pools.at_mut(number).take_in(&keys, values);
            for kind in kind.required() {
                let Some((name, _)) = kind.saving() else { continue };
                let without = pool.keys().iter().filter(|it| !from.pools.has(kind.number, **it));
                for entity in without {
                    self.lacks.entry(copy(*entity)).or_default().push(name.to_string());
                }
            }
        }
        Ok(Some(copy(prefab.root())))
    }

    /// Returns the number and the version of the component with this saved name.
    #[inline]
    fn known(&self, name: &str) -> Result<(u32, u32)> {
        let world = &self.building.world;
        if let Some((number, schema)) = world.saved_under(name)? {
            return Ok((number, schema.version));
        }
        let names: Vec<String> = world.kinds().filter_map(Kind::saved_name).collect();
        let near = Nearest(nearest(name, names.iter().map(String::as_str)));
        Err(of(
            name,
            None,
            &ReadError::new(format!("the world knows no such component{near}: register it")),
        ))
    }

    /// Removes an inherited component, or notes that the entity lacks one that another one requires.
    #[inline]
    fn remove(&mut self, entity: Entity, name: String) -> Result {
        let (number, _) = self.known(&name)?;
        let pool = self.building.world.pools.at_mut(number);
        if !pool.contains(entity) {
            self.absent.push((entity, number, name.clone()));
        }
        pool.remove(entity);
        self.lacks.entry(entity).or_default().push(name);
        Ok(())
    }

    /// Reads the components of an entity, which has this handle in the text, by their names.
    #[inline]
    fn components(
        &mut self,
        (entity, handle): (Entity, Entity),
        versions: &BTreeMap<String, u32>,
        source: &mut dyn Source<'_>,
    ) -> Result {
        let first = self.values.len();
        read_parts(source, Request::Map, "components by their names", &mut |all| {
            while let Some(name) =
                all.read_next(|key| read_within::<String>(key, &mut self.budget))?
            {
                let (number, own) = self.known(&name)?;
                let unsaid = if self.in_present_versions { own } else { 1 };
                let version = versions.get(&name).copied().unwrap_or(unsaid);
                let is_twice = self.values[first..].iter().any(|read| read.number == number);
                let read = if is_twice {
                    wrong("it is there twice")
                } else {
                    self.component(entity, number, (version, own), all)
                };
                let value = read.map_err(|error| of(&name, None, &error))?;
                self.values.push(ReadValue { entity, handle, number, name, value });
            }
            Ok(())
        })
    }

    /// Reads a component of this version, over an inherited one of the program's own version.
    #[inline]
    fn component(
        &mut self,
        entity: Entity,
        number: u32,
        (version, own): (u32, u32),
        all: &mut dyn Elements<'_>,
    ) -> Result<Box<Loose>> {
        self.budget.pay(GROWING, size_of::<ReadValue>())?;
        let pool = self.building.world.pools.at(number);
        let saved = pool.as_saved();
        let (mut value, mut late) = (saved.no_values(), Vec::new());
        let inherited = pool.raw_keys().find(entity);
        all.next_value(&mut |source| {
            let is_human_readable = source.is_human_readable();
            let mut below = None;
            if let Some(at) = inherited.filter(|_| version == own) {
                saved.show(at, &mut |value| below = Some(ValueTree::of(value, is_human_readable)));
            }
            let below = below.transpose()?;
            let mut over = OverTree { source, below: below.as_ref() };
            saved.parse(version, &mut over, &mut self.budget, &mut *value, &mut late)
        })?;
        self.late.extend(late.into_iter().map(|late| (number, entity, late)));
        Ok(value)
    }

    /// Reads a list of entities.
    #[inline]
    fn entities(
        &mut self,
        key: &str,
        source: &mut dyn Source<'_>,
        parent: Option<Entity>,
    ) -> Result {
        self.depth += 1;
        read_parts(source, Request::Seq, "a list of entities", &mut |all| {
            let mut at = 0;
            let mut next = || {
                let read = all.read_next(|source| self.entity(source, parent));
                at += 1;
                read.map_err(|error| ReadError::custom(format_args!("{key}[{}]: {error}", at - 1)))
            };
            while next()?.is_some() {}
            Ok(())
        })?;
        self.depth -= 1;
        Ok(())
    }

    /// Returns a world that consists of the entities, and, at the end of it, an entity for each one that was kept in
    /// `world`, with that.
    #[inline]
    pub(super) fn finish(
        mut self,
        world: Option<&World>,
    ) -> Result<(World, Vec<(Entity, Entity)>)> {
        if self.inherits && !self.named.is_empty() {
            return wrong(
                "a prefab that inherits names none of its entities by `entity`: their handles are `0v1`, `1v1` and so on, \
                 inherited ones first",
            );
        }
        let [outside, dead] = core::mem::take(&mut self.outside);
        let is_named = !self.named.is_empty();
        let made = self.count;
        let mut standing = Vec::new();
        for handle in outside {
            match world {
                Some(world) if world.is_alive(handle) => {}
                Some(_) => return wrong(&format!("it keeps {handle}, which is not alive here")),
                None => return wrong("a prefab keeps no handles of other entities"),
            }
            let stands = self.make()?;
            standing.push((stands, handle));
            self.named.insert(handle, stands);
        }
        self.named.extend(dead.into_iter().map(|handle| (handle, Entity::PLACEHOLDER)));
        let values = core::mem::take(&mut self.values);
        let pools = &mut self.building.world.pools;
        for ReadValue { entity, handle, number, name, value } in values {
            let mut unknown = None;
            let value = pools.at(number).kind().map_loose(value, &mut |_, named| {
                let is_own = named.index() < made && named == entity_at(named.index());
                match self.named.get(&named) {
                    Some(entity) => *entity,
                    None if named == Entity::PLACEHOLDER || !is_named && is_own => named,
                    None => *unknown.insert(named),
                }
            });
            drop(pools.at_mut(number).put_loose(&[entity], value));
            let at = pools.at(number).raw_keys().find(entity).expect("it was put there");
            let checked = match unknown {
                Some(named) => wrong(&format!("it names {named}, and the text has no such entity")),
                None => pools.at(number).as_saved().check_handles(at),
            };
            checked.map_err(|error| of(&name, Some(handle), &error))?;
        }
        for (entity, number, name) in &self.absent {
            let mut all = pools.iter().filter(|pool| pool.contains(*entity));
            let is_required =
                |pool: &dyn WorldPool| pool.kind().required().iter().any(|it| it.number == *number);
            if !all.any(is_required) {
                let what = "it is to be removed, and is neither inherited nor required";
                return Err(of(name, None, &ReadError::new(what)));
            }
        }
        self.budget.pay(self.count as usize, size_of::<u32>())?;
        self.building.generations = vec![1; self.count as usize];
        for (number, pool) in pools.numbered().filter(|(_, pool)| !pool.is_empty()) {
            let pieces = pieces(pool, &self.lacks);
            let name = pool.kind().saved_name().unwrap_or_else(|| pool.name().to_string());
            self.building.parts.push(Filled { number, name, pieces, end: 0 });
        }
        for (number, entity, late) in self.late {
            let part = self.building.parts.iter_mut().find(|part| part.number == number);
            let Some(Filled { pieces, .. }) = part else { continue };
            let at = pieces.iter().position(|piece| piece.members.contains(&entity));
            pieces[at.unwrap_or(0)].late.push((entity, late));
        }
        let finished = self.building.finish(&[], None, 0, &mut self.budget);
        finished.map(|(world, _)| (world, standing)).map_err(in_text)
    }
}

/// Returns the parts of a pool: one of all members, or, if the component requires others, also one of each member that
/// lacks some.
#[inline]
fn pieces(pool: &dyn WorldPool, lacks: &BTreeMap<Entity, Vec<String>>) -> Vec<FilledPart> {
    let piece = |members: Vec<Entity>, required: &[String]| {
        let (mut lists, mut places) = (Vec::<Vec<usize>>::new(), BTreeMap::new());
        for (at, member) in members.iter().enumerate() {
            let Some(target) = pool.target(*member) else { continue };
            let place = *places.entry(target).or_insert(lists.len());
            if place == lists.len() {
                lists.push(Vec::new());
            }
            lists[place].push(at);
        }
        FilledPart { members, lists, required: required.to_vec(), late: Vec::new() }
    };
    let has_none = |entity: &Entity| !lacks.contains_key(entity);
    let members = pool.keys();
    if pool.kind().required_names().is_empty() || members.iter().all(has_none) {
        return Vec::from([piece(members.to_vec(), &[])]);
    }
    let others = members.iter().copied().filter(has_none).collect();
    let lacking = members.iter().filter_map(|it| Some(piece(Vec::from([*it]), lacks.get(it)?)));
    core::iter::once(piece(others, &[])).chain(lacking).collect()
}

#[inline]
fn read_handles(source: &mut dyn Source<'_>, budget: &mut Budget) -> Result<Vec<Entity>> {
    read_within(source, budget)
}
