//! The libraries, each with components of its own: their derives have attributes of one name.

pub mod bevy_ecs;
pub mod ecs;
pub mod flecs_ecs;
pub mod hecs;
pub mod shipyard;
pub mod sparsey;
pub mod specs;
