//! A game whose monsters, components and systems come from a folder: a host for mods.
//!
//! The host has three components of its own, [`Place`], [`Glyph`] and [`Health`]. A folder of mods has
//!
//! * `components.json`: other components and their fields;
//! * `monsters.json`: prefabs with these components;
//! * `start.rhai`, whose function `start` is called when a game begins;
//! * systems: other files `.rhai`, which are called in the order of their names. See `src/script.rs`.
//!
//! Files that change while the game runs are read again: entities keep their values, also where fields come or go. A file
//! with a mistake is an error with its line; the game goes on with the file's last version that could be read.

mod components;
mod folder;
mod game;
mod script;

pub use crate::game::{Game, Glyph, Health, Place};
