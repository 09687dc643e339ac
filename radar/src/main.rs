//! Recorded flights on a map in the browser, with the inspector on the same world.
//!
//! ```text
//! cargo run --release -p radar
//! ```
//!
//! Each file is one subject: the components of an entity (`components`), the time (`clock`), the reports that come
//! (`feed`), their consequences (`passes`, `approach`), and the map (`map`).

mod approach;
mod clock;
mod components;
mod feed;
mod map;
mod passes;
mod place;

use std::error::Error;
use std::path::PathBuf;
use std::thread;
use std::time::{Duration, Instant};

use clap::Parser;
use ecs::app::{App, Exit, FIRST, UPDATE};
use ecs::replay::RecordingError;
use ecs::{Resource, ScheduleError};
use ecs_remote::{Options, PORT, RemotePlugin};
use serde::{Deserialize, Serialize};

use clock::{Clock, Control};
use feed::Recording;

/// Shows recorded flights in the browser, and the world that they are in.
#[derive(Debug, Parser)]
struct Args {
    /// Position reports, sorted by time
    #[arg(long, value_name = "FILE", default_value = concat!(env!("CARGO_MANIFEST_DIR"), "/../examples/data/flights.csv"))]
    flights: PathBuf,
    /// The port of the pages; 0 lets the system choose one
    #[arg(long, default_value_t = PORT)]
    port: u16,
    /// Begin at this second of the recording
    #[arg(long, value_name = "SECOND", default_value_t = 0.0)]
    at: f64,
    /// Begin with the time standing still
    #[arg(long)]
    pause: bool,
    /// Record this number of frames, play them again, and end
    #[arg(long, value_name = "FRAMES")]
    record: Option<usize>,
}

fn main() -> Result<(), Box<dyn Error>> {
    let args = Args::parse();
    let mut app = radar(Recording::read(&args.flights)?);
    app.world.send(&Control::Seek(args.at));
    if args.pause {
        app.world.send(&Control::Pause);
    }
    let options = Options::new().port(args.port).event::<Control>("control");
    let remote = map::add_to(options).start()?;
    println!("the map is at       http://{}/radar", remote.address());
    println!("the inspector is at http://{}", remote.address());
    app.install(RemotePlugin(remote));
    let mut recorder = args.record.map(|_| Recorder::new(&mut app)).transpose()?;
    let mut last = Instant::now();
    while !app.world.resource::<Exit>().0 {
        let elapsed = last.elapsed();
        last = Instant::now();
        app.frame(elapsed)?;
        if let Some(recorder) = &mut recorder {
            recorder.record(&mut app, elapsed)?;
            if Some(recorder.recording.frame_count()) == args.record {
                break;
            }
        }
        thread::sleep(Duration::from_millis(16).saturating_sub(last.elapsed()));
    }
    if let Some(Recorder { recording }) = recorder {
        // In an app without pages, whose requests would come between the frames.
        recording.replay(&mut radar(Recording::read(&args.flights)?), 0, replay_frame)?;
        println!("played {} frames again, with equal worlds", recording.frame_count());
    }
    Ok(())
}

/// The input of a frame.
#[derive(Serialize, Deserialize)]
struct FrameInput {
    elapsed: Duration,
    /// The requests that came after it.
    controls: Vec<Control>,
}

/// The requests since the last frame was recorded.
#[derive(Resource, Default)]
#[resource(clone = skip, save = skip)]
struct Heard(Vec<Control>);

/// Records the inputs of the app: times, and requests from the pages. Edits by the inspector are not recorded, and differ when
/// the frames are played again.
struct Recorder {
    recording: ecs::replay::Recording<FrameInput>,
}

impl Recorder {
    fn new(app: &mut App) -> Result<Self, RecordingError> {
        app.world.insert_resource(Heard::default());
        app.world.on::<Control>(|world, control| {
            world.resource_mut::<Heard>().0.push(*control);
        });
        Ok(Self { recording: ecs::replay::Recording::new(app, 600)? })
    }

    fn record(&mut self, app: &mut App, elapsed: Duration) -> Result<(), RecordingError> {
        let controls = std::mem::take(&mut app.world.resource_mut::<Heard>().0);
        self.recording.record(app, &FrameInput { elapsed, controls })
    }
}

fn replay_frame(app: &mut App, input: &FrameInput) -> Result<(), ScheduleError> {
    app.frame(input.elapsed)?;
    input.controls.iter().for_each(|control| app.world.send(control));
    Ok(())
}

/// Returns the app that follows a recording: all of it, without a page.
fn radar(recording: Recording) -> App {
    let mut app = App::new();
    app.world.insert_resource(Clock::new(recording.end_s()));
    app.world.insert_resource(recording);
    components::register(&mut app.world);
    feed::observe(&mut app.world);
    passes::observe(&mut app.world);
    clock::observe(&mut app.world);
    approach::spawn_runways(&mut app.world);
    app.add_systems(FIRST, "time", |list| list.add_if(clock::is_running, clock::advance));
    app.add_systems(UPDATE, "traffic", |list| {
        list.add(feed::feed)
            .add(feed::forget_lost)
            .add(approach::look_who_is_near)
            .sync()
            .add(approach::follow)
    });
    app
}

#[cfg(test)]
mod tests;
