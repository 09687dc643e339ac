//! Declarations of groups, and errors about them.

use crate::component::access::Access;
use crate::component::alias;
use crate::pool::list::ComponentList;
use crate::pool::pools::Pools;
use crate::tuples::each;
use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;
use core::marker::PhantomData;

/// The declaration of a group.
///
/// A group always contains the entities that have some components and lack others. The pools that it *owns* begin with
/// these entities, in one order, so that a view of them iterates over slices. Pools that it *observes* are not
/// reordered. A group that owns nothing stores a list of entities.
///
/// ```
/// use ecs::{Component, Group, World};
///
/// #[derive(Component)]
/// struct Position(f32);
/// #[derive(Component)]
/// struct Velocity(f32);
/// #[derive(Component)]
/// struct Asleep;
///
/// let mut world = World::new();
/// world.declare_group(Group::owning::<(Position, Velocity)>().without::<Asleep>()).unwrap();
///
/// let awake = world.spawn((Position(0.0), Velocity(1.0))).id();
/// world.spawn((Position(5.0), Velocity(1.0), Asleep));
/// // The view has the terms of the group, and iterates over its members.
/// let view = world.view::<(Position, Velocity)>().without::<Asleep>();
/// assert_eq!(view.as_slices().unwrap().0, [awake]);
/// ```
///
/// The declaration is a type: its value takes no memory, and can be a constant. The group owns the pools of the
/// components `O` and observes the pools of `S`; its members lack `X`. The value also identifies the group
/// later.
///
/// ```
/// # use ecs::{Component, Group, World};
/// # #[derive(Component)] struct Depth(u32);
/// # #[derive(Component)] struct Sprite(char);
/// const DRAWN: Group<(Depth, Sprite)> = Group::owning::<(Depth, Sprite)>();
///
/// let mut world = World::new();
/// assert!(world.group_mut(DRAWN).is_err());
/// world.declare_group(DRAWN).unwrap();
/// assert!(world.group_mut(DRAWN).is_ok());
/// world.drop_group(DRAWN).unwrap();
/// ```
pub struct Group<O = (), S = (), X = ()>(PhantomData<(O, S, X)>);

impl Group {
    /// Creates a group that owns the pools of `O`, a component or a tuple of components.
    ///
    /// Several groups can own one pool if they are nested: of any two, one must own, require and exclude everything
    /// that the other does.
    ///
    /// ```
    /// # use ecs::{Component, Group, World};
    /// # #[derive(Component)] struct Position(f32);
    /// # #[derive(Component)] struct Mass(f32);
    /// let mut world = World::new();
    /// world.declare_group(Group::owning::<Position>()).unwrap();
    /// world.declare_group(Group::owning::<(Position, Mass)>()).unwrap(); // nested
    /// world.spawn_batch([(Position(0.0), Mass(1.0))]);
    /// assert!(world.groups().all(|group| group.len() == 1));
    /// ```
    #[must_use]
    pub const fn owning<O: ComponentList>() -> Group<O> {
        Group(PhantomData)
    }

    /// Creates a group that owns no pool: a list of the entities that have all of `S`, a component or a tuple of
    /// components.
    ///
    /// ```
    /// # use ecs::{Component, Group, World};
    /// # #[derive(Component)] struct Near;
    /// # #[derive(Component)] struct Loud;
    /// let mut world = World::new();
    /// world.declare_group(Group::observing::<(Near, Loud)>()).unwrap();
    /// world.spawn((Near, Loud));
    /// assert_eq!(world.view::<(Near, Loud)>().count(), 1); // without counting
    /// ```
    #[must_use]
    pub const fn observing<S: ComponentList>() -> Group<(), S> {
        Group(PhantomData)
    }
}

impl<O: ComponentList, X> Group<O, (), X> {
    /// Adds components that members must have; the order of their pools is unchanged.
    ///
    /// ```
    /// # use ecs::{Component, Group, World};
    /// # #[derive(Component)] struct Sprite;
    /// # #[derive(Component)] struct Position(f32);
    /// let mut world = World::new();
    /// world.declare_group(Group::owning::<Sprite>().with::<Position>()).unwrap();
    /// let group = world.groups().next().unwrap();
    /// assert_eq!(group.to_string(), "group owning (`Sprite`) with (`Position`)");
    /// ```
    #[must_use]
    pub const fn with<S: ComponentList>(self) -> Group<O, S, X> {
        Group(PhantomData)
    }
}

impl<O, S> Group<O, S> {
    /// Adds components that members must lack.
    ///
    /// ```
    /// # use ecs::{Component, Group, World};
    /// # #[derive(Component)] struct Position(f32);
    /// # #[derive(Component)] struct Asleep;
    /// # let mut world = World::new();
    /// world.declare_group(Group::owning::<Position>().without::<Asleep>()).unwrap();
    /// let entity = world.spawn(Position(1.0)).id();
    /// assert_eq!(world.groups().next().unwrap().len(), 1);
    /// world.insert(entity, Asleep).unwrap();
    /// assert_eq!(world.groups().next().unwrap().len(), 0);
    /// ```
    #[must_use]
    pub const fn without<X: ComponentList>(self) -> Group<O, S, X> {
        Group(PhantomData)
    }
}

impl<O, S, X> Clone for Group<O, S, X> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<O, S, X> Copy for Group<O, S, X> {}
impl<O, S, X> fmt::Debug for Group<O, S, X> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Group").finish_non_exhaustive()
    }
}

/// The components in one list of a group's declaration: a [`ComponentList`], or `()` for none. For functions that take
/// any [`Group`].
///
/// ```
/// # use ecs::{Component, Group, GroupList, World};
/// # #[derive(Component)] struct A;
/// # #[derive(Component)] struct B;
/// # #[derive(Component)] struct C;
/// fn declare<O: GroupList, S: GroupList, X: GroupList>(
///     world: &mut World,
///     group: Group<O, S, X>,
/// ) -> bool {
///     world.declare_group(group).is_ok()
/// }
/// # let mut world = World::new();
/// assert!(declare(&mut world, Group::owning::<(A, B)>()));
/// assert!(declare(&mut world, Group::observing::<(A, C)>()));
/// assert!(!declare(&mut world, Group::owning::<(A, C)>())); // `A` has an owner
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is neither a component nor a tuple of up to 12 components",
    label = "not for a group",
    note = "name the components themselves: `Group::owning::<(Position, Velocity)>()`"
)]
pub trait GroupList: 'static {
    /// The accesses of a test for each of them.
    #[doc(hidden)]
    const TERMS: &'static [Access];
    /// Returns the numbers of their pools.
    #[doc(hidden)]
    fn numbers() -> Vec<u32>;
    /// Makes the pools.
    #[doc(hidden)]
    fn create(pools: &mut Pools);
}

#[diagnostic::do_not_recommend]
impl<L: ComponentList> GroupList for L {
    const TERMS: &'static [Access] = L::WITH;
    fn numbers() -> Vec<u32> {
        let mut numbers = Vec::with_capacity(L::WITH.len());
        L::add_numbers(&mut numbers);
        numbers
    }
    fn create(pools: &mut Pools) {
        L::create(pools);
    }
}

#[diagnostic::do_not_recommend]
impl GroupList for () {
    const TERMS: &'static [Access] = &[];
    fn numbers() -> Vec<u32> {
        Vec::new()
    }
    fn create(_: &mut Pools) {}
}

/// The most components that a declaration can name: three lists of up to twelve.
const MOST_TERMS: usize = 36;

/// Checks a declaration: in a constant, a compile error if it names a component twice.
///
/// # Panics
/// Panics if it does.
#[track_caller]
pub(crate) const fn check_group<O: GroupList, S: GroupList, X: GroupList>() {
    let mut terms = [Access::Nothing; MOST_TERMS];
    let mut count = 0;
    each!([O::TERMS, S::TERMS, X::TERMS], |list| each!(list, |term| {
        terms[count] = *term;
        count += 1;
    }));
    alias::refuse_repetition(&terms, "a group: own, observe or exclude each component once");
}

/// The id of a group in its world. Never reused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct GroupId(pub(super) u32);

/// The components of a group, by name.
#[derive(Debug, Default)]
pub(crate) struct GroupNames {
    pub(crate) owned: Box<[&'static str]>,
    pub(crate) observed: Box<[&'static str]>,
    pub(crate) excluded: Box<[&'static str]>,
}

impl fmt::Display for GroupNames {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let observing = if self.owned.is_empty() { "observing" } else { "with" };
        let parts =
            [("owning", &self.owned), (observing, &self.observed), ("without", &self.excluded)];
        f.write_str("group")?;
        for (verb, names) in parts.into_iter().filter(|(_, names)| !names.is_empty()) {
            write!(f, " {verb} (`{}`)", names.join("`, `"))?;
        }
        Ok(())
    }
}

/// An error about a group.
///
/// ```
/// # use ecs::{Component, Group, GroupError, World};
/// # #[derive(Component)] struct A;
/// # #[derive(Component)] struct B;
/// # #[derive(Component)] struct C;
/// let mut world = World::new();
/// assert_eq!(world.group_mut(Group::owning::<A>()).err(), Some(GroupError::NotDeclared));
/// world.declare_group(Group::owning::<(A, B)>()).unwrap();
/// let conflict = world.declare_group(Group::owning::<(A, C)>()).unwrap_err();
/// assert_eq!(
///     conflict.to_string(),
///     "group owning (`A`, `C`) cannot be declared beside group owning (`A`, `B`): both own `A`, \
///      and neither is nested in the other; let one of them be `with::<A>()`, or drop the other"
/// );
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum GroupError {
    /// The group was not declared in this world, or was dropped.
    NotDeclared,
    /// Another group owns one of its pools, and neither is nested in the other.
    Conflict {
        /// The group that was to be declared, as displayed.
        declared: String,
        /// The group that owns the pool, as displayed.
        existing: String,
        /// The component that both would own.
        component: &'static str,
    },
}

impl fmt::Display for GroupError {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotDeclared => {
                f.write_str("no such group: declare it first with `World::declare_group`")
            }
            Self::Conflict { declared, existing, component } => write!(
                f,
                "{declared} cannot be declared beside {existing}: both own `{component}`, and neither \
                 is nested in the other; let one of them be `with::<{component}>()`, or drop the other"
            ),
        }
    }
}

impl core::error::Error for GroupError {}
