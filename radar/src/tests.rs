#![expect(clippy::float_cmp, reason = "what is the same comes to the same")]

use super::*;
use crate::components::{Approaching, Flight, Near, Position, Runway};
use crate::passes::Nearest;
use ecs::save::Limits;
use ecs::{ChildOf, World};

fn app() -> App {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../examples/data/flights.csv");
    let mut app = radar(Recording::read(path.as_ref()).unwrap());
    app.world.send(&Control::Pause);
    app
}

/// The visible state: names and positions, and the passes.
type Seen = (Vec<(String, Position)>, Vec<(String, f64)>);

/// Shows the second, and returns the visible state.
fn at(app: &mut App, second: f64) -> Seen {
    app.world.send(&Control::Seek(second));
    app.frame(Duration::ZERO).unwrap();
    app.frame(Duration::ZERO).unwrap(); // all systems see the inserted components
    app.world.check_invariants();
    let world = &app.world;
    let flights = world.view::<(&Position, &Flight)>();
    let mut flights: Vec<_> = flights
        .into_iter()
        .map(|(entity, position, _)| (world.name(entity).unwrap().to_owned(), *position))
        .collect();
    flights.sort_by(|a, b| a.0.cmp(&b.0));
    let nearest = &world.resource::<Nearest>().0;
    (flights, nearest.iter().map(|line| (line.name.clone(), line.slant_km)).collect())
}

#[test]
fn time_that_goes_back_and_forth_shows_the_same() {
    let mut app = app();
    let early = at(&mut app, 600.0);
    assert!(early.0.len() > 20 && early.1.len() == 12);
    let late = at(&mut app, 2_400.0);
    assert_ne!(early, late);
    assert_eq!(at(&mut app, 600.0), early);
    for second in (650..2_400).step_by(50) {
        at(&mut app, f64::from(second)); // in steps, not in one leap
    }
    assert_eq!(at(&mut app, 2_400.0), late);
}

#[test]
fn a_loaded_world_goes_on_where_it_was_saved() {
    let mut app = app();
    at(&mut app, 600.0);
    let mut bytes = Vec::new();
    app.world.save().to_bytes(&mut bytes).unwrap();
    let expected = at(&mut app, 700.0);
    at(&mut app, 2_400.0);
    let loaded = app.world.load(&bytes, &Limits::default()).unwrap();
    assert!(loaded.other_resources().is_empty(), "{loaded:?}");
    assert_eq!(at(&mut app, 700.0), expected);
}

#[test]
fn near_flights_are_those_within_fifty_kilometres() {
    let mut app = app();
    at(&mut app, 1_200.0);
    for (entity, position, _) in app.world.view::<(&Position, &Flight)>() {
        let is_near = position.east_km.hypot(position.north_km) <= 50.0;
        assert_eq!(app.world.has::<Near>(entity), is_near);
    }
}

#[test]
fn flights_approach_runways_in_the_recording() {
    let mut app = app();
    let mut most = 0;
    for second in (60..3_600).step_by(60) {
        at(&mut app, f64::from(second));
        let runways = app.world.view::<&Runway>();
        most = most.max(
            runways.into_iter().map(|(it, _)| app.world.related::<Approaching>(it).len()).sum(),
        );
    }
    assert!(most >= 3, "{most}");
    assert_eq!(app.world.roots_of::<ChildOf>().count(), 1);
}

#[test]
fn the_clock_runs_only_while_it_is_let() {
    let mut app = app();
    app.frame(Duration::ZERO).unwrap();
    assert_eq!(app.world.resource::<Clock>().now_s, 0.0);
    app.world.send(&Control::Speed(1e9));
    assert_eq!(app.world.resource::<Clock>().speed, 600.0);
    app.world.send(&Control::Seek(f64::NAN));
    app.world.send(&Control::Play);
    app.frame(Duration::from_millis(2)).unwrap();
    assert!(app.world.resource::<Clock>().now_s > 0.0);
    app.world.send(&Control::Seek(1e9));
    app.frame(Duration::from_millis(2)).unwrap();
    let clock = app.world.resource::<Clock>();
    assert!(clock.now_s == clock.end_s && !clock.is_running);
}

#[test]
fn the_map_shows_the_world() {
    let mut app = app();
    at(&mut app, 1_200.0);
    let mut protocol = ecs_remote::Protocol::new(map::add_to(Options::new()));
    let frame =
        protocol.answer(&mut app.world, &[], "radar.frame", serde_json::Value::Null).unwrap();
    let frame: serde_json::Value = serde_json::from_str(&frame).unwrap();
    let count = |world: &World| world.view::<(&Position, &Flight)>().count();
    assert_eq!(frame["flights"].as_array().unwrap().len(), count(&app.world));
    assert_eq!(frame["runways"].as_array().unwrap().len(), 2);
    assert!(frame["flights"][0]["trail"].as_array().unwrap().len() > 1);
}

#[test]
fn recorded_frames_are_played_again_in_another_app() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../examples/data/flights.csv");
    let new = || radar(Recording::read(path.as_ref()).unwrap());
    let mut app = new();
    app.world.send(&Control::Seek(600.0));
    let mut recorder = Recorder::new(&mut app).unwrap();
    for frame in 0..100 {
        let elapsed = Duration::from_millis(10 + frame % 7);
        app.frame(elapsed).unwrap();
        match frame {
            20 => app.world.send(&Control::Seek(900.0)),
            40 => app.world.send(&Control::Seek(500.0)),
            60 => app.world.send(&Control::Speed(60.0)),
            _ => {}
        }
        recorder.record(&mut app, elapsed).unwrap();
    }
    recorder.recording.replay(&mut new(), 0, replay_frame).unwrap();
    let forgetful = |app: &mut App, input: &FrameInput| app.frame(input.elapsed);
    let error = recorder.recording.replay(&mut new(), 0, forgetful).unwrap_err().to_string();
    assert!(error.starts_with("frame 20 differs: "), "{error}");
}
