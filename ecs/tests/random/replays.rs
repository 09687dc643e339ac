//! Random programs that go back and repeat their frames, byte for byte, on any number of threads. `ECS_PROGRAMS` sets
//! how many there are.

#![allow(clippy::needless_pass_by_value, reason = "systems take their parameters by value")]

use crate::in_pool::in_pool;
use core::time::Duration;
use ecs::app::{App, Elapsed, FIXED, LAST, UPDATE, every};
use ecs::save::SnapshotTypes;
use ecs::{
    Changes, Commands, Component, CopiedSystem, Entity, EventCursor, Events, HasChanged, Local,
    Resource, Schedule, Sharing, SpawnCommands, View, Views, With, World,
};
use rayon::{ThreadPool, ThreadPoolBuilder};
use serde::{Deserialize, Serialize};
use std::sync::LazyLock;

#[derive(Component, Clone, Serialize, Deserialize)]
#[component(clone, save = "a")]
struct A(u64);
#[derive(Component, Clone, Serialize, Deserialize)]
#[component(clone, save = "b")]
struct B(u64);
#[derive(Component, Clone, Serialize, Deserialize)]
#[component(clone, track, save = "t")]
struct T(u64);

/// A hash of all that systems noticed.
#[derive(Resource, Clone, Serialize, Deserialize)]
#[resource(clone, save = "heard")]
struct Heard(u64);
#[derive(Resource, Clone, Serialize, Deserialize)]
#[resource(clone, save = "input")]
struct Input(u64);

/// A step of a generator of hashes.
fn mix(value: &mut u64, by: u64) -> u64 {
    *value = (*value ^ by).wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(23);
    *value
}

/// A generator of random numbers, from a seed.
struct Chance(u64);

impl Chance {
    fn below(&mut self, end: u64) -> u64 {
        (mix(&mut self.0, 0x5EED) >> 20) % end
    }
}

fn spawn(mut commands: SpawnCommands, mut number: Local<u64>, input: &Input) {
    *number += 1;
    commands.spawn((A(*number), T(*number ^ input.0)));
    if number.is_multiple_of(3) {
        commands.spawn((A(*number), B(input.0)));
    }
}
fn write_a(all: View<&mut A>, mut frame: Local<u64>) {
    *frame += 1;
    all.for_each(|(entity, a)| _ = mix(&mut a.0, *frame ^ u64::from(entity.index())));
}
fn write_b(all: View<(&mut B, &A)>, input: &Input) {
    all.for_each(|(_, b, a)| _ = mix(&mut b.0, a.0 ^ input.0));
}
fn write_t(all: View<(&mut T, With<A>)>, mut last: Local<Vec<u64>>) {
    let mut count = 0;
    all.for_each(|(_, t)| {
        t.0 += 1;
        count += 1;
    });
    last.push(count);
    if last.len() > 3 {
        last.remove(0);
    }
}
fn write_some_t(all: View<ecs::Mut<T>>, mut last: Local<Vec<u64>>) {
    let next = last.len() as u64 % 5;
    last.push(next);
    for (entity, mut t) in all {
        if last.contains(&u64::from(entity.index() % 7)) {
            t.0 += 1;
        }
    }
    last.truncate(4);
}
fn bury(all: View<&A>, commands: &mut Commands) {
    all.into_iter().filter(|(_, a)| a.0 % 11 == 0).for_each(|(entity, _)| commands.despawn(entity));
}
fn exchange(all: View<&A>, commands: &mut Commands, input: &Input) {
    for (entity, a) in all {
        match a.0 % 13 {
            0 => commands.insert(entity, B(input.0)),
            1 => commands.remove::<T>(entity),
            2 => commands.insert(entity, T(a.0)),
            _ => {}
        }
    }
}
fn send(events: &mut Events<u64>, mut sent: Local<u64>, input: &Input) {
    *sent += 1;
    events.extend([*sent, *sent ^ input.0]);
}
fn update(events: &mut Events<u64>) {
    events.update();
}
#[derive(Views)]
struct Hearing<'w> {
    events: &'w Events<u64>,
    seen: Local<'w, EventCursor>,
    heard: &'w mut Heard,
}
fn hear(Hearing { events, mut seen, heard }: Hearing) {
    let unread = events.read(&mut seen);
    mix(&mut heard.0, unread.missed());
    unread.for_each(|event| _ = mix(&mut heard.0, *event));
}
fn read_changes(changes: &Changes<T>, one: View<&T>, all: View<&T>, heard: &mut Heard) {
    let mut note = |(entity, t): (Entity, &T)| _ = mix(&mut heard.0, entity.to_bits() ^ t.0);
    one.among(changes.inserted()).into_iter().for_each(&mut note);
    all.among(changes.changed()).into_iter().for_each(&mut note);
    changes.removed().iter().for_each(|entity| _ = mix(&mut heard.0, entity.to_bits()));
}
fn note_input(input: HasChanged<Input>, heard: &mut Heard) {
    mix(&mut heard.0, u64::from(input.get()));
}
fn take_input(input: &mut Input, mut runs: Local<u64>) {
    *runs += 1;
    mix(&mut input.0, *runs);
}
fn attach(all: View<Entity>, mut last: Local<Option<Entity>>, commands: &mut Commands) {
    let all: Vec<Entity> = all.iter().collect();
    if let (Some(last), Some(&next)) = (*last, all.get(all.len() / 2)) {
        commands.queue(move |world: &mut World| _ = world.attach(last, next));
    }
    *last = all.last().copied();
}
fn end_first(world: &mut World) {
    let first = world.entities().next();
    if let Some(first) = first
        && world.len() > 30
    {
        _ = world.despawn(first);
    }
}
fn count_children(world: &World, mut before: Local<u64>, commands: &mut Commands) {
    let parents = world.view::<With<A>>();
    let count = parents.iter().map(|entity| world.children(entity).count() as u64).sum();
    let before = core::mem::replace(&mut *before, count);
    commands.queue(move |world: &mut World| {
        let heard = world.resource_mut::<Heard>();
        mix(&mut heard.0, before ^ count);
    });
}

/// Adds a system that counts its runs in a captured value.
fn counting(list: Schedule, mut next: u64) -> Schedule {
    list.add(CopiedSystem(move |input: &mut Input| {
        next += 1;
        mix(&mut input.0, next);
    }))
}

fn is_third(mut asked: Local<u64>) -> bool {
    *asked += 1;
    asked.is_multiple_of(3)
}
fn is_new(input: HasChanged<Input>) -> bool {
    input.get()
}

/// Adds a random system.
fn add_one(list: Schedule, chance: &mut Chance) -> Schedule {
    macro_rules! one_of {
        ($($number:literal $system:ident)+) => {
            match chance.below(19) {
                $($number => list.add($system),)+
                16 => list.add_if(is_third, hear),
                17 => list.add_if(every(Duration::from_millis(10 + chance.below(40))), read_changes),
                _ => counting(list, chance.below(9)),
            }
        };
    }
    one_of!(0 spawn 1 write_a 2 write_b 3 write_t 4 write_some_t 5 bury 6 exchange 7 send 8 update 9 hear
        10 read_changes 11 note_input 12 take_input 13 attach 14 end_first 15 count_children)
}

/// Adds a list under a random condition, or none.
fn add_list(list: Schedule, inner: Schedule, chance: &mut Chance) -> Schedule {
    match chance.below(5) {
        0 => list.add_all_if("third", is_third, inner),
        1 => list.add_all_if("new", is_new, inner),
        2 => {
            let period = Duration::from_millis(10 + chance.below(40));
            list.add_all_if("every", every(period), inner)
        }
        3 => {
            let mut asked = chance.below(3);
            let is_second = CopiedSystem(move |_: &Input| {
                asked += 1;
                asked.is_multiple_of(2)
            });
            list.add_all_if("second", is_second, inner)
        }
        _ => list.add_all("all", inner),
    }
}

fn list(mut list: Schedule, chance: &mut Chance, depth: u32) -> Schedule {
    for _ in 0..=chance.below(6) {
        list = if depth > 0 && chance.below(3) == 0 {
            let inner = self::list(Schedule::new(), chance, depth - 1);
            add_list(list, inner, chance)
        } else {
            add_one(list, chance)
        };
    }
    list
}

/// A random program.
fn program(seed: u64) -> App {
    let mut chance = Chance(seed);
    let mut app = App::new();
    app.world.register::<(A, B, T, ecs::ChildOf)>();
    app.world.insert_resource(Heard(seed));
    app.world.insert_resource(Input(0));
    app.world.insert_resource(Events::<u64>::new().in_snapshots());
    app.fixed_step = ecs::FixedStep::new(Duration::from_millis(5 + chance.below(20)));
    app.world.spawn_batch((0..chance.below(40)).map(|number| (A(number), T(number))));
    app.world.on_insert::<B>(|world, entity| {
        let heard = world.resource_mut::<Heard>();
        mix(&mut heard.0, entity.to_bits());
    });
    app.world.on_remove::<T>(|world, _| {
        if world.len() < 60 {
            world.spawn(A(world.len() as u64));
        }
    });
    for label in [FIXED, UPDATE, LAST] {
        app.add_systems(label, "one", |all| list(all, &mut chance, 2));
    }
    for (.., schedule) in app.parts_mut().1 {
        schedule.set_sharing(Sharing::Always);
    }
    app
}

/// Runs a frame with the input of this number, and returns the bytes of the world, and of its queue.
fn frame(app: &mut App, number: u64) -> Vec<u8> {
    let mut chance = Chance(number);
    if chance.below(3) == 0 {
        app.world.insert_resource(Input(chance.below(u64::MAX)));
    }
    app.frame(Duration::from_millis(chance.below(30))).unwrap();
    let mut bytes = Vec::new();
    app.world.save().to_bytes(&mut bytes).unwrap();
    let kept = app.world.resource::<Events<u64>>().iter_kept();
    bytes.extend(kept.flat_map(|event| event.to_le_bytes()));
    bytes.extend(app.world.resource::<Elapsed>().0.as_nanos().to_le_bytes());
    bytes
}

/// Runs a program, goes back twice, and compares all frames. Returns their bytes.
fn replay(seed: u64) -> Vec<Vec<u8>> {
    let mut chance = Chance(!seed);
    let (mut app, last) = (program(seed), 6 + chance.below(12));
    let mut snapshots = Vec::new();
    let mut frames = Vec::new();
    for number in 0..last {
        snapshots.push(app.snapshot().unwrap());
        frames.push(frame(&mut app, number));
    }
    for _ in 0..2 {
        let back = chance.below(last);
        let numbered = (0..last).zip(&snapshots).zip(&frames).skip_while(|((at, _), _)| *at < back);
        let mut is_first = true;
        for ((number, snapshot), before) in numbered {
            if core::mem::take(&mut is_first) {
                app.restore(snapshot).unwrap();
            }
            let again = frame(&mut app, number);
            assert!(
                again == *before,
                "seed {seed}: frame {number} differs from before, back from {last} to {back}"
            );
        }
    }
    // Another process goes on from bytes.
    let types = SnapshotTypes::new().local::<Vec<u64>>().queue::<u64>();
    let back = chance.below(last);
    let numbered = (0..last).zip(&snapshots).zip(&frames).skip_while(|((at, _), _)| *at < back);
    let mut app: Option<App> = None;
    for ((number, snapshot), before) in numbered {
        let app = match &mut app {
            Some(app) => app,
            None => match types.write(snapshot) {
                Ok(bytes) => {
                    let mut new = program(seed);
                    let mut snapshot = new.snapshot().unwrap();
                    types.read(&bytes, &mut snapshot).unwrap();
                    assert!(types.write(&snapshot).unwrap() == bytes, "seed {seed}: other bytes");
                    new.restore(&snapshot).unwrap();
                    app.insert(new)
                }
                Err(error) => {
                    assert!(error.parts().all(|part| part.contains("closure")), "{error}");
                    break;
                }
            },
        };
        let again = frame(app, number);
        assert!(again == *before, "seed {seed}: frame {number} differs from bytes of {back}");
    }
    frames
}

static POOLS: LazyLock<[ThreadPool; 3]> = LazyLock::new(|| {
    [1, 2, 4].map(|threads| ThreadPoolBuilder::new().num_threads(threads).build().unwrap())
});

#[test]
fn programs_repeat_their_frames() {
    let count = std::env::var("ECS_PROGRAMS").map_or(20, |count| count.parse().unwrap());
    for seed in 0..count {
        let [one, two, four] = [0, 1, 2].map(|pool| in_pool(&POOLS[pool], || replay(seed)));
        assert!(one == two && one == four, "seed {seed}: threads change a result");
    }
}
