//! What makes a type a component.

pub(crate) mod access;
pub(crate) mod alias;
pub(crate) mod clash;
pub(crate) mod data;
pub(crate) mod fields;
pub(crate) mod handles;
pub(crate) mod id;
pub(crate) mod requires;
pub(crate) mod same;
pub(crate) mod set;
pub(crate) mod shape;
pub(crate) mod slot;

use crate::bundle::Bundle;
use crate::component::data::{Copying, Debugging};
use crate::component::id::ComponentId;
use crate::component::slot::{ComponentIndex, ComponentSlot};
use crate::entity::Entity;
use crate::internal::Internal;
use crate::signature::Signature;
use crate::storage::values::{Container, Storage};
use crate::text::Text;
use crate::world::World;
use alloc::vec::Vec;
use core::marker::PhantomData;

/// Data that an entity can have, one value a type.
///
/// Implemented by `#[derive(Component)]`, on structs, tuple structs, unit structs (tags: their pool
/// holds no values, only who has one) and enums. A component is `Send`, `Sync` and `'static`.
///
/// Attributes:
///
/// * `#[component(bit = 5)]` pins the [`Signature`] bit, 0 to 63, otherwise chosen by a hash;
/// * `#[component(veto = path)]` names a `fn(&mut Self) -> bool` that is asked before a removal and
///   before the entity's end: `false` keeps the component, or the entity; of a component in columns
///   it is a `fn(NameMut) -> bool`. An insertion that replaces the value does not ask, nor does
///   [`World::clear`](crate::World::clear);
/// * `#[component(on_insert = path, on_update = path, on_remove = path)]`, any of them, names hooks: each a
///   `fn(&mut World, Entity)` that is called when the component came, was replaced, or is about to go. A hook
///   is the first to be told of what came, and the last of what goes: see the
///   [guide](crate::guide::lifecycle);
/// * `#[component(track)]` keeps which entities' values came, changed and went, for
///   [`World::changes`](crate::World::changes), while somebody reads that;
/// * `#[component(requires(Velocity, Health = Health(3)))]` names components that come with this one, see
///   below;
/// * `#[component(relation)]` makes it a [`Relation`], which points to another entity: see there, also for the
///   keys `at_end` and `acyclic`;
/// * `#[component(clone)]` lets its values be copied, by `Clone`, with the world
///   ([`World::try_clone`](crate::World::try_clone)) or with their entity
///   ([`World::spawn_copies`](crate::World::spawn_copies));
/// * `#[component(debug, default)]`, either of them, lets tools that know it by its [`Kind`](crate::by_name::Kind) show its
///   values, by `Debug`, and insert one, by `Default`;
/// * `#[component(entities)]` on a field says that there are handles of entities in it, to be replaced where the
///   component comes into another world: see [`MapEntities`](crate::MapEntities);
/// * `#[component(save = "target", version = 2, from(1 = TargetV1))]`, with the feature `serde`, saves its values under
///   this name: see the [guide](crate::guide::saving);
/// * `#[component(layout = "soa")]` stores a struct with named fields in columns, see below;
/// * `#[ecs(unlisted)]` keeps it out of the compiler's list of types, where another type is in error. A crate with
///   `#![no_implicit_prelude]` cannot use it;
/// * `#[ecs(crate = path)]` says where this crate is, if not at `::ecs`.
///
/// ```
/// use ecs::{Component, World};
///
/// #[derive(Component, Default, Debug, PartialEq)]
/// #[component(veto = Health::may_go)]
/// struct Health(u32);
///
/// impl Health {
///     fn may_go(&mut self) -> bool {
///         self.0 == 0
///     }
/// }
///
/// let mut world = World::new();
/// let entity = world.spawn(Health(3)).id();
/// assert_eq!(world.remove::<Health>(entity), None); // kept
/// world.get_mut::<Health>(entity).unwrap().0 = 0;
/// assert_eq!(world.remove::<Health>(entity), Some(Health(0)));
/// ```
///
/// # Required components
///
/// Whoever is given a component, by whichever call, is also given the components that it requires and that
/// the entity lacks: by their `Default`, or by the value that the attribute names, an expression that is
/// evaluated then. What these require comes with them. A value that the entity has already stays, and so does one
/// that the same bundle gives. Values are made after those of the bundle are inserted; if making one
/// panics, the entity lacks it.
///
/// A requirement is about giving, not about keeping: a required component may be removed again, and comes back
/// when a component that requires it is inserted once more; [`insert_if_absent`](crate::World::insert_if_absent) of a
/// component that the entity has inserts nothing. Components that require each other in a circle do not
/// compile.
///
/// It costs a lookup for each requirement; a component without requirements costs nothing. Batches look
/// requirements up entity by entity.
///
/// ```
/// use ecs::{Component, World};
///
/// #[derive(Component)]
/// #[component(requires(Velocity, Health = Health::full()))]
/// struct Ship;
/// #[derive(Component, Default, Debug, PartialEq)]
/// #[component(requires(Position))]
/// struct Velocity(f32);
/// #[derive(Component, Default, Debug, PartialEq)]
/// struct Position(f32);
/// #[derive(Component, Debug, PartialEq)]
/// struct Health(u32);
///
/// impl Health {
///     fn full() -> Self {
///         Self(100)
///     }
/// }
///
/// let mut world = World::new();
/// let ship = world.spawn((Ship, Position(3.0))).id();
/// assert_eq!(world.get::<Health>(ship), Some(&Health(100)));
/// assert_eq!(world.get::<Velocity>(ship), Some(&Velocity(0.0)));
/// assert_eq!(world.get::<Position>(ship), Some(&Position(3.0))); // as it was given
/// ```
///
/// # Layouts
///
/// By default the values of a pool lie one after the other in a `Vec`: an entity's fields are
/// neighbours. That is right for most components, and for all that are read whole, by handle, or
/// are small.
///
/// With `layout = "soa"` there is a `Vec` a field, kept in step. That is right for a component with
/// several fields of which loops over many entities read or write a few: such a loop moves only
/// their columns through the caches, and the compiler vectorises it as one over a plain slice. What
/// it costs: inserting, removing and looking up touch as many cache lines as there are fields, and
/// no `&Name` exists, so views yield a reference a field instead.
///
/// Beside a `struct Name` the derive then emits these, each as visible as the struct; the keys in
/// brackets give them other names:
///
/// * `NameRef<'_>` \[`ref`\] and `NameMut<'_>` \[`mut`\], a reference a field: what `get`,
///   `get_mut` and views yield, and what derived queries have as fields. `NameRef::to_owned` clones
///   the fields, and `{:?}` shows them, where the component has `Clone` or `Debug`, too;
///   `NameMut::set` and `replace` exchange it, `as_ref` and `reborrow` lend it;
/// * `NameSlices<'_>` \[`slices`\] and `NameSlicesMut<'_>` \[`slices_mut`\], a slice a field: what
///   pools and [`for_each_chunk`](crate::View::for_each_chunk) show;
/// * `mod name` \[`fields`\] with a type a field: what a query names to borrow one column. `&name::x`
///   and `&mut name::x` are terms, that yield references to the field; in a derived query
///   `#[query(column = name::x)]` stands on the field. Aliasing is checked field by field.
///
/// Code that reads a field by a method, an operator or a format is the same in both layouts, as
/// these look through the reference; to copy, compare or assign a field takes a `*` in columns.
///
/// The struct has no `Drop` of its own, as it is taken apart, no `repr(packed)`, and, if it is
/// `pub`, no field of a type that is not.
///
/// ```
/// use ecs::{Component, Query, World};
///
/// #[derive(Component, Clone, Debug, PartialEq)]
/// #[component(layout = "soa")]
/// struct Proximity { distance: f32, angle: f32 }
///
/// #[derive(Query)]
/// struct Approach<'w> {
///     #[query(column = proximity::distance)]
///     distance: &'w mut f32,
///     #[query(column = proximity::angle)]
///     angle: &'w f32,
/// }
///
/// let mut world = World::new();
/// let entity = world.spawn(Proximity { distance: 8.0, angle: 0.5 }).id();
/// for approach in world.view_mut::<Approach>() {
///     *approach.distance *= *approach.angle;
/// }
/// for (_, distance) in world.view_mut::<&mut proximity::distance>() {
///     *distance += 1.0;
/// }
/// let seen: ProximityRef = world.get::<Proximity>(entity).unwrap();
/// assert_eq!((*seen.distance, seen.angle.sqrt()), (5.0, 0.5_f32.sqrt()));
/// assert_eq!(seen.to_owned(), Proximity { distance: 5.0, angle: 0.5 });
/// let mut here: ProximityMut = world.get_mut::<Proximity>(entity).unwrap();
/// let before = here.replace(Proximity { distance: 1.0, angle: 0.0 });
/// assert_eq!((before.distance, *here.as_ref().distance), (5.0, 1.0));
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a component",
    label = "not a component",
    note = "if the type is yours, add `#[derive(Component)]` to it; put a value of another type into a struct of yours; a \
            component is named alone and without `&`; a resource is read by `World::resource`"
)]
pub trait Component: Bundle {
    /// What holds the values of this type in a pool, and how a value is referred to: see [`Storage`].
    type Storage: Storage<Self>;
    /// The type's name, for messages. It does not tell the instances of a generic type apart.
    ///
    /// ```
    /// # use ecs::Component;
    /// #[derive(Component)]
    /// struct Stock<T>(T);
    ///
    /// assert_eq!(Stock::<u8>::NAME, "Stock");
    /// ```
    const NAME: &'static str;
    /// The type's identity at compile time.
    /// ```
    /// # use ecs::Component;
    /// #[derive(Component)]
    /// struct Health(u32);
    ///
    /// const IS_EXACT: bool = Health::ID.is_exact();
    /// assert!(IS_EXACT);
    /// ```
    const ID: ComponentId;
    /// The type's bit in signatures.
    /// ```
    /// # use ecs::Component;
    /// #[derive(Component)]
    /// struct Health(u32);
    ///
    /// assert_eq!(Health::BIT.count(), 1);
    /// ```
    const BIT: Signature;
    /// `true` if [`permits_removal`](Self::permits_removal) has anything to say.
    #[doc(hidden)]
    const GUARDED: bool = false;

    /// Who is told of it first, and of its removal last.
    #[doc(hidden)]
    const HOOKS: Hooks<Self> = Hooks::NONE;

    /// `true` if it is [`Tracked`].
    #[doc(hidden)]
    const TRACKED: bool = false;
    /// What it is as a relation, if it is one.
    #[doc(hidden)]
    const RELATION: Option<Rule<Self>> = None;

    /// How its values are copied, if they may be.
    #[doc(hidden)]
    const COPYING: Option<Copying<Self, Self::Storage>> = None;
    /// How its values are shown to people where its type is not named, if they are.
    #[doc(hidden)]
    const DEBUGGING: Option<Debugging<Self::Storage>> = None;
    /// Its default, if it may be inserted where its type is not named.
    #[doc(hidden)]
    const DEFAULT: Option<fn() -> Self> = None;
    /// Its fields and variants, as [`Shape::read`](shape::Shape::read) reads them.
    #[doc(hidden)]
    const SHAPE: &'static str = "?";
    /// How its values are saved, if they are.
    #[doc(hidden)]
    #[cfg(feature = "serde")]
    const SAVING: Option<data::Saving<Self, Self::Storage>> = None;
    /// How values of earlier versions are read.
    #[doc(hidden)]
    #[cfg(feature = "serde")]
    const SAVED_BEFORE: &'static [data::OldSave<Self::Storage>] = &[];
    /// `true` if copies of its entities are without it, on purpose.
    #[doc(hidden)]
    const SKIPS_COPIES: bool = false;
    /// `true` if handles are in it that are not replaced, on purpose.
    #[doc(hidden)]
    const KEEPS_ENTITIES: bool = false;
    /// `true` if [`map_entities`](Self::map_entities) has anything to do.
    #[doc(hidden)]
    const HOLDS_ENTITIES: bool = false;
    /// Puts others into the places of the handles in a value.
    #[doc(hidden)]
    fn map_entities(_: Internal<Self>, value: &mut Self, map: &mut dyn FnMut(Entity) -> Entity) {
        let _ = (value, map);
    }

    /// Names what it requires, for the [check](requires) that it is not among that itself.
    #[doc(hidden)]
    type Requires;
    /// `true` if [`require`](Self::require) has anything to do.
    #[doc(hidden)]
    const REQUIRES: bool = false;

    /// Gives an entity that was given this component what it requires.
    #[doc(hidden)]
    fn require(_: Internal<Self>, target: &mut impl Requirer) {
        let _ = target;
    }

    /// What remembers the type's number in this process. A generic type has none: its instances
    /// would share it.
    #[doc(hidden)]
    #[must_use]
    #[inline]
    fn slot() -> Option<&'static ComponentSlot<Self>> {
        None
    }

    /// Returns `true` if this value may be removed from its entity.
    #[doc(hidden)]
    fn permits_removal(_: Internal<Self>, value: RefMut<'_, Self>) -> bool {
        let _ = value;
        true
    }
}

/// A component whose changes can be read, by [`World::changes`](crate::World::changes): implemented by
/// `#[derive(Component)]` with `#[component(track)]`.
///
/// ```
/// # use ecs::{Component, Tracked, World};
/// #[derive(Component)]
/// #[component(track)]
/// struct Health(u32);
///
/// fn begin_and_count<T: Tracked>(world: &mut World) -> usize {
///     let mut seen = world.changes::<T>();
///     world.advance(&mut seen);
///     seen.changed().len()
/// }
/// assert_eq!(begin_and_count::<Health>(&mut World::new()), 0);
/// ```
#[diagnostic::on_unimplemented(
    message = "the changes of `{Self}` are not tracked",
    label = "not tracked",
    note = "add `#[component(track)]` to `{Self}`, which derives `Component`"
)]
pub trait Tracked: Component {}

/// A hook, or an observer that captures nothing.
pub(crate) type Hook = &'static (dyn Fn(&mut World, Entity) + Send + Sync);

/// The hooks of a `T`. They may be private: so only the library calls them, and they are no other component's.
#[doc(hidden)]
pub struct Hooks<T> {
    pub(crate) list: HookList,
    of: PhantomData<fn(T) -> T>,
}

/// [`Hooks`] without the type.
#[derive(Clone, Copy)]
#[expect(clippy::struct_field_names, reason = "the keys of the attribute")]
pub(crate) struct HookList {
    pub(crate) on_insert: Option<Hook>,
    pub(crate) on_update: Option<Hook>,
    pub(crate) on_remove: Option<Hook>,
}

impl HookList {
    pub(crate) const NONE: Self = Self { on_insert: None, on_update: None, on_remove: None };
}

impl<T> Hooks<T> {
    pub const NONE: Self = Self::of(HookList::NONE);

    const fn of(list: HookList) -> Self {
        Self { list, of: PhantomData }
    }

    /// Returns `true` if there are any that are called when a component comes.
    pub(crate) const fn is_any_of_insertions(&self) -> bool {
        self.list.on_insert.is_some() || self.list.on_update.is_some()
    }

    #[must_use]
    pub const fn on_insert(self, hook: Hook) -> Self {
        Self::of(HookList { on_insert: Some(hook), ..self.list })
    }
    #[must_use]
    pub const fn on_update(self, hook: Hook) -> Self {
        Self::of(HookList { on_update: Some(hook), ..self.list })
    }
    #[must_use]
    pub const fn on_remove(self, hook: Hook) -> Self {
        Self::of(HookList { on_remove: Some(hook), ..self.list })
    }
}

/// A component that points from its entity to another one, the *target*: `#[component(relation)]` on a struct.
///
/// The world keeps both ends in step, whatever happens to them: [`World::related`] gives those who point to an
/// entity, in the order in which they came, as fast as a list. [`ChildOf`](crate::ChildOf) is a relation that is
/// ready made.
///
/// The target is the only field of type `Entity`, or the one with `#[component(target)]` on it. Beside it may be
/// any others. An entity points to one target by one relation; to point elsewhere, insert another one. Nothing
/// writes to a relation in place: `&mut CarriedBy` does not compile in any query, nor does `get_mut`.
///
/// * `#[component(at_end = remove)]` takes the relation from those that point to an entity which ends: so it is
///   if nothing is said;
/// * `at_end = despawn` ends them, too, and those that point to them, to any depth;
/// * `at_end = path` names a `fn(&mut World, Entity, Self)`: it is given those that pointed, one by one, and the
///   relation that was taken from them. The target is still alive;
/// * `acyclic` refuses a relation that would close a circle, as its entities point to each other.
///
/// [`World::clear`](crate::World::clear) ends all at once, and does none of this.
///
/// A copy of a relation, as by [`World::try_clone`](crate::World::try_clone) or
/// [`World::spawn_copies`](crate::World::spawn_copies), points where the original does, or to the copy of its target. So
/// it does if the component's `Clone` says otherwise.
///
/// A relation to an entity that is not alive is refused: an insertion returns the error, a spawn panics. So is a
/// circle, by a panic, unless it is inserted by [`World::relate`], which returns every error.
///
/// A relation costs its insertion and removal two entries, 24 bytes for each that points, and 40 for each target.
/// Components that are no relations pay nothing. A bundle with a relation is inserted by batches one by one.
///
/// A veto of a relation is a `fn(&Self) -> bool`. It is asked when its target is to end, too: where it refuses, or
/// where one of an entity does that would end with the target, the target stays.
///
/// ```
/// use ecs::{Component, Entity, World};
///
/// #[derive(Component)]
/// #[component(relation, at_end = CarriedBy::fall)]
/// struct CarriedBy { hero: Entity, hand: u8 }
/// #[derive(Component, Clone, Copy, Debug, PartialEq)]
/// struct Place(i32);
///
/// impl CarriedBy {
///     fn fall(world: &mut World, item: Entity, was: Self) {
///         let place = *world.get::<Place>(was.hero).unwrap();
///         world.insert(item, place).unwrap();
///     }
/// }
///
/// let mut world = World::new();
/// let hero = world.spawn(Place(7)).id();
/// let sword = world.spawn(CarriedBy { hero, hand: 1 }).id();
/// let lamp = world.spawn(CarriedBy { hero, hand: 2 }).id();
/// assert!(world.related::<CarriedBy>(hero).eq([sword, lamp]));
/// world.despawn(hero).unwrap();
/// assert_eq!(world.get::<Place>(sword), Some(&Place(7)));
/// assert!(!world.has::<CarriedBy>(sword));
/// ```
///
/// [`World::related`]: crate::World::related
/// [`World::relate`]: crate::World::relate
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a relation",
    label = "does not point to an entity",
    note = "a relation is a struct with an `Entity` in it, `#[derive(Component)]` and \
            `#[component(relation)]`"
)]
pub trait Relation: Component<Storage = Vec<Self>> {
    /// `true` if the entities that point to each other may form no circle.
    const ACYCLIC: bool = false;
    #[doc(hidden)]
    const AT_END: AtEnd<Self> = AtEnd::REMOVE;
    /// The entity that it points to.
    fn target(&self) -> Entity;
    /// Lets it point to another entity.
    #[doc(hidden)]
    fn set_target(_: Internal<Self>, value: &mut Self, target: Entity);
}

/// What becomes of those that point to an entity which ends. What is called may be private: so only the library
/// calls it.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub struct AtEnd<T>(pub(crate) Ending<T>);

#[derive(Clone, Copy, Debug)]
pub(crate) enum Ending<T> {
    /// They lose the relation.
    Remove,
    /// They end, too.
    Despawn,
    /// They lose the relation, which this is given.
    Call(fn(&mut World, Entity, T)),
}

impl<T> AtEnd<T> {
    pub const REMOVE: Self = Self(Ending::Remove);
    pub const DESPAWN: Self = Self(Ending::Despawn);

    #[must_use]
    pub const fn call(part: fn(&mut World, Entity, T)) -> Self {
        Self(Ending::Call(part))
    }
}

/// What the library knows of a relation.
#[doc(hidden)]
#[derive(Debug)]
pub struct Rule<T: Component> {
    pub(crate) target: fn(&T) -> Entity,
    pub(crate) target_at: fn(Ref<'_, T>) -> Entity,
    pub(crate) set_target: fn(RefMut<'_, T>, Entity),
    pub(crate) at_end: AtTargetEnd,
    pub(crate) acyclic: bool,
}

impl<T: Component> Clone for Rule<T> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<T: Component> Copy for Rule<T> {}

/// [`Ending`] without the type.
#[derive(Clone, Copy, Debug)]
pub(crate) enum AtTargetEnd {
    Remove,
    Despawn,
    /// Takes the relation from an entity that still has it, and does what is to be done then.
    Call(EntityEdit),
}

impl<T: Relation> Rule<T> {
    /// The rule of `T`.
    #[must_use]
    pub const fn of_relation() -> Self {
        Self {
            target: |value| value.target(),
            target_at: |value| value.target(),
            set_target: |value, target| T::set_target(Internal::CALL, value, target),
            at_end: match T::AT_END.0 {
                Ending::Remove => AtTargetEnd::Remove,
                Ending::Despawn => AtTargetEnd::Despawn,
                Ending::Call(_) => AtTargetEnd::Call(World::part_from::<T>),
            },
            acyclic: T::ACYCLIC,
        }
    }
}

/// Returns the edit that gives an entity with a new `T` the components that this requires, if it requires any.
pub(crate) const fn requiring<T: Component>() -> Option<EntityEdit> {
    if T::REQUIRES { Some(World::require_for::<T>) } else { None }
}

/// Returns the edit that gives an entity which has a `T` some of what that requires, if it requires anything.
#[cfg(feature = "serde")]
pub(crate) const fn requiring_some<T: Component>() -> Option<FilteredEdit> {
    if T::REQUIRES { Some(World::require_some_for::<T>) } else { None }
}

/// Edits an entity as a component of it demands.
pub(crate) type EntityEdit = fn(&mut World, Entity);

/// Makes a pool in a world.
pub(crate) type Creator = fn(&mut World);

/// Gives an entity that has a component those of the components which that requires, that are not to be skipped; and
/// notes what observers are to be notified of, unless it is silent.
#[cfg(feature = "serde")]
pub(crate) type FilteredEdit = fn(&mut World, Entity, Skips<'_>, bool);

/// Returns `true` for components that are not given to an entity, by the number of one and whether change sets carry it.
#[cfg(feature = "serde")]
pub(crate) type Skips<'a> = &'a dyn Fn(u32, bool) -> bool;

/// What makes the pool of `T`.
pub(crate) const fn creating<T: Component>() -> Creator {
    World::create_pool::<T>
}

/// The entity that a component points to, if it is a relation.
#[inline(always)]
pub(crate) fn target_of<T: Component>(value: &T) -> Option<Entity> {
    T::RELATION.map(|rule| (rule.target)(value))
}

/// Refuses to lend a `T` to be written, if it is a relation: in a constant, a compile error.
#[track_caller]
pub(crate) const fn check_writable<T: Component>() {
    if T::RELATION.is_some() {
        refuse_writing(T::NAME);
    }
}

/// Says that a relation is not written.
#[track_caller]
pub(crate) const fn refuse_writing(name: &str) -> ! {
    Text::new()
        .push("`")
        .push(name)
        .push("` is a relation: insert another one instead of writing to it")
        .panic()
}

/// An entity that is given what a component requires.
#[doc(hidden)]
pub trait Requirer: sealed::Sealed {
    /// Gives it a `T`, and what that requires, if it lacks one.
    fn require<T: Component>(&mut self, make: impl FnOnce() -> T);
}

pub(crate) mod sealed {
    /// Values that others require are not shown to strangers.
    pub trait Sealed {}
}

/// The number of `T` in this process.
#[inline]
pub(crate) fn index_of<T: Component>() -> ComponentIndex<T> {
    T::slot().map_or_else(ComponentIndex::registered, ComponentSlot::index)
}

/// The number of `T` in this process if it is known, or else one that no type has: that is a test
/// less.
#[inline]
pub(crate) fn known_index_of<T: Component>() -> ComponentIndex<T> {
    T::slot().map_or_else(ComponentIndex::registered, ComponentSlot::known)
}

/// A shared reference to a component of type `T`: `&'a T` unless its layout is another.
///
/// ```
/// # use ecs::{Component, Ref, World};
/// # #[derive(Component, Debug, PartialEq)] struct Health(u32);
/// fn first<T: Component>(world: &World) -> Option<Ref<'_, T>> {
///     world.pool::<T>().iter().next().map(|(_, value)| value)
/// }
/// # let mut world = World::new();
/// world.spawn(Health(3));
/// assert_eq!(first::<Health>(&world), Some(&Health(3)));
/// ```
pub type Ref<'a, T> = <<T as Component>::Storage as Container<T>>::Ref<'a>;
/// An exclusive reference to a component of type `T`: `&'a mut T` unless its layout is another.
///
/// ```
/// # use ecs::{Component, RefMut, World};
/// # #[derive(Component)] struct Health(u32);
/// fn change_all<T: Component>(world: &mut World, change: fn(RefMut<'_, T>)) {
///     world.pool_mut::<T>().iter_mut().for_each(|(_, value)| change(value));
/// }
/// # let mut world = World::new();
/// let entity = world.spawn(Health(3)).id();
/// change_all::<Health>(&mut world, |health| health.0 += 1);
/// assert_eq!(world.get::<Health>(entity).unwrap().0, 4);
/// ```
pub type RefMut<'a, T> = <<T as Component>::Storage as Container<T>>::RefMut<'a>;
/// The values of neighbouring components of type `T`: `&'a [T]` unless its layout is another.
///
/// ```
/// # use ecs::{Component, Slice, World};
/// # #[derive(Component, Debug, PartialEq)] struct Health(u32);
/// fn all<T: Component>(world: &World) -> Slice<'_, T> {
///     world.pool::<T>().as_slice()
/// }
/// # let mut world = World::new();
/// world.spawn_batch([Health(3), Health(4)]);
/// assert_eq!(all::<Health>(&world), [Health(3), Health(4)]);
/// ```
pub type Slice<'a, T> = <<T as Component>::Storage as Container<T>>::Slice<'a>;
/// The same, to be changed: `&'a mut [T]` unless its layout is another.
///
/// ```
/// # use ecs::{Component, SliceMut, World};
/// #[derive(Component)]
/// #[component(layout = "soa")]
/// struct Proximity { distance: f32, angle: f32 }
///
/// let mut world = World::new();
/// let entity = world.spawn(Proximity { distance: 8.0, angle: 0.5 }).id();
/// let mut pool = world.pool_mut::<Proximity>();
/// let columns: SliceMut<'_, Proximity> = pool.as_mut_slice(); // a slice a field
/// columns.distance.fill(2.0);
/// assert_eq!(*world.get::<Proximity>(entity).unwrap().distance, 2.0);
/// ```
pub type SliceMut<'a, T> = <<T as Component>::Storage as Container<T>>::SliceMut<'a>;
