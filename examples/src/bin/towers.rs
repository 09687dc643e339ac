//! A game of towers without a window: it is saved in the middle of a wave, loaded, and played again from a recording.
//!
//! ```sh
//! cargo run --profile example -p ecs_examples --bin towers
//! ```
//!
//! `cargo run --release --manifest-path examples/towers_window/Cargo.toml` plays it in a window.

use ecs::replay::Recording;
use ecs::save::SnapshotTypes;
use ecs_examples::towers::{Build, Game, Input, Place, begin, play};
use std::error::Error;
use std::time::Duration;

/// Returns the input of a frame: frames are of different lengths, and a tower is built now and then.
fn input(frame: u32) -> Input {
    let places = [(3.5, 3.5), (8.5, 5.5), (5.5, 3.5), (8.5, 3.5), (5.5, 5.5), (10.5, 3.5)];
    let (x, y) = places[frame as usize / 300 % 6];
    let tower = ["gun", "cannon"][frame as usize / 300 % 2].to_owned();
    let order = frame.is_multiple_of(300).then_some(Build { tower, at: Place { x, y } });
    let elapsed = Duration::from_millis(u64::from(13 + frame % 9));
    Input { elapsed, orders: order.into_iter().collect() }
}

/// Plays a game; then the end of it from a file, and all of it from the recording. Returns a report.
fn run(frames: u32) -> Result<String, Box<dyn Error>> {
    let (mut app, types) = (begin()?, SnapshotTypes::new());
    let mut recording = Recording::new(&mut app, 500)?;
    let mut file = None;
    for frame in 0..frames {
        if file.is_none() && frame > frames / 2 && app.world.resource::<Game>().left > 1 {
            file = Some((frame, types.write(&app.snapshot()?)?));
        }
        play(&mut app, &input(frame))?;
        recording.record(&mut app, &input(frame))?;
    }
    let (end, Game { gold, lives, wave, .. }) = (app.world.save().to_vec()?, app.world.resource());
    let report = format!("wave {wave}: {gold} gold, {lives} lives, {} entities", app.world.len());

    let (saved, bytes) = file.ok_or("no wave came")?;
    let mut loaded = begin()?;
    let mut snapshot = loaded.snapshot()?;
    types.read(&bytes, &mut snapshot)?;
    loaded.restore(&snapshot)?;
    (saved..frames).try_for_each(|frame| play(&mut loaded, &input(frame)))?;
    if loaded.world.save().to_vec()? != end {
        return Err("the loaded game has another end".into());
    }
    recording.replay(&mut app, 0, play)?;
    Ok(format!("{report}; saved before frame {saved}, in {} bytes", bytes.len()))
}

fn main() -> Result<(), Box<dyn Error>> {
    println!("{}", run(6_000)?);
    println!("the loaded game and the replayed one have the same end, to the last bit");
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_are_saved_in_a_wave_and_replayed() {
        let report = run(4_000).unwrap();
        assert!(report.starts_with("wave 7") && report.contains("before frame 2"), "{report}");
    }

    #[test]
    fn without_towers_creeps_pass_and_gold_stays() {
        let mut app = begin().unwrap();
        let still = Input { elapsed: Duration::from_millis(20), ..Input::default() };
        (0..3_000).try_for_each(|_| play(&mut app, &still)).unwrap();
        let game = app.world.resource::<Game>();
        assert!(game.lives < 10 && game.gold == 100, "{} lives", game.lives);
    }

    #[test]
    fn a_tower_needs_gold_and_room_and_a_name() {
        let mut app = begin().unwrap();
        let mut order = |tower: &str, x| {
            let orders = vec![Build { tower: tower.to_owned(), at: Place { x, y: 1.0 } }];
            play(&mut app, &Input { elapsed: Duration::from_millis(20), orders })?;
            Ok::<_, ecs::ScheduleError>(app.world.resource::<Game>().gold)
        };
        assert_eq!(order("gun", 1.0).unwrap(), 60);
        assert_eq!(order("gun", 1.5).unwrap(), 60, "one is there");
        assert_eq!(order("cannon", 4.0).unwrap(), 60, "it costs more");
        assert_eq!(order("gun", 4.0).unwrap(), 20);
        let error = order("canon", 4.0).unwrap_err().to_string();
        assert!(error.contains("there is no prefab `canon` (the nearest is `cannon`)"), "{error}");
    }
}
