//! What a user says of a group, and what is said of it.

use crate::component::access::{self, Access};
use crate::pool::list::ComponentList;
use crate::pool::pools::Pools;
use alloc::boxed::Box;
use alloc::vec::Vec;
use core::fmt;
use core::marker::PhantomData;

/// Where a declaration of a group begins.
///
/// A group knows at any time which entities have some components and lack others. The pools that
/// it *owns* keep those entities in front, in one order, so that a view of them is a walk along
/// slices; what it *observes* it only asks for. A group that owns nothing keeps a list of entities.
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
/// let awake = world.spawn_with((Position(0.0), Velocity(1.0))).id();
/// world.spawn_with((Position(5.0), Velocity(1.0), Asleep));
/// // The view asks for what the group keeps, and walks it.
/// let view = world.view::<(Position, Velocity)>().without::<Asleep>();
/// assert_eq!(view.as_slices().unwrap().0, [awake]);
/// ```
#[derive(Debug)]
pub enum Group {}

impl Group {
    /// A group that owns the pools of `O`, a component or a tuple of components.
    ///
    /// A pool can be owned by several groups if they are nested: if each, compared with the next,
    /// owns, requires and excludes no more.
    /// ```
    /// # use ecs::{Component, Group, World};
    /// # #[derive(Component)] struct Position(f32);
    /// # #[derive(Component)] struct Mass(f32);
    /// let mut world = World::new();
    /// world.declare_group(Group::owning::<Position>()).unwrap();
    /// world.declare_group(Group::owning::<(Position, Mass)>()).unwrap(); // nested
    /// world.spawn_batch([(Position(0.0), Mass(1.0))]);
    /// assert!(world.groups().all(|group| group.len == 1));
    /// ```
    #[must_use]
    pub const fn owning<O: ComponentList>() -> GroupTerms<O> {
        GroupTerms(PhantomData)
    }

    /// A group that owns no pool: a list of the entities that have all of `S`, a component or a
    /// tuple of components.
    ///
    /// ```
    /// # use ecs::{Component, Group, World};
    /// # #[derive(Component)] struct Near;
    /// # #[derive(Component)] struct Loud;
    /// let mut world = World::new();
    /// world.declare_group(Group::observing::<(Near, Loud)>()).unwrap();
    /// world.spawn_with((Near, Loud));
    /// assert_eq!(world.view::<(Near, Loud)>().count(), 1); // without counting
    /// ```
    #[must_use]
    pub const fn observing<S: ComponentList>() -> GroupTerms<Nothing, S> {
        GroupTerms(PhantomData)
    }
}

/// The declaration of a group, for [`World::declare_group`](crate::World::declare_group). It is a
/// type: its value takes no memory, and can be a constant.
///
/// ```
/// # use ecs::{Component, Group, GroupTerms, World};
/// # #[derive(Component)] struct Depth(u32);
/// # #[derive(Component)] struct Sprite(char);
/// const DRAWN: GroupTerms<(Depth, Sprite)> = Group::owning::<(Depth, Sprite)>();
///
/// let mut world = World::new();
/// assert!(world.group_mut(DRAWN).is_err());
/// world.declare_group(DRAWN).unwrap();
/// assert!(world.group_mut(DRAWN).is_ok());
/// ```
pub struct GroupTerms<O, S = Nothing, X = Nothing>(PhantomData<(O, S, X)>);

impl<O: ComponentList, X> GroupTerms<O, Nothing, X> {
    /// A group that also requires all of `S`, and leaves the order of their pools alone.
    ///
    /// ```
    /// # use ecs::{Component, Group, World};
    /// # #[derive(Component)] struct Sprite;
    /// # #[derive(Component)] struct Position(f32);
    /// let mut world = World::new();
    /// let terms = Group::owning::<Sprite>().observing::<Position>();
    /// let id = world.declare_group(terms).unwrap();
    /// let group = world.groups().find(|group| group.id == id).unwrap();
    /// assert_eq!(group.to_string(), "group owning (`Sprite`) observing (`Position`)");
    /// ```
    #[must_use]
    pub const fn observing<S: ComponentList>(self) -> GroupTerms<O, S, X> {
        GroupTerms(PhantomData)
    }
}

impl<O, S> GroupTerms<O, S, Nothing> {
    /// A group of entities that have none of `X`, too.
    /// ```
    /// # use ecs::{Component, Group, World};
    /// # #[derive(Component)] struct Position(f32);
    /// # #[derive(Component)] struct Asleep;
    /// # let mut world = World::new();
    /// world.declare_group(Group::owning::<Position>().without::<Asleep>()).unwrap();
    /// let entity = world.spawn_with(Position(1.0)).id();
    /// assert_eq!(world.groups().next().unwrap().len, 1);
    /// world.insert(entity, Asleep).unwrap();
    /// assert_eq!(world.groups().next().unwrap().len, 0);
    /// ```
    #[must_use]
    pub const fn without<X: ComponentList>(self) -> GroupTerms<O, S, X> {
        GroupTerms(PhantomData)
    }
}

impl<O, S, X> Clone for GroupTerms<O, S, X> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<O, S, X> Copy for GroupTerms<O, S, X> {}
impl<O, S, X> fmt::Debug for GroupTerms<O, S, X> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("GroupTerms").finish_non_exhaustive()
    }
}

/// No components: what a group does not own, observe or exclude.
///
/// ```
/// # use ecs::{Component, Group, GroupTerms, Nothing, World};
/// # #[derive(Component)] struct Near;
/// const NEAR: GroupTerms<Nothing, Near> = Group::observing::<Near>();
/// # let mut world = World::new();
/// world.declare_group(NEAR).unwrap();
/// assert!(world.groups().next().unwrap().names.owned.is_empty());
/// ```
#[derive(Debug)]
pub enum Nothing {}

/// The components in one place of a group's declaration: a [`ComponentList`] or [`Nothing`].
///
/// Sealed by its method, which takes what only the library has.
///
/// ```
/// # use ecs::{Component, Group, GroupList, GroupTerms, World};
/// # #[derive(Component)] struct A;
/// # #[derive(Component)] struct B;
/// # #[derive(Component)] struct C;
/// fn declare<O: GroupList, S: GroupList, X: GroupList>(
///     world: &mut World,
///     terms: GroupTerms<O, S, X>,
/// ) -> bool {
///     world.declare_group(terms).is_ok()
/// }
/// # let mut world = World::new();
/// assert!(declare(&mut world, Group::owning::<(A, B)>()));
/// assert!(declare(&mut world, Group::observing::<(A, C)>()));
/// assert!(!declare(&mut world, Group::owning::<(A, C)>())); // `A` has an owner
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is neither a component nor a tuple of components",
    label = "not for a group",
    note = "name the components themselves: `Group::owning::<(Position, Velocity)>()`"
)]
pub trait GroupList: 'static {
    /// What is asked of each.
    #[doc(hidden)]
    const TERMS: &'static [Access];
    /// The numbers of their pools, which are made.
    #[doc(hidden)]
    fn numbers(pools: &mut Pools) -> Vec<u32>;
}

impl<L: ComponentList> GroupList for L {
    const TERMS: &'static [Access] = L::WITH;
    fn numbers(pools: &mut Pools) -> Vec<u32> {
        let mut numbers = Vec::with_capacity(L::WITH.len());
        L::create(pools, &mut numbers);
        numbers
    }
}

#[diagnostic::do_not_recommend]
impl GroupList for Nothing {
    const TERMS: &'static [Access] = &[];
    fn numbers(_: &mut Pools) -> Vec<u32> {
        Vec::new()
    }
}

/// The most components that a declaration can name: three lists of up to twelve.
const MOST_TERMS: usize = 36;

/// Checks a declaration: in a constant, a compile error where it names a component twice.
///
/// # Panics
/// When it does.
#[track_caller]
pub(crate) const fn check_group<O: GroupList, S: GroupList, X: GroupList>() {
    let mut terms = [Access::Nothing; MOST_TERMS];
    let mut count = 0;
    let lists = [O::TERMS, S::TERMS, X::TERMS];
    let mut list = 0;
    while list < lists.len() {
        let mut at = 0;
        while at < lists[list].len() {
            terms[count] = lists[list][at];
            count += 1;
            at += 1;
        }
        list += 1;
    }
    access::refuse_repetition(&terms);
}

/// The name of a group in its world. Never given to another one.
///
/// ```
/// # use ecs::{Component, Group, GroupId, World};
/// # #[derive(Component)] struct Position(f32);
/// let mut world = World::new();
/// let first: GroupId = world.declare_group(Group::owning::<Position>()).unwrap();
/// world.drop_group(first).unwrap();
/// assert_ne!(world.declare_group(Group::owning::<Position>()), Ok(first));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct GroupId(pub(super) u32);

/// The components of a group, by name.
///
/// ```
/// # use ecs::GroupNames;
/// let names = GroupNames { owned: ["A", "B"].into(), excluded: ["C"].into(), ..Default::default() };
/// assert_eq!(names.to_string(), "group owning (`A`, `B`) without (`C`)");
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GroupNames {
    /// Whose pools it keeps in one order.
    pub owned: Box<[&'static str]>,
    /// Which it requires besides.
    pub observed: Box<[&'static str]>,
    /// Which its members lack.
    pub excluded: Box<[&'static str]>,
}

impl fmt::Display for GroupNames {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let parts =
            [("owning", &self.owned), ("observing", &self.observed), ("without", &self.excluded)];
        f.write_str("group")?;
        for (verb, names) in parts.into_iter().filter(|(_, names)| !names.is_empty()) {
            write!(f, " {verb} (`{}`)", names.join("`, `"))?;
        }
        Ok(())
    }
}

/// A group of a world, from [`World::groups`](crate::World::groups).
///
/// ```
/// # use ecs::{Component, Group, GroupInfo, World};
/// # #[derive(Component)] struct Near;
/// let mut world = World::new();
/// world.declare_group(Group::observing::<Near>()).unwrap();
/// world.spawn_with(Near);
/// let groups: Vec<GroupInfo> = world.groups().collect();
/// assert_eq!((groups[0].len, groups[0].to_string()), (1, "group observing (`Near`)".into()));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GroupInfo {
    /// Its name in the world.
    pub id: GroupId,
    /// How many members it has.
    pub len: usize,
    /// The names of its components, in the order in which the process first used them.
    pub names: GroupNames,
}

impl fmt::Display for GroupInfo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.names.fmt(f)
    }
}

/// Why a group was not declared: another one owns one of its pools, and neither is nested in the
/// other.
///
/// ```
/// # use ecs::{Component, Group, World};
/// # #[derive(Component)] struct A;
/// # #[derive(Component)] struct B;
/// # #[derive(Component)] struct C;
/// let mut world = World::new();
/// world.declare_group(Group::owning::<(A, B)>()).unwrap();
/// let conflict = world.declare_group(Group::owning::<(A, C)>()).unwrap_err();
/// assert_eq!(
///     conflict.to_string(),
///     "group owning (`A`, `C`) cannot be declared beside group owning (`A`, `B`): both own `A`, \
///      and neither is nested in the other; let one of them observe `A`, or drop the other"
/// );
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GroupConflict {
    /// The group that was to be declared.
    pub declared: GroupNames,
    /// The group that owns the pool.
    pub existing: GroupNames,
    /// The component that both would own.
    pub component: &'static str,
}

impl fmt::Display for GroupConflict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { declared, existing, component } = self;
        write!(
            f,
            "{declared} cannot be declared beside {existing}: both own `{component}`, and neither \
             is nested in the other; let one of them observe `{component}`, or drop the other"
        )
    }
}

impl core::error::Error for GroupConflict {}

/// There is no such group: it was dropped, or never declared in this world.
///
/// ```
/// # use ecs::{Component, Group, NoSuchGroup, World};
/// # #[derive(Component)] struct Position(f32);
/// let mut world = World::new();
/// assert_eq!(world.group_mut(Group::owning::<Position>()).err(), Some(NoSuchGroup));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoSuchGroup;

impl fmt::Display for NoSuchGroup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("no such group: declare it first with `World::declare_group`")
    }
}

impl core::error::Error for NoSuchGroup {}
