//! A small world in motion, to try the inspector on: `cargo run -p ecs_remote --example demo`.
//!
//! `--port 0` lets the system choose a port, `--entities 100000` makes a large world, `--pause` keeps it still,
//! `--stutter` makes one of fifty frames slow.

use ecs::app::{App, Exit, FIRST, UPDATE};
use ecs::{ChildOf, Component, Entity, Group, Name, Resource, View};
use ecs_remote::{Options, PORT, RemotePlugin};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::error::Error;
use std::thread;
use std::time::{Duration, Instant};

#[derive(Component, Clone, Debug, Default, Serialize, Deserialize)]
#[component(save = "position", track, default)]
struct Position {
    x: f32,
    y: f32,
}

#[derive(Component, Clone, Debug, Default, Serialize, Deserialize)]
#[component(save = "velocity", default)]
struct Velocity {
    x: f32,
    y: f32,
}

#[derive(Component, Clone, Debug, Serialize, Deserialize)]
#[component(save = "plan")]
enum Plan {
    Rest,
    Go {
        to: Position,
        #[component(entities)]
        with: Option<Entity>,
        #[component(entities = ignore)]
        stops: Vec<f32>,
    },
    Wait(u32),
}

#[derive(Component, Serialize, Deserialize)]
#[component(save = "shield")]
struct Shield {
    is_up: bool,
    label: String,
}

#[derive(Component, Debug)]
#[component(debug)]
#[expect(dead_code, reason = "it is only shown")]
struct Socket(u16);

#[derive(Component, Serialize, Deserialize)]
#[component(save = "targets", relation)]
struct Targets(Entity);

/// An engine; the inspector offers the declared numbers, and shows the units.
#[derive(Component, Clone, Debug, Default, Serialize, Deserialize)]
#[component(save = "thrust", default)]
struct Thrust {
    #[component(range = 0.0..=1.0)]
    power: f32,
    #[component(range = -90..=90, unit = "°")]
    angle: i16,
    #[component(unit = "kg")]
    fuel: f64,
}

/// Numbers that a program in JavaScript would round.
#[derive(Component, Serialize, Deserialize)]
#[component(save = "serial")]
struct Serial {
    number: u128,
    offset: i128,
    count: u64,
}

/// A map that JSON cannot write: its keys are no texts.
#[derive(Component, Serialize, Deserialize)]
#[component(save = "chart")]
struct Chart(#[component(entities = ignore)] BTreeMap<(i8, i8), u8>);

#[derive(Resource, Serialize, Deserialize)]
#[resource(save = "clock")]
struct Clock {
    frames: u64,
    is_running: bool,
}

/// An event that a client may send.
#[derive(Serialize, Deserialize)]
struct Explosion {
    power: f32,
}

fn count(clock: &mut Clock) {
    clock.frames += 1;
}

fn is_running(clock: &Clock) -> bool {
    clock.is_running
}

fn fly(moving: View<(&mut Position, &Velocity)>) {
    moving.for_each(|(_, position, velocity)| {
        position.x += velocity.x * 0.01;
        position.y += velocity.y * 0.01;
    });
}

fn bounce(moving: View<(&Position, &mut Velocity)>) {
    moving.for_each(|(_, position, velocity)| {
        if position.x.abs() > 100.0 {
            velocity.x = -velocity.x.abs() * position.x.signum();
        }
    });
}

fn measure(all: View<&Position>) {
    all.for_each(|(_, position)| _ = std::hint::black_box(position.x));
}

/// Takes 40 ms in one of fifty frames.
fn stutter(clock: &Clock) {
    if clock.frames.is_multiple_of(50) {
        thread::sleep(Duration::from_millis(40));
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().collect();
    let value = |name: &str| {
        let at = arguments.iter().position(|argument| argument == name)?;
        arguments.get(at + 1)?.parse::<u32>().ok()
    };
    let port = value("--port").and_then(|port| u16::try_from(port).ok()).unwrap_or(PORT);
    // A snapshot of the large world is one piece of work, which takes more than a frame has at first.
    let options = Options::new().port(port).frame_bytes(64 << 20).frame_values(4_000_000);
    let remote = options.event::<Explosion>("explosion").start()?;
    println!("http://{}", remote.address());

    let mut app = App::new();
    let is_running_at_first = !arguments.iter().any(|argument| argument == "--pause");
    app.world.insert_resource(Clock { frames: 0, is_running: is_running_at_first });
    app.world.register::<(Position, Velocity, Plan, Shield, Targets, Serial, Thrust)>();
    app.world.declare_group(Group::owning::<(Position, Velocity)>())?;
    let fleet = app.world.spawn(Name::new("fleet")).id();
    for at in 0..4_u16 {
        let ship = (Name::new(format!("ship {at}")), Position::default(), ChildOf(fleet));
        let ship = app.world.spawn(ship).insert(Velocity { x: 3.0, y: f32::from(at) }).id();
        let gun = (Name::new("gun"), ChildOf(ship), Plan::Rest, Socket(at), Targets(fleet));
        app.world.spawn(gun).insert(Shield { is_up: true, label: "front".into() });
    }
    let serial = Serial { number: u128::MAX, offset: i128::MIN, count: u64::MAX };
    let thrust = Thrust { power: 0.5, angle: -30, fuel: 1_250.0 };
    let chart = Chart(BTreeMap::from([((0, -1), 3)]));
    app.world.spawn((Name::new("probe"), serial, thrust, chart));
    let many = value("--entities").unwrap_or(100);
    app.world.spawn_batch((0..many).map(|at| {
        let [x, y] = [at % 100, at / 100 % 100].map(|it| f32::from(u8::try_from(it).unwrap_or(0)));
        (Position { x, y }, Velocity { x: 1.0, y: 0.5 })
    }));
    app.world.on::<Explosion>(|world, explosion| {
        world.spawn(Name::new(format!("crater of {}", explosion.power)));
    });
    app.add_systems(FIRST, "time", |list| list.add(count));
    app.add_systems(UPDATE, "motion", |list| {
        list.add_if(is_running, fly).add_if(is_running, bounce).add(measure)
    });
    if arguments.iter().any(|argument| argument == "--stutter") {
        app.add_systems(UPDATE, "stutter", |list| list.add(stutter));
    }
    app.install(RemotePlugin(remote));
    let mut last = Instant::now();
    while !app.world.resource::<Exit>().0 {
        app.frame(last.elapsed())?;
        last = Instant::now();
        thread::sleep(Duration::from_millis(8));
    }
    Ok(())
}
