//! Lints that an expansion could trip over, all of them denied.
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

use ecs::{Bundle, Component, Entity, Has, Query, World};

/// Data.
#[derive(Component, Debug, Default)]
#[component(veto = Health::may_go)]
struct Health(u32);

impl Health {
    fn may_go(&mut self) -> bool {
        self.0 += 1;
        self.0 > 5
    }
}

/// Data of any type.
#[derive(Component, Debug)]
struct Wrapper<T>(T);

/// A living entity.
#[derive(Query, Debug)]
#[query(with(Health), without(Wrapper<u8>))]
struct Living<'w, T: Send + Sync + 'static> {
    entity: Entity,
    health: &'w mut Health,
    wrapper: Option<&'w Wrapper<T>>,
    has: Has<Wrapper<T>>,
}

/// The components of a hero.
#[derive(Bundle, Debug)]
struct Hero<T> {
    health: Health,
    wrapper: Wrapper<T>,
}

fn main() {
    let mut world = World::new();
    let _hero = world.spawn_empty().insert(Hero { health: Health(3), wrapper: Wrapper(4_u32) }).id();
    for Living { entity, health, wrapper, has } in world.view_mut::<Living<'_, u32>>() {
        health.0 += entity.index() + wrapper.map_or(0, |wrapper| wrapper.0) + u32::from(has.get());
    }
    assert_eq!(world.view::<Health>().count(), 1);
}
