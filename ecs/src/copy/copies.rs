//! Copies of whole worlds, and of entities with all their components.

use crate::component::Relation;
use crate::component::data::Loose;
use crate::component::rules::{ComponentRule, DeclaredRule};
use crate::component::set::ComponentSet;
use crate::copy::replaced::Replaced;
use crate::edit::merge::{Incoming, Made};
use crate::entities::Entities;
use crate::entity::Entity;
use crate::group::groups::{Groups, ListedGroup};
use crate::pool::kind::Kind;
use crate::pool::list::ComponentList;
use crate::pool::pools::Pools;
use crate::resource::{LeftOut, Resource};
use crate::storage::sort::sort_few;
use crate::storage::sparse_set::SparseSet;
use crate::world::World;
use crate::world::error::CopyError;
use alloc::boxed::Box;
use alloc::string::ToString;
use alloc::vec;
use alloc::vec::Vec;

/// A world that is being made a copy of another one: empty, should that panic.
struct Copied<'w> {
    world: &'w mut World,
    is_whole: bool,
}

impl Drop for Copied<'_> {
    #[inline]
    fn drop(&mut self) {
        if !self.is_whole {
            self.world.empty();
        }
    }
}

/// # Copies
impl World {
    /// Returns a copy of this world: with equal entity ids, free list, components, relations and groups, and equal
    /// iteration orders. O(indices and components).
    ///
    /// A component or a resource may be copied if it says `#[component(clone)]` or `#[resource(clone)]`. One that says
    /// `clone = skip` is left out. Observers, collectors and readers of changes stay out of the copy; hooks and vetoes do
    /// not. [`Copies`](crate::copies::Copies) leave out more, and return the names of all that was left out.
    ///
    /// # Errors
    /// Returns an error with the names of present components or resources that may not be copied, or of a resource that
    /// [`resource_scope`](Self::resource_scope) lends.
    ///
    /// ```
    /// # use ecs::{Component, CopyError, World};
    /// #[derive(Component, Clone, Debug, PartialEq)]
    /// #[component(clone)]
    /// struct Health(u32);
    /// #[derive(Component)]
    /// struct Connection;
    ///
    /// let mut world = World::new();
    /// let entity = world.spawn(Health(3)).id();
    /// let mut copy = world.try_clone().unwrap();
    /// assert_eq!(copy.get::<Health>(entity), Some(&Health(3)));
    /// assert_eq!(copy.spawn_empty().id(), world.spawn(Connection).id());
    /// assert_eq!(world.try_clone().unwrap_err(), CopyError::NotCloned(vec!["Connection"]));
    /// ```
    #[inline]
    pub fn try_clone(&self) -> Result<Self, CopyError> {
        let mut copy = Self::new();
        copy.copy_from(self)?;
        Ok(copy)
    }

    /// Makes this world a copy of another one, like [`try_clone`](Self::try_clone), but reuses the memory of this
    /// world. To roll back a frame, keep a copy, and copy from it: memory that both worlds have grown to is not
    /// allocated again. O(indices and components of both).
    ///
    /// Observers, collectors and readers of changes stay, and so do resources with `#[resource(clone = skip)]`. Hooks and
    /// observers of components are not called. Observers of [`Replaced`] are notified once, when the copy is complete.
    /// Readers of changes find that all components were removed and inserted; collectors forget their lists.
    ///
    /// If a value's `Clone` or `Drop` panics, this world is empty, and no observer is notified of that.
    ///
    /// # Errors
    /// Returns the errors of [`try_clone`](Self::try_clone), also about resources of this world; it is unchanged then.
    ///
    /// # Panics
    /// Panics if it is called by a hook or an observer, whose operation would be about entities that are gone.
    ///
    /// ```
    /// # use ecs::{Component, World};
    /// # #[derive(Component, Clone, Debug, PartialEq)]
    /// # #[component(clone)]
    /// # struct Position(f32);
    /// let mut world = World::new();
    /// let entity = world.spawn(Position(1.0)).id();
    /// let saved = world.try_clone().unwrap();
    /// world.get_mut::<Position>(entity).unwrap().0 = 7.0;
    /// world.copy_from(&saved).unwrap();
    /// assert_eq!(world.get::<Position>(entity), Some(&Position(1.0)));
    /// ```
    #[inline]
    pub fn copy_from(&mut self, other: &Self) -> Result<(), CopyError> {
        self.copy_some(other, &Copies::default()).map(drop)
    }

    /// Makes this world a copy of another one, for the snapshot of a program: event queues and the like, which stay when
    /// a world is copied, become copies, too.
    ///
    /// # Errors
    /// Returns the errors of [`copy_from`](Self::copy_from).
    #[inline]
    pub(crate) fn copy_program(&mut self, other: &Self) -> Result<(), CopyError> {
        let copies = Copies { is_snapshot: true, ..Copies::default() };
        self.copy_some(other, &copies).map(drop)
    }

    /// Makes this world a copy of another one, and returns the names of all that is left out.
    #[inline]
    fn copy_some(&mut self, other: &Self, copies: &Copies) -> Result<Vec<&'static str>, CopyError> {
        self.refuse_while_notifying("copied into");
        let mut left_out = copies.left_out_of(&other.pools, |_| true)?;
        let resources = self.resources.uncopied(&other.resources, &copies.left_out);
        if !resources.missing.is_empty() {
            return Err(CopyError::ResourcesNotCloned(resources.missing));
        } else if !resources.lent.is_empty() {
            return Err(CopyError::ResourcesLent(resources.lent));
        }
        copies.check_needs(&other.pools, |_| true, None)?;
        let leaves_out = !left_out.is_empty();
        left_out.extend(resources.left_out);
        sort_few(&mut left_out, PartialOrd::lt);
        let mut unfinished = Copied { world: self, is_whole: false };
        let Self { entities, pools, groups, resources, order, .. } = &mut *unfinished.world;
        pools.track_all_ends();
        pools.copy_from(&other.pools, |kind| copies.skips(kind));
        entities.clone_from(&other.entities);
        groups.clone_from(&other.groups);
        if leaves_out {
            leave_out(&other.pools, copies, entities, pools, groups);
        }
        pools.watch.set_grouped(*groups.watched());
        pools.track_all_new();
        order.copy_from(&other.order);
        resources.copy_from(&other.resources, &copies.left_out);
        if copies.is_snapshot {
            resources.copy_for_snapshot(&other.resources);
        }
        #[cfg(feature = "serde")]
        unfinished.world.unknown.clone_from(&other.unknown);
        unfinished.is_whole = true;
        unfinished.world.announce(Replaced::Copied);
        Ok(left_out)
    }

    /// Spawns `count` copies of an entity with all its components, and returns them. A copy has the targets of the
    /// original: a copy of a child is a child of the same parent. No entity points to a copy:
    /// [`spawn_copies_with`](Self::spawn_copies_with) copies the sources, too. O(components of all); faster than one by
    /// one.
    ///
    /// # Errors
    /// Returns an error if there is no such entity, or it has components without `#[component(clone)]`; nothing is
    /// spawned then.
    ///
    /// # Panics
    /// Panics like [`spawn_empty`](Self::spawn_empty).
    ///
    /// ```
    /// # use ecs::{Component, World};
    /// # #[derive(Component, Clone)] #[component(clone)] struct Health(u32);
    /// let mut world = World::new();
    /// let orc = world.spawn_named("orc").insert(Health(9)).id();
    /// let horde = world.spawn_copies(orc, 100).unwrap();
    /// assert_eq!((horde.len(), world.name(horde[99])), (100, Some("orc")));
    /// ```
    #[inline]
    pub fn spawn_copies(&mut self, entity: Entity, count: usize) -> Result<Vec<Entity>, CopyError> {
        self.spawn_copies_by(&Copies::default(), entity, count).map(|(made, _)| made)
    }

    /// Spawns copies of an entity and of all entities below it: its sources by relations, their sources, and so on.
    /// Relations among the originals become relations among their copies, and so do handles in fields that are marked
    /// by `#[component(entities)]`. Returns the copies of the entity itself.
    ///
    /// # Errors
    /// Returns the errors of [`spawn_copies`](Self::spawn_copies), for any of the originals.
    ///
    /// # Panics
    /// Panics like [`spawn_empty`](Self::spawn_empty).
    ///
    /// ```
    /// # use ecs::{ChildOf, World};
    /// let mut world = World::new();
    /// let ship = world.spawn_named("ship").id();
    /// world.spawn(ChildOf(ship)).insert(ecs::Name::new("gun"));
    /// let fleet = world.spawn_copies_with::<ChildOf>(ship, 3).unwrap();
    /// let gun = world.children(fleet[2]).next().unwrap();
    /// assert_eq!((world.len(), world.name(gun)), (8, Some("gun")));
    /// ```
    pub fn spawn_copies_with<R: Relation>(
        &mut self,
        entity: Entity,
        count: usize,
    ) -> Result<Vec<Entity>, CopyError> {
        self.spawn_copies_with_by::<R>(&Copies::default(), entity, count).map(|(made, _)| made)
    }

    /// Spawns `count` copies of all entities of another world, a *prefab*. Returns the first copy of each in the order
    /// of their indices there, then the second copies, and so on. Relations and marked handles among the entities
    /// become those among the copies; handles of dead entities become [`Entity::PLACEHOLDER`]. Prefabs are copied, not
    /// inherited: a later change of one changes no copy. O(components of all).
    ///
    /// # Errors
    /// Returns an error if the prefab has components without `#[component(clone)]`; nothing is spawned then.
    ///
    /// # Panics
    /// Panics like [`spawn_empty`](Self::spawn_empty).
    ///
    /// ```
    /// # use ecs::{ChildOf, World};
    /// let mut prefab = World::new();
    /// let ship = prefab.spawn_named("ship").id();
    /// prefab.spawn(ChildOf(ship));
    ///
    /// let mut world = World::new();
    /// let made = world.spawn_copies_of(&prefab, 2).unwrap();
    /// assert_eq!(made.len(), 4);
    /// assert_eq!(world.parent(made[3]), Some(made[2]));
    /// ```
    #[inline]
    pub fn spawn_copies_of(
        &mut self,
        prefab: &Self,
        count: usize,
    ) -> Result<Vec<Entity>, CopyError> {
        self.spawn_copies_of_by(&Copies::default(), prefab, count).map(|(made, _)| made)
    }

    /// Spawns `count` copies of entities, from copied values of another world's pools, or of this one's. The first source of
    /// each copy becomes one of the `given` entities, if there are any: these are alive, and have no component that comes.
    #[inline]
    pub(super) fn spawn_coming(
        &mut self,
        sources: &[Entity],
        count: usize,
        mut incoming: Vec<Incoming>,
        prefab: Option<&Pools>,
        given: &[Entity],
    ) -> Vec<Entity> {
        let each = sources.len();
        let made = Made::new(self, each * count - given.len(), ComponentSet::EMPTY);
        let with_given = (!given.is_empty()).then(|| -> Vec<Entity> {
            let copies = given.iter().enumerate().flat_map(|(copy, first)| {
                let others = &made.entities[copy * (each - 1)..][..each - 1];
                core::iter::once(first).chain(others)
            });
            copies.copied().collect()
        });
        let all = with_given.as_deref().unwrap_or(&made.entities);
        let places: SparseSet<usize, Entity> = sources.iter().copied().zip(0..).collect();
        // Returns the counterpart of an entity in the copy with this number.
        let mapped = |made: &[Entity], copy: usize, entity: Entity| match places.get(entity) {
            Some(place) => made[copy * each + place],
            None if prefab.is_some() => Entity::PLACEHOLDER,
            None => entity,
        };
        for Incoming { number, keys, values } in &mut incoming {
            let here = keys.len(); // a copy's
            *keys = (0..count)
                .flat_map(|copy| keys.iter().map(move |key| (copy, *key)))
                .map(|(copy, key)| mapped(all, copy, key))
                .collect();
            let pool = made.world.pools.at(*number);
            let loose = core::mem::replace(values, Box::new(()));
            let mut map = |at, entity| mapped(all, at / here, entity);
            *values = pool.kind().map_loose(loose, &mut map);
        }
        let made = made.keep();
        let made = with_given.unwrap_or(made);
        self.take_in(&made, incoming, &|pools: &mut Pools| {
            if let Some(prefab) = prefab {
                for copy in 0..count {
                    let copied = |entity| mapped(&made, copy, entity);
                    pools.relations.order_like(&prefab.relations, &copied);
                }
            }
        });
        made
    }
}

/// Returns an error if copies would have unique components that other entities, or each other, have, too.
#[inline]
fn check_unique(world: &World, incoming: &[Incoming], count: usize) -> Result<(), CopyError> {
    for Incoming { number, keys, values } in incoming {
        let nobody = vec![Entity::PLACEHOLDER; keys.len() * count];
        let given: (&[Entity], &Loose) = (&nobody, &**values);
        let checked = world.pools.check_unique_all(*number, &[given], &|_| false);
        checked.map_err(|error| CopyError::NotUnique(error.to_string()))?;
    }
    Ok(())
}

/// The methods of [`World`] that copy, with a choice of components and resources to leave out. They return the names of
/// the types that were left out.
///
/// A component is left out if the caller chooses it, or if it says `#[component(clone = skip)]`: such as a handle of a
/// physics engine, as the copy needs its own. A resource that says `#[resource(clone = skip)]` is not named: it
/// stays in its world.
///
/// ```
/// use ecs::copies::Copies;
/// use ecs::{Component, CopyError, World};
///
/// #[derive(Component, Clone, Debug, PartialEq)]
/// #[component(clone)]
/// struct Health(u32);
/// #[derive(Component)]
/// #[component(clone = skip)]
/// struct Body; // of a physics engine
/// #[derive(Component)]
/// struct Connection; // of another crate, perhaps
///
/// let mut world = World::new();
/// let hero = world.spawn((Health(3), Body, Connection)).id();
/// assert_eq!(world.try_clone().unwrap_err(), CopyError::NotCloned(vec!["Connection"]));
///
/// let copies = Copies::default().leave_out::<Connection>();
/// let (copy, left_out) = world.try_clone_by(&copies).unwrap();
/// assert_eq!(left_out, ["Body", "Connection"]);
/// assert_eq!((copy.get::<Health>(hero), copy.has::<Body>(hero)), (Some(&Health(3)), false));
///
/// let (more, left_out) = world.spawn_copies_by(&copies, hero, 10).unwrap();
/// assert_eq!((more.len(), left_out.len()), (10, 2));
/// ```
#[derive(Clone, Debug, Default)]
#[must_use = "nothing is copied until it is asked for"]
pub struct Copies {
    left_out: LeftOut,
    /// `true` if resources take part that stay when a world is copied, but not in snapshots of programs.
    is_snapshot: bool,
}

/// The copies, and the names of all that was left out of them, in alphabetical order.
type CopyResult<T> = Result<(T, Vec<&'static str>), CopyError>;

impl Copies {
    /// Leaves these components out.
    ///
    /// See [`Copies`] for an example.
    pub fn leave_out<L: ComponentList>(mut self) -> Self {
        L::add_numbers(&mut self.left_out.components);
        self
    }

    /// Leaves this resource out of copies of worlds: a copy is without it, and a world that becomes a copy keeps its own.
    ///
    /// ```
    /// # use ecs::{CopyError, Resource, World};
    /// # use ecs::copies::Copies;
    /// # #[derive(Resource)] struct Window;
    /// let mut world = World::new();
    /// world.insert_resource(Window);
    /// assert_eq!(world.try_clone().unwrap_err(), CopyError::ResourcesNotCloned(vec!["Window"]));
    /// let (copy, left_out) = world.try_clone_by(&Copies::default().leave_out_resource::<Window>()).unwrap();
    /// assert!(copy.get_resource::<Window>().is_none() && left_out == ["Window"]);
    /// ```
    pub fn leave_out_resource<T: Resource>(mut self) -> Self {
        self.left_out.add_resource::<T>();
        self
    }

    /// Leaves out all components without `#[component(clone)]`, and all resources without `#[resource(clone)]`.
    ///
    /// ```
    /// # use ecs::{Component, World};
    /// # use ecs::copies::Copies;
    /// # #[derive(Component)] struct Connection;
    /// # let mut world = World::new();
    /// # world.spawn(Connection);
    /// let (copy, left_out) = world.try_clone_by(&Copies::default().leave_out_rest()).unwrap();
    /// assert_eq!((copy.len(), left_out), (1, vec!["Connection"]));
    /// ```
    pub const fn leave_out_rest(mut self) -> Self {
        self.left_out.rest = true;
        self
    }

    #[inline]
    fn spawn_all(
        &self,
        world: &mut World,
        sources: &[Entity],
        count: usize,
    ) -> CopyResult<Vec<Entity>> {
        let has_any = |number| sources.iter().any(|entity| world.pools.has(number, *entity));
        let left_out = self.left_out_of(&world.pools, has_any)?;
        self.check_handles(&world.pools, has_any, Some(sources))?;
        #[cfg(feature = "serde")]
        self.check_unknown(world.unknown_names_of(sources).next())?;
        let incoming = self.copy(&world.pools, sources, count);
        check_unique(world, &incoming, count)?;
        Ok((world.spawn_coming(sources, count, incoming, None, &[]), left_out))
    }

    /// Returns the names of the components of a prefab that are left out.
    ///
    /// # Errors
    /// Returns an error if others may not be copied.
    #[inline]
    pub(super) fn check_whole(&self, prefab: &World) -> Result<Vec<&'static str>, CopyError> {
        let left_out = self.left_out_of(&prefab.pools, |_| true)?;
        self.check_handles(&prefab.pools, |_| true, None)?;
        #[cfg(feature = "serde")]
        self.check_unknown(prefab.unknown_names().next())?;
        Ok(left_out)
    }

    /// Returns an error if a component that is copied may hold handles that nothing replaces. `sources` are the entities that
    /// are copied, or all.
    fn check_handles(
        &self,
        pools: &Pools,
        concerns: impl Fn(u32) -> bool,
        sources: Option<&[Entity]>,
    ) -> Result<(), CopyError> {
        for (number, pool) in pools.numbered() {
            if !pool.is_empty()
                && !self.skips(pool.kind())
                && let Some(what) = pool.kind().handle_error()
                && concerns(number)
            {
                return Err(CopyError::Handles(what));
            }
        }
        self.check_needs(pools, concerns, sources)
    }

    /// Returns an error if a component that is copied needs one that is left out. `sources` are the entities that are copied,
    /// or all; a relation among them needs the component of its targets.
    fn check_needs(
        &self,
        pools: &Pools,
        concerns: impl Fn(u32) -> bool,
        sources: Option<&[Entity]>,
    ) -> Result<(), CopyError> {
        for (number, pool) in pools.numbered().filter(|_| !pools.rules.is_empty()) {
            if pool.is_empty() || self.skips(pool.kind()) || !concerns(number) {
                continue;
            }
            let mut left_out = None;
            pools.rules.for_each_need(number, &mut |needed| {
                let needed = pools.at(needed);
                if self.skips(needed.kind()) {
                    left_out = Some(needed.name());
                }
            });
            if let Some(needed) = left_out {
                return Err(CopyError::Rule(ComponentRule::Needs(pool.name(), needed)));
            }
            let (of_targets, relation) = (
                DeclaredRule::of_targets(pool.kind().declared_rules()),
                pools.relations.get(number),
            );
            if let (Some(rule), Some(relation)) = (of_targets, relation)
                && self.skips(pools.at(rule.number()).kind())
                && relation.points_among(sources)
            {
                return Err(CopyError::Rule(ComponentRule::PointsTo(pool.name(), rule.name)));
            }
        }
        Ok(())
    }

    /// Returns an error if entities have a component that their world does not know, of this name.
    #[cfg(feature = "serde")]
    #[inline]
    fn check_unknown(&self, name: Option<&str>) -> Result<(), CopyError> {
        match name.filter(|_| !self.left_out.rest) {
            Some(name) => Err(CopyError::Unknown(name.into())),
            None => Ok(()),
        }
    }

    /// Copies the components of some entities `count` times.
    #[inline]
    pub(super) fn copy(&self, pools: &Pools, sources: &[Entity], count: usize) -> Vec<Incoming> {
        let incoming = pools.numbered().filter_map(|(number, pool)| {
            let members = sources.iter().copied().filter(|entity| pool.contains(*entity));
            let keys: Vec<Entity> = members.collect();
            if keys.is_empty() || self.skips(pool.kind()) {
                return None;
            }
            let values = pool.copies_of(&keys, count)?;
            Some(Incoming { number, keys, values })
        });
        incoming.collect()
    }

    /// Returns `true` if copies lack such components.
    #[inline]
    fn skips(&self, kind: Kind) -> bool {
        kind.skips_copies()
            || self.left_out.components.contains(&kind.number)
            || self.left_out.rest && !kind.is_copied()
    }

    /// Returns the names of the components that are left out, among the components that have members and
    /// are copied.
    ///
    /// # Errors
    /// Returns an error if others of them may not be copied.
    fn left_out_of(
        &self,
        pools: &Pools,
        concerns: impl Fn(u32) -> bool,
    ) -> Result<Vec<&'static str>, CopyError> {
        let concerned =
            pools.numbered().filter(|(number, pool)| !pool.is_empty() && concerns(*number));
        let uncopied =
            concerned.filter(|(_, pool)| self.skips(pool.kind()) || !pool.kind().is_copied());
        let (left_out, missing): (Vec<_>, Vec<_>) =
            uncopied.partition(|(_, pool)| self.skips(pool.kind()));
        let [mut left_out, missing] = [left_out, missing]
            .map(|pools| pools.into_iter().map(|(_, pool)| pool.name()).collect::<Vec<_>>());
        sort_few(&mut left_out, PartialOrd::lt);
        if missing.is_empty() { Ok(left_out) } else { Err(CopyError::NotCloned(missing)) }
    }
}

/// Removes the components that a copy lacks from its records and groups.
#[inline]
fn leave_out(
    from: &Pools,
    copies: &Copies,
    entities: &mut Entities,
    pools: &mut Pools,
    groups: &mut Groups,
) {
    for (number, pool) in from.numbered().filter(|(_, pool)| copies.skips(pool.kind())) {
        for entity in pool.keys() {
            entities.forget(*entity, number);
        }
    }
    let lists = groups.lists().map(|(required, excluded, members)| ListedGroup {
        required: required.to_vec(),
        excluded: excluded.to_vec(),
        members: members.to_vec(),
    });
    let lists: Vec<ListedGroup> = lists.collect();
    groups.clear();
    groups.rebuild(pools, &lists);
}

/// # Copies that leave out some components
impl World {
    /// Returns a copy of a world, like [`World::try_clone`], and the names of all that was left out.
    ///
    /// # Errors
    /// Returns an error if entities have components, or the world has resources, that may not be copied and are not left
    /// out.
    ///
    /// See [`Copies`] for an example.
    #[inline]
    pub fn try_clone_by(&self, copies: &Copies) -> CopyResult<World> {
        let mut copy = World::new();
        let left_out = copy.copy_some(self, copies)?;
        Ok((copy, left_out))
    }

    /// Makes a world a copy of another one, like [`World::copy_from`]. Returns the names of all that was left out.
    ///
    /// # Errors
    /// Returns an error if entities have components, or one of the worlds has resources, that may not be copied and are
    /// not left out; `world` is unchanged then.
    ///
    /// # Panics
    /// Panics if it is called by a hook or an observer.
    ///
    /// ```
    /// # use ecs::{Component, World};
    /// # use ecs::copies::Copies;
    /// # #[derive(Component)] struct Connection;
    /// let (mut world, mut saved) = (World::new(), World::new());
    /// world.spawn_named("Bob").insert(Connection);
    /// let copies = Copies::default().leave_out::<Connection>();
    /// assert_eq!(saved.copy_from_by(&copies, &world).unwrap(), ["Connection"]);
    /// assert!(saved.entity_named("Bob").is_some());
    /// ```
    #[inline]
    pub fn copy_from_by(
        &mut self,
        copies: &Copies,
        from: &World,
    ) -> Result<Vec<&'static str>, CopyError> {
        self.copy_some(from, copies)
    }

    /// Spawns `count` copies of an entity, like [`World::spawn_copies`]. Returns them, and the names of the components
    /// that were left out.
    ///
    /// # Errors
    /// Returns an error if there is no such entity, or it has components that may not be copied and are not left out;
    /// nothing is spawned then.
    ///
    /// # Panics
    /// Panics like [`World::spawn_empty`].
    ///
    /// See [`Copies`] for an example.
    #[inline]
    pub fn spawn_copies_by(
        &mut self,
        copies: &Copies,
        entity: Entity,
        count: usize,
    ) -> CopyResult<Vec<Entity>> {
        self.entities.flush();
        if !self.entities.is_alive(entity) {
            return Err(CopyError::NoSuchEntity(entity));
        }
        copies.spawn_all(self, &[entity], count)
    }

    /// Spawns `count` copies of an entity and of its sources, like [`World::spawn_copies_with`]. Returns the
    /// copies of the entity itself, and the names of the components that were left out of any copy.
    ///
    /// # Errors
    /// Returns the errors of [`spawn`](Self::spawn), for any of the originals.
    ///
    /// # Panics
    /// Panics like [`World::spawn_empty`].
    ///
    /// ```
    /// # use ecs::{ChildOf, Component, World};
    /// # use ecs::copies::Copies;
    /// # #[derive(Component)] struct Connection;
    /// let mut world = World::new();
    /// let ship = world.spawn(Connection).id();
    /// world.spawn(ChildOf(ship));
    /// let copies = Copies::default().leave_out_rest();
    /// let (fleet, left_out) = world.spawn_copies_with_by::<ChildOf>(&copies, ship, 3).unwrap();
    /// assert_eq!((fleet.len(), world.len(), left_out.len()), (3, 8, 1));
    /// ```
    pub fn spawn_copies_with_by<R: Relation>(
        &mut self,
        copies: &Copies,
        entity: Entity,
        count: usize,
    ) -> CopyResult<Vec<Entity>> {
        self.entities.flush();
        if !self.entities.is_alive(entity) {
            return Err(CopyError::NoSuchEntity(entity));
        }
        let mut seen = SparseSet::<(), Entity>::default(); // as there may be circles
        seen.insert(entity, ());
        let (mut all, mut at) = (Vec::from([entity]), 0);
        while let Some(&target) = all.get(at) {
            all.extend(self.related::<R>(target).filter(|it| seen.insert(*it, ()).is_none()));
            at += 1;
        }
        let (mut made, left_out) = copies.spawn_all(self, &all, count)?;
        let mut at = 0;
        made.retain(|_| {
            at += 1;
            (at - 1) % all.len() == 0
        });
        Ok((made, left_out))
    }

    /// Spawns `count` copies of all entities of a prefab, like [`World::spawn_copies_of`]. Returns them, and the names
    /// of the components that were left out.
    ///
    /// # Errors
    /// Returns an error if the prefab has components that may not be copied and are not left out; nothing is spawned
    /// then.
    ///
    /// # Panics
    /// Panics like [`World::spawn_empty`].
    ///
    /// ```
    /// # use ecs::{Component, World};
    /// # use ecs::copies::Copies;
    /// # #[derive(Component)] struct Connection;
    /// let (mut world, mut prefab) = (World::new(), World::new());
    /// prefab.spawn_named("orc").insert(Connection);
    /// let copies = Copies::default().leave_out::<Connection>();
    /// let (orcs, _) = world.spawn_copies_of_by(&copies, &prefab, 5).unwrap();
    /// assert_eq!((orcs.len(), world.name(orcs[4])), (5, Some("orc")));
    /// ```
    #[inline]
    pub fn spawn_copies_of_by(
        &mut self,
        copies: &Copies,
        prefab: &World,
        count: usize,
    ) -> CopyResult<Vec<Entity>> {
        let left_out = copies.check_whole(prefab)?;
        let sources: Vec<Entity> = prefab.entities().collect();
        Ok((self.spawn_checked(copies, prefab, &sources, count, &[])?, left_out))
    }

    /// Spawns copies of all entities of a [checked](Copies::check_whole) prefab, like [`spawn_coming`](Self::spawn_coming).
    #[inline]
    pub(super) fn spawn_checked(
        &mut self,
        copies: &Copies,
        prefab: &World,
        sources: &[Entity],
        count: usize,
        given: &[Entity],
    ) -> Result<Vec<Entity>, CopyError> {
        if let Some(name) = self.pools.other_fields(&prefab.pools, |kind| copies.skips(kind)) {
            return Err(CopyError::OtherFields(name));
        }
        let incoming = copies.copy(&prefab.pools, sources, count);
        for (number, pool) in prefab.pools.numbered() {
            self.pools.create_like(number, pool);
        }
        check_unique(self, &incoming, count)?;
        Ok(self.spawn_coming(sources, count, incoming, Some(&prefab.pools), given))
    }
}
