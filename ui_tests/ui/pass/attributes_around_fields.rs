#![allow(dead_code)]

use ecs::{Bundle, Component, Query};

/// Documented.
#[derive(Component, Clone, Copy, Debug, Default, PartialEq, PartialOrd)]
#[must_use]
#[non_exhaustive]
#[component(bit = 0)]
#[component(veto = Health::may_go)]
struct Health {
    /// Documented.
    #[doc(alias = "life")]
    points: u32,
    #[cfg(any())]
    gone: Missing,
}

impl Health {
    fn may_go(&mut self) -> bool {
        true
    }
}

#[derive(Query, Clone, Copy, Debug)]
#[query(with(Health,),)]
#[query(without(Armour))]
struct Living<'w> {
    #[doc = "life"]
    health: &'w Health,
    #[cfg(any())]
    gone: &'w Missing,
    #[allow(clippy::all)]
    again: &'w Health,
}

#[derive(Component, Clone, Debug, Default)]
struct Armour(#[allow(unused)] u32);

#[derive(Bundle, Clone, Debug, Default)]
struct Hero {
    #[cfg(not(doc))]
    health: Health,
    #[cfg(any())]
    gone: Missing,
    /// Documented.
    armour: Armour,
}

pub(super) fn main() {}
