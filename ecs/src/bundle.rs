//! Components that are inserted together.

use crate::component::Component;
use crate::component::id::ComponentId;
use crate::entity::Entity;
use crate::group::groups::Groups;
use crate::signature::Signature;
use crate::storage::pools::{Placed, Pools};
use crate::text::Text;
use crate::tuples::for_each_tuple;

/// Components that are inserted together: one component, a tuple of bundles (to 12), or a struct
/// with `#[derive(Bundle)]` whose fields are bundles.
///
/// A component that is twice in a bundle does not compile, unless its type is generic: then the
/// later value stays.
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
/// let a = world.spawn_with(Soldier { position: Position::default(), health: Health(3) }).id();
/// let b = world.spawn_with((Position { x: 1.0, y: 2.0 }, Health(4))).id();
/// assert!(world.has::<(Position, Health)>(a) && world.has::<(Position, Health)>(b));
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is neither a component nor a bundle",
    label = "cannot be inserted into an entity",
    note = "add `#[derive(Component)]` to data, `#[derive(Bundle)]` to a struct of components; \
            tuples of up to 12 components are bundles"
)]
pub trait Bundle: Sized + Send + Sync + 'static {
    /// The bundle's name, for messages.
    #[doc(hidden)]
    const LABEL: &'static str;
    /// The names of its fields, for messages.
    #[doc(hidden)]
    const FIELDS: &'static [&'static str];
    /// What it consists of.
    #[doc(hidden)]
    const PARTS: &'static [Part];
    /// The bits of its components.
    #[doc(hidden)]
    const SIGNATURE: Signature = Part::List(Self::PARTS).signature();

    /// The bundle as a part of another.
    #[doc(hidden)]
    const PART: Part = Part::List(Self::PARTS);

    /// Hands each component to `target`.
    #[doc(hidden)]
    fn insert(self, target: &mut Inserter<'_>);

    /// Visits each component's pool.
    #[doc(hidden)]
    fn reserve(target: &mut Reserver<'_>);
}

/// What a bundle consists of, at compile time.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub enum Part {
    Component { id: ComponentId, bit: Signature, name: &'static str },
    List(&'static [Self]),
}

impl Part {
    const fn signature(self) -> Signature {
        match self {
            Self::Component { bit, .. } => bit,
            Self::List(parts) => {
                let mut all = Signature::EMPTY;
                let mut at = 0;
                while at < parts.len() {
                    all = all.union(parts[at].signature());
                    at += 1;
                }
                all
            }
        }
    }
}

/// Whether these parts have a component in common, by ids: its name, and whether that is certain.
const fn shared(a: &Part, b: &Part) -> Option<(&'static str, bool)> {
    match (a, b) {
        (Part::Component { id, name, .. }, Part::Component { id: other, .. }) => {
            if id.same(*other) { Some((name, id.is_exact() && other.is_exact())) } else { None }
        }
        (Part::List(parts), one) | (one, Part::List(parts)) => {
            let mut at = 0;
            while at < parts.len() {
                if let Some(shared) = shared(&parts[at], one) {
                    return Some(shared);
                }
                at += 1;
            }
            None
        }
    }
}

/// A component that is certainly twice among these parts: its name.
const fn repeated(part: &Part) -> Option<&'static str> {
    let Part::List(parts) = part else { return None };
    let mut at = 0;
    while at < parts.len() {
        if let Some(name) = repeated(&parts[at]) {
            return Some(name);
        }
        let mut before = 0;
        while before < at {
            if let Some((name, true)) = shared(&parts[before], &parts[at]) {
                return Some(name);
            }
            before += 1;
        }
        at += 1;
    }
    None
}

/// Whether no two components can be of one type.
pub(crate) const fn is_distinct(part: &Part) -> bool {
    let Part::List(parts) = part else { return true };
    let mut at = 0;
    while at < parts.len() {
        if !is_distinct(&parts[at]) {
            return false;
        }
        let mut before = 0;
        while before < at {
            if shared(&parts[before], &parts[at]).is_some() {
                return false;
            }
            before += 1;
        }
        at += 1;
    }
    true
}

/// Checks the field at `at` of a bundle against those before it: in a constant, a compile error
/// where both hold one component.
///
/// # Panics
/// When they do.
#[doc(hidden)]
#[track_caller]
pub const fn check_bundle_field<B: Bundle>(at: usize) {
    if let Some(name) = repeated(&B::PARTS[at]) {
        Text::new()
            .push("bundle `")
            .push(B::LABEL)
            .push("`: field `")
            .push(B::FIELDS[at])
            .push("` holds `")
            .push(name)
            .push("` twice; an entity holds a component once")
            .panic()
    }
    let mut before = 0;
    while before < at {
        if let Some((name, true)) = shared(&B::PARTS[before], &B::PARTS[at]) {
            Text::new()
                .push("bundle `")
                .push(B::LABEL)
                .push("`: fields `")
                .push(B::FIELDS[before])
                .push("` and `")
                .push(B::FIELDS[at])
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
    while at < B::PARTS.len() {
        check_bundle_field::<B>(at);
        at += 1;
    }
}

/// Puts the components of one bundle into the pools.
///
/// A bundle may be written by hand, and wrongly: which components an entity has is what was inserted,
/// not what the bundle says of itself. For one that tells the truth both are one constant.
#[doc(hidden)]
#[derive(Debug)]
pub struct Inserter<'a> {
    pools: &'a mut Pools,
    onto: Onto<'a>,
    /// The bits of what a new entity was given, or is to be.
    pub(crate) given: Signature,
}

/// What the components are for.
#[derive(Debug)]
enum Onto<'a> {
    /// An entity with this signature, in a world with these groups.
    Entity(Entity, &'a mut Signature, &'a mut Groups),
    /// An entity that has no components but those it was given, and has their bits already.
    Fresh(Entity),
    /// An entity that is yet to be made.
    Later,
}

impl<'a> Inserter<'a> {
    /// For an entity with this signature, in a world with these groups.
    #[inline]
    pub(crate) fn new(
        pools: &'a mut Pools,
        entity: Entity,
        signature: &'a mut Signature,
        groups: &'a mut Groups,
    ) -> Self {
        Self::onto(pools, Onto::Entity(entity, signature, groups))
    }

    /// For an entity that has no components, but has their bits already. Its groups are set right
    /// later.
    #[inline]
    pub(crate) fn fresh(pools: &'a mut Pools, entity: Entity) -> Self {
        Self::onto(pools, Onto::Fresh(entity))
    }

    /// For an entity that is yet to be made: the pools adopt it later.
    #[inline]
    pub(crate) fn later(pools: &'a mut Pools) -> Self {
        Self::onto(pools, Onto::Later)
    }

    #[inline]
    fn onto(pools: &'a mut Pools, onto: Onto<'a>) -> Self {
        Self { pools, onto, given: Signature::EMPTY }
    }

    #[inline(always)]
    fn insert<T: Component>(&mut self, value: T) {
        let pool = self.pools.get_or_create::<T>();
        match &mut self.onto {
            Onto::Entity(entity, signature, groups) => {
                if let Some(replaced) = pool.put(*entity, value) {
                    return drop(replaced);
                }
                **signature = signature.union(T::BIT);
                if groups.watch(T::BIT) {
                    let placed = Placed::last_of(pool);
                    groups.update_after(self.pools, *entity, **signature, T::BIT, placed);
                }
            }
            Onto::Fresh(entity) => {
                if self.given.intersects(T::BIT) {
                    drop(pool.put(*entity, value)); // it may be the same component again
                } else {
                    pool.push(*entity, value);
                }
                self.given = self.given.union(T::BIT);
            }
            Onto::Later => {
                pool.push_value(value);
                self.given = self.given.union(T::BIT);
            }
        }
    }
}

/// Visits the pool of each component of a bundle.
#[doc(hidden)]
#[derive(Debug)]
pub struct Reserver<'a> {
    pools: &'a mut Pools,
    task: Task<'a>,
    /// The bits of what entities were given.
    pub(crate) given: Signature,
}

#[derive(Debug)]
enum Task<'a> {
    /// Make room for so many more, or fewer if there cannot be more than `most` in all.
    Reserve { additional: usize, most: usize },
    /// Take these entities in, whose values are there already: ones with any indices, then ones of
    /// one generation with neighbouring indices.
    Adopt(&'a [Entity], &'a [Entity]),
    /// Of the values that are there already, put those of which a bit is set before the others.
    PutFirst(u64),
    /// Give these entities the values that are there already.
    TakeOver(&'a [Entity]),
}

impl<'a> Reserver<'a> {
    /// To make room for `additional` bundles, of entities of which `most` can have one.
    #[inline]
    pub(crate) fn new(pools: &'a mut Pools, additional: usize, most: usize) -> Self {
        Self::of(pools, Task::Reserve { additional, most })
    }

    /// To give values that were inserted for [later](Inserter::later) their entities.
    ///
    /// Those in `run` are of one generation and have neighbouring indices.
    pub(crate) fn adopting(pools: &'a mut Pools, any: &'a [Entity], run: &'a [Entity]) -> Self {
        Self::of(pools, Task::Adopt(any, run))
    }

    /// To put those of the values that were inserted for [later](Inserter::later) of which a bit is
    /// set before the others, which no entity is to have.
    pub(crate) fn putting_first(pools: &'a mut Pools, wanted: u64) -> Self {
        Self::of(pools, Task::PutFirst(wanted))
    }

    /// To give values that were inserted for [later](Inserter::later) to entities that may have
    /// such components already. The pools are to be settled then.
    pub(crate) fn taking_over(pools: &'a mut Pools, entities: &'a [Entity]) -> Self {
        Self::of(pools, Task::TakeOver(entities))
    }

    #[inline]
    fn of(pools: &'a mut Pools, task: Task<'a>) -> Self {
        Self { pools, task, given: Signature::EMPTY }
    }

    fn visit<T: Component>(&mut self) {
        let pool = self.pools.get_or_create::<T>();
        let is_given = match self.task {
            Task::Reserve { additional, most } => {
                pool.reserve(additional.min(most.saturating_sub(pool.len())));
                false
            }
            Task::Adopt(any, run) => pool.adopt(any, run),
            Task::PutFirst(wanted) => {
                pool.put_first(wanted);
                false
            }
            Task::TakeOver(entities) => pool.take_over(entities),
        };
        if is_given {
            self.given = self.given.union(T::BIT);
        }
    }
}

impl<T: Component> Bundle for T {
    const LABEL: &'static str = T::NAME;
    const FIELDS: &'static [&'static str] = &[];
    const PARTS: &'static [Part] = &[Part::Component { id: T::ID, bit: T::BIT, name: T::NAME }];

    #[inline(always)] // what `target` is for is known where it is made
    fn insert(self, target: &mut Inserter<'_>) {
        target.insert(self);
    }

    #[inline]
    fn reserve(target: &mut Reserver<'_>) {
        target.visit::<T>();
    }
}

#[diagnostic::do_not_recommend]
impl Bundle for () {
    const LABEL: &'static str = "()";
    const FIELDS: &'static [&'static str] = &[];
    const PARTS: &'static [Part] = &[];

    fn insert(self, _: &mut Inserter<'_>) {}
    fn reserve(_: &mut Reserver<'_>) {}
}

macro_rules! bundle_for_tuple {
    ($($name:ident $index:tt $next:tt,)+) => {
        #[diagnostic::do_not_recommend]
        impl<$($name: Bundle),+> Bundle for ($($name,)+) {
            const LABEL: &'static str = "(..)";
            const FIELDS: &'static [&'static str] = &[$(stringify!($index)),+];
            const PARTS: &'static [Part] = &[$($name::PART),+];

            #[inline(always)]
            fn insert(self, target: &mut Inserter<'_>) {
                $(self.$index.insert(target);)+
            }

            #[inline]
            fn reserve(target: &mut Reserver<'_>) {
                $($name::reserve(target);)+
            }
        }
    };
}
for_each_tuple!(bundle_for_tuple);
