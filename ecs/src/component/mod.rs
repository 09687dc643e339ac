//! Component types and relations: the traits, and the constants that derives implement.
//!
//! ```text
//! #[derive(Component)] ──> constants of the type: `id`, `shape`, `fields`, `handles`, `rules`, `requires`, `data`
//!                               │ first use in the process
//!                               v
//!                         `slot`: its number ──> `set`: the bits of an entity
//!
//! a query's types ──> `access`: a tree of terms ──> `alias`: do two of them meet?
//!                                              └──> `clash`: may two systems run at the same time?
//! ```
//!
//! `same` compares values to the last bit, without writing them.

pub(crate) mod access;
pub(crate) mod alias;
pub(crate) mod clash;
pub(crate) mod data;
pub(crate) mod defined;
pub(crate) mod fields;
pub(crate) mod handles;
pub(crate) mod id;
pub(crate) mod loose;
pub(crate) mod redefined;
pub(crate) mod requires;
pub(crate) mod rules;
pub(crate) mod same;
pub(crate) mod set;
pub(crate) mod shape;
pub(crate) mod slot;

use crate::component::data::{Copying, Debugging, IndexRule};
use crate::component::handles::HandleField;
use crate::component::id::ComponentId;
use crate::component::rules::DeclaredRule;
use crate::component::slot::{ComponentIndex, ComponentSlot};
use crate::edit::bundle::Bundle;
use crate::entity::Entity;
use crate::internal::{Internal, Registry};
use crate::signature::Signature;
use crate::storage::values::{Container, Storage};
use crate::text::Text;
use crate::world::World;
#[cfg(feature = "serde")]
use alloc::string::String;
use alloc::vec::Vec;
use core::marker::PhantomData;

/// Data that an entity can have, with one value of each type.
///
/// `#[derive(Component)]` implements this trait for structs, tuple structs, unit structs and enums. The pool of a
/// unit struct, a tag, stores only its entities. A component is `Send`, `Sync` and `'static`.
///
/// It is the bound of generic code, too, which gets `&T` and `&mut T`. A component in columns ([layouts](#layouts)) is an
/// [`AnyComponent`] only, as there are no references to it as a whole.
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
/// # Attributes
///
/// * `#[component(bit = 5)]` pins the [`Signature`] bit, 0 to 63, which a hash chooses otherwise;
/// * `#[component(veto = path)]` names a `fn(&mut Self) -> bool` that is called before a removal and before a
///   despawn: `false` keeps the component, or the entity. For a component in columns it is a `fn(NameMut) -> bool`.
///   An insertion that replaces the value does not call it, nor does [`World::clear`](crate::World::clear);
/// * `#[component(on_insert = path, on_update = path, on_remove = path)]`, any of them, names hooks: each is a
///   `fn(&mut World, Entity)` that is called after an insertion, after a replacement, or before a removal. A hook
///   runs before all observers of an insertion, and after all observers of a removal: see the
///   [guide](crate::guide::lifecycle);
/// * `#[component(track)]` records the entities whose value is inserted, changed or removed, for
///   [`World::changes`](crate::World::changes), while a reader exists;
/// * `#[component(index)]` finds entities by equal values, and `#[component(index(ordered, by = field))]` by ranges of a
///   field: see the [guide](crate::guide::indexes). The veto of such a component is a `fn(&Self) -> bool`;
/// * `#[component(unique)]`, or `unique(by = field)`, is such an index, and refuses equal values of two entities: see
///   there;
/// * `#[component(requires(Velocity, Health = Health(3)))]` names components that are inserted with this one, see
///   below;
/// * `#[component(needs(Health))]`, `#[component(excludes(Enemy))]` and `#[component(replaces(Walking))]` are rules about
///   other components of an entity, which hold always: see the [guide](crate::guide::rules);
/// * `#[component(relation)]` makes the type a [`Relation`], which points to another entity: see there, also for the
///   keys `at_end`, `acyclic` and `target`;
/// * `#[component(clone)]` allows copies of its values, by `Clone`, with the world
///   ([`World::try_clone`](crate::World::try_clone)) or with their entity
///   ([`World::spawn_copies`](crate::World::spawn_copies)). With `#[component(clone = skip)]` copies are without it;
/// * `#[component(debug, default)]`, either of them, allows tools that have only its [`Kind`](crate::by_name::Kind)
///   to show its values, by `Debug`, and to insert one, by `Default`;
/// * `#[component(range = 0.0..=1.0, unit = "m")]`, either of them, on a field, or on a struct with one field, are for
///   tools: an inspector offers these numbers, and shows the unit. Nothing else refuses other numbers, and files do not
///   change. A [`FieldShape`](crate::by_name::FieldShape) has both;
/// * `#[component(entities = ignore)]` on a field leaves the handles of entities in it as they are, when the component
///   comes into another world. All others are replaced, also those in types of yours with `#[derive(MapEntities)]`: see
///   [`MapEntities`](crate::MapEntities). `#[component(entities)]` marks a field whose type depends on a parameter;
/// * `#[component(save = "target", version = 2, from(1 = TargetV1))]`, with the feature `serde`, saves its values under
///   this name: see the [guide](crate::guide::saving). With `#[component(save = skip)]` files are without it;
/// * `#[component(layout = "soa")]` stores a struct with named fields in columns, see below;
/// * `#[ecs(unlisted)]` keeps the type out of the compiler's list of candidates in errors about other types. A crate
///   with `#![no_implicit_prelude]` cannot use it;
/// * `#[ecs(crate = path)]` sets the path of this crate, if the derive does not find it: see the
///   [guide](crate::guide::first_steps#another-name-of-the-crate).
///
/// # Required components
///
/// Every insertion of a component also inserts the components that it requires and that the entity lacks. Their
/// values are their `Default`, or the expression in the attribute, which is evaluated then. Their own requirements
/// are inserted, too. A value that the entity has already stays, and so does one in the same bundle. Values are made
/// after the bundle is inserted; if making one panics, the entity lacks it.
///
/// A requirement holds at the insertion only: a required component may be removed again, unless the component also
/// [needs](crate::guide::rules) it. It is inserted again when a
/// component that requires it is inserted once more. [`insert_if_absent`](crate::World::insert_if_absent) of a
/// component that the entity has inserts nothing. Components that require each other in a circle do not compile.
///
/// An insertion costs one lookup for each requirement; a component without requirements costs nothing. Batches look
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
/// By default, a pool stores its values one after the other in a `Vec`: an entity's fields are neighbours. That is
/// right for most components, and for all that are small, or are read whole or by handle.
///
/// With `layout = "soa"`, a pool has one `Vec` for each field, all in one order. That is right for a component with
/// several fields, if loops over many entities access a few of them. Such a loop moves only these columns through the
/// caches, and the compiler vectorises it like a loop over a plain slice. In return, inserting, removing and looking
/// up touch as many cache lines as there are fields. There is no `&Name`, so views yield one reference for each field
/// instead.
///
/// Beside a `struct Name`, the derive then emits these types, each as visible as the struct; the keys in brackets
/// rename them:
///
/// * `NameRef<'_>` \[`ref`\] and `NameMut<'_>` \[`mut`\] have one reference for each field: `get`, `get_mut` and
///   views yield them, and derived queries have them as fields. `NameRef::to_owned` clones the fields, and `{:?}`
///   shows them, if the component has `Clone` or `Debug`, too; `NameMut::set` and `replace` exchange the value,
///   `as_ref` and `reborrow` lend it;
/// * `NameSlices<'_>` \[`slices`\] and `NameSlicesMut<'_>` \[`slices_mut`\] have one slice for each field: pools and
///   [`for_each_chunk`](crate::View::for_each_chunk) yield them;
/// * `mod name` \[`fields`\] has one type for each field, which a query names to borrow one column. `&name::x` and
///   `&mut name::x` are terms that yield references to the field; in a derived query, `#[query(column = name::x)]`
///   stands on the field. Aliasing is checked field by field.
///
/// Code that reads a field by a method, an operator or a format is equal in both layouts, because these look through
/// the reference. To copy, compare or assign a field takes a `*` in columns.
///
/// The struct may have no `Drop` of its own, because it is taken apart, and no `repr(packed)`. If it is `pub`, the
/// types of its fields must be `pub`, too.
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
    message = "`{Self}` is not a component, or is stored in columns",
    label = "not a component that is stored as a whole",
    note = "if the type is yours, add `#[derive(Component)]` to it; put a value of another type into a struct of yours; a \
            component is named alone and without `&`; a resource is read by `World::resource`",
    note = "for a component in columns, with `layout = \"soa\"`, write the bound `AnyComponent`: there are no `&{Self}` and \
            `&mut {Self}`, but a `Ref<'_, {Self}>` and a `RefMut<'_, {Self}>`"
)]
pub trait Component: AnyComponent<Storage = Vec<Self>> {}

/// A component in any layout: the bound of code that is generic over components in columns, too.
///
/// `#[derive(Component)]` implements it. Every [`Component`] is one: its values are stored as a whole, so it is lent as a
/// `&T` and a `&mut T`. A component with `layout = "soa"` ([layouts](Component#layouts)) is an `AnyComponent` only: of
/// these, references are a [`Ref`] and a [`RefMut`], and neighbouring values a [`Slice`] and a [`SliceMut`].
///
/// ```
/// use ecs::{AnyComponent, Component, Ref, World};
///
/// #[derive(Component, Debug, PartialEq)]
/// struct Health(u32);
/// #[derive(Component)]
/// #[component(layout = "soa")]
/// struct Proximity { distance: f32, angle: f32 }
///
/// fn first<T: AnyComponent>(world: &World) -> Option<Ref<'_, T>> {
///     world.pool::<T>().iter().next().map(|(_, value)| value)
/// }
///
/// let mut world = World::new();
/// world.spawn((Health(3), Proximity { distance: 8.0, angle: 0.5 }));
/// assert_eq!(first::<Health>(&world), Some(&Health(3)));
/// assert_eq!(first::<Proximity>(&world).map(|proximity| *proximity.distance), Some(8.0));
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a component: name one type with `#[derive(Component)]`",
    label = "not a component",
    note = "if the type is yours, add `#[derive(Component)]` to it; put a value of another type into a struct of yours; \
            write `T`, not `&T`; several components of an entity are read by `world.view::<(&A, &B)>().get(entity)`, and a \
            resource by `World::resource`"
)]
pub trait AnyComponent: Bundle {
    /// The type that stores the values in a pool and determines their references: see [`Storage`].
    type Storage: Storage<Self>;
    /// The type's name, for messages. All instances of a generic type share it.
    ///
    /// ```
    /// # use ecs::{AnyComponent, Component};
    /// #[derive(Component)]
    /// struct Stock<T>(T);
    ///
    /// assert_eq!(Stock::<u8>::NAME, "Stock");
    /// ```
    const NAME: &'static str;
    /// The type's identity at compile time.
    /// ```
    /// # use ecs::{AnyComponent, Component};
    /// #[derive(Component)]
    /// struct Health(u32);
    ///
    /// const IS_EXACT: bool = Health::ID.is_exact();
    /// assert!(IS_EXACT);
    /// ```
    const ID: ComponentId;
    /// The type's bit in signatures.
    /// ```
    /// # use ecs::{AnyComponent, Component};
    /// #[derive(Component)]
    /// struct Health(u32);
    ///
    /// assert_eq!(Health::BIT.count(), 1);
    /// ```
    const BIT: Signature;
    /// `true` if [`permits_removal`](Self::permits_removal) may return `false`.
    #[doc(hidden)]
    const GUARDED: bool = false;

    /// The hooks: they run before all observers of an insertion, and after all observers of a removal.
    #[doc(hidden)]
    const HOOKS: Hooks<Self> = Hooks::NONE;

    /// `true` if it is [`Tracked`].
    #[doc(hidden)]
    const TRACKED: bool = false;
    /// The rule of its index, if it has one.
    #[doc(hidden)]
    const INDEX: Option<IndexRule> = None;
    /// `true` if its changes are marked: for readers, or for its index.
    #[doc(hidden)]
    const MARKED: bool = Self::TRACKED || Self::INDEX.is_some();
    /// `true` if no two entities have equal keys.
    #[doc(hidden)]
    const UNIQUE: bool = match Self::INDEX {
        Some(rule) => rule.unique.is_some(),
        None => false,
    };
    /// The rule of the relation, if the component is one.
    #[doc(hidden)]
    const RELATION: Option<Rule<Self>> = None;

    /// The functions that copy values, if the component allows copies.
    #[doc(hidden)]
    const COPYING: Option<Copying> = None;
    /// The function that shows values by `Debug` where the type is not named, if the component allows it.
    #[doc(hidden)]
    const DEBUGGING: Option<Debugging> = None;
    /// The default value, if the component may be inserted where the type is not named.
    #[doc(hidden)]
    const DEFAULT: Option<fn() -> Self> = None;
    /// The fields and variants, in the form that [`Shape::read`](shape::Shape::read) reads.
    #[doc(hidden)]
    const SHAPE: &'static str = "?";
    /// The functions that save and read values, if the component is saved.
    #[doc(hidden)]
    #[cfg(feature = "serde")]
    const SAVING: Option<data::Saving> = None;
    /// The functions that read values of earlier versions.
    #[doc(hidden)]
    #[cfg(feature = "serde")]
    const SAVED_BEFORE: &'static [data::OldSave] = &[];
    /// `true` if copies of its entities are meant to lack the component.
    #[doc(hidden)]
    const SKIPS_COPIES: bool = false;
    /// `true` if saved entities are meant to lack the component.
    #[doc(hidden)]
    const SKIPS_SAVES: bool = false;
    /// The fields that may hold handles. Fields of numbers and texts are left out.
    #[doc(hidden)]
    const HANDLE_FIELDS: &'static [HandleField] = &[];
    /// `true` if [`map_entities`](Self::map_entities) has anything to do.
    #[doc(hidden)]
    const HOLDS_ENTITIES: bool = handles::any_mapped(Self::HANDLE_FIELDS);
    /// Replaces each handle in a value by the one that `map` returns.
    #[doc(hidden)]
    fn map_entities(_: Internal<Self>, value: &mut Self, map: &mut dyn FnMut(Entity) -> Entity) {
        let _ = (value, map);
    }
    /// Calls `visit` with each handle that [`map_entities`](Self::map_entities) replaces.
    #[doc(hidden)]
    fn visit_entities(_: Internal<Self>, value: &Self, visit: &mut dyn FnMut(Entity)) {
        let _ = (value, visit);
    }

    /// The required components, for the [check](requires) that the component does not require itself.
    #[doc(hidden)]
    type Requires;
    /// `true` if [`require`](Self::require) has anything to do.
    #[doc(hidden)]
    const REQUIRES: bool = false;

    /// The rules about other components, and the requirements.
    #[doc(hidden)]
    const RULES: &'static [DeclaredRule] = &[];
    /// `true` if the component, or one that comes with it, may have rules.
    #[doc(hidden)]
    const RULED: bool = !Self::RULES.is_empty();

    /// Inserts the required components that the entity lacks, after this component was inserted.
    #[doc(hidden)]
    fn require(_: Internal<Self>, target: &mut impl Requirer) {
        let _ = target;
    }

    /// Returns the slot that caches the type's number in this process. A generic type has none, because its instances
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

/// A component whose changes [`World::changes`](crate::World::changes) can read. `#[derive(Component)]` implements
/// this trait with `#[component(track)]`. A component that is tracked by a
/// [`Declaration`](crate::by_name::Declaration) does not: its changes are read without its type.
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
    note = "add `#[component(track)]` to `{Self}`, which derives `Component`; if it is declared to be tracked by \
            `by_name::Declaration`, read its changes by `KindChanges` or `ChangeSets`"
)]
pub trait Tracked: AnyComponent {}

/// Makes a `T` [`Tracked`]: implemented by the derive for a [`Registry`], so that `rustc` lists no other types in errors.
#[doc(hidden)]
pub trait Tracks<T> {}

#[diagnostic::do_not_recommend]
impl<T: AnyComponent> Tracked for T where Registry: Tracks<T> {}

/// A hook, or an observer that captures nothing.
pub(crate) type Hook = &'static (dyn Fn(&mut World, Entity) + Send + Sync);

/// The hooks of a `T`. They may be private functions, so only the library calls them, and only for `T`.
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

    /// Returns `true` if there are hooks that are called after an insertion or a replacement.
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
/// Every edit of the world updates both ends. [`World::related`] returns the entities that point to an entity, in the
/// order in which they were related to it, as fast as a list. [`ChildOf`](crate::ChildOf) is a relation of this
/// library.
///
/// The target is the only field of type `Entity`, or the one with `#[component(target)]` on it. There may be other
/// fields. An entity points to one target by one relation; to point elsewhere, insert another value. A relation
/// cannot be written in place: `&mut CarriedBy` does not compile in any query, nor does `get_mut`.
///
/// * `#[component(at_end = remove)]`, the default, removes the relation from all entities that point to a despawned
///   entity;
/// * `at_end = despawn` despawns them, too, and the entities that point to them, to any depth;
/// * `at_end = path` names a `fn(&mut World, Entity, Self)`, which is called for each entity that pointed to the
///   despawned one, with the relation that was removed from it. The target is still alive;
/// * `acyclic` refuses a relation that would close a circle of entities;
/// * `relation(target = Ship)` is a [rule](crate::guide::rules#targets-of-relations): each target has a `Ship`, and keeps
///   it. So is a field `EntityOf<Ship>` in place of `Entity`.
///
/// [`World::clear`](crate::World::clear) despawns all entities at once, and does none of this.
///
/// A copy of a relation, made by [`World::try_clone`](crate::World::try_clone) or
/// [`World::spawn_copies`](crate::World::spawn_copies), points to the target of the original, or to the copy of that
/// target. A `Clone` of the component that sets another target does not change this.
///
/// A relation to an entity that is not alive is refused: an insertion returns the error, a spawn panics. A circle of
/// an `acyclic` relation is a panic. [`World::relate`] returns every error.
///
/// Inserting or removing a relation edits two entries. Memory is 24 bytes for each entity that points, and 40 for
/// each target. Components that are not relations pay nothing. Batches insert a bundle with a relation entity by
/// entity.
///
/// A veto of a relation is a `fn(&Self) -> bool`. It is also called before its target is despawned. If it refuses, or
/// if a veto of an entity that would be despawned with the target refuses, the target stays.
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
    message = "`{Self}` is not a relation: add `#[component(relation)]` to it, beside `#[derive(Component)]`",
    label = "does not point to an entity",
    note = "a relation is a struct with an `Entity` in it"
)]
pub trait Relation: Component {
    /// `true` if the entities of the relation may not form a circle.
    const ACYCLIC: bool = false;
    #[doc(hidden)]
    const AT_END: AtEnd<Self> = AtEnd::REMOVE;
    /// Returns the entity to which the relation points.
    fn target(&self) -> Entity;
    /// Sets the entity to which the relation points.
    #[doc(hidden)]
    fn set_target(_: Internal<Self>, value: &mut Self, target: Entity);
}

/// The action for entities that point to a despawned entity. A function in it may be private, so only the library
/// calls it.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub struct AtEnd<T>(pub(crate) RelationEnding<T>);

#[derive(Clone, Copy, Debug)]
pub(crate) enum RelationEnding<T> {
    /// They lose the relation.
    Remove,
    /// They are despawned, too.
    Despawn,
    /// They lose the relation, with which this function is called.
    Call(fn(&mut World, Entity, T)),
}

impl<T> AtEnd<T> {
    pub const REMOVE: Self = Self(RelationEnding::Remove);
    pub const DESPAWN: Self = Self(RelationEnding::Despawn);

    #[must_use]
    pub const fn call(part: fn(&mut World, Entity, T)) -> Self {
        Self(RelationEnding::Call(part))
    }
}

/// The properties of a relation type, as values.
#[doc(hidden)]
#[derive(Debug)]
pub struct Rule<T: AnyComponent> {
    pub(crate) target: fn(&T) -> Entity,
    pub(crate) target_at: fn(Ref<'_, T>) -> Entity,
    pub(crate) set_target: fn(RefMut<'_, T>, Entity),
    pub(crate) at_end: AtTargetEnd,
    pub(crate) acyclic: bool,
}

impl<T: AnyComponent> Clone for Rule<T> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<T: AnyComponent> Copy for Rule<T> {}

/// [`RelationEnding`] without the type.
#[derive(Clone, Copy, Debug)]
pub(crate) enum AtTargetEnd {
    Remove,
    Despawn,
    /// Removes the relation from an entity that still has it, and calls the function for it.
    Call(EntityEdit),
}

impl<T: Relation> Rule<T> {
    /// Returns the rule of `T`.
    #[must_use]
    pub const fn of_relation() -> Self {
        Self {
            target: |value| value.target(),
            target_at: |value| value.target(),
            set_target: |value, target| T::set_target(Internal::CALL, value, target),
            at_end: match T::AT_END.0 {
                RelationEnding::Remove => AtTargetEnd::Remove,
                RelationEnding::Despawn => AtTargetEnd::Despawn,
                RelationEnding::Call(_) => AtTargetEnd::Call(World::part_from::<T>),
            },
            acyclic: T::ACYCLIC,
        }
    }
}

/// Returns the edit that inserts the requirements of a new `T`, if it has any.
pub(crate) const fn requiring<T: AnyComponent>() -> Option<EntityEdit> {
    if T::REQUIRES { Some(World::require_for::<T>) } else { None }
}

/// Returns the edit that inserts some of the requirements of a `T`, if it has any.
#[cfg(feature = "serde")]
pub(crate) const fn requiring_some<T: AnyComponent>() -> Option<FilteredEdit> {
    if T::REQUIRES { Some(World::require_some_for::<T>) } else { None }
}

/// An edit of an entity, chosen by one of its components.
pub(crate) type EntityEdit = fn(&mut World, Entity);

/// A function that creates the pool of a kind, a `K`, in a world.
pub(crate) type Creator<K> = fn(&mut World, K);

/// Inserts the requirements of a component of an entity, except skipped ones. Unless silent, it also records the
/// notifications of observers. Returns the error of a value that the entity may not have.
#[cfg(feature = "serde")]
pub(crate) type FilteredEdit = fn(&mut World, Entity, Skips<'_>, bool) -> Result<(), String>;

/// Returns `true` for components that are not inserted: by the number of a component, and whether it is saved and
/// tracked.
#[cfg(feature = "serde")]
pub(crate) type Skips<'a> = &'a dyn Fn(u32, bool, bool) -> bool;

/// Returns the entity to which a component points, if it is a relation.
#[inline(always)]
pub(crate) fn target_of<T: AnyComponent>(value: &T) -> Option<Entity> {
    if const { T::RELATION.is_none() } {
        return None;
    }
    T::RELATION.map(|rule| (rule.target)(value))
}

/// Panics if `T` is a relation, or unique, and so cannot be written. In a constant, that is a compile error.
#[track_caller]
pub(crate) const fn check_writable<T: AnyComponent>() {
    if T::RELATION.is_some() {
        refuse_writing(T::NAME);
    }
    if T::UNIQUE {
        refuse_writing_unique(T::NAME);
    }
}

/// Panics with the message that a unique component cannot be written.
#[track_caller]
#[inline]
pub(crate) const fn refuse_writing_unique(name: &str) -> ! {
    Text::new()
        .push("`")
        .push(name)
        .push("` is unique: insert another one instead of writing to it")
        .panic()
}

/// Panics with the message that a relation cannot be written.
#[track_caller]
#[inline]
pub(crate) const fn refuse_writing(name: &str) -> ! {
    Text::new()
        .push("`")
        .push(name)
        .push("` is a relation: insert another one instead of writing to it")
        .panic()
}

/// An entity into which the requirements of a component are inserted.
#[doc(hidden)]
pub trait Requirer: sealed::Sealed {
    /// Inserts a `T` and its requirements, if the entity lacks a `T`.
    fn require<T: AnyComponent>(&mut self, make: impl FnOnce() -> T);
}

pub(crate) mod sealed {
    /// Keeps users from implementing `Requirer`, which would pass required values to their code.
    pub trait Sealed {}
}

/// Returns the number of `T` in this process.
#[inline]
pub(crate) fn index_of<T: AnyComponent>() -> ComponentIndex<T> {
    // Here and in other code of each component, a match: a closure would be compiled for each, too.
    match T::slot() {
        Some(slot) => ComponentSlot::index(slot),
        None => ComponentIndex::registered(),
    }
}

/// Returns the number of `T` in this process if it is cached, or else a number that no type has. That saves one test.
#[inline]
pub(crate) fn known_index_of<T: AnyComponent>() -> ComponentIndex<T> {
    match T::slot() {
        Some(slot) => ComponentSlot::known(slot),
        None => ComponentIndex::registered(),
    }
}

/// A shared reference to a component of type `T`: `&'a T` in the default layout.
///
/// ```
/// # use ecs::{AnyComponent, Component, Ref, World};
/// # #[derive(Component, Debug, PartialEq)] struct Health(u32);
/// fn first<T: AnyComponent>(world: &World) -> Option<Ref<'_, T>> {
///     world.pool::<T>().iter().next().map(|(_, value)| value)
/// }
/// # let mut world = World::new();
/// world.spawn(Health(3));
/// assert_eq!(first::<Health>(&world), Some(&Health(3)));
/// ```
pub type Ref<'a, T> = <<T as AnyComponent>::Storage as Container<T>>::Ref<'a>;
/// An exclusive reference to a component of type `T`: `&'a mut T` in the default layout.
///
/// ```
/// # use ecs::{AnyComponent, Component, RefMut, World};
/// # #[derive(Component)] struct Health(u32);
/// fn change_all<T: AnyComponent>(world: &mut World, change: fn(RefMut<'_, T>)) {
///     world.pool_mut::<T>().iter_mut().for_each(|(_, value)| change(value));
/// }
/// # let mut world = World::new();
/// let entity = world.spawn(Health(3)).id();
/// change_all::<Health>(&mut world, |health| health.0 += 1);
/// assert_eq!(world.get::<Health>(entity).unwrap().0, 4);
/// ```
pub type RefMut<'a, T> = <<T as AnyComponent>::Storage as Container<T>>::RefMut<'a>;
/// The values of neighbouring components of type `T`: `&'a [T]` in the default layout.
///
/// ```
/// # use ecs::{AnyComponent, Component, Slice, World};
/// # #[derive(Component, Debug, PartialEq)] struct Health(u32);
/// fn all<T: AnyComponent>(world: &World) -> Slice<'_, T> {
///     world.pool::<T>().as_slice()
/// }
/// # let mut world = World::new();
/// world.spawn_batch([Health(3), Health(4)]);
/// assert_eq!(all::<Health>(&world), [Health(3), Health(4)]);
/// ```
pub type Slice<'a, T> = <<T as AnyComponent>::Storage as Container<T>>::Slice<'a>;
/// The values of neighbouring components of type `T`, to be changed: `&'a mut [T]` in the default layout.
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
pub type SliceMut<'a, T> = <<T as AnyComponent>::Storage as Container<T>>::SliceMut<'a>;
