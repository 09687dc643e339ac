//! The game of towers in a window.
//!
//! ```sh
//! cargo run --release --manifest-path examples/towers_window/Cargo.toml
//! ```
//!
//! `1` and `2` choose a tower, a click builds it, `P` pauses, `S` saves and `L` loads the game. With a number and a file,
//! `-- 4330 towers.png`, it plays this number of frames by itself, and takes a picture.

use ecs::Snapshot;
use ecs::app::{App, FIXED};
use ecs_examples::towers::{Build, Creep, Game, Input, Place, Shot, Tower, WAY, begin, play};
use macroquad::prelude::*;
use std::error::Error;
use std::time::Duration;

/// The pixels of a unit of the field.
const UNIT: f32 = 40.0;
const GRASS: Color = Color::new(0.16, 0.24, 0.18, 1.0);
const SAND: Color = Color::new(0.55, 0.47, 0.33, 1.0);
const TOWERS: [(&str, KeyCode, Color); 2] =
    [("gun", KeyCode::Key1, SKYBLUE), ("cannon", KeyCode::Key2, ORANGE)];

fn window() -> Conf {
    Conf {
        window_title: "towers".to_owned(),
        window_width: 640,
        window_height: 360,
        ..Conf::default()
    }
}

#[macroquad::main(window)]
async fn main() {
    if let Err(error) = run().await {
        eprintln!("{error}");
    }
}

/// The state of the window.
struct Desk {
    /// The tower that a click builds.
    chosen: usize,
    is_paused: bool,
    saved: Option<Snapshot>,
}

async fn run() -> Result<(), Box<dyn Error>> {
    let mut args = std::env::args().skip(1);
    let picture = args.next().zip(args.next());
    let end = picture.as_ref().map(|(frames, _)| frames.parse::<u32>()).transpose()?;
    let mut app = begin()?;
    let mut desk = Desk { chosen: 0, is_paused: false, saved: None };
    for frame in 0.. {
        let input = match end {
            Some(_) => by_itself(frame),
            None => desk.input(&mut app)?,
        };
        play(&mut app, &input)?;
        draw(&app, &desk);
        if let (true, Some((_, file))) = (Some(frame) == end, &picture) {
            get_screen_data().export_png(file);
            return Ok(());
        }
        if is_key_pressed(KeyCode::Escape) || app.world.resource::<Game>().lives == 0 {
            return Ok(());
        }
        next_frame().await;
    }
    Ok(())
}

/// Returns the input of a frame without a player.
fn by_itself(frame: u32) -> Input {
    let places = [(3.5, 3.5), (8.5, 5.5), (5.5, 3.5), (8.5, 3.5), (5.5, 5.5), (10.5, 3.5)];
    let (x, y) = places[frame as usize / 300 % places.len()];
    let tower = TOWERS[frame as usize / 300 % 2].0.to_owned();
    let order = frame.is_multiple_of(300).then_some(Build { tower, at: Place { x, y } });
    Input { elapsed: Duration::from_millis(20), orders: order.into_iter().collect() }
}

impl Desk {
    /// Handles keys and clicks, and returns the input for the game.
    fn input(&mut self, app: &mut App) -> Result<Input, Box<dyn Error>> {
        let chosen = TOWERS.iter().position(|(_, key, _)| is_key_pressed(*key));
        self.chosen = chosen.unwrap_or(self.chosen);
        if is_key_pressed(KeyCode::P) {
            self.is_paused = !self.is_paused;
            app.pause_label(FIXED, self.is_paused);
        }
        if is_key_pressed(KeyCode::S) {
            self.saved = Some(app.snapshot()?);
        }
        if let (true, Some(saved)) = (is_key_pressed(KeyCode::L), &self.saved) {
            app.restore(saved)?;
        }
        let (x, y) = mouse_position();
        let half = |at: f32| (at / UNIT).floor() + 0.5;
        let order = is_mouse_button_pressed(MouseButton::Left).then(|| Build {
            tower: TOWERS[self.chosen].0.to_owned(),
            at: Place { x: half(x), y: half(y) },
        });
        let elapsed = Duration::from_secs_f32(get_frame_time().min(0.1));
        Ok(Input { elapsed, orders: order.into_iter().collect() })
    }
}

fn draw(app: &App, desk: &Desk) {
    clear_background(GRASS);
    for pair in WAY.windows(2) {
        let [(x, y), (to_x, to_y)] = [pair[0], pair[1]].map(|(x, y)| (x * UNIT, y * UNIT));
        draw_line(x, y, to_x, to_y, 0.8 * UNIT, SAND);
        draw_circle(to_x, to_y, 0.4 * UNIT, SAND);
    }
    for (_, tower, at) in &app.world.view::<(&Tower, &Place)>() {
        let (x, y) = (at.x * UNIT, at.y * UNIT);
        let color = if tower.range > 3.0 { TOWERS[1].2 } else { TOWERS[0].2 };
        draw_circle_lines(x, y, tower.range * UNIT, 1.0, Color { a: 0.25, ..color });
        draw_rectangle(x - 0.35 * UNIT, y - 0.35 * UNIT, 0.7 * UNIT, 0.7 * UNIT, color);
        draw_circle(x, y, 0.18 * UNIT, DARKGRAY);
    }
    for (_, creep, at) in &app.world.view::<(&Creep, &Place)>() {
        let (x, y, size) = (at.x * UNIT, at.y * UNIT, if creep.most > 50 { 0.4 } else { 0.22 });
        draw_circle(x, y, size * UNIT, if creep.most < 10 { YELLOW } else { MAROON });
        #[expect(clippy::cast_precision_loss, reason = "small numbers")]
        let part = creep.health.max(0) as f32 / creep.most as f32;
        draw_rectangle(x - 14.0, y - size * UNIT - 7.0, 28.0, 4.0, BLACK);
        draw_rectangle(x - 14.0, y - size * UNIT - 7.0, 28.0 * part, 4.0, LIME);
    }
    for (_, at) in app.world.view::<&Place>().with::<Shot>() {
        draw_circle(at.x * UNIT, at.y * UNIT, 4.0, WHITE);
    }
    let Game { gold, lives, wave, .. } = app.world.resource();
    let chosen = TOWERS[desk.chosen].0;
    let paused = if desk.is_paused { "   paused" } else { "" };
    let text = format!("wave {wave}   gold {gold}   lives {lives}   builds: {chosen}{paused}");
    draw_text(&text, 12.0, 22.0, 24.0, WHITE);
}
