//! Resources: values that are found by their type, and belong to no entity.

#[cfg(feature = "std")]
pub(crate) mod non_send;

use crate::component::access::{Access, Mode};
use crate::component::alias::Borrower;
use crate::component::handles::HandleField;
use crate::component::id::ComponentId;
use crate::component::slot::{RESOURCES, UNKNOWN};
use crate::entity::Entity;
use crate::internal::Internal;
use crate::storage::sort::sort_few;
use crate::text::Text;
use alloc::boxed::Box;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::any::{Any, TypeId, type_name};
use core::array;
use core::convert::Infallible;
use core::fmt;
use core::marker::PhantomData;
use core::mem;
use core::ops::{Deref, DerefMut};
use core::sync::atomic::{AtomicU32, AtomicU64, Ordering};

/// Data that belongs to no entity; a world has one value for each type: a clock, a configuration, a score.
///
/// Implemented by `#[derive(Resource)]`, on structs and enums. A resource is `Send`, `Sync` and `'static`. A value that
/// must stay on its thread goes into a `NonSend`, which is a resource itself or a field of one. A type may be a
/// [`Component`](crate::Component) as well.
///
/// A resource is inserted by [`World::insert_resource`](crate::World::insert_resource), read by
/// [`World::resource`](crate::World::resource), and borrowed beside views by
/// [`World::split_mut`](crate::World::split_mut). It stays when the world is [cleared](crate::World::clear).
///
/// A world drops its components first, and then its resources, in the reverse order of their insertion: one that was
/// inserted later may use those before it until its end. One that replaces another counts as inserted then; one that
/// [`resource_scope`](crate::World::resource_scope) lends keeps its turn. Copies have the order of their originals.
///
/// * `#[resource(clone)]` allows the value to be copied with its world: see
///   [`World::try_clone`](crate::World::try_clone). With `#[resource(clone = skip)]` the value stays: copies are without
///   it, and a world that becomes a copy keeps its own. Without either, copying the world is an error that names it;
/// * `#[resource(save = "name")]` allows it to be saved with its world: see the
///   [guide](crate::guide::saving#resources). With `#[resource(save = skip)]` files are without it. Without either,
///   saving the world is an error that names it;
/// * `#[resource(entities = ignore)]` on a field leaves handles of entities as they are where the value is sent to
///   another world; others are replaced: see [`MapEntities`](crate::MapEntities);
/// * `#[ecs(unlisted)]` excludes it from the compiler's list of types in errors about other types. A crate with
///   `#![no_implicit_prelude]` cannot use it;
/// * `#[ecs(crate = path)]` sets the path of this crate, if the derive does not find it: see the
///   [guide](crate::guide::first_steps#another-name-of-the-crate).
///
/// ```
/// use ecs::{Resource, World};
///
/// #[derive(Resource, Default)]
/// struct Score(u32);
///
/// let mut world = World::new();
/// world.insert_resource(Score(3));
/// world.resource_mut::<Score>().0 += 1;
/// assert_eq!(world.resource::<Score>().0, 4);
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a resource",
    label = "not a resource",
    note = "if the type is yours, add `#[derive(Resource)]` to it; wrap others in a struct of yours"
)]
pub trait Resource: Sized + Send + Sync + 'static {
    /// The type's name, for messages.
    #[doc(hidden)]
    const NAME: &'static str;
    /// The type's identity at compile time.
    #[doc(hidden)]
    const ID: ComponentId;

    /// Copies its value, if the type allows it.
    #[doc(hidden)]
    const CLONE: Option<fn(&Self) -> Self> = None;
    /// `true` if it stays where it is when its world is copied.
    #[doc(hidden)]
    const SKIPS_COPIES: bool = false;
    /// `true` if it stays where it is when its world is saved.
    #[doc(hidden)]
    const SKIPS_SAVES: bool = false;
    /// Copies a value that stays in its world into the snapshot of a program.
    #[doc(hidden)]
    const IN_SNAPSHOTS: Option<InSnapshots<Self>> = None;
    /// The fields of a saved resource that may hold handles.
    #[doc(hidden)]
    const HANDLE_FIELDS: &'static [HandleField] = &[];
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
    /// The functions that save its value, if it is saved.
    #[cfg(feature = "serde")]
    #[doc(hidden)]
    const SAVING: Option<crate::saved::resource::ResourceSaving> = None;
    /// The functions that read values of earlier versions.
    #[cfg(feature = "serde")]
    #[doc(hidden)]
    const SAVED_BEFORE: &'static [crate::saved::resource::ResourceVersion] = &[];

    /// Returns the slot that stores the type's number in this process. A generic type has none: its instances would
    /// share it.
    #[doc(hidden)]
    #[must_use]
    #[inline]
    fn slot() -> Option<&'static ResourceSlot<Self>> {
        None
    }
}

/// The functions that copy a resource into the snapshot of a program and back, though it stays when its world is copied.
#[doc(hidden)]
#[derive(Debug)]
pub struct InSnapshots<T> {
    pub(crate) state: fn(&T) -> InSnapshot,
    pub(crate) copy: fn(&T) -> Option<T>,
}

impl<T: Copy> InSnapshots<T> {
    /// Each value is copied.
    pub(crate) const COPIED: Self =
        Self { state: |_| InSnapshot::Copied, copy: |value| Some(*value) };
}

/// The part that a value has in the snapshot of a program.
#[doc(hidden)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InSnapshot {
    Copied,
    Stays,
    /// Nothing was chosen for it.
    Refused,
}

/// A `static` that stores the number of `T`: later it is one relaxed load away.
///
/// Invariant in `T`: a slot of a subtype would store that type's number.
#[doc(hidden)]
pub struct ResourceSlot<T> {
    number: AtomicU32,
    of: PhantomData<fn(T) -> T>,
}

impl<T: 'static> ResourceSlot<T> {
    #[must_use]
    #[expect(clippy::new_without_default, reason = "made in statics only")]
    pub const fn new() -> Self {
        Self { number: AtomicU32::new(UNKNOWN), of: PhantomData }
    }

    #[inline]
    fn number(&self) -> u32 {
        // Relaxed: threads share nothing but the number, and each of them finds an equal one.
        match self.number.load(Ordering::Relaxed) {
            UNKNOWN => self.learn(),
            number => number,
        }
    }

    #[cold]
    fn learn(&self) -> u32 {
        let number = RESOURCES.number(TypeId::of::<T>());
        self.number.store(number, Ordering::Relaxed);
        number
    }
}

impl<T> fmt::Debug for ResourceSlot<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("ResourceSlot").field(&self.number).finish()
    }
}

/// Returns the number of `T` in this process, among resources.
#[inline]
pub(crate) fn number_of<T: Resource>() -> u32 {
    T::slot().map_or_else(|| RESOURCES.number(TypeId::of::<T>()), ResourceSlot::number)
}

/// A resource for reading: a member of a split, beside queries, that yields `&T`. An `Option<Res<T>>` yields `None` if
/// the world has none.
///
/// See [`World::split_mut`](crate::World::split_mut).
#[derive(Debug)]
pub struct Res<T>(Infallible, PhantomData<fn() -> T>);

/// A resource for writing: a member of a split, beside queries, that yields `&mut T`. An `Option<ResMut<T>>` yields
/// `None` if the world has none.
///
/// See [`World::split_mut`](crate::World::split_mut).
#[derive(Debug)]
pub struct ResMut<T>(Infallible, PhantomData<fn() -> T>);

/// No `Res` exists. With this impl a parameter `Res<T>` is one error, even if the system reads a field of it.
macro_rules! dereferenced {
    ($($name:ident)+) => {$(
        #[doc(hidden)]
        impl<T> Deref for $name<T> {
            type Target = T;
            fn deref(&self) -> &T {
                match self.0 {}
            }
        }
    )+};
}
dereferenced!(Res ResMut);

#[doc(hidden)]
impl<T> DerefMut for ResMut<T> {
    fn deref_mut(&mut self) -> &mut T {
        match self.0 {}
    }
}

/// A resource as a member of a split.
#[doc(hidden)]
#[derive(Debug)]
pub struct Asked<R>(PhantomData<fn() -> R>);

/// A request for a resource in a split: `Res`, `ResMut` or an `Option` of these.
#[doc(hidden)]
pub trait AskedResource: 'static {
    const ACCESS: Access;
    type Given<'w>: Send;

    /// # Panics
    /// Panics if there is none, unless the request is an `Option`.
    #[track_caller]
    fn given<'w>(loan: Loan<'w>, by: Borrower<'_>) -> Self::Given<'w>;
}

macro_rules! asked_resource {
    ($name:ident $mode:ident $get:ident [$($mutable:tt)?]) => {
        impl<T: Resource> AskedResource for $name<T> {
            const ACCESS: Access = Access::of_resource(T::ID, number_of::<T>, (T::NAME, type_name::<T>), Mode::$mode);
            type Given<'w> = &'w $($mutable)? T;

            #[inline]
            fn given<'w>(loan: Loan<'w>, by: Borrower<'_>) -> Self::Given<'w> {
                let is_lent = loan.is_lent();
                match loan.$get() {
                    Some(resource) => resource,
                    None => missing::<T>(is_lent, Some(by)),
                }
            }
        }

        impl<T: Resource> AskedResource for Option<$name<T>> {
            const ACCESS: Access = $name::<T>::ACCESS;
            type Given<'w> = Option<&'w $($mutable)? T>;

            #[inline]
            fn given<'w>(loan: Loan<'w>, _: Borrower<'_>) -> Self::Given<'w> {
                loan.$get()
            }
        }
    };
}
asked_resource!(Res Read read []);
asked_resource!(ResMut Write write [mut]);

/// No resource.
impl AskedResource for () {
    const ACCESS: Access = Access::Nothing;
    type Given<'w> = ();

    fn given<'w>(_: Loan<'w>, _: Borrower<'_>) {}
}

/// A resource of any type; or the world.
pub(crate) type ResourceData = dyn Any + Send + Sync;

/// Copies a value, if it is of this type.
type Cloning = fn(&ResourceData) -> Option<Box<ResourceData>>;

/// Returns how a value takes part in snapshots; and copies it.
type Snapshotting = (fn(&ResourceData) -> InSnapshot, Cloning);

/// The properties of a resource's type.
#[derive(Debug)]
pub(crate) struct AboutResource {
    pub(crate) name: &'static str,
    pub(crate) type_name: fn() -> &'static str,
    /// Copies the value, if it may be copied.
    clone: Option<Cloning>,
    /// The part that the value has in snapshots of programs, if it stays when its world is copied; and its copy.
    in_snapshots: Option<Snapshotting>,
    /// `true` if it stays where it is when its world is copied, or saved.
    skips_copies: bool,
    #[cfg(feature = "serde")]
    pub(crate) skips_saves: bool,
    #[cfg(feature = "serde")]
    pub(crate) is_saved: bool,
}

impl AboutResource {
    const fn of<T: Resource>() -> &'static Self {
        const {
            let clone: Option<Cloning> = match T::CLONE {
                Some(_) => Some(|value| Some(Box::new(T::CLONE?(value.downcast_ref()?)))),
                None => None,
            };
            let in_snapshots: Option<Snapshotting> = match T::IN_SNAPSHOTS {
                Some(_) => Some((
                    |value| match (T::IN_SNAPSHOTS, value.downcast_ref()) {
                        (Some(how), Some(value)) => (how.state)(value),
                        _ => InSnapshot::Stays,
                    },
                    |value| Some(Box::new((T::IN_SNAPSHOTS?.copy)(value.downcast_ref()?)?)),
                )),
                None => None,
            };
            &Self {
                name: T::NAME,
                type_name: type_name::<T>,
                clone,
                in_snapshots,
                skips_copies: T::SKIPS_COPIES,
                #[cfg(feature = "serde")]
                skips_saves: T::SKIPS_SAVES,
                #[cfg(feature = "serde")]
                is_saved: T::SAVING.is_some(),
            }
        }
    }
}

/// A resource, and its type.
#[doc(hidden)]
#[derive(Debug)]
pub struct NamedResource {
    pub(crate) about: &'static AboutResource,
    pub(crate) value: Box<ResourceData>,
}

impl NamedResource {
    pub(crate) fn new<T: Resource>(value: T) -> Self {
        Self { about: AboutResource::of::<T>(), value: Box::new(value) }
    }

    /// Returns a copy, if the type allows it.
    #[inline]
    fn copy(&self) -> Option<Self> {
        let Self { about, value } = self;
        Some(Self { about, value: about.clone?(&**value)? })
    }

    /// Returns how it takes part in the snapshot of a program, if it stays when its world is copied.
    #[inline]
    fn in_snapshot(&self) -> InSnapshot {
        self.about.in_snapshots.map_or(InSnapshot::Stays, |(state, _)| state(&*self.value))
    }

    /// Returns a copy for the snapshot of a program, of a resource that stays when its world is copied.
    #[inline]
    fn copy_for_snapshot(&self) -> Option<Self> {
        let Self { about, value } = self;
        Some(Self { about, value: about.in_snapshots?.1(&**value)? })
    }

    /// Returns the value, if it is a `T`.
    pub(crate) fn get_mut<T: Resource>(&mut self) -> Option<&mut T> {
        self.value.downcast_mut()
    }
}

/// The place of a resource.
#[derive(Debug, Default)]
pub(crate) enum ResourcePlace {
    #[default]
    Nowhere,
    /// Held by the caller of [`take`](Resources::take).
    Lent(&'static AboutResource),
    Here(NamedResource),
}

/// A resource of a world, or its place.
#[doc(hidden)]
#[derive(Debug, Default)]
pub struct ResourceEntry {
    /// Increases whenever it is inserted, taken, or lent for writing; 0 if the world never had one.
    pub(crate) version: u64,
    /// The turn in which it was inserted; larger than for resources that were inserted before.
    pub(crate) turn: u64,
    pub(crate) place: ResourcePlace,
    /// Shared with the scope that has it, if one does.
    scope: Option<Scope>,
}

/// The versions between those with which the resources of different worlds begin, so that no two have an equal one.
const VERSIONS: u64 = 1 << 32;

/// From this turn on, turns are counted anew: two of them are added without overflow.
const MOST_TURNS: u64 = 1 << 62;

/// A value that is alive as long as a scope that took a resource.
pub(crate) type Scope = Arc<()>;

impl ResourceEntry {
    const NEVER: Self = Self { version: 0, turn: 0, place: ResourcePlace::Nowhere, scope: None };

    /// Returns the resource, if it is in the world.
    #[inline]
    pub(crate) fn here(&self) -> Option<&NamedResource> {
        match &self.place {
            ResourcePlace::Here(named) => Some(named),
            ResourcePlace::Lent(_) | ResourcePlace::Nowhere => None,
        }
    }

    #[inline]
    fn get<T: Resource>(&self) -> Option<&T> {
        self.here()?.value.downcast_ref()
    }

    #[inline]
    fn get_mut<T: Resource>(&mut self) -> Option<&mut T> {
        let ResourcePlace::Here(named) = &mut self.place else { return None };
        self.version += 1;
        named.get_mut()
    }

    /// Replaces the place.
    pub(crate) fn replace(&mut self, place: ResourcePlace) -> ResourcePlace {
        static NEXT: AtomicU64 = AtomicU64::new(1);
        match self.version {
            0 => self.version = NEXT.fetch_add(VERSIONS, Ordering::Relaxed),
            _ => self.version += 1,
        }
        mem::replace(&mut self.place, place)
    }

    /// Returns `true` if a scope has it. A scope that ended while another world was in place of this one does not
    /// return it.
    pub(crate) fn is_lent(&self) -> bool {
        let is_shared = |scope: &Scope| Arc::strong_count(scope) > 1;
        matches!(self.place, ResourcePlace::Lent(_)) && self.scope.as_ref().is_some_and(is_shared)
    }

    /// Returns the type of the resource, if there is one, and `true` if it is lent.
    #[inline]
    pub(crate) fn about(&self) -> Option<(&'static AboutResource, bool)> {
        match &self.place {
            ResourcePlace::Here(named) => Some((named.about, false)),
            ResourcePlace::Lent(about) if self.is_lent() => Some((about, true)),
            ResourcePlace::Lent(_) | ResourcePlace::Nowhere => None,
        }
    }
}

/// Reports that there is no such resource, the requesting function, and the reason.
///
/// # Panics
/// Always panics.
#[cold]
#[inline(never)]
#[track_caller]
fn missing<T: Resource>(is_lent: bool, by: Option<Borrower<'_>>) -> ! {
    let text = Text::new().push("there is no resource `").push_type(type_name::<T>()).push("`");
    let text = match by {
        None => text,
        Some(by) => by.push(text),
    };
    let why = if is_lent {
        "it is lent by `World::resource_scope`, use the reference there"
    } else {
        "give the world one by `World::insert_resource`"
    };
    match by.and_then(Borrower::caller) {
        None => panic!("{}: {why}", text.as_str()),
        Some(caller) => panic!("{}, in the schedule that {caller} runs: {why}", text.as_str()),
    }
}

/// The components and resources that a caller leaves out of a copy, a saved world or a delta.
#[derive(Clone, Debug, Default)]
pub(crate) struct LeftOut {
    /// The numbers of components.
    pub(crate) components: Vec<u32>,
    /// The numbers of resources.
    pub(crate) resources: Vec<u32>,
    /// `true` if everything that may not be copied or saved is left out, too.
    pub(crate) rest: bool,
}

impl LeftOut {
    /// Leaves the resource `T` out.
    pub(crate) fn add_resource<T: Resource>(&mut self) {
        self.resources.push(number_of::<T>());
    }
}

/// The names of the resources that are not copied, in alphabetical order.
#[derive(Debug, Default)]
pub(crate) struct Uncopied {
    /// The names of resources that are left out on purpose.
    pub(crate) left_out: Vec<&'static str>,
    /// The names of others that may not be copied.
    pub(crate) missing: Vec<&'static str>,
    /// The names of resources that cannot be copied or replaced, because they are lent.
    pub(crate) lent: Vec<&'static str>,
}

/// The resources of a world, by their types' numbers. The value at a number is of the number's type, or there is none:
/// each access checks the type. Dropped in the reverse order of their insertion.
pub struct Resources {
    pub(crate) entries: Vec<ResourceEntry>,
    /// The last turn in which a resource was inserted.
    pub(crate) turn: u64,
    /// The functions that save the registered resources, by name.
    #[cfg(feature = "serde")]
    pub(crate) saved: Vec<crate::saved::resource::ResourceSaving>,
}

impl Resources {
    pub(crate) const fn new() -> Self {
        Self {
            entries: Vec::new(),
            turn: 0,
            #[cfg(feature = "serde")]
            saved: Vec::new(),
        }
    }

    /// Returns the turn of a resource that is inserted now.
    pub(crate) const fn next_turn(&mut self) -> u64 {
        self.turn += 1;
        self.turn
    }

    pub(crate) fn entry(&self, number: u32) -> &ResourceEntry {
        self.entries.get(number as usize).unwrap_or(&ResourceEntry::NEVER)
    }

    /// Returns the entry with this number; makes it if it does not exist.
    pub(crate) fn entry_mut(&mut self, number: u32) -> &mut ResourceEntry {
        let number = number as usize;
        if number >= self.entries.len() {
            self.entries.resize_with(number + 1, ResourceEntry::default);
        }
        let entry = &mut self.entries[number];
        if matches!(entry.place, ResourcePlace::Lent(_)) && !entry.is_lent() {
            entry.place = ResourcePlace::Nowhere;
        }
        entry
    }

    #[inline]
    pub(crate) fn get<T: Resource>(&self) -> Option<&T> {
        self.entries.get(number_of::<T>() as usize)?.get()
    }

    #[inline]
    pub(crate) fn get_mut<T: Resource>(&mut self) -> Option<&mut T> {
        self.entries.get_mut(number_of::<T>() as usize)?.get_mut()
    }

    /// Returns the version of the `T`, or 0 if there never was one.
    #[inline]
    pub(crate) fn version<T: Resource>(&self) -> u64 {
        self.entry(number_of::<T>()).version
    }

    /// Reports that there is no `T`, and the reason.
    ///
    /// # Panics
    /// Always panics.
    #[cold]
    #[inline(never)]
    #[track_caller]
    pub(crate) fn missing<T: Resource>(&self) -> ! {
        missing::<T>(self.entry(number_of::<T>()).is_lent(), None)
    }

    /// Inserts a value, and returns the replaced one, if there was one.
    ///
    /// # Panics
    /// Panics if it is lent.
    #[track_caller]
    pub(crate) fn insert<T: Resource>(&mut self, value: T) -> Option<T> {
        let turn = self.next_turn();
        let entry = self.entry_mut(number_of::<T>());
        if entry.is_lent() {
            missing::<T>(true, None);
        }
        entry.turn = turn;
        if let Some(old) = entry.get_mut() {
            return Some(mem::replace(old, value));
        }
        entry.replace(ResourcePlace::Here(NamedResource::new(value)));
        #[cfg(feature = "serde")]
        self.register::<T>();
        None
    }

    /// Removes and returns the value.
    ///
    /// # Panics
    /// Panics if it is lent, as it will be returned.
    #[track_caller]
    pub(crate) fn remove<T: Resource>(&mut self) -> Option<T> {
        let entry = self.entries.get_mut(number_of::<T>() as usize)?;
        match entry.place {
            ResourcePlace::Lent(_) if entry.is_lent() => missing::<T>(true, None),
            ResourcePlace::Nowhere | ResourcePlace::Lent(_) => return None,
            ResourcePlace::Here(_) => {}
        }
        let ResourcePlace::Here(named) = entry.replace(ResourcePlace::Nowhere) else { return None };
        named.value.downcast().ok().map(|value| *value)
    }

    /// Takes the `T`, to be [put back](Self::put_back). Returns its number, the value, and the scope, to be dropped
    /// after that.
    ///
    /// # Panics
    /// Panics if there is none.
    #[track_caller]
    pub(crate) fn take<T: Resource>(&mut self) -> (u32, NamedResource, Scope) {
        let number = number_of::<T>();
        let entry = self.entry_mut(number);
        match mem::replace(&mut entry.place, ResourcePlace::Lent(AboutResource::of::<T>())) {
            ResourcePlace::Here(named) => {
                (number, named, entry.scope.get_or_insert_default().clone())
            }
            other => {
                entry.place = other;
                missing::<T>(entry.is_lent(), None)
            }
        }
    }

    /// Puts a resource back. Returns it instead if there is one: so these belong to another world.
    pub(crate) fn put_back(&mut self, number: u32, named: NamedResource) -> Option<NamedResource> {
        let turn = self.next_turn();
        let entry = self.entry_mut(number);
        match entry.place {
            ResourcePlace::Here(_) => return Some(named),
            ResourcePlace::Lent(_) => {} // it keeps its turn
            ResourcePlace::Nowhere => entry.turn = turn,
        }
        entry.replace(ResourcePlace::Here(named));
        None
    }

    /// Returns the resource with this number, for the only member of a split that needs one.
    #[inline]
    pub(crate) fn lend_one(&mut self, number: u32) -> Loan<'_> {
        self.entries.get_mut(number as usize).map_or(Loan::Nothing, Loan::Exclusive)
    }

    /// Returns the resources that are not copied into these: their names if they are left out, and other names if
    /// they may not be copied. Resources that stay by their type are not named.
    #[inline]
    pub(crate) fn uncopied(&self, from: &Self, left_out: &LeftOut) -> Uncopied {
        let mut all = Uncopied::default();
        let numbers = self.entries.len().max(from.entries.len());
        for number in (0..).take(numbers) {
            let (own, other) = (self.entry(number).about(), from.entry(number).about());
            let Some((about, _)) = other.or(own).filter(|(about, _)| !about.skips_copies) else {
                continue;
            };
            let is_lent = [own, other].into_iter().flatten().any(|(_, is_lent)| is_lent);
            let is_named = left_out.resources.contains(&number);
            match about.clone {
                _ if is_named || about.clone.is_none() && left_out.rest => {
                    all.left_out.extend(other.map(|_| about.name));
                }
                Some(_) if !is_lent => {}
                Some(_) => all.lent.push(about.name),
                None => all.missing.push(about.name),
            }
        }
        for names in [&mut all.left_out, &mut all.missing, &mut all.lent] {
            sort_few(names, PartialOrd::lt);
        }
        all
    }

    /// Returns the types of the resources that do this in the snapshots of programs.
    #[inline]
    pub(crate) fn types_in_snapshots(&self, how: InSnapshot) -> Vec<&'static str> {
        let here = self.entries.iter().filter_map(ResourceEntry::here);
        let found = here.filter(|named| named.in_snapshot() == how);
        found.map(|named| (named.about.type_name)()).collect()
    }

    /// Makes the resources that take part in snapshots of programs, though they stay when their world is copied, copies
    /// of others. A resource that stays in snapshots, too, keeps its value.
    #[inline]
    pub(crate) fn copy_for_snapshot(&mut self, from: &Self) {
        let numbers = self.entries.len().max(from.entries.len());
        for number in (0..).take(numbers) {
            let copy = from.entry(number).here().and_then(NamedResource::copy_for_snapshot);
            let takes_part = |named: &NamedResource| named.in_snapshot() == InSnapshot::Copied;
            if copy.is_none() && !self.entry(number).here().is_some_and(takes_part) {
                continue;
            }
            let turn = self.next_turn();
            let entry = self.entry_mut(number);
            if !matches!(entry.place, ResourcePlace::Here(_)) {
                entry.turn = turn;
            }
            drop(entry.replace(copy.map_or(ResourcePlace::Nowhere, ResourcePlace::Here)));
        }
    }

    /// Replaces these resources by copies of others, unless their type says that they stay, or they are left out. All
    /// others may be copied.
    #[inline]
    pub(crate) fn copy_from(&mut self, from: &Self, left_out: &LeftOut) {
        #[cfg(feature = "serde")]
        self.register_all(from);
        let numbers = self.entries.len().max(from.entries.len());
        let turns = self.turn;
        self.turn += from.turn;
        for number in (0..).take(numbers) {
            let about = from.entry(number).about().or_else(|| self.entry(number).about());
            let is_copied = |about: &AboutResource| about.clone.is_some() && !about.skips_copies;
            if left_out.resources.contains(&number) || !about.is_some_and(|(it, _)| is_copied(it)) {
                continue;
            }
            let turn = turns + from.entry(number).turn; // copies are dropped in the order of their originals
            let copy = from.entry(number).here().and_then(NamedResource::copy);
            let place = copy.map_or(ResourcePlace::Nowhere, ResourcePlace::Here);
            let entry = self.entry_mut(number);
            entry.turn = turn;
            drop(entry.replace(place));
        }
        self.keep_turns_small();
    }

    /// Counts turns from 1 on again, before they overflow: worlds that are copied to and fro add each other's turns.
    #[inline]
    pub(crate) fn keep_turns_small(&mut self) {
        if self.turn < MOST_TURNS {
            return;
        }
        let mut turns: Vec<u64> = self.entries.iter().map(|entry| entry.turn).collect();
        turns.sort_unstable();
        for entry in &mut self.entries {
            entry.turn = turns.partition_point(|turn| *turn < entry.turn) as u64;
        }
        self.turn = turns.len() as u64;
    }

    /// Returns the resources of the members, in turn.
    pub(crate) fn lend(&mut self, members: &[Access]) -> [Loan<'_>; MOST_LOANS] {
        let mut loans = [const { Loan::Nothing }; MOST_LOANS];
        let (mut asked, mut len) = ([(0, false); MOST_LOANS], 0);
        for member in members {
            member.for_each_resource(&mut |resource| {
                asked[len] = resource;
                len += 1;
            });
        }
        let asked = &asked[..len];
        let (mut rest, mut passed) = (self.entries.as_mut_slice(), 0);
        loop {
            // The next resource, the first that asks for it, and whether one writes it.
            let (mut next, mut first, mut is_written) = (u32::MAX, 0, false);
            for (at, &(number, writes)) in asked.iter().enumerate() {
                if number == next {
                    is_written |= writes;
                } else if number >= passed && number < next {
                    (next, first, is_written) = (number, at, writes);
                }
            }
            let behind = mem::take(&mut rest).get_mut((next - passed) as usize..);
            let Some([entry, behind @ ..]) = behind else { return loans };
            (rest, passed) = (behind, next + 1);
            if is_written {
                loans[first] = Loan::Exclusive(entry);
                continue;
            }
            for (loan, (number, _)) in loans.iter_mut().zip(asked) {
                if *number == next {
                    *loan = Loan::Shared(entry);
                }
            }
        }
    }

    /// Returns a lender for members that ask for `count` resources. One resource is found immediately, and several are
    /// selected from the list; for many, all are listed.
    #[inline]
    pub(crate) fn lender(&mut self, members: &[Access], count: usize) -> Lender<'_> {
        match count {
            0 | 1 => Lender::One(Some(self)),
            _ if count <= MOST_LOANS => Lender::Several(self.lend(members).into_iter()),
            _ => Lender::of_all(self),
        }
    }

    /// Returns the resource with this number, for reading.
    pub(crate) fn loan(&self, number: u32) -> Loan<'_> {
        self.entries.get(number as usize).map_or(Loan::Nothing, Loan::Shared)
    }

    /// Returns the bytes on the heap, without memory that resources own.
    #[inline]
    pub(crate) fn memory(&self) -> usize {
        let values = self
            .entries
            .iter()
            .map(|entry| entry.here().map_or(0, |named| size_of_val(&*named.value)));
        self.entries.capacity() * size_of::<ResourceEntry>() + values.sum::<usize>()
    }
}

impl Drop for Resources {
    fn drop(&mut self) {
        self.entries.reverse(); // a list drops its first element first
        sort_few(&mut self.entries, |a, b| a.turn > b.turn);
    }
}

/// Displays the names of the resources.
impl fmt::Debug for Resources {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names =
            self.entries.iter().filter_map(|entry| entry.here().map(|named| named.about.name));
        f.debug_list().entries(names).finish()
    }
}

/// Up to this many are selected without a list of all.
pub(crate) const MOST_LOANS: usize = 12;

/// The loan of a member of a split: nothing, if it needs no resource, or there never was one.
#[doc(hidden)]
#[derive(Debug, Default)]
pub enum Loan<'w> {
    #[default]
    Nothing,
    Shared(&'w ResourceEntry),
    Exclusive(&'w mut ResourceEntry),
    World(&'w ResourceData),
}

/// Lends resources to members in turn.
#[doc(hidden)]
#[expect(clippy::large_enum_variant, reason = "it lives on the stack, as long as a borrow is made")]
#[derive(Debug)]
pub enum Lender<'w> {
    /// To members that ask for one resource together.
    One(Option<&'w mut Resources>),
    /// These loans, in order.
    Several(array::IntoIter<Loan<'w>, MOST_LOANS>),
    /// Each to all members that read it, or to the first one that writes it.
    All(Vec<Loan<'w>>),
    /// To members that read, one of them the world.
    Readers(&'w ResourceData, &'w Resources),
}

impl<'w> Lender<'w> {
    /// Returns a lender of any resources.
    pub(crate) fn of_all(resources: &'w mut Resources) -> Self {
        Self::All(resources.entries.iter_mut().map(Loan::Exclusive).collect())
    }

    /// Returns the resource of a member; nothing, if it was lent for writing.
    #[inline]
    pub(crate) fn lend(&mut self, member: &Access) -> Loan<'w> {
        match self {
            Self::One(resources) => match resources.take().zip(member.resource()) {
                Some((resources, (number, _))) => resources.lend_one(number),
                None => Loan::Nothing,
            },
            Self::Several(loans) => loans.next().unwrap_or_default(),
            Self::All(entries) => Self::lend_of_all(entries, member),
            Self::Readers(world, resources) => match member.resource() {
                Some((number, _)) => resources.loan(number),
                None => Loan::World(*world),
            },
        }
    }

    fn lend_of_all(entries: &mut [Loan<'w>], member: &Access) -> Loan<'w> {
        let asked = member.resource();
        let found =
            asked.and_then(|(number, writes)| Some((entries.get_mut(number as usize)?, writes)));
        let Some((place, writes)) = found else { return Loan::Nothing };
        match mem::take(place) {
            Loan::Exclusive(entry) if !writes => *place = Loan::Shared(entry),
            whole if writes => return whole,
            other => *place = other,
        }
        if let Loan::Shared(entry) = place { Loan::Shared(entry) } else { Loan::Nothing }
    }
}

impl<'w> Loan<'w> {
    /// Returns the world, which must be a `W`.
    pub(crate) fn whole<W: Any>(self) -> Option<&'w W> {
        let Self::World(world) = self else { return None };
        world.downcast_ref()
    }

    /// Returns the resource, if there is one.
    fn read<T: Resource>(self) -> Option<&'w T> {
        match self {
            Self::Nothing | Self::World(_) => None,
            Self::Shared(entry) => entry.get(),
            Self::Exclusive(entry) => entry.get(),
        }
    }

    /// Returns the resource, if there is one, and it was lent to no other member.
    fn write<T: Resource>(self) -> Option<&'w mut T> {
        match self {
            Self::Nothing | Self::Shared(_) | Self::World(_) => None,
            Self::Exclusive(entry) => entry.get_mut(),
        }
    }

    fn is_lent(&self) -> bool {
        match self {
            Self::Nothing | Self::World(_) => false,
            Self::Shared(entry) => entry.is_lent(),
            Self::Exclusive(entry) => entry.is_lent(),
        }
    }
}
