//! A crate between `ecs` and its user. It knows the library as `renamed_ecs`, re-exports it as
//! `ecs`, and has a component, a query and a bundle of its own.
#![deny(missing_docs)]

pub use renamed_ecs as ecs;

use renamed_ecs::{Bundle, Component, Query};

/// Has a namesake in the crates that use this one.
#[derive(Component, Clone, Copy, Debug, Default, PartialEq)]
#[ecs(crate = renamed_ecs)]
pub struct Position(pub f32);

/// Reads the engine's [`Position`].
#[derive(Query)]
#[ecs(crate = renamed_ecs)]
pub struct Placed<'w> {
    /// Where.
    pub position: &'w Position,
}

/// Gives an entity the engine's [`Position`].
#[derive(Bundle, Default)]
#[ecs(crate = renamed_ecs)]
pub struct Placement {
    /// Where.
    pub position: Position,
}
