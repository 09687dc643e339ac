//! With the default storage.

use specs::DenseVecStorage as Storage;

#[path = "loops.rs"]
pub mod loops;
#[path = "scenes.rs"]
mod scenes;
#[path = "worlds.rs"]
pub mod worlds;
