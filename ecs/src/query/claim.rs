//! Borrows of the world that are made together: by the members of a split, and by systems that overlap.
#![expect(unsafe_code, reason = "simultaneous borrows were compared, here or by the compiler")]

#[cfg(feature = "parallel")]
use crate::component::access::reads_world;
use crate::component::access::{Access, Mode};
use crate::component::alias::{self, Borrower};
#[cfg(feature = "parallel")]
use crate::component::alias::{ApartByRule, Owner};
#[cfg(feature = "parallel")]
use crate::component::clash::find_clash;
use crate::component::clash::find_write;
use crate::entities::Entities;
use crate::group::groups::Groups;
use crate::pool::pools::Pools;
use crate::query::fetch::Fetch;
use crate::query::join::Join;
use crate::query::matcher::Stores;
use crate::resource::{Asked, AskedResource, Lender, Loan, ResourceData, Resources};
use crate::tuples::for_each_tuple;
use alloc::vec::Vec;
use core::any::Any;
#[cfg(feature = "parallel")]
use core::any::TypeId;
use core::marker::PhantomData;

/// The borrow of a member of a split: the pools of a query, or a resource.
#[doc(hidden)]
pub trait Claim: 'static {
    const ACCESS: Access;
    /// `true` if changes may be marked.
    const MARKS: bool = false;
    type Claimed<'w>: Send;

    /// Makes the borrow; resources are borrowed of the lender, in turn.
    ///
    /// # Safety
    /// The requirements of [`Join::new`], for the components in `ACCESS`.
    ///
    /// # Panics
    /// Panics if it is a resource, and the world lacks it.
    #[track_caller]
    unsafe fn claim<'w>(
        stores: Stores<'w>,
        lender: &mut Lender<'w>,
        by: Borrower<'_>,
    ) -> Self::Claimed<'w>;
}

impl<F: Fetch> Claim for F {
    const ACCESS: Access = F::ACCESS;
    const MARKS: bool = F::ACCESS.may_mark();
    type Claimed<'w> = Join<'w, F, ()>;

    #[inline]
    unsafe fn claim<'w>(
        stores: Stores<'w>,
        _: &mut Lender<'w>,
        _: Borrower<'_>,
    ) -> Self::Claimed<'w> {
        // SAFETY: the caller guarantees the requirements of `Join::new`, for the terms of `F`.
        unsafe { Join::new(stores) }
    }
}

impl<R: AskedResource> Claim for Asked<R> {
    const ACCESS: Access = R::ACCESS;
    type Claimed<'w> = R::Given<'w>;

    #[inline]
    unsafe fn claim<'w>(
        _: Stores<'w>,
        lender: &mut Lender<'w>,
        by: Borrower<'_>,
    ) -> Self::Claimed<'w> {
        let loan = match R::ACCESS {
            Access::Nothing => Loan::Nothing,
            access => lender.lend(&access),
        };
        R::given(loan, by)
    }
}

/// The world that contains the claimed pools, to be read.
#[doc(hidden)]
#[derive(Debug)]
pub struct WholeWorld<W>(PhantomData<fn() -> W>);

impl<W: Any + Send + Sync> Claim for WholeWorld<W> {
    const ACCESS: Access = Access::World(Mode::Read);
    type Claimed<'w> = &'w W;

    unsafe fn claim<'w>(
        _: Stores<'w>,
        lender: &mut Lender<'w>,
        _: Borrower<'_>,
    ) -> Self::Claimed<'w> {
        lender.lend(&Self::ACCESS).whole().expect("the world is lent to claims that read it")
    }
}

/// The whole world: nothing else is claimed with it.
#[doc(hidden)]
#[derive(Debug)]
pub struct WholeMut;

impl Claim for WholeMut {
    const ACCESS: Access = Access::World(Mode::Write);
    type Claimed<'w> = ();

    unsafe fn claim<'w>(_: Stores<'w>, _: &mut Lender<'w>, _: Borrower<'_>) {}
}

/// Claims with names: the names of the fields of a struct.
#[doc(hidden)]
pub trait NamedClaims: 'static {
    type Claims: ClaimSet;
    const NAMES: &'static [&'static str];
}

/// The claims of a struct's fields, as one claim.
#[doc(hidden)]
#[derive(Debug)]
pub struct OfFields<N>(PhantomData<fn() -> N>);

impl<N: NamedClaims> Claim for OfFields<N> {
    const ACCESS: Access = Access::Fields(N::NAMES, N::Claims::ACCESSES);
    const MARKS: bool = N::Claims::MARKS;
    type Claimed<'w> = <N::Claims as ClaimSet>::Claimed<'w>;

    #[inline]
    unsafe fn claim<'w>(
        stores: Stores<'w>,
        lender: &mut Lender<'w>,
        by: Borrower<'_>,
    ) -> Self::Claimed<'w> {
        // SAFETY: the caller guarantees the requirements of `Join::new`, for all of `ACCESS`: that has the accesses of
        // the fields, which were compared with each other as well.
        unsafe { N::Claims::claim(stores, lender, by.of_fields(N::NAMES)) }
    }
}

/// Claims that are made together: a tuple of claims.
#[doc(hidden)]
pub trait ClaimSet: 'static {
    type Claimed<'w>: Send;
    /// The access of each claim.
    const ACCESSES: &'static [Access];
    /// `true` if changes may be marked.
    const MARKS: bool;

    /// Makes all borrows; resources are borrowed of the lender, in turn.
    ///
    /// # Safety
    /// The requirements of [`Join::new`]; and data that one claim writes is not accessed by another claim, of this set
    /// or of another one.
    ///
    /// # Panics
    /// Panics if a resource is missing.
    #[track_caller]
    unsafe fn claim<'w>(
        stores: Stores<'w>,
        lender: &mut Lender<'w>,
        by: Borrower<'_>,
    ) -> Self::Claimed<'w>;
}

/// Claims a set; messages use the names of its members.
///
/// # Panics
/// Panics if two of them alias, or a resource is missing.
#[inline]
#[track_caller]
pub(crate) fn claim<'w, C: ClaimSet>(
    by: Borrower<'_>,
    pools: &'w mut Pools,
    entities: &'w Entities,
    groups: &'w Groups,
    resources: &'w mut Resources,
) -> C::Claimed<'w> {
    if const { alias::split_needs_check(C::ACCESSES) } {
        let mut apart = Vec::new();
        alias::check_among(by.owner(), C::ACCESSES, &mut apart);
        pools.assert_apart(&apart);
    }
    if const { C::MARKS } {
        pools.watch.set_marking_shared(true);
    }
    let stores = Stores { pools, entities, groups };
    let mut lender = resources.lender(C::ACCESSES, const { alias::count_resources(C::ACCESSES) });
    // SAFETY: the pools are borrowed for `'w`, and exclusively: there are no windows but the claims' own. Data that one
    // of them writes is not accessed by another one, nor by another term of its own. The types differ, or the joins
    // have no entity in common, as was checked at compile time or just now. Where a rule parts them, their pools were
    // just compared.
    unsafe { C::claim(stores, &mut lender, by) }
}

/// Claims a set that reads the whole world: no claim writes.
///
/// # Panics
/// Panics if a resource is missing.
#[track_caller]
pub(crate) fn claim_beside<'w, C: ClaimSet>(
    by: Borrower<'_>,
    world: &'w ResourceData,
    pools: &'w Pools,
    entities: &'w Entities,
    groups: &'w Groups,
    resources: &'w Resources,
) -> C::Claimed<'w> {
    assert!(
        const { find_write(C::ACCESSES).is_none() },
        "a set that reads the world writes nothing"
    );
    let stores = Stores { pools, entities, groups };
    let mut lender = Lender::Readers(world, resources);
    // SAFETY: the pools are borrowed for `'w`, so they do not change, and nothing else writes. None of the claims
    // writes, as was just asserted.
    unsafe { C::claim(stores, &mut lender, by) }
}

/// The empty set.
impl ClaimSet for () {
    type Claimed<'w> = ();
    const ACCESSES: &'static [Access] = &[];
    const MARKS: bool = false;
    #[inline]
    unsafe fn claim<'w>(_: Stores<'w>, _: &mut Lender<'w>, _: Borrower<'_>) {}
}

macro_rules! claim_set_for_tuple {
    ($($name:ident $index:tt $next:tt,)+) => {
        impl<$($name: Claim),+> ClaimSet for ($($name,)+) {
            type Claimed<'w> = ($($name::Claimed<'w>,)+);
            const ACCESSES: &'static [Access] = &[$($name::ACCESS),+];
            const MARKS: bool = $($name::MARKS)||+;

            #[inline]
            #[track_caller]
            unsafe fn claim<'w>(
                stores: Stores<'w>,
                lender: &mut Lender<'w>,
                by: Borrower<'_>,
            ) -> Self::Claimed<'w> {
                // SAFETY: the caller guarantees the requirements of `Join::new` for each claim, and that data that one
                // of them writes is not accessed by another one.
                unsafe { ($($name::claim(stores, lender, by.part($index)),)+) }
            }
        }
    };
}
for_each_tuple!(claim_set_for_tuple);

/// Sets of claims that were compared with each other: they may be claimed together.
#[cfg(feature = "parallel")]
#[derive(Debug, Default)]
pub struct Compared {
    sets: Vec<(TypeId, &'static [Access])>,
    marks: bool,
    /// The components that must be apart, as only a rule parts two accesses.
    apart: Vec<ApartByRule>,
    /// `true` if one of them reads the whole world, so that none writes.
    pub(crate) reads_world: bool,
}

#[cfg(feature = "parallel")]
impl Compared {
    /// Adds a set.
    ///
    /// # Panics
    /// Panics if it aliases itself, or a set that was added before.
    pub(crate) fn add<C: ClaimSet>(&mut self) {
        let Self { sets, apart, .. } = self;
        alias::check_among(Owner::System(""), C::ACCESSES, apart);
        let is_free = |(_, other): &(_, &[Access])| find_clash(other, C::ACCESSES, apart).is_none();
        assert!(sets.iter().all(is_free), "systems that conflict do not overlap");
        self.sets.push((TypeId::of::<C>(), C::ACCESSES));
        self.marks |= C::MARKS;
        self.reads_world |= reads_world(C::ACCESSES);
    }

    /// Begins to claim the sets.
    pub(crate) fn begin<'w>(
        &'w self,
        pools: &'w mut Pools,
        entities: &'w Entities,
        groups: &'w Groups,
        resources: &'w mut Resources,
    ) -> Claims<'w> {
        pools.assert_apart(&self.apart);
        if self.marks {
            pools.watch.set_marking_shared(true);
        }
        let stores = Stores { pools, entities, groups };
        Claims { stores, lender: Lender::of_all(resources), left: self.sets.iter() }
    }

    /// Begins to claim the sets; one of them reads the world.
    pub(crate) fn begin_beside<'w>(
        &'w self,
        world: &'w ResourceData,
        pools: &'w Pools,
        entities: &'w Entities,
        groups: &'w Groups,
        resources: &'w Resources,
    ) -> Claims<'w> {
        let writes = self.sets.iter().any(|(_, accesses)| find_write(accesses).is_some());
        assert!(!writes, "a set that reads the world overlaps with none that writes");
        let stores = Stores { pools, entities, groups };
        Claims { stores, lender: Lender::Readers(world, resources), left: self.sets.iter() }
    }
}

/// Sets that are being claimed, one after the other.
///
/// * J5: the sets that are `left` were compared with all that were claimed before, of pools that are borrowed
///   exclusively for `'w`; or the pools are shared, and nothing writes.
#[cfg(feature = "parallel")]
#[derive(Debug)]
pub struct Claims<'w> {
    stores: Stores<'w>,
    lender: Lender<'w>,
    left: core::slice::Iter<'w, (TypeId, &'static [Access])>,
}

#[cfg(feature = "parallel")]
impl<'w> Claims<'w> {
    /// Claims the next set, which must be `C`.
    ///
    /// # Panics
    /// Panics if it is another one, or a resource is missing.
    pub(crate) fn claim<C: ClaimSet>(&mut self, by: Borrower<'_>) -> C::Claimed<'w> {
        let next = self.left.next().map(|(id, _)| *id);
        assert_eq!(
            next,
            Some(TypeId::of::<C>()),
            "sets are claimed in the order in which they were compared"
        );
        let Self { stores, lender, .. } = self;
        // SAFETY: the pools are borrowed for `'w`. Either they are borrowed exclusively, and this set was compared with
        // itself and with all sets claimed before or after. It is claimed once, as it is not `left` any more. Or
        // nothing is written (J5).
        unsafe { C::claim(*stores, lender, by) }
    }

    /// Skips the next set.
    pub(crate) fn skip(&mut self) {
        self.left.next();
    }
}

#[cfg(feature = "parallel")]
#[cfg(test)]
mod tests {
    use super::*;
    use crate::query::fetch::{Read, Write};
    use crate::{Component, World};

    #[derive(Component)]
    #[component(track)]
    struct A;
    #[derive(Component)]
    struct B;

    #[test]
    fn sets_mark_if_one_of_them_does() {
        let mut compared = Compared::default();
        compared.add::<(Write<B>,)>();
        assert!(!compared.marks);
        compared.add::<(Write<A>,)>();
        assert!(compared.marks);
        compared.add::<()>();
        assert!(compared.marks && !compared.reads_world);
    }

    #[test]
    fn sets_read_the_world_if_one_of_them_does() {
        let mut compared = Compared::default();
        compared.add::<(Read<B>,)>();
        assert!(!compared.reads_world);
        compared.add::<(WholeWorld<World>,)>();
        compared.add::<()>();
        assert!(compared.reads_world && !compared.marks);
    }
}
