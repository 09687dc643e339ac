//! Lists of components, for filters and groups.

use crate::component::access::{Access, Mode};
use crate::component::{AnyComponent, index_of};
use crate::pool::pools::Pools;
use crate::relation::ends::IsTarget;
use crate::storage::sort::sort_few;
use crate::tuples::for_each_tuple;
use alloc::vec::Vec;

/// A component, or a tuple of up to twelve components. The filters [`With`](crate::With), [`Without`](crate::Without)
/// and [`WithAny`](crate::WithAny) test such lists, and groups consist of them.
///
/// ```
/// # use ecs::{Component, ComponentList, World};
/// # #[derive(Component)] struct Health(u32);
/// # #[derive(Component)] struct Player;
/// # #[derive(Component)] struct Asleep;
/// fn healthy_without<L: ComponentList>(world: &World) -> usize {
///     world.view::<Health>().without::<L>().count()
/// }
/// # let mut world = World::new();
/// world.spawn((Health(3), Player));
/// assert_eq!(healthy_without::<Asleep>(&world), 1);
/// assert_eq!(healthy_without::<(Asleep, Player)>(&world), 0);
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is neither a component nor a tuple of up to 12 components",
    label = "names no component",
    note = "name the component itself: `.with::<Audio>()`, `.without::<(Muted, Dead)>()`, \
            `Group::owning::<(Position, Velocity)>()`"
)]
pub trait ComponentList: sealed::Sealed + 'static {
    /// The accesses of a test for all of them.
    #[doc(hidden)]
    const WITH: &'static [Access];
    /// The accesses of a test for none of them.
    #[doc(hidden)]
    const WITHOUT: &'static [Access];
    /// Adds the numbers of their pools.
    #[doc(hidden)]
    fn add_numbers(numbers: &mut Vec<u32>);
    /// Makes their pools.
    #[doc(hidden)]
    fn create(pools: &mut Pools);
}

#[diagnostic::do_not_recommend]
impl<T: AnyComponent> ComponentList for T {
    const WITH: &'static [Access] = &[Access::of::<T>(Mode::With)];
    const WITHOUT: &'static [Access] = &[Access::of::<T>(Mode::Without)];

    fn add_numbers(numbers: &mut Vec<u32>) {
        numbers.push(index_of::<T>().get());
    }
    fn create(pools: &mut Pools) {
        pools.get_or_create::<T>();
    }
}

/// The subject of a filter: a [`ComponentList`], or [`Sources`](crate::Sources) of a relation.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "`{Self}` is neither a component nor a tuple of up to 12 components",
    label = "names no component",
    note = "name the component itself: `.with::<Audio>()`, `.without::<(Muted, Dead)>()`, \
            `Group::owning::<(Position, Velocity)>()`"
)]
pub trait FilterList {
    /// The tests, of a type without lifetimes.
    type Tests: Tests;
}

#[diagnostic::do_not_recommend]
impl<L: ComponentList> FilterList for L {
    type Tests = L;
}

/// Tests of presence.
#[doc(hidden)]
pub trait Tests: 'static {
    const WITH: &'static [Access];
    const WITHOUT: &'static [Access];
}

impl<L: ComponentList> Tests for L {
    const WITH: &'static [Access] = <L as ComponentList>::WITH;
    const WITHOUT: &'static [Access] = <L as ComponentList>::WITHOUT;
}

impl<R: AnyComponent> Tests for IsTarget<R> {
    const WITH: &'static [Access] = &[Self::access(Mode::With)];
    const WITHOUT: &'static [Access] = &[Self::access(Mode::Without)];
}

macro_rules! list_for_tuple {
    ($($name:ident $index:tt $next:tt,)+) => {
        #[diagnostic::do_not_recommend]
        impl<$($name: AnyComponent),+> ComponentList for ($($name,)+) {
            const WITH: &'static [Access] = &[$(Access::of::<$name>(Mode::With)),+];
            const WITHOUT: &'static [Access] = &[$(Access::of::<$name>(Mode::Without)),+];

            fn add_numbers(numbers: &mut Vec<u32>) {
                $(<$name as ComponentList>::add_numbers(numbers);)+
            }
            fn create(pools: &mut Pools) {
                $(<$name as ComponentList>::create(pools);)+
            }
        }
    };
}
for_each_tuple!(list_for_tuple);

/// Returns a number that occurs twice among these.
pub(crate) fn repeated(mut numbers: Vec<u32>) -> Option<u32> {
    sort_few(&mut numbers, |a, b| a < b);
    numbers.windows(2).find(|pair| pair[0] == pair[1]).map(|pair| pair[0])
}

mod sealed {
    use crate::component::AnyComponent;
    use crate::tuples::for_each_tuple;

    pub trait Sealed {}
    impl<T: AnyComponent> Sealed for T {}

    macro_rules! sealed_for_tuple {
        ($($name:ident $index:tt $next:tt,)+) => {
            impl<$($name: AnyComponent),+> Sealed for ($($name,)+) {}
        };
    }
    for_each_tuple!(sealed_for_tuple);
}
