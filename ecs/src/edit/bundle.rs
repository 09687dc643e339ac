//! Components that are inserted together.

use crate::component::data::UniqueValue;
use crate::component::id::ComponentId;
use crate::component::rules::{DeclaredRule, PartingRule, RuledComponent};
use crate::component::slot::ComponentIndex;
use crate::component::{self, AnyComponent, Hook, Requirer, index_of, target_of};
use crate::edit::commit::{self, Inserted};
use crate::entities::Entities;
use crate::entity::Entity;
use crate::group::groups::Groups;
use crate::internal::{Implies, Internal, KnownBundle};
use crate::notify::change_log::Change;
use crate::pool::Pool;
use crate::pool::kind::Kind;
use crate::pool::pools::{LastPosition, Pools};
use crate::relation::ends::{Pointing, RelateError};
use crate::signature::Signature;
use crate::text::Text;
use crate::tuples::{each, for_each_tuple};

/// Components that are inserted together: one component, a tuple of bundles (to 12), or a struct with
/// `#[derive(Bundle)]` and fields that are bundles.
///
/// A bundle that contains a component twice does not compile, unless its type is generic: then the later value stays.
///
/// ```
/// use ecs::{Bundle, Component, World};
///
/// #[derive(Component, Default)]
/// struct Position { x: f32, y: f32 }
/// #[derive(Component)]
/// struct Health(u32);
///
/// #[derive(Bundle)]
/// struct Soldier { position: Position, health: Health }
///
/// let mut world = World::new();
/// let a = world.spawn(Soldier { position: Position::default(), health: Health(3) }).id();
/// let b = world.spawn((Position { x: 1.0, y: 2.0 }, Health(4))).id();
/// assert!(world.has::<(Position, Health)>(a) && world.has::<(Position, Health)>(b));
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is neither a component nor a bundle",
    label = "cannot be inserted into an entity",
    note = "add `#[derive(Component)]` to data of yours, `#[derive(Bundle)]` to a struct of components; put a value of \
            another type into a struct of yours; tuples of up to 12 bundles are bundles; a type parameter has the bound \
            `Bundle`"
)]
pub trait Bundle: Sized + Send + Sync + 'static {
    /// The bits of its components.
    ///
    /// ```
    /// # use ecs::{Bundle, AnyComponent, Component};
    /// # #[derive(Component)] struct Position(f32);
    /// # #[derive(Component)] struct Health(u32);
    /// assert_eq!(<(Position, Health)>::SIGNATURE, Position::BIT.union(Health::BIT));
    /// ```
    const SIGNATURE: Signature = Self::PART.signature();

    /// The bundle as a part of another.
    #[doc(hidden)]
    const PART: Part = Part::List(<Self::This as Contents<Self>>::PARTS);

    /// The bundle itself, which has the contents.
    #[doc(hidden)]
    type This: Contents<Self>;
}

/// The only impl: `rustc` has no others to list, and reports the element of a tuple that is no bundle.
impl<T: KnownBundle> Bundle for T
where
    T::This: Contents<T>,
{
    type This = T::This;
}

/// The contents of a bundle `T`: implemented for `T` itself.
#[doc(hidden)]
pub trait Contents<T>: Implies<T, Is: Send + Sync + 'static> {
    /// The bundle's name, for messages about its fields.
    const LABEL: &'static str = "";
    /// The names of its fields, for messages: a component has none.
    const FIELDS: &'static [&'static str] = &[];
    /// The components, for messages.
    const PARTS: &'static [Part];

    /// Returns the components of this bundle.
    fn into_parts(bundle: T) -> impl Parts;
}

/// The type that implements the contents of `B`.
pub(crate) type This<B> = <B as Bundle>::This;

/// The components of a bundle, at compile time.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub enum Part {
    Component {
        id: ComponentId,
        bit: Signature,
        name: &'static str,
        rules: &'static [DeclaredRule],
    },
    List(&'static [Self]),
}

impl Part {
    /// Returns the part of a bundle.
    #[must_use]
    pub const fn of_bundle<B: Bundle>() -> Self {
        B::PART
    }

    /// Returns the part of one component.
    #[must_use]
    pub const fn of<T: AnyComponent>() -> Self {
        Self::Component { id: T::ID, bit: T::BIT, name: T::NAME, rules: T::RULES }
    }

    const fn signature(self) -> Signature {
        match self {
            Self::Component { bit, .. } => bit,
            Self::List(parts) => {
                let mut all = Signature::EMPTY;
                each!(parts, |part| all = all.union(part.signature()));
                all
            }
        }
    }
}

/// Returns the name of a component that both parts have, by ids, and `true` if that is certain.
const fn shared(a: &Part, b: &Part) -> Option<(&'static str, bool)> {
    match (a, b) {
        (Part::Component { id, name, .. }, Part::Component { id: other, .. }) => {
            if id.same(*other) { Some((name, id.is_exact() && other.is_exact())) } else { None }
        }
        (Part::List(parts), one) | (one, Part::List(parts)) => {
            each!(parts, |part| if let Some(shared) = shared(part, one) {
                return Some(shared);
            });
            None
        }
    }
}

/// Returns the name of a component that is certainly twice among these parts.
const fn repeated(part: &Part) -> Option<&'static str> {
    let Part::List(parts) = part else { return None };
    each!(parts, |at, part| {
        if let Some(name) = repeated(part) {
            return Some(name);
        }
        each!(parts.split_at(at).0, |other| if let Some((name, true)) = shared(other, part) {
            return Some(name);
        });
    });
    None
}

impl Part {
    const fn component(&self) -> Option<RuledComponent> {
        match self {
            Self::Component { id, name, rules, .. } => {
                Some(RuledComponent { id: *id, name, rules })
            }
            Self::List(_) => None,
        }
    }

    /// Returns `true` if this component, or one that it requires, may be the needed one.
    const fn may_bring(&self, needed: &DeclaredRule) -> bool {
        match self {
            Self::List(parts) => {
                each!(parts, |part| if part.may_bring(needed) {
                    return true;
                });
                false
            }
            Self::Component { .. } => {
                matches!(self.component(), Some(own) if own.may_bring(needed))
            }
        }
    }

    /// Returns the names of a component and of one that it needs and `whole` lacks.
    const fn lacking(&self, whole: &Self) -> Option<(&'static str, &'static str)> {
        match self {
            Self::List(parts) => {
                each!(parts, |part| if let found @ Some(_) = part.lacking(whole) {
                    return found;
                });
                None
            }
            Self::Component { name, rules, .. } => {
                each!(rules, |rule| if rule.is_need() && !whole.may_bring(rule) {
                    return Some((name, rule.name));
                });
                None
            }
        }
    }
}

/// Returns the rule by which no entity has a component of both parts.
const fn parting(a: &Part, b: &Part) -> Option<PartingRule> {
    match (a, b) {
        (Part::List(parts), one) | (one, Part::List(parts)) => {
            each!(parts, |part| if let found @ Some(_) = parting(part, one) {
                return found;
            });
            None
        }
        _ => match (a.component(), b.component()) {
            (Some(a), Some(b)) => a.parted_from(&b),
            _ => None,
        },
    }
}

/// Returns the rule by which no entity has all components of a part.
const fn parting_within(part: &Part) -> Option<PartingRule> {
    let Part::List(parts) = part else { return None };
    each!(parts, |at, part| {
        if let found @ Some(_) = parting_within(part) {
            return found;
        }
        each!(parts.split_at(at).0, |other| if let found @ Some(_) = parting(other, part) {
            return found;
        });
    });
    None
}

/// Returns `true` if no two components can be of one type.
#[inline]
pub(crate) const fn is_distinct(part: &Part) -> bool {
    let Part::List(parts) = part else { return true };
    each!(parts, |at, part| {
        if !is_distinct(part) {
            return false;
        }
        each!(parts.split_at(at).0, |other| if shared(other, part).is_some() {
            return false;
        });
    });
    true
}

/// Returns the beginning of a message about two fields of a bundle.
const fn say_fields(bundle: &str, one: &str, other: &str) -> Text {
    Text::new()
        .push("bundle `")
        .push(bundle)
        .push("`: fields `")
        .push(one)
        .push("` and `")
        .push(other)
}

/// Checks the field at `at` of a bundle, with this name and these fields, against those before it: in a constant, a
/// compile error if both contain one component.
///
/// # Panics
/// Panics if they do.
#[doc(hidden)]
#[track_caller]
pub const fn check_bundle_field(bundle: &str, fields: &[&str], parts: &[Part], at: usize) {
    if let Some(name) = repeated(&parts[at]) {
        Text::new()
            .push("bundle `")
            .push(bundle)
            .push("`: field `")
            .push(fields[at])
            .push("` holds `")
            .push(name)
            .push("` twice; an entity holds a component once")
            .panic()
    }
    if let Some((of, verb, other)) = parting_within(&parts[at]) {
        Text::new()
            .push("bundle `")
            .push(bundle)
            .push("`: field `")
            .push(fields[at])
            .push("` holds `")
            .push(of)
            .push("`, which ")
            .push(verb)
            .push(" `")
            .push(other)
            .push("` beside it; no entity has both")
            .panic()
    }
    let mut before = 0;
    while before < at {
        if let Some((of, verb, other)) = parting(&parts[before], &parts[at]) {
            say_fields(bundle, fields[before], fields[at])
                .push("`: `")
                .push(of)
                .push("` ")
                .push(verb)
                .push(" `")
                .push(other)
                .push("`; no entity has both")
                .panic()
        }
        if let Some((name, true)) = shared(&parts[before], &parts[at]) {
            say_fields(bundle, fields[before], fields[at])
                .push("` both hold `")
                .push(name)
                .push("`; an entity holds a component once")
                .panic()
        }
        before += 1;
    }
}

/// Checks a bundle against itself.
#[track_caller]
pub(crate) const fn check_bundle<B: Bundle>() {
    let mut at = 0;
    while at < This::<B>::PARTS.len() {
        check_bundle_field(This::<B>::LABEL, This::<B>::FIELDS, This::<B>::PARTS, at);
        at += 1;
    }
}

/// Checks a bundle for new entities: against itself, and for the components that its components need.
#[track_caller]
pub(crate) const fn check_new_bundle<B: Bundle>() {
    check_bundle::<B>();
    let whole = Part::List(This::<B>::PARTS);
    if let Some((name, needed)) = whole.lacking(&whole) {
        let text = match This::<B>::LABEL.len() {
            0 => Text::new(),
            _ => Text::new().push("bundle `").push(This::<B>::LABEL).push("`: "),
        };
        text.push("`")
            .push(name)
            .push("` needs `")
            .push(needed)
            .push("`, which a new entity lacks: spawn both in one bundle")
            .panic()
    }
}

/// Checks the components that a bundle returns against the ones that it names.
#[track_caller]
const fn check_parts<B: Bundle, P: Parts>() {
    let (given, named) = (P::PART.signature(), B::SIGNATURE);
    if !given.contains(named) || !named.contains(given) {
        Text::new()
            .push("bundle `")
            .push(This::<B>::LABEL)
            .push("` gives other components than it names: derive `Bundle`")
            .panic()
    }
}

/// Returns the components of a bundle; a compile error if they differ from the ones that it names.
///
/// Not always inlined: in an unoptimised build, its moves would need the stack of its caller.
#[inline]
pub(crate) fn parts_of<B: Bundle>(bundle: B) -> impl Parts {
    const fn check<B: Bundle, P: Parts>(_: fn(B) -> P) {
        const { check_parts::<B, P>() };
    }
    check(This::<B>::into_parts);
    This::<B>::into_parts(bundle)
}

/// The components of a bundle: [`One`], or a tuple of such.
///
/// A bundle may be written by hand, and wrongly. But only the library implements this trait: so the inserted components
/// are the expected ones, and the bundle's own description affects messages only.
#[doc(hidden)]
pub trait Parts: Sized + 'static + sealed::Sealed {
    /// The components, at compile time.
    const PART: Part;
    /// Their bits, independent of the bundle's description.
    const BITS: Signature;

    /// The pools to which such parts are pushed.
    type Taken;

    /// `true` if any of them requires others.
    const REQUIRES: bool;
    /// `true` if any of them is a relation.
    const RELATES: bool;
    /// `true` if any of them is unique.
    const UNIQUE: bool;
    /// `true` if any of them, or one that comes with them, may have rules.
    const RULED: bool;
    /// `true` if an entity may be refused them.
    const IS_CHECKED: bool = Self::RELATES || Self::UNIQUE || Self::RULED;
    /// The number of components with a hook that is called on insertion.
    const HOOKED: usize;

    /// `true` if one hook is the only listener of unwatched components: the inserting code calls it.
    const HAVE_LONE_HOOK: bool = Self::HOOKED == 1 && !Self::REQUIRES;

    /// Returns `true` if their insertion may be watched, or the insertion of components that they require,
    /// except by [one hook](Self::HAVE_LONE_HOOK).
    #[must_use]
    #[inline(always)]
    fn may_be_watched(pools: &Pools) -> bool {
        let watch = &pools.watch;
        if const { Self::REQUIRES } {
            watch.is_any()
        } else {
            (const { Self::HOOKED > 1 }) || watch.may_be(Change::Insert, Self::BITS)
        }
    }

    /// Calls `add` with the relations among them.
    fn pointings(&self, add: &mut dyn FnMut(Pointing));

    /// Calls `check` with the unique components.
    fn uniques(&self, check: &mut dyn FnMut(UniqueValue<'_>));

    /// Calls `add` with their numbers.
    fn numbers(add: &mut dyn FnMut(u32));

    /// Calls `add` with their kinds.
    fn kinds(add: &mut dyn FnMut(Kind));

    /// Inserts them into an entity. Returns `false`, and drops them, if it is not alive.
    fn insert(self, target: &mut Inserter<'_>) -> bool;

    /// Marks some of the components: a `bool` for each.
    type Marks: Copy;
    /// Marks all components.
    const ALL: Self::Marks;

    /// Inserts the components that the living entity lacks, drops the others, and returns which it inserted.
    fn insert_absent(self, target: &mut Inserter<'_>) -> Self::Marks;

    /// Inserts the components that the marked ones, which the entity has, require and it lacks. To be called only if
    /// [`REQUIRES`](Self::REQUIRES) is `true`, so that it is not compiled for other bundles.
    fn require(target: &mut Inserter<'_>, by: Self::Marks);

    /// Calls `add` with the numbers of these pools' components, without user code.
    fn taken_numbers(taken: &Self::Taken, add: &mut dyn FnMut(u32));

    /// Creates the pools, and makes room in them for `additional` components, where at most `most` entities can have
    /// one. Does not take the pools yet.
    fn prepare(pools: &mut Pools, additional: usize, most: usize) -> Self::Taken;

    /// Pushes the values; their entities must follow.
    fn push(self, taken: &mut Self::Taken);

    /// Takes the pools out of the world, or puts them back. No user code runs.
    fn exchange(taken: &mut Self::Taken, pools: &mut Pools);
}

/// A field of a derived bundle, to be divided.
#[doc(hidden)]
#[derive(Debug)]
pub struct PartOf<T>(pub T);

impl<B: Bundle> PartOf<B> {
    #[inline(always)]
    pub fn into_parts(self) -> impl Parts {
        This::<B>::into_parts(self.0)
    }
}

/// The methods of a [`PartOf`] that is no bundle, which do nothing: so the compiler reports an error at the field, and
/// not again at the derive.
#[doc(hidden)]
pub trait NoBundle: Sized {
    fn into_parts(self) -> impl Parts {}
}

impl<T> NoBundle for PartOf<T> {}

/// One component.
#[doc(hidden)]
#[derive(Debug)]
pub struct One<T>(T);

impl<T: AnyComponent> One<T> {
    #[inline(always)]
    pub const fn new(component: T) -> Self {
        Self(component)
    }
}

/// A pool that is taken out of the world while values are pushed to it.
#[doc(hidden)]
pub struct Taken<T: AnyComponent> {
    /// The number, requested once before anything is changed: user code, which may panic.
    index: ComponentIndex<T>,
    /// The pool, or an empty one when it is not taken.
    pool: Pool<T>,
}

impl<T: AnyComponent> Parts for One<T> {
    /// The part as the library sees it: a component's own impl of `Bundle` may be wrong.
    const PART: Part = Part::of::<T>();
    const BITS: Signature = T::BIT;
    const REQUIRES: bool = T::REQUIRES;
    const RELATES: bool = T::RELATION.is_some();
    const UNIQUE: bool = T::UNIQUE;
    const RULED: bool = T::RULED;
    const HOOKED: usize = T::HOOKS.is_any_of_insertions() as usize;

    type Taken = Taken<T>;

    #[inline]
    fn pointings(&self, add: &mut dyn FnMut(Pointing)) {
        Pointing::of(&self.0).into_iter().for_each(add);
    }

    #[inline]
    fn uniques(&self, check: &mut dyn FnMut(UniqueValue<'_>)) {
        unique_of(&self.0).into_iter().for_each(check);
    }

    fn numbers(add: &mut dyn FnMut(u32)) {
        add(index_of::<T>().get());
    }

    fn kinds(add: &mut dyn FnMut(Kind)) {
        add(Kind::of::<T>());
    }

    #[inline(always)] // the use of `target` is evident where it is made
    fn insert(mut self, target: &mut Inserter<'_>) -> bool {
        let points_to = target_of(&self.0);
        let Some(Entered { number, pool, is_new }) = target.enter(&mut self.0) else {
            return false;
        };
        let last = if is_new {
            pool.push_value(self.0);
            LastPosition::last_of(pool)
        } else {
            LastPosition::NOWHERE
        };
        target.inserted::<T>(number, is_new, points_to, last);
        true // drops a replaced value
    }

    type Marks = bool;
    const ALL: bool = true;

    #[inline]
    fn insert_absent(self, target: &mut Inserter<'_>) -> bool {
        !target.has::<T>() && self.insert(target)
    }

    #[inline]
    fn require(target: &mut Inserter<'_>, by: bool) {
        if by {
            T::require(Internal::CALL, target);
        }
    }

    #[inline]
    fn taken_numbers(taken: &Taken<T>, add: &mut dyn FnMut(u32)) {
        add(taken.index.get());
    }

    fn prepare(pools: &mut Pools, additional: usize, most: usize) -> Taken<T> {
        let index = index_of::<T>();
        let pool = pools.get_or_create::<T>();
        pool.reserve(additional.min(most.saturating_sub(pool.len())));
        Taken { index, pool: Pool::<T>::default() }
    }

    #[inline(always)]
    fn push(self, taken: &mut Taken<T>) {
        taken.pool.push_value(self.0);
    }

    #[inline]
    fn exchange(taken: &mut Taken<T>, pools: &mut Pools) {
        if let Some(pool) = pools.get_mut_at(taken.index) {
            core::mem::swap(pool, &mut taken.pool);
        }
    }
}

impl Parts for () {
    const PART: Part = Part::List(&[]);
    const BITS: Signature = Signature::EMPTY;
    const REQUIRES: bool = false;
    const RELATES: bool = false;
    const UNIQUE: bool = false;
    const RULED: bool = false;
    const HOOKED: usize = 0;

    type Taken = ();

    fn pointings(&self, _: &mut dyn FnMut(Pointing)) {}
    fn uniques(&self, _: &mut dyn FnMut(UniqueValue<'_>)) {}
    fn numbers(_: &mut dyn FnMut(u32)) {}
    fn kinds(_: &mut dyn FnMut(Kind)) {}
    fn insert(self, target: &mut Inserter<'_>) -> bool {
        target.is_alive()
    }
    type Marks = ();
    const ALL: () = ();

    fn insert_absent(self, _: &mut Inserter<'_>) {}
    fn require(_: &mut Inserter<'_>, (): ()) {}
    fn taken_numbers(_: &(), _: &mut dyn FnMut(u32)) {}
    fn prepare(_: &mut Pools, _: usize, _: usize) {}
    fn push(self, _: &mut ()) {}
    fn exchange((): &mut (), _: &mut Pools) {}
}

macro_rules! parts_for_tuple {
    ($($name:ident $index:tt $next:tt,)+) => {
        impl<$($name: Parts),+> Parts for ($($name,)+) {
            const PART: Part = Part::List(&[$($name::PART),+]);
            const BITS: Signature = Signature::EMPTY$(.union($name::BITS))+;
            const REQUIRES: bool = $($name::REQUIRES)||+;
            const RELATES: bool = $($name::RELATES)||+;
            const UNIQUE: bool = $($name::UNIQUE)||+;
            const RULED: bool = $($name::RULED)||+;
            const HOOKED: usize = 0 $(+ $name::HOOKED)+;

            type Taken = ($($name::Taken,)+);

            #[inline]
            fn pointings(&self, add: &mut dyn FnMut(Pointing)) {
                $(if const { $name::RELATES } {
                    self.$index.pointings(add);
                })+
            }

            #[inline]
            fn uniques(&self, check: &mut dyn FnMut(UniqueValue<'_>)) {
                $(if const { $name::UNIQUE } {
                    self.$index.uniques(check);
                })+
            }

            fn numbers(add: &mut dyn FnMut(u32)) {
                $($name::numbers(add);)+
            }

            fn kinds(add: &mut dyn FnMut(Kind)) {
                $($name::kinds(add);)+
            }

            #[inline(always)]
            fn insert(self, target: &mut Inserter<'_>) -> bool {
                // Without a branch: all or none return `true`.
                true $(& self.$index.insert(target))+
            }

            type Marks = ($($name::Marks,)+);
            const ALL: Self::Marks = ($($name::ALL,)+);

            #[inline]
            fn insert_absent(self, target: &mut Inserter<'_>) -> Self::Marks {
                ($(self.$index.insert_absent(target),)+)
            }

            #[inline]
            fn require(target: &mut Inserter<'_>, by: Self::Marks) {
                $(if const { $name::REQUIRES } {
                    $name::require(target, by.$index);
                })+
            }

            #[inline]
            fn taken_numbers(taken: &Self::Taken, add: &mut dyn FnMut(u32)) {
                $($name::taken_numbers(&taken.$index, add);)+
            }

            fn prepare(pools: &mut Pools, additional: usize, most: usize) -> Self::Taken {
                ($($name::prepare(pools, additional, most),)+)
            }

            #[inline(always)]
            fn push(self, taken: &mut Self::Taken) {
                $(self.$index.push(&mut taken.$index);)+
            }

            #[inline]
            fn exchange(taken: &mut Self::Taken, pools: &mut Pools) {
                $($name::exchange(&mut taken.$index, pools);)+
            }
        }

        impl<$($name),+> sealed::Sealed for ($($name,)+) {}
    };
}
for_each_tuple!(parts_for_tuple);

mod sealed {
    pub trait Sealed {}
    impl Sealed for () {}
    impl<T> Sealed for super::One<T> {}
}

/// Returns this value for a check, if the component is unique.
#[inline(always)]
pub(crate) fn unique_of<T: AnyComponent>(value: &T) -> Option<UniqueValue<'_>> {
    if const { !T::UNIQUE } {
        return None;
    }
    Some(UniqueValue { number: index_of::<T>().get(), name: T::NAME, rule: T::INDEX?, value })
}

/// The pool of a component that an entity is being given.
struct Entered<'a, T: AnyComponent> {
    number: u32,
    pool: &'a mut Pool<T>,
    /// `true` if the entity had none before: its value is to be pushed next.
    is_new: bool,
}

/// An entity that is being given components.
pub(crate) enum Recipient<'a> {
    /// It was just made, has no components, and gets each only once. Nothing is completed yet.
    Fresh {
        /// The components with numbers below 64 that it got, one bit each.
        low: u64,
    },
    /// It may have components. Each insertion is completed at once.
    Existing {
        /// The groups of the world; `None` if the bundle's components were unwatched when it began.
        groups: Option<&'a mut Groups>,
        /// `true` if the edit added rows.
        has_rows: bool,
    },
}

impl Recipient<'_> {
    pub(crate) const FRESH: Self = Self::Fresh { low: 0 };
    /// An entity with unwatched components, unless one becomes watched when its pool is created.
    pub(crate) const UNWATCHED: Self = Self::Existing { groups: None, has_rows: false };
}

/// Puts the components of one bundle into the pools.
#[doc(hidden)]
pub struct Inserter<'a> {
    pools: &'a mut Pools,
    entities: &'a mut Entities,
    entity: Entity,
    recipient: Recipient<'a>,
    /// `true` if a hook adds no row, but is called by the inserting code; and that hook.
    keeps_hook: bool,
    hook: Option<Hook>,
}

impl<'a> Inserter<'a> {
    /// Returns an inserter for an entity, and a [lone hook](Self::hook) if it `keeps_hook`.
    #[inline(always)]
    pub(crate) fn new(
        pools: &'a mut Pools,
        entities: &'a mut Entities,
        entity: Entity,
        recipient: Recipient<'a>,
        keeps_hook: bool,
    ) -> Self {
        Self { pools, entities, entity, recipient, keeps_hook, hook: None }
    }

    /// Stores the components of a fresh entity in its record.
    #[inline(always)]
    pub(crate) fn finish(self) {
        if let Recipient::Fresh { low } = self.recipient {
            self.entities.set_low(self.entity, low);
        }
    }

    #[inline]
    fn has<T: AnyComponent>(&self) -> bool {
        self.pools.get::<T>().is_some_and(|pool| pool.contains(self.entity))
    }

    /// Returns `true` if the entity is alive.
    #[inline]
    pub(crate) fn is_alive(&mut self) -> bool {
        self.entities.ensure_alive(self.entity)
    }

    /// Makes the entity, if it is alive, a member of the pool of `T`. Exchanges the value that it has with this one.
    #[inline(always)]
    fn enter<T: AnyComponent>(&mut self, value: &mut T) -> Option<Entered<'_, T>> {
        let Self { pools, entities, entity, recipient, .. } = self;
        let entity = *entity;
        let (number, pool) = pools.get_numbered_mut::<T>(Some((entity, entities)))?;
        let is_new = if let Recipient::Fresh { low } = recipient {
            if number < u64::BITS {
                *low |= 1 << number; // stored together, at the end
            } else {
                entities.add_if_alive(entity, number);
            }
            pool.enter_new(entity);
            true
        } else {
            // The record of the entity is found once. The value comes next; without it, the record has a component too
            // many (E4).
            if !entities.add_if_alive(entity, number) {
                return None;
            }
            pool.enter(entity, value)
        };
        Some(Entered { number, pool, is_new })
    }

    /// Completes the insertion of a component that points to `target` if it is a relation.
    #[inline(always)]
    fn inserted<T: AnyComponent>(
        &mut self,
        number: u32,
        is_new: bool,
        target: Option<Entity>,
        last: LastPosition,
    ) {
        let entity = self.entity;
        let keeps_hook = self.keeps_hook && const { T::HOOKS.is_any_of_insertions() };
        if let Recipient::Existing { groups, has_rows } = &mut self.recipient {
            // A pool with hooks, a relation or an index makes the component watched as soon as it is created.
            let may_be_watched = groups.is_some()
                || const { T::RELATION.is_some() || T::INDEX.is_some() }
                || !keeps_hook && const { T::HOOKS.is_any_of_insertions() };
            if may_be_watched && self.pools.watch.watches_insertion(number) {
                let inserted = Inserted { entity, number, is_new, target, last };
                let groups = groups.as_deref_mut();
                *has_rows =
                    commit::insertion(self.pools, self.entities, groups, inserted, *has_rows);
            }
        }
        if keeps_hook {
            self.hook = if is_new { T::HOOKS.list.on_insert } else { T::HOOKS.list.on_update };
        }
    }

    /// Inserts a required component if the entity lacks it. Returns `true` if it did, or the error of a value that the
    /// entity may not have.
    #[inline(always)]
    fn insert_missing<T: AnyComponent>(
        &mut self,
        make: impl FnOnce() -> T,
    ) -> Result<bool, RelateError> {
        if self.has::<T>() {
            return Ok(false);
        }
        let value = make(); // user code, which may panic: before anything is changed
        if let Some(pointing) = Pointing::of(&value) {
            self.pools.check_pointing(self.entities, Some(self.entity), pointing)?;
        }
        if let Some(unique) = unique_of(&value) {
            self.pools.check_unique(Some(self.entity), &unique)?;
        }
        Ok(One(value).insert(self))
    }

    /// Returns the hook to be called, if it keeps one.
    #[inline(always)]
    pub(crate) fn hook(&self) -> Option<Hook> {
        self.hook
    }

    /// Returns `true` if the edit added rows.
    #[inline(always)]
    pub(crate) const fn has_rows(&self) -> bool {
        matches!(self.recipient, Recipient::Existing { has_rows: true, .. })
    }
}

impl component::sealed::Sealed for Inserter<'_> {}

impl Requirer for Inserter<'_> {
    fn require<T: AnyComponent>(&mut self, make: impl FnOnce() -> T) {
        let is_new = self.insert_missing(make).unwrap_or_else(|error| panic!("{error}"));
        if is_new && const { T::REQUIRES } {
            T::require(Internal::CALL, self);
        }
    }
}

/// Inserts only those required components that `skips` does not contain.
#[cfg(feature = "serde")]
pub(crate) struct FilteredInserter<'a> {
    pub(crate) inserter: Inserter<'a>,
    pub(crate) skips: component::Skips<'a>,
    /// `true` if it inserts no relations.
    pub(crate) leaves_relations: bool,
    /// The error of the first value that the entity may not have.
    pub(crate) refused: Result<(), RelateError>,
}

#[cfg(feature = "serde")]
impl component::sealed::Sealed for FilteredInserter<'_> {}

#[cfg(feature = "serde")]
impl Requirer for FilteredInserter<'_> {
    fn require<T: AnyComponent>(&mut self, make: impl FnOnce() -> T) {
        let kind = Kind::of::<T>();
        let is_left_out = self.leaves_relations && kind.is_relation();
        if is_left_out || (self.skips)(kind.number, kind.saving().is_some(), kind.is_tracked()) {
            return;
        }
        match self.inserter.insert_missing(make) {
            Ok(true) if const { T::REQUIRES } => T::require(Internal::CALL, self),
            Err(error) if self.refused.is_ok() => self.refused = Err(error),
            _ => {}
        }
    }
}

impl Contents<Self> for () {
    const LABEL: &'static str = "()";
    const FIELDS: &'static [&'static str] = &[];
    const PARTS: &'static [Part] = &[];

    fn into_parts((): ()) -> impl Parts {}
}

macro_rules! bundle_for_tuple {
    ($($name:ident $index:tt $next:tt,)+) => {
        impl<$($name: Bundle),+> Contents<Self> for ($($name,)+) {
            const LABEL: &'static str = "(..)";
            const FIELDS: &'static [&'static str] = &[$(stringify!($index)),+];
            const PARTS: &'static [Part] = &[$($name::PART),+];

            #[inline(always)]
            fn into_parts(bundle: Self) -> impl Parts {
                ($(This::<$name>::into_parts(bundle.$index),)+)
            }
        }
    };
}
for_each_tuple!(bundle_for_tuple);
