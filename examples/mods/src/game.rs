//! The host's part of the game: three components, turns, and the picture of the hall.

use crate::folder::Folder;
use crate::script::Host;
use ecs::{Component, World};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::Path;

/// The columns and rows of the hall.
pub const SIZE: (usize, usize) = (40, 10);

/// The place of an entity in the hall.
#[derive(Component, Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[component(clone, save = "Place")]
pub struct Place {
    /// The column, from the left.
    pub x: i32,
    /// The row, from the top.
    pub y: i32,
}

/// The letter that stands for an entity.
#[derive(Component, Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[component(clone, save = "Glyph")]
pub struct Glyph(pub char);

/// The health of an entity.
#[derive(Component, Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[component(clone, save = "Health")]
pub struct Health {
    /// At 0 or below, it dies.
    pub now: i32,
    /// The health of one that is not hurt.
    pub most: i32,
}

/// A world that a folder of mods fills and moves.
pub struct Game {
    host: Host,
    folder: Folder,
    /// The scripts that failed. They rest until their file changes.
    resting: BTreeSet<String>,
}

impl Game {
    /// Begins a game with the mods of a folder. Returns the mistakes in it, too.
    #[must_use]
    pub fn begin(folder: &Path, seed: u64) -> (Self, Vec<String>) {
        let mut world = World::new();
        world.register::<(Place, Glyph, Health)>();
        let mut game = Self {
            host: Host::new(world, seed),
            folder: Folder::new(folder),
            resting: BTreeSet::new(),
        };
        let mut errors = game.reload();
        if let Some(start) = game.folder.start() {
            errors.extend(game.host.start(start).err());
        }
        (game, errors)
    }

    /// Reads the files anew that were changed. Returns the mistakes in them.
    pub fn reload(&mut self) -> Vec<String> {
        let answer = self.folder.reload(&self.host);
        for file in answer.changed {
            self.resting.remove(&file);
        }
        answer.errors
    }

    /// Runs each system once. Returns the errors of the systems that failed: these rest until their file changes.
    pub fn turn(&mut self) -> Vec<String> {
        let mut errors = Vec::new();
        for (file, script) in self.folder.systems() {
            if self.resting.contains(file) {
                continue;
            }
            if let Err(error) = self.host.run(script) {
                errors.push(error);
                self.resting.insert(file.to_owned());
            }
        }
        errors
    }

    /// Calls `f` with the world.
    pub fn with_world<R>(&self, f: impl FnOnce(&mut World) -> R) -> R {
        f(&mut self.host.state().world)
    }

    /// Returns the lines that scripts said since the last call.
    pub fn take_said(&self) -> Vec<String> {
        self.host.take_said()
    }

    /// Draws the hall.
    #[must_use]
    pub fn picture(&self) -> String {
        let (columns, rows) = SIZE;
        let mut hall = vec![vec!['.'; columns]; rows];
        for (_, place, glyph) in self.host.state().world.view::<(&Place, &Glyph)>() {
            let row = usize::try_from(place.y).ok().and_then(|y| hall.get_mut(y));
            let column = usize::try_from(place.x).ok().zip(row).and_then(|(x, row)| row.get_mut(x));
            column.into_iter().for_each(|letter| *letter = glyph.0);
        }
        let mut text = String::new();
        for row in hall {
            writeln!(text, "{}", row.iter().collect::<String>()).expect("a text has room");
        }
        text
    }
}
