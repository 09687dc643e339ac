//! Lints that the expansion of columns could trip over, all of them denied.
#![deny(
    warnings,
    missing_docs,
    missing_debug_implementations,
    unused,
    nonstandard_style,
    future_incompatible,
    let_underscore,
    rust_2018_idioms,
    absolute_paths_not_starting_with_crate,
    elided_lifetimes_in_paths,
    explicit_outlives_requirements,
    macro_use_extern_crate,
    non_ascii_idents,
    redundant_imports,
    redundant_lifetimes,
    single_use_lifetimes,
    trivial_casts,
    trivial_numeric_casts,
    unreachable_pub,
    unsafe_code,
    unused_extern_crates,
    unused_import_braces,
    unused_lifetimes,
    unused_qualifications,
    unused_results,
    variant_size_differences,
    clippy::all,
    clippy::pedantic,
    clippy::nursery
)]

use ecs::{Component, Query, World};

/// Data.
#[derive(Component, Clone, Debug, Default)]
#[component(layout = "soa", veto = Health::may_go)]
struct Health {
    points: u32,
    name: String,
}

impl Health {
    fn may_go(it: HealthMut<'_>) -> bool {
        *it.points > 5 && it.name.is_empty()
    }
}

/// Data of any type.
#[derive(Component, Debug)]
#[component(layout = "soa")]
struct Wrapper<T> {
    left: T,
    right: Option<T>,
}

/// Data of fields that other modules may read, and none reads.
#[derive(Component, Clone, Debug)]
#[component(layout = "soa", ref = Seen)]
pub(crate) struct Unread {
    pub(crate) first: u32,
    pub(self) second: u32,
}

/// A living entity.
#[derive(Query, Debug)]
struct Living<'w> {
    #[query(column = health::points)]
    points: &'w mut u32,
    wrapper: Option<WrapperRef<'w, u32>>,
}

fn main() {
    let mut world = World::new();
    let wrapper = Wrapper { left: 4_u32, right: None };
    let _hero = world.spawn_empty().insert((Health::default(), wrapper)).id();
    let _ = world.spawn(Unread { first: 1, second: 2 });
    for Living { points, wrapper } in world.view_mut::<Living<'_>>() {
        *points += wrapper.map_or(0, |it| it.left + it.right.unwrap_or(0));
    }
    assert_eq!(world.view::<Health>().count(), 1);
}
