//! Plays the game of a folder of mods in the terminal.
//!
//! ```sh
//! cargo run --profile example -p ecs_mods -- --turns 20
//! cargo run --profile example -p ecs_mods -- --watch      # edit the files in examples/mods/data meanwhile
//! ```

use clap::Parser;
use ecs_mods::Game;
use std::path::PathBuf;
use std::thread::sleep;
use std::time::Duration;

/// A hall of monsters whose components, monsters and systems come from a folder.
#[derive(Parser)]
struct Arguments {
    /// The folder of mods.
    #[arg(default_value = concat!(env!("CARGO_MANIFEST_DIR"), "/data"))]
    folder: PathBuf,
    /// The number of turns.
    #[arg(long, default_value_t = 20)]
    turns: u32,
    /// Shows each turn for a third of a second, and reads files that change meanwhile.
    #[arg(long)]
    watch: bool,
    /// Another seed is another game.
    #[arg(long, default_value_t = 7)]
    seed: u64,
}

fn main() {
    let arguments = Arguments::parse();
    let (mut game, mut errors) = Game::begin(&arguments.folder, arguments.seed);
    for turn in 0.. {
        if turn == arguments.turns && !arguments.watch {
            break;
        }
        errors.extend(game.turn());
        if arguments.watch {
            // Clears the terminal, and goes to its first line.
            print!("\x1b[2J\x1b[H{}", game.picture());
        }
        for line in game.take_said() {
            println!("turn {turn}: {line}");
        }
        for error in errors.drain(..) {
            eprintln!("{error}");
        }
        if arguments.watch {
            sleep(Duration::from_millis(300));
            errors = game.reload();
        }
    }
    print!("{}", game.picture());
}
