//! With `VecStorage`: the same files once more, as a storage is a component's type, not a world's.
#![expect(clippy::duplicate_mod, reason = "see above")]

use specs::VecStorage as Storage;

#[path = "loops.rs"]
pub mod loops;
#[path = "scenes.rs"]
mod scenes;
#[path = "worlds.rs"]
pub mod worlds;
