//! Lists of components, for filters.

use crate::component::{Component, index_of};
use crate::entity::Entity;
use crate::query::access::{Access, Mode};
use crate::signature::Signature;
use crate::storage::keys::Keys;
use crate::storage::pools::Pools;
use crate::storage::sparse_array::Page;
use crate::tuples::for_each_tuple;
use alloc::vec::Vec;

/// The keys of a pool that does not exist.
pub(crate) static NO_KEYS: Keys<Entity> = Keys::new();

/// The keys of the pool of `T`, or of none.
#[inline]
pub(crate) fn keys_of<T: Component>(pools: &Pools) -> &Keys<Entity> {
    pools.get::<T>().map_or(&NO_KEYS, |pool| pool.raw_keys())
}

/// The shorter of two dense arrays' keys.
#[inline]
pub(crate) fn smaller<'w>(
    keys: &'w Keys<Entity>,
    best: Option<&'w Keys<Entity>>,
) -> &'w Keys<Entity> {
    match best {
        Some(best) if best.len() <= keys.len() => best,
        _ => keys,
    }
}

/// A component, or a tuple of up to twelve: what the filters
/// [`With`](crate::With), [`Without`](crate::Without) and [`WithAny`](crate::WithAny) test, and what
/// groups are made of.
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
/// world.spawn_with((Health(3), Player));
/// assert_eq!(healthy_without::<Asleep>(&world), 1);
/// assert_eq!(healthy_without::<(Asleep, Player)>(&world), 0);
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is neither a component nor a tuple of components",
    label = "names no component",
    note = "name the component itself: `.with::<Audio>()`, `.without::<(Muted, Dead)>()`, \
            `Group::owning::<(Position, Velocity)>()`"
)]
pub trait ComponentList: sealed::Sealed + 'static {
    /// How many components it names.
    #[doc(hidden)]
    const LEN: usize;
    /// The bits of all of them.
    #[doc(hidden)]
    const SIGNATURE: Signature;
    /// What a filter for all of them asks.
    #[doc(hidden)]
    const WITH: &'static [Access];
    /// What a filter for none of them asks.
    #[doc(hidden)]
    const WITHOUT: &'static [Access];
    #[doc(hidden)]
    type Keys<'w>: Copy + AsRef<[&'w Keys<Entity>]>;
    #[doc(hidden)]
    type Pages<'w>: Copy + AsRef<[&'w Page]>;
    #[doc(hidden)]
    fn keys(pools: &Pools) -> Self::Keys<'_>;
    /// Makes their pools, and adds the pools' numbers.
    #[doc(hidden)]
    fn create(pools: &mut Pools, numbers: &mut Vec<u32>);
    #[doc(hidden)]
    fn shrink<'short, 'long: 'short>(keys: Self::Keys<'long>) -> Self::Keys<'short>;
    #[doc(hidden)]
    fn pages<'w>(keys: &Self::Keys<'w>, page: usize) -> Self::Pages<'w>;
}

impl<T: Component> ComponentList for T {
    const LEN: usize = 1;
    const SIGNATURE: Signature = T::BIT;
    const WITH: &'static [Access] = &[Access::of::<T>(Mode::With)];
    const WITHOUT: &'static [Access] = &[Access::of::<T>(Mode::Without)];
    type Keys<'w> = [&'w Keys<Entity>; 1];
    type Pages<'w> = [&'w Page; 1];

    #[inline]
    fn keys(pools: &Pools) -> Self::Keys<'_> {
        [keys_of::<T>(pools)]
    }
    fn create(pools: &mut Pools, numbers: &mut Vec<u32>) {
        pools.get_or_create::<T>();
        numbers.push(index_of::<T>().get());
    }
    #[inline]
    fn shrink<'short, 'long: 'short>(keys: Self::Keys<'long>) -> Self::Keys<'short> {
        keys
    }
    #[inline]
    fn pages<'w>(keys: &Self::Keys<'w>, page: usize) -> Self::Pages<'w> {
        keys.map(|keys| keys.page(page))
    }
}

macro_rules! list_for_tuple {
    ($($name:ident $index:tt $next:tt,)+) => {
        #[diagnostic::do_not_recommend]
        impl<$($name: Component),+> ComponentList for ($($name,)+) {
            const LEN: usize = [$($index),+].len();
            const SIGNATURE: Signature = Signature::EMPTY$(.union($name::BIT))+;
            const WITH: &'static [Access] = &[$(Access::of::<$name>(Mode::With)),+];
            const WITHOUT: &'static [Access] = &[$(Access::of::<$name>(Mode::Without)),+];
            type Keys<'w> = [&'w Keys<Entity>; [$($index),+].len()];
            type Pages<'w> = [&'w Page; [$($index),+].len()];

            #[inline]
            fn keys(pools: &Pools) -> Self::Keys<'_> {
                [$(keys_of::<$name>(pools)),+]
            }
            fn create(pools: &mut Pools, numbers: &mut Vec<u32>) {
                $(<$name as ComponentList>::create(pools, numbers);)+
            }
            #[inline]
            fn shrink<'short, 'long: 'short>(keys: Self::Keys<'long>) -> Self::Keys<'short> {
                keys
            }
            #[inline]
            fn pages<'w>(keys: &Self::Keys<'w>, page: usize) -> Self::Pages<'w> {
                keys.map(|keys| keys.page(page))
            }
        }
    };
}
for_each_tuple!(list_for_tuple);

mod sealed {
    use crate::component::Component;
    use crate::tuples::for_each_tuple;

    pub trait Sealed {}
    impl<T: Component> Sealed for T {}

    macro_rules! sealed_for_tuple {
        ($($name:ident $index:tt $next:tt,)+) => {
            impl<$($name: Component),+> Sealed for ($($name,)+) {}
        };
    }
    for_each_tuple!(sealed_for_tuple);
}
