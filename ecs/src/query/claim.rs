//! What is borrowed of the world together: by the members of a split, and by systems that overlap.
#![expect(
    unsafe_code,
    reason = "what is borrowed at one time was compared, here or by the compiler"
)]

use crate::component::access::Access;
use crate::component::alias;
#[cfg(feature = "parallel")]
use crate::component::clash::{ORDINALS, find_clash};
use crate::entities::Entities;
use crate::group::groups::Groups;
use crate::pool::pools::Pools;
use crate::query::fetch::Fetch;
use crate::query::join::Join;
use crate::query::matcher::Stores;
#[cfg(feature = "parallel")]
use crate::resource::Lender;
use crate::resource::{Asked, AskedResource, Loan, Resources};
use crate::tuples::for_each_tuple;
#[cfg(feature = "parallel")]
use alloc::vec::Vec;
#[cfg(feature = "parallel")]
use core::any::TypeId;
use core::mem;

/// What a member of a split borrows of the world: the pools of a query, or a resource.
#[doc(hidden)]
pub trait Claim: 'static {
    const ACCESS: Access;
    /// Whether a loop marks its matches as changed.
    const MARKS: bool = false;
    type Claimed<'w>: Send;

    /// # Safety
    /// As [`Join::new`].
    ///
    /// # Panics
    /// When it is a resource, which the world lacks.
    #[track_caller]
    unsafe fn claim<'w>(stores: Stores<'w>, loan: Loan<'w>) -> Self::Claimed<'w>;
}

impl<F: Fetch> Claim for F {
    const ACCESS: Access = F::ACCESS;
    const MARKS: bool = F::ACCESS.marks();
    type Claimed<'w> = Join<'w, F, ()>;

    #[inline]
    unsafe fn claim<'w>(stores: Stores<'w>, _: Loan<'w>) -> Self::Claimed<'w> {
        // SAFETY: the caller's promise is the same.
        unsafe { Join::new(stores) }
    }
}

impl<R: AskedResource> Claim for Asked<R> {
    const ACCESS: Access = R::ACCESS;
    type Claimed<'w> = R::Given<'w>;

    unsafe fn claim<'w>(_: Stores<'w>, loan: Loan<'w>) -> Self::Claimed<'w> {
        R::given(loan)
    }
}

/// What is claimed together: by a tuple of claims.
#[doc(hidden)]
pub trait ClaimSet: 'static {
    type Claimed<'w>: Send;
    /// What each touches.
    const ACCESSES: &'static [Access];
    /// Whether a loop marks its matches as changed.
    const MARKS: bool;

    /// Claims all of them; a resource is the loan for the claim with this number.
    ///
    /// # Safety
    /// As [`Join::new`], and what one claim writes no other touches, be it of this set or of another one.
    ///
    /// # Panics
    /// When a resource is missing.
    #[track_caller]
    unsafe fn claim<'w>(
        stores: Stores<'w>,
        loan: impl FnMut(usize) -> Loan<'w>,
    ) -> Self::Claimed<'w>;
}

/// Claims a set, whose members have names for messages.
///
/// # Panics
/// When two of them alias, or a resource is missing.
#[inline]
#[track_caller]
pub(crate) fn claim<'w, C: ClaimSet>(
    names: &[&str],
    pools: &'w mut Pools,
    entities: &'w Entities,
    groups: &'w Groups,
    resources: &'w mut Resources,
) -> C::Claimed<'w> {
    if const { alias::split_needs_check(C::ACCESSES) } {
        alias::check_split(names, C::ACCESSES);
    }
    if const { C::MARKS } {
        pools.watch.set_marking_shared(true);
    }
    let stores = Stores { pools, entities, groups };
    // One resource is found at once; several are sorted out.
    let (mut loans, mut resources) = if const { alias::count_resources(C::ACCESSES) > 1 } {
        (resources.lend(C::ACCESSES), None)
    } else {
        (Default::default(), Some(resources))
    };
    let loan = |at: usize| match C::ACCESSES[at].resource() {
        None => Loan::Nothing,
        Some(_) if const { alias::count_resources(C::ACCESSES) > 1 } => mem::take(&mut loans[at]),
        Some((number, _)) => match resources.take() {
            Some(resources) => resources.lend_one(number),
            None => Loan::Nothing,
        },
    };
    // SAFETY: the borrow of `pools` is exclusive, and what one claim writes no other touches: the
    // types differ, or the joins have no entity in common.
    unsafe { C::claim(stores, loan) }
}

/// Nothing.
impl ClaimSet for () {
    type Claimed<'w> = ();
    const ACCESSES: &'static [Access] = &[];
    const MARKS: bool = false;
    #[inline]
    unsafe fn claim<'w>(_: Stores<'w>, _: impl FnMut(usize) -> Loan<'w>) {}
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
                mut loan: impl FnMut(usize) -> Loan<'w>,
            ) -> Self::Claimed<'w> {
                // SAFETY: the caller's promise is the same.
                unsafe { ($($name::claim(stores, loan($index)),)+) }
            }
        }
    };
}
for_each_tuple!(claim_set_for_tuple);

/// Sets of claims that were compared with each other: they may be claimed at one time.
#[cfg(feature = "parallel")]
#[derive(Debug, Default)]
pub struct Compared {
    sets: Vec<(TypeId, &'static [Access])>,
    marks: bool,
}

#[cfg(feature = "parallel")]
impl Compared {
    /// Adds a set.
    ///
    /// # Panics
    /// When it aliases itself, or one that is there.
    pub(crate) fn add<C: ClaimSet>(&mut self) {
        alias::check_split(&ORDINALS, C::ACCESSES);
        let is_free = |(_, other): &(_, &[Access])| find_clash(other, C::ACCESSES).is_none();
        assert!(self.sets.iter().all(is_free), "systems that conflict do not overlap");
        self.sets.push((TypeId::of::<C>(), C::ACCESSES));
        self.marks |= C::MARKS;
    }

    /// Begins to claim the sets.
    pub(crate) fn begin<'w>(
        &'w self,
        pools: &'w mut Pools,
        entities: &'w Entities,
        groups: &'w Groups,
        resources: &'w mut Resources,
    ) -> Claims<'w> {
        if self.marks {
            pools.watch.set_marking_shared(true);
        }
        let stores = Stores { pools, entities, groups };
        Claims { stores, lender: resources.lender(), left: self.sets.iter() }
    }
}

/// Sets that are being claimed, one after the other.
///
/// * J5: what is `left` was compared with all that was claimed before, of pools that are borrowed exclusively for `'w`.
#[cfg(feature = "parallel")]
#[derive(Debug)]
pub struct Claims<'w> {
    stores: Stores<'w>,
    lender: Lender<'w>,
    left: core::slice::Iter<'w, (TypeId, &'static [Access])>,
}

#[cfg(feature = "parallel")]
impl<'w> Claims<'w> {
    /// Claims the next set, which is `C`.
    ///
    /// # Panics
    /// When it is another one, or a resource is missing.
    pub(crate) fn claim<C: ClaimSet>(&mut self) -> C::Claimed<'w> {
        let next = self.left.next().map(|(id, _)| *id);
        assert_eq!(
            next,
            Some(TypeId::of::<C>()),
            "sets are claimed in the order in which they were compared"
        );
        let Self { stores, lender, .. } = self;
        // SAFETY: what is claimed was compared with all others that are claimed of these pools, and
        // each is claimed once (J5).
        unsafe { C::claim(*stores, |at| lender.lend(&C::ACCESSES[at])) }
    }

    /// Leaves the next set out.
    pub(crate) fn skip(&mut self) {
        self.left.next();
    }
}
