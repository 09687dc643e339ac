//! Recorded runs: replayed, compared, written and read.

use core::time::Duration;
use ecs::app::{App, UPDATE};
use ecs::replay::{Difference, DifferentPart, Program, Recording, RecordingError};
use ecs::save::SnapshotTypes;
use ecs::{
    Commands, Component, Entity, Local, Resource, Schedule, Snapshot, SnapshotError, SpawnCommands,
    View, World,
};
use serde::{Deserialize, Serialize};

#[derive(Component, Clone, Serialize, Deserialize)]
#[component(clone, save = "height")]
struct Height(u64);
#[derive(Component, Clone, Serialize, Deserialize)]
#[component(clone, save = "rope")]
struct Rope {
    #[component(entities)]
    to: Entity,
}
#[derive(Resource, Clone, Serialize, Deserialize)]
#[resource(clone, save = "wind")]
struct Wind(u64);

type Result<T = (), E = RecordingError> = core::result::Result<T, E>;

fn climb(all: View<(&mut Height, Option<&Rope>)>, wind: &Wind, mut runs: Local<u64>) {
    *runs += 1;
    for (entity, height, rope) in all {
        height.0 = height.0.wrapping_mul(5) ^ *runs ^ wind.0 ^ u64::from(entity.index());
        height.0 ^= rope.map_or(0, |rope| u64::from(rope.to.index()));
    }
}

fn split(all: View<&Height>, mut commands: SpawnCommands) {
    for (_, height) in all {
        if height.0 % 7 == 1 {
            commands.spawn(Height(height.0 / 2));
        }
    }
}

fn fall_and_join(all: View<&Height>, commands: &mut Commands, mut last: Local<Option<Entity>>) {
    for (entity, height) in all {
        match height.0 % 7 {
            0 => commands.despawn(entity),
            2 => commands.insert(entity, Rope { to: last.unwrap_or(entity) }),
            3 => commands.remove::<Rope>(entity),
            _ => {}
        }
        *last = Some(entity);
    }
}

fn program() -> App {
    let mut app = App::new();
    app.world.register::<(Height, Rope)>();
    app.world.insert_resource(Wind(0));
    app.world.spawn_batch((0..40).map(Height));
    app.add_systems(UPDATE, "all", |list| list.add(climb).add(split).add(fall_and_join));
    app
}

/// Plays a frame.
#[expect(clippy::trivially_copy_pass_by_ref, reason = "replays lend the input")]
fn play(app: &mut App, wind: &u64) -> Result<(), ecs::ScheduleError> {
    app.world.insert_resource(Wind(*wind));
    app.frame(Duration::from_millis(16))
}

/// Records a program, which `meddle` edits after each frame.
fn record(frames: u64, meddle: impl Fn(u64, &mut World)) -> (App, Recording<u64>) {
    let mut app = program();
    let mut recording = Recording::new(&mut app, 5).unwrap();
    for frame in 0..frames {
        let wind = frame.wrapping_mul(0x9E37_79B9) >> 3;
        play(&mut app, &wind).unwrap();
        meddle(frame, &mut app.world);
        recording.record(&mut app, &wind).unwrap();
    }
    (app, recording)
}

/// Returns the only difference that a replay finds.
fn differs(result: Result) -> Difference {
    match result {
        Err(RecordingError::Differs(difference)) => difference,
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_run_is_replayed_from_each_kept_snapshot() {
    let (mut app, recording) = record(18, |_, _| ());
    assert!(recording.snapshots().map(|it| it.0).eq([0, 5, 10, 15]));
    assert_eq!(recording.frame_count(), 18);
    for from in (0..19).chain([100]) {
        let mut played = 0;
        recording
            .replay(&mut app, from, |app, wind| {
                played += 1;
                play(app, wind)
            })
            .unwrap();
        assert_eq!(played, 18 - from.min(15) / 5 * 5, "from {from}");
    }
    assert!(app.world.len() > 20, "the program does something");
}

#[test]
fn a_replay_names_the_first_frame_that_differs_with_its_entity_and_component() {
    let (mut app, recording) = record(12, |_, _| ());
    let end = app.world.len();
    for frame in 0..12 {
        let mut at = 0;
        let mut entity = None;
        let result = recording.replay(&mut app, 0, |app, wind| {
            play(app, wind).unwrap();
            if at == frame {
                let mut highest = app.world.view_mut::<&mut Height>().into_iter();
                let (of, height) = highest.next().unwrap();
                height.0 += 1;
                entity = Some(of);
            }
            at += 1;
        });
        let part = DifferentPart::Value("height".into(), entity.unwrap());
        let difference = differs(result);
        assert_eq!((difference.frame, difference.part), (frame, part));
    }
    recording.replay(&mut app, 0, play).unwrap();
    assert_eq!(app.world.len(), end);
}

#[test]
fn each_kind_of_difference_is_named() {
    let (_, recording) = record(4, |_, _| ());
    let other = |meddle: fn(&mut World)| {
        let (_, other) = record(4, |frame, world| {
            if frame == 2 {
                meddle(world);
            }
        });
        let difference = recording.compare(&other).unwrap();
        assert_eq!(other.compare(&recording), Some(difference.clone()));
        assert_eq!(difference.frame, 2);
        difference.to_string().strip_prefix("frame 2 differs: ").unwrap().to_owned()
    };
    assert_eq!(other(|world| world.resource_mut::<Wind>().0 += 1), "the resource `wind`");
    let spawned = other(|world| _ = world.spawn(Height(3)));
    assert!(spawned.starts_with("only one of the runs has a `height` of "), "{spawned}");
    let ended = other(|world| {
        let last = world.view::<&Height>().into_iter().last().unwrap().0;
        world.despawn(last).unwrap();
    });
    assert!(ended.starts_with("only one of the runs has a `height` of "), "{ended}");
    let roped = other(|world| {
        let (free, _) = world.view::<&Height>().without::<Rope>().into_iter().next().unwrap();
        world.insert(free, Rope { to: free }).unwrap();
    });
    assert!(roped.starts_with("only one of the runs has a `rope` of "), "{roped}");
    let empty = other(|world| _ = world.spawn_empty());
    assert_eq!(empty, "the entities that are alive, or free ids");
    let sorted = other(|world| world.pool_mut::<Height>().sort_by(|a, b| b.0.cmp(&a.0)).unwrap());
    assert_eq!(sorted, "the order of iteration");
}

#[test]
fn exchanged_values_are_found() {
    let (_, recording) = record(3, |_, _| ());
    let (_, other) = record(3, |frame, world| {
        if frame == 1 {
            let all: Vec<u64> = world.view::<&Height>().into_iter().map(|(_, it)| it.0).collect();
            let rest = all.iter().rev();
            world
                .view_mut::<&mut Height>()
                .into_iter()
                .zip(rest)
                .for_each(|(it, &new)| it.1.0 = new);
        }
    });
    let difference = recording.compare(&other).unwrap();
    assert!(matches!(difference.part, DifferentPart::Value(..)) && difference.frame == 1);
}

#[test]
fn recordings_are_compared_where_both_have_frames() {
    let (_, long) = record(9, |_, _| ());
    let (_, mut short) = record(6, |_, _| ());
    assert_eq!(long.compare(&short), None);
    short.forget_before(5);
    assert!(short.snapshots().map(|it| it.0).eq([5]) && short.frame_count() == 6);
    assert!(short.hash(4).is_none() && short.hash(5) == long.hash(5));
    assert_eq!(short.compare(&long), None);
    let mut app = program();
    short.replay(&mut app, 0, play).unwrap(); // from frame 5 on
    long.replay(&mut app, 0, play).unwrap();
}

#[test]
fn a_recording_is_written_and_replayed_in_another_process() {
    let (_, recording) = record(13, |_, _| ());
    let types = SnapshotTypes::new();
    let bytes = recording.write(&types).unwrap();
    let mut app = program();
    let read = Recording::<u64>::read(&bytes, &types, &mut app).unwrap();
    assert_eq!(read.compare(&recording), None);
    assert_eq!(read.write(&types).unwrap(), bytes);
    for from in [0, 7, 12] {
        read.replay(&mut app, from, play).unwrap();
    }
    for len in (0..bytes.len()).step_by(101) {
        assert!(Recording::<u64>::read(&bytes[..len], &types, &mut app).is_err(), "{len}");
    }
    let mut damaged = bytes.clone();
    for at in (0..bytes.len()).step_by(37) {
        damaged[at] ^= 0x55;
        if let Ok(damaged) = Recording::<u64>::read(&damaged, &types, &mut app) {
            _ = damaged.compare(&recording);
        }
        damaged[at] = bytes[at];
    }
}

#[test]
fn whatever_cannot_be_recorded_is_an_error_that_names_it() {
    #[derive(Component, Clone)]
    #[component(clone)]
    struct Socket;
    #[derive(Component, Serialize, Deserialize)]
    #[component(save = "unique")]
    struct Unique;
    let mut world = World::new();
    let mut recording = Recording::new(&mut world, 1).unwrap();
    world.spawn(Socket);
    let error = recording.record(&mut world, &0_u8).unwrap_err();
    assert!(error.to_string().starts_with("cannot save `Socket`"), "{error}");
    assert_eq!(recording.frame_count(), 0);

    let mut world = World::new();
    world.spawn(Unique);
    let error = Recording::<u8>::new(&mut world, 1).unwrap_err();
    assert!(error.to_string().contains("`Unique`"), "{error}");
    assert_eq!(
        recording.replay(&mut World::new(), 0, |_, _| ()).map_err(|it| it.to_string()),
        Ok(())
    );
}

#[test]
fn an_error_of_the_program_names_its_frame() {
    let mut program = (World::new(), Schedule::new());
    let mut recording = Recording::new(&mut program, 9).unwrap();
    (0..3).for_each(|input| recording.record(&mut program, &input).unwrap());
    let fails = |_: &mut _, input: &u8| if *input < 2 { Ok(()) } else { Err("too windy") };
    let error = recording.replay(&mut program, 0, fails).unwrap_err();
    assert_eq!(error.to_string(), "frame 2 failed: too windy");
}

#[test]
fn a_type_of_the_user_is_recorded() {
    struct Game(World, Schedule);
    impl Program for Game {
        fn snapshot_into(&mut self, snapshot: &mut Snapshot) -> Result<(), SnapshotError> {
            self.1.snapshot_into(&mut self.0, snapshot)
        }
        fn restore(&mut self, snapshot: &Snapshot) -> Result<(), SnapshotError> {
            self.1.restore(&mut self.0, snapshot)
        }
        fn world(&self) -> &World {
            &self.0
        }
    }
    let count = |mut runs: Local<u32>, mut commands: SpawnCommands| {
        *runs += 1;
        (0..*runs).for_each(|_| _ = commands.spawn(Height(3)));
    };
    let mut game = Game(World::new(), Schedule::new().add(count));
    let mut play = |game: &mut Game, (): &()| game.1.run(&mut game.0);
    let mut recording = Recording::new(&mut game, 2).unwrap();
    for _ in 0..5 {
        play(&mut game, &()).unwrap();
        recording.record(&mut game, &()).unwrap();
    }
    recording.replay(&mut game, 3, &mut play).unwrap();
    recording.replay(&mut game, 0, play).unwrap();
    assert_eq!(game.0.len(), 1 + 2 + 3 + 4 + 5);
}

#[test]
fn a_recording_is_read_by_a_program_that_registered_its_components() {
    let mut world = World::new();
    world.spawn(Height(3));
    let mut recording = Recording::<u8>::new(&mut world, 10).unwrap();
    recording.record(&mut world, &1).unwrap();
    let types = SnapshotTypes::new();
    let bytes = recording.write(&types).unwrap();
    let mut other = World::new();
    let error = Recording::<u8>::read(&bytes, &types, &mut other).unwrap_err().to_string();
    assert!(error.contains("`height`") && error.contains("World::register"), "{error}");
    other.register::<Height>();
    assert_eq!(
        Recording::<u8>::read(&bytes, &types, &mut other).unwrap().compare(&recording),
        None
    );
}
