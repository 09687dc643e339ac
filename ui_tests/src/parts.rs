//! A module of the library, and of the binary.

/// Two types, in one place of crates with one name.
#[derive(ecs::Component)]
pub struct Part(pub u32);
