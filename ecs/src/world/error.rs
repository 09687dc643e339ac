//! Errors of edits, one small type for each operation.

use crate::component::rules::ComponentRule;
use crate::entity::Entity;
use alloc::string::String;
use alloc::vec::Vec;
use core::error::Error;
use core::fmt;

/// The entity was despawned, or is of another world.
///
/// ```
/// # use ecs::World;
/// let mut world = World::new();
/// let entity = world.spawn_empty().id();
/// world.despawn(entity).unwrap();
/// assert_eq!(world.get_entity(entity).unwrap_err().to_string(), "no such entity: 0v1");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoSuchEntityError(pub Entity);

impl fmt::Display for NoSuchEntityError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "no such entity: {}", self.0)
    }
}

impl Error for NoSuchEntityError {}

/// Some entities of a batch were despawned, or are of another world.
///
/// ```
/// # use ecs::{Component, World};
/// # #[derive(Component)] struct Health(u32);
/// let mut world = World::new();
/// let entities = world.spawn_batch((0..10).map(Health));
/// world.despawn_batch(&entities[3..6]);
/// let healthy = entities.iter().map(|&entity| (entity, Health(7)));
/// let error = world.insert_batch(healthy).unwrap_err();
/// assert_eq!((error.first, error.count), (entities[3], 3));
/// assert_eq!(error.to_string(), "no such entity: 3v1, and 2 more; their bundles were dropped");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct NoSuchEntitiesError {
    /// The first of them.
    pub first: Entity,
    /// Their number; an entity that was named twice counts twice.
    pub count: usize,
}

impl fmt::Display for NoSuchEntitiesError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        NoSuchEntityError(self.first).fmt(f)?;
        match self.count {
            0 | 1 => f.write_str("; its bundle was dropped"),
            count => write!(f, ", and {} more; their bundles were dropped", count - 1),
        }
    }
}

impl Error for NoSuchEntitiesError {}

/// The error of a component that could not be removed.
///
/// ```
/// # use ecs::{Component, RemoveError, World};
/// #[derive(Component, Debug)]
/// #[component(veto = Curse::may_go)]
/// struct Curse;
/// # impl Curse { fn may_go(&mut self) -> bool { false } }
///
/// let mut world = World::new();
/// let mut entity = world.spawn(Curse);
/// let error = entity.try_remove::<Curse>().unwrap_err();
/// assert_eq!(error, RemoveError::Refused(entity.id(), "Curse"));
/// assert_eq!(error.to_string(), "entity 0v1 keeps its `Curse`: the component's veto refused");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum RemoveError {
    /// The entity was despawned, or is of another world.
    NoSuchEntity(Entity),
    /// The entity does not have the component of this name.
    Missing(Entity, &'static str),
    /// The veto of the component of this name keeps it.
    Refused(Entity, &'static str),
    /// Another component needs the one of this name, by this rule.
    Rule(Entity, &'static str, ComponentRule),
}

impl fmt::Display for RemoveError {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoSuchEntity(entity) => NoSuchEntityError(*entity).fmt(f),
            Self::Missing(entity, name) => write!(f, "entity {entity} has no `{name}`"),
            Self::Refused(entity, name) => {
                write!(f, "entity {entity} keeps its `{name}`: the component's veto refused")
            }
            Self::Rule(entity, name, rule) => {
                write!(f, "entity {entity} keeps its `{name}`: {rule}")?;
                match rule {
                    ComponentRule::Needs(by, _) => write!(f, "; remove `{by}` first, or take both"),
                    ComponentRule::PointsTo(by, _) => {
                        write!(f, "; remove each `{by}` to it first, or let it point elsewhere")
                    }
                    _ => Ok(()),
                }
            }
        }
    }
}

impl Error for RemoveError {}

impl From<NoSuchEntityError> for RemoveError {
    fn from(error: NoSuchEntityError) -> Self {
        Self::NoSuchEntity(error.0)
    }
}

/// The error of an entity that could not be despawned.
///
/// ```
/// # use ecs::{Component, DespawnError, World};
/// #[derive(Component)]
/// #[component(veto = Door::may_go)]
/// struct Door { locked: bool }
/// # impl Door { fn may_go(&mut self) -> bool { !self.locked } }
///
/// let mut world = World::new();
/// let door = world.spawn(Door { locked: true }).id();
/// assert_eq!(world.despawn(door), Err(DespawnError::Refused(door, "Door")));
/// world.get_mut::<Door>(door).unwrap().locked = false;
/// assert_eq!(world.despawn(door), Ok(()));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum DespawnError {
    /// The entity was despawned before, or is of another world.
    NoSuchEntity(Entity),
    /// The veto of the component of this name keeps the entity.
    Refused(Entity, &'static str),
    /// This entity has a relation of this name to one that would end. The relation names a function for that, but
    /// cannot be copied, so an [undo](crate::by_name::Despawned) could not give it back.
    Unrestorable(Entity, &'static str),
    /// This entity would lose a relation of this name to one that would end, but another of its components needs the
    /// relation, by this rule.
    Rule(Entity, &'static str, ComponentRule),
}

impl fmt::Display for DespawnError {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoSuchEntity(entity) => NoSuchEntityError(*entity).fmt(f),
            Self::Refused(entity, name) => {
                write!(f, "entity {entity} stays: the veto of its `{name}` refused")
            }
            Self::Unrestorable(entity, name) => write!(
                f,
                "the `{name}` of entity {entity} could not be given back, as `{name}` names a function for the end of its \
                 target: add `clone` to its attribute, so that a copy is kept"
            ),
            Self::Rule(entity, name, rule) => write!(
                f,
                "entity {entity} would lose its `{name}` with its target: {rule}; remove one of them first"
            ),
        }
    }
}

impl Error for DespawnError {}

impl From<NoSuchEntityError> for DespawnError {
    fn from(error: NoSuchEntityError) -> Self {
        Self::NoSuchEntity(error.0)
    }
}

/// The error of a pool that cannot be sorted, because a group keeps it in order.
///
/// ```
/// # use ecs::{Component, Group, World};
/// # #[derive(Component)] struct A(u32);
/// # #[derive(Component)] struct B;
/// let mut world = World::new();
/// world.declare_group(Group::owning::<(A, B)>()).unwrap();
/// let error = world.pool_mut::<A>().sort_by_key(|a| a.0).unwrap_err();
/// assert_eq!(
///     error.to_string(),
///     "cannot sort the pool of `A`: the group owning (`A`, `B`) keeps it in order; sort the group, \
///      by `World::group_mut`"
/// );
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct OwnedByGroupError {
    /// The component of the pool that was to be sorted.
    pub component: &'static str,
    /// The group that owns the pool, as it prints.
    pub group: String,
}

impl fmt::Display for OwnedByGroupError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { component, group } = self;
        write!(
            f,
            "cannot sort the pool of `{component}`: the {group} keeps it in order; sort the group, \
             by `World::group_mut`"
        )
    }
}

impl Error for OwnedByGroupError {}

/// The error of a world that could not be merged into another one: it has values that cannot get new handles.
///
/// ```
/// # use ecs::{Component, Entity, World};
/// struct Link { to: Entity } // which does not say that it holds a handle
/// #[derive(Component)]
/// struct Squad { members: Vec<Link> }
///
/// let mut level = World::new();
/// let leader = level.spawn_empty().id();
/// level.spawn(Squad { members: vec![Link { to: leader }] });
/// let error = World::new().merge(&mut level).unwrap_err().to_string();
/// assert!(error.starts_with("`Squad.members`, of the type `Vec<Link>`, may hold handles of entities"));
/// assert!(error.contains("add `#[derive(MapEntities)]`"));
/// assert_eq!(level.len(), 2);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MergeError(pub(crate) String);

impl fmt::Display for MergeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Error for MergeError {}

/// The error of entities that could not be copied.
///
/// ```
/// # use ecs::{Component, CopyError, World};
/// # #[derive(Component)] struct Connection;
/// let mut world = World::new();
/// let entity = world.spawn(Connection).id();
/// let error = world.spawn_copies(entity, 2).unwrap_err();
/// assert_eq!(error, CopyError::NotCloned(vec!["Connection"]));
/// assert!(error.to_string().starts_with("`Connection` may not be copied: add `#[component(clone)]`"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum CopyError {
    /// The entity was despawned, or is of another world.
    NoSuchEntity(Entity),
    /// These components do not allow copies.
    NotCloned(Vec<&'static str>),
    /// These resources do not allow copies.
    ResourcesNotCloned(Vec<&'static str>),
    /// These resources are lent by [`World::resource_scope`](crate::World::resource_scope).
    ResourcesLent(Vec<&'static str>),
    /// Entities have a component of this name that their world loaded as unknown: see `Limits::keep_unknown`.
    Unknown(String),
    /// Entities have a component with a field that may hold handles, and nothing replaces them. This is the text.
    Handles(String),
    /// Entities have a component that is [unique](crate::guide::indexes#unique-values), so copies cannot have it. This is
    /// the text.
    NotUnique(String),
    /// A component that is copied needs one that is left out, by this rule.
    Rule(ComponentRule),
    /// The component of this name is [defined](crate::World::define) with other fields in the other world.
    OtherFields(&'static str),
}

impl fmt::Display for CopyError {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoSuchEntity(entity) => NoSuchEntityError(*entity).fmt(f),
            Self::NotCloned(names) => {
                write_names(f, names)?;
                f.write_str(
                    " may not be copied: add `#[component(clone)]`, declare them by `by_name::Declaration`, or leave them \
                     out by `#[component(clone = skip)]` or by `Copies`",
                )
            }
            Self::ResourcesNotCloned(names) => {
                f.write_str("resource ")?;
                write_names(f, names)?;
                f.write_str(
                    " may not be copied with its world: add `#[resource(clone)]`, or let it stay by \
                     `#[resource(clone = skip)]` or by `Copies`",
                )
            }
            Self::ResourcesLent(names) => {
                f.write_str("resource ")?;
                write_names(f, names)?;
                f.write_str(
                    " is lent by `World::resource_scope`: copy the world after that, or let the resource stay by \
                     `#[resource(clone = skip)]` or by `Copies`",
                )
            }
            Self::Unknown(name) => write!(
                f,
                "the world loaded `{name}` as unknown, so it is not copied with an entity: register it before it is \
                 loaded, or leave it out by `Copies::leave_out_rest`"
            ),
            Self::Handles(what) => f.write_str(what),
            Self::NotUnique(what) => {
                write!(f, "{what}: leave it out by `#[component(clone = skip)]` or by `Copies`")
            }
            Self::OtherFields(name) => write!(
                f,
                "`{name}` is defined with other fields or rules in the other world: define the same ones, or change them by \
                 `World::redefine` first"
            ),
            Self::Rule(rule) => {
                write!(f, "a copy would break a rule: {rule}")?;
                match rule {
                    ComponentRule::Needs(name, needed) => {
                        write!(f, "; leave out both, or copy `{needed}` with `{name}`")
                    }
                    ComponentRule::PointsTo(name, other) => {
                        write!(
                            f,
                            "; leave out both, or copy the `{other}` of the targets of `{name}`"
                        )
                    }
                    _ => Ok(()),
                }
            }
        }
    }
}

/// Writes these names, with commas between them.
#[inline]
fn write_names(f: &mut fmt::Formatter<'_>, names: &[&str]) -> fmt::Result {
    for (at, name) in names.iter().enumerate() {
        write!(f, "{}`{name}`", if at == 0 { "" } else { ", " })?;
    }
    Ok(())
}

impl Error for CopyError {}
