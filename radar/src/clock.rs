//! The time of the recording: it stands still, goes faster, and goes back.

use ecs::app::Elapsed;
use ecs::{Resource, World};
use serde::{Deserialize, Serialize};

use crate::feed;

/// The time that is shown.
#[derive(Resource, Clone, Copy, Debug, Serialize, Deserialize)]
#[resource(save = "clock", clone)]
pub struct Clock {
    /// Seconds since the recording began.
    pub now_s: f64,
    /// The end of the recording.
    pub end_s: f64,
    /// The number of recorded seconds in a second.
    pub speed: f64,
    pub is_running: bool,
}

impl Clock {
    pub const fn new(end_s: f64) -> Self {
        Self { now_s: 0.0, end_s, speed: 20.0, is_running: true }
    }
}

/// An event: a request to change the time.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub enum Control {
    Pause,
    Play,
    Speed(f64),
    Seek(f64),
}

/// A system: the time goes on.
pub fn advance(clock: &mut Clock, elapsed: &Elapsed) {
    // A program that was stopped for a while goes on where it was.
    let elapsed_s = elapsed.0.as_secs_f64().min(0.25);
    clock.now_s += elapsed_s * clock.speed;
    if clock.now_s > clock.end_s {
        (clock.now_s, clock.is_running) = (clock.end_s, false);
    }
}

/// A condition.
pub fn is_running(clock: &Clock) -> bool {
    clock.is_running
}

/// Observes requests about the time.
pub fn observe(world: &mut World) {
    world.on::<Control>(|world, control| {
        let clock = world.resource_mut::<Clock>();
        match *control {
            Control::Pause => clock.is_running = false,
            Control::Play => clock.is_running = true,
            Control::Speed(speed) if speed.is_finite() => clock.speed = speed.clamp(0.1, 600.0),
            Control::Seek(to_s) if to_s.is_finite() => {
                let is_back = to_s < clock.now_s;
                clock.now_s = to_s.clamp(0.0, clock.end_s);
                if is_back {
                    feed::rewind(world);
                }
            }
            Control::Speed(_) | Control::Seek(_) => {}
        }
    });
}
