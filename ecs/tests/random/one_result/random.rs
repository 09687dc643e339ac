//! Random schedules. Each has one result: the result of a model which runs the list from top to bottom, one system at
//! a time, and applies commands by hand. `ECS_SCHEDULES` sets how many there are.

use crate::in_pool::in_pool;
use ecs::{
    Applied, Changes, Commands, Component, Entity, EntityAllocator, HasChanged, Local, Resource,
    Schedule, ScheduleError, Sharing, SpawnCommands, View, Views, With, Without, World,
};
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind, set_hook, take_hook};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, Once, PoisonError};

#[derive(Component)]
struct A(u64);
#[derive(Component)]
struct B(u64);
#[derive(Component)]
#[component(track)]
struct T(u64);
#[derive(Component)]
struct P;
/// Stays as long as it is odd.
#[derive(Component)]
#[component(veto = V::may_go)]
struct V(u64);

impl V {
    fn may_go(&mut self) -> bool {
        self.0.is_multiple_of(2)
    }
}

/// Every system reads it, or writes it: so one that writes it overlaps with none.
#[derive(Resource)]
struct Tick(u64);
#[derive(Resource)]
struct R(u64);
#[derive(Resource)]
struct S(u64);
/// The number of this world within a case, and the number of worlds.
#[derive(Resource, Clone)]
struct Id(u64, Arc<AtomicU64>);

/// A step of a generator of hashes: the order of two calls shows in the result.
fn mix(value: &mut u64, by: u64) {
    *value = (*value ^ by).wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(23);
}

/// The items that a system saw, in its order.
#[derive(Clone, Default)]
struct Seen(Arc<AtomicU64>);

impl Seen {
    /// Notes a number. Returns a hash of all that was noted.
    fn note(&self, number: u64) -> u64 {
        let mut hash = self.0.load(Ordering::Relaxed);
        mix(&mut hash, number);
        self.0.store(hash, Ordering::Relaxed);
        hash
    }
}

/// The message of a panic.
const BOOM: &str = "boom";
/// The message of a panic in other tests.
pub const MISHAP: &str = "a mishap";

fn world(worlds: &Arc<AtomicU64>) -> World {
    let number = worlds.fetch_add(1, Ordering::Relaxed);
    let mut world = World::new();
    world.insert_resource(Tick(1));
    world.insert_resource(R(number));
    world.insert_resource(S(0));
    world.insert_resource(Id(number, worlds.clone()));
    world.spawn_batch((0..2).map(|at| (A(at), B(at + number))));
    world.spawn((A(7), P, T(1)));
    let gone = world.spawn_batch((3..6).map(|at| (B(at), V(at), T(at))));
    world.spawn((A(9), V(4)));
    world.spawn((P, T(5)));
    assert_eq!(world.despawn_batch(&gone), 1, "the vetoes of the others refuse");
    world
}

// Systems that record nothing.

fn write_a(all: View<&mut A>, tick: &Tick) {
    all.for_each(|(entity, a)| mix(&mut a.0, tick.0 ^ u64::from(entity.index())));
}
fn write_a_of_some(all: View<(&mut A, With<P>)>, _: &Tick) {
    all.for_each(|(_, a)| mix(&mut a.0, 2));
}
fn write_a_of_others(all: View<(&mut A, Without<P>)>, _: &Tick) {
    all.for_each(|(_, a)| mix(&mut a.0, 3));
}
fn write_b(all: View<(&mut B, &A)>, _: &Tick) {
    all.for_each(|(_, b, a)| mix(&mut b.0, a.0));
}
fn read_a(all: View<&A>, _: &Tick, seen: &Seen) {
    all.into_iter().for_each(|(_, a)| _ = seen.note(a.0));
}
fn write_r(all: View<&B>, r: &mut R, _: &Tick) {
    all.into_iter().for_each(|(_, b)| mix(&mut r.0, b.0));
}
fn write_t(all: View<&mut T>, _: &Tick) {
    all.for_each(|(_, t)| mix(&mut t.0, 5));
}
fn hear(changes: &Changes<T>, _: &Tick, seen: &Seen) {
    for marked in [changes.changed(), changes.inserted()] {
        seen.note(marked.len() as u64);
    }
    changes.removed().iter().for_each(|entity| _ = seen.note(entity.to_bits()));
}
fn has_changed(r: HasChanged<R>, mut runs: Local<u64>, _: &Tick, seen: &Seen) {
    *runs += 1;
    seen.note(*runs << 1 | u64::from(r.get()));
}
fn census(all: View<Entity>, _: &Tick, seen: &Seen) {
    seen.note(all.count() as u64);
}
fn reserve(allocator: EntityAllocator, _: &Tick, seen: &Seen) {
    seen.note(allocator.reserve_entity().to_bits());
}
fn look(world: &World, seen: &Seen) {
    seen.note(digest(world));
}
fn edit(world: &mut World, seen: &Seen) {
    let by = seen.note(digest(world));
    let a = world.view::<&A>().iter().map(|(entity, _)| entity).next();
    if let Some(entity) = a.filter(|_| by.is_multiple_of(2)) {
        _ = world.despawn(entity);
    }
    seen.note(world.spawn((A(by), T(by))).id().to_bits());
    world.resource_mut::<S>().0 ^= by;
}
fn replace(own: &mut World, seen: &Seen) {
    if seen.note(digest(own)).is_multiple_of(4) {
        let worlds = own.resource::<Id>().1.clone();
        *own = world(&worlds);
    }
}
fn fail(r: &R, _: &Tick, seen: &Seen) -> Result<(), String> {
    let hash = seen.note(r.0);
    if hash.is_multiple_of(2) { Ok(()) } else { Err(format!("{hash}")) }
}
fn boom(all: View<(&mut A, Option<&mut B>)>, r: &mut R, tick: &mut Tick, seen: &Seen) {
    tick.0 += 1;
    mix(&mut r.0, tick.0);
    all.for_each(|(_, a, _)| mix(&mut a.0, 6));
    assert!(!seen.note(r.0).is_multiple_of(4), "{BOOM}");
}

// Systems that record commands.

fn spawn(allocator: EntityAllocator, tick: &Tick, commands: &mut Commands, seen: &Seen) {
    let by = seen.note(tick.0);
    let made = commands.spawn(allocator, (A(by), B(by)));
    seen.note(made.to_bits());
    if by.is_multiple_of(3) {
        commands.insert(made, T(by));
        seen.note(allocator.reserve_entity().to_bits());
    }
}
fn spawn_pair(mut commands: SpawnCommands, tick: &Tick, seen: &Seen) {
    let by = seen.note(tick.0);
    let made = commands.spawn_with(A(by), |made| [(B(made.to_bits()), T(by))]);
    seen.note(made.to_bits());
    if by.is_multiple_of(3) {
        commands.insert(made, T(by));
        seen.note(commands.spawn(P).to_bits());
    }
}
/// Does the same as `spawn_pair`, by handles and commands of its own.
fn spawn_two(allocator: EntityAllocator, tick: &Tick, commands: &mut Commands, seen: &Seen) {
    let by = seen.note(tick.0);
    let [made, other] = [(), ()].map(|()| allocator.reserve_entity());
    commands.insert(made, A(by));
    commands.insert(other, (B(made.to_bits()), T(by)));
    seen.note(made.to_bits());
    if by.is_multiple_of(3) {
        commands.insert(made, T(by));
        seen.note(commands.spawn(allocator, P).to_bits());
    }
}
fn kill(all: View<&A>, _: &Tick, commands: &mut Commands, seen: &Seen) {
    for (entity, a) in all {
        match seen.note(a.0) % 6 {
            0 => commands.despawn(entity),
            1 => (0..2).for_each(|_| commands.despawn(entity)),
            2 => commands.remove::<(A, V)>(entity),
            _ => {}
        }
    }
}
fn give(all: View<Entity>, r: &R, _: &Tick, commands: &mut Commands, seen: &Seen) {
    for entity in all.iter().skip(1) {
        let by = seen.note(r.0 ^ entity.to_bits());
        match by % 8 {
            0 => commands.insert(entity, (A(by), P)),
            1 => commands.insert(entity, V(by)),
            2 => commands.insert(entity, T(by)),
            3 => commands.patch::<B>(entity, move |b| b.0 ^= by),
            4 => commands.remove::<T>(entity),
            _ => {}
        }
    }
}
fn queue(s: &S, _: &Tick, commands: &mut Commands, seen: &Seen) {
    let by = seen.note(s.0);
    let seen = seen.clone();
    commands.queue(move |world| {
        mix(&mut world.resource_mut::<S>().0, by);
        seen.note(digest(world));
    });
    match by % 8 {
        0 => commands.queue(move |_| assert!(!by.is_multiple_of(8), "{BOOM}")),
        1 => commands.queue(|own| {
            let worlds = own.resource::<Id>().1.clone();
            *own = world(&worlds);
        }),
        _ => {}
    }
    commands.queue(|world| mix(&mut world.resource_mut::<R>().0, 8));
}
fn survey(world: &World, _: &Tick, commands: &mut Commands, seen: &Seen) {
    let by = seen.note(digest(world));
    commands.queue(move |world| mix(&mut world.resource_mut::<R>().0, by));
}
fn boom_later(tick: &mut Tick, commands: &mut Commands, seen: &Seen) {
    tick.0 += 1;
    let by = seen.note(tick.0);
    commands.queue(move |world| mix(&mut world.resource_mut::<S>().0, by));
    assert!(!by.is_multiple_of(4), "{BOOM}");
}
/// Several parameters under names.
#[derive(Views)]
struct Nursing<'w> {
    ill: View<'w, (&'w mut A, With<P>)>,
    runs: Local<'w, u64>,
    allocator: EntityAllocator<'w>,
    tick: &'w Tick,
}
#[derive(Views)]
struct Recording<'w> {
    nursing: Nursing<'w>,
    commands: &'w mut Commands,
}
fn nurse(mut all: Nursing, commands: &mut Commands, seen: &Seen) {
    *all.runs += 1;
    all.ill.for_each(|(_, a)| mix(&mut a.0, *all.runs));
    seen.note(commands.spawn(all.allocator, (P, T(all.tick.0))).to_bits());
}

// Conditions, which count their evaluations.

fn is_odd(r: &R, _: &Tick, mut asked: Local<u64>) -> bool {
    *asked += 1;
    !(r.0 ^ *asked).is_multiple_of(3)
}
fn are_few(all: View<Entity>, _: &Tick, mut asked: Local<u64>) -> bool {
    *asked += 1;
    (all.count() as u64 + *asked) % 4 < 3
}
fn is_so(world: &World, mut asked: Local<u64>) -> bool {
    *asked += 1;
    (digest(world) ^ *asked) % 4 < 3
}

/// The commands of a system of the model.
type Buffer = Arc<Mutex<Commands>>;

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

const CONDITIONS: usize = 3;
/// The last of them.
const WORLD_CONDITION: usize = 2;
const SYSTEMS: usize = 25;
const LOOK: usize = 12;
const EDIT: usize = 13;
const REPLACE: usize = 14;
const FIRST_RECORDER: usize = 17;
const SURVEY: usize = 21;

fn sees_world(system: usize, condition: Option<usize>) -> bool {
    matches!(system, LOOK | EDIT | REPLACE | SURVEY) || condition == Some(WORLD_CONDITION)
}

/// Adds a system, perhaps with a condition. With a buffer, it records there.
fn add(
    list: Schedule,
    system: usize,
    condition: Option<usize>,
    buffer: Option<&Buffer>,
    seen: &Seen,
) -> Schedule {
    let seen = seen.clone();
    macro_rules! put {
        ($system:expr) => {
            match condition {
                None => list.add($system),
                Some(0) => list.add_if(is_odd, $system),
                Some(1) => list.add_if(are_few, $system),
                Some(_) => list.add_if(is_so, $system),
            }
        };
    }
    macro_rules! noting {
        ($system:ident($($name:ident: $param:ty),+)) => {
            put!(move |$($name: $param),+| $system($($name),+, &seen))
        };
    }
    macro_rules! recording {
        ($system:ident($($name:ident: $param:ty),+)) => {
            match buffer.cloned() {
                None => put!(move |$($name: $param,)+ commands: &mut Commands| {
                    $system($($name,)+ commands, &seen)
                }),
                Some(buffer) => put!(move |$($name: $param),+| {
                    $system($($name,)+ &mut locked(&buffer), &seen)
                }),
            }
        };
    }
    match system {
        0 => put!(write_a),
        1 => put!(write_a_of_some),
        2 => put!(write_a_of_others),
        3 => put!(write_b),
        4 => noting!(read_a(all: View<&A>, tick: &Tick)),
        5 => put!(write_r),
        6 => put!(write_t),
        7 => noting!(hear(changes: &Changes<T>, tick: &Tick)),
        8 => noting!(has_changed(r: HasChanged<R>, runs: Local<u64>, tick: &Tick)),
        9 => noting!(census(all: View<Entity>, tick: &Tick)),
        10 => noting!(reserve(allocator: EntityAllocator, tick: &Tick)),
        11 => noting!(boom(
            all: View<(&mut A, Option<&mut B>)>, r: &mut R, tick: &mut Tick
        )),
        LOOK => noting!(look(world: &World)),
        EDIT => noting!(edit(world: &mut World)),
        REPLACE => noting!(replace(world: &mut World)),
        15 => noting!(fail(r: &R, tick: &Tick)),
        16 => put!(|_: &Tick| ()),
        17 => recording!(spawn(allocator: EntityAllocator, tick: &Tick)),
        18 => recording!(kill(all: View<&A>, tick: &Tick)),
        19 => recording!(give(all: View<Entity>, r: &R, tick: &Tick)),
        20 => recording!(queue(s: &S, tick: &Tick)),
        SURVEY => recording!(survey(world: &World, tick: &Tick)),
        22 => recording!(boom_later(tick: &mut Tick)),
        23 => match buffer.cloned() {
            None => noting!(spawn_pair(commands: SpawnCommands, tick: &Tick)),
            Some(_) => recording!(spawn_two(allocator: EntityAllocator, tick: &Tick)),
        },
        _ => match buffer.cloned() {
            None => put!(move |all: Recording| nurse(all.nursing, all.commands, &seen)),
            Some(buffer) => put!(move |all: Nursing| nurse(all, &mut locked(&buffer), &seen)),
        },
    }
}

/// A line of a list, with its number and the number of its condition.
#[derive(Debug)]
enum Line {
    System(usize, Option<usize>),
    Together(Vec<usize>),
    Sync,
    List(&'static str, Option<usize>, Vec<Self>),
}

const NAMES: [&str; 2] = ["one", "two"];

/// Numbers that look random and are the same in every run: Marsaglia's xorshift (2003). Before them come given ones.
pub struct Random(u64, std::vec::IntoIter<u8>);

impl Random {
    pub fn new(seed: u64) -> Self {
        let mut random = Self(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1, Vec::new().into_iter());
        random.below(9);
        random
    }

    pub fn below(&mut self, limit: usize) -> usize {
        if let Some(byte) = self.1.next() {
            return usize::from(byte) % limit;
        }
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from((self.0 >> 11) % limit as u64).unwrap()
    }

    fn condition(&mut self, among: usize) -> Option<usize> {
        Some(self.below(among)).filter(|condition| *condition < CONDITIONS)
    }

    /// A list of some lines; `may_overlap` says which systems may stand together.
    fn lines(&mut self, depth: usize, may_overlap: &Pairs) -> Vec<Line> {
        let line = |random: &mut Self| match random.below(16) {
            0..2 => {
                let mut members: Vec<usize> = Vec::new();
                for _ in 0..6 {
                    let next = random.below(SYSTEMS);
                    if members.len() < 3 && members.iter().all(|it| may_overlap[*it][next]) {
                        members.push(next);
                    }
                }
                Line::Together(members)
            }
            2 => Line::Sync,
            3..6 if depth > 0 => {
                let (name, condition) = (NAMES[random.below(2)], random.condition(6));
                Line::List(name, condition, random.lines(depth - 1, may_overlap))
            }
            _ => Line::System(random.below(SYSTEMS), random.condition(9)),
        };
        let len = if depth == 2 { 2 + self.below(5) } else { self.below(4) };
        (0..len).map(|_| line(self)).collect()
    }
}

/// Which systems may stand together.
type Pairs = [[bool; SYSTEMS]; SYSTEMS];

fn pairs() -> Pairs {
    let mut pairs = [[false; SYSTEMS]; SYSTEMS];
    for (a, row) in pairs.iter_mut().enumerate() {
        for (b, pair) in row.iter_mut().enumerate() {
            let one = |list, system| add(list, system, None, None, &Seen::default());
            let both = || one(one(Schedule::new(), a), b);
            *pair = catch_unwind(|| Schedule::new().together(both())).is_ok();
        }
    }
    pairs
}

/// Adds a system to a schedule, and keeps the changes that it sees behind the ones that systems
/// before it see.
fn add_next(
    list: Schedule,
    system: usize,
    condition: Option<usize>,
    seen: &mut Vec<Seen>,
) -> Schedule {
    let own = Seen::default();
    let list = add(list, system, condition, None, &own);
    seen.push(own);
    list
}

/// The schedule of a list.
fn schedule_of(lines: &[Line], seen: &mut Vec<Seen>) -> Schedule {
    lines.iter().fold(Schedule::new(), |list, line| match line {
        Line::System(system, condition) => add_next(list, *system, *condition, seen),
        Line::Together(systems) => {
            let add_next = |all, system: &usize| add_next(all, *system, None, seen);
            list.together(systems.iter().fold(Schedule::new(), add_next))
        }
        Line::Sync => list.sync(),
        Line::List(name, condition, lines) => {
            let inner = schedule_of(lines, seen);
            match condition {
                None => list.add_all(name, inner),
                Some(0) => list.add_all_if(name, is_odd, inner),
                Some(1) => list.add_all_if(name, are_few, inner),
                Some(_) => list.add_all_if(name, is_so, inner),
            }
        }
    })
}

/// Runs a list from top to bottom: each system by itself, in a schedule of its own, and commands by hand.
struct Model {
    parts: Vec<Part>,
    progress: Progress,
}

enum Part {
    System(Alone),
    Together(Vec<Alone>),
    Sync,
    List {
        name: &'static str,
        is_off: bool,
        condition: Option<Asked>,
        records: bool,
        parts: Vec<Self>,
    },
}

/// A system by itself.
struct Alone {
    at: usize,
    schedule: Schedule,
    records: bool,
    sees_world: bool,
}

/// A condition by itself, and its last answer.
struct Asked(Schedule, Arc<AtomicBool>, bool);

#[derive(Default)]
struct Progress {
    /// The recorded commands, in the order of the list, with the system's number and the number of the world.
    recorded: Vec<(usize, Buffer, u64)>,
    /// The number of these before the place at hand.
    before: usize,
    errors: Vec<(usize, String)>,
    is_unfinished: bool,
}

impl Model {
    fn of(lines: &[Line], seen: &mut Vec<Seen>) -> Self {
        let mut progress = Progress::default();
        let parts = Part::all_of(lines, seen, &mut progress);
        Self { parts, progress }
    }
}

impl Part {
    fn all_of(lines: &[Line], seen: &mut Vec<Seen>, progress: &mut Progress) -> Vec<Self> {
        let part = |line: &Line| match line {
            Line::System(system, condition) => {
                Self::System(Alone::of(*system, *condition, seen, progress))
            }
            Line::Together(systems) => {
                let alone = |system: &usize| Alone::of(*system, None, seen, progress);
                Self::Together(systems.iter().map(alone).collect())
            }
            Line::Sync => Self::Sync,
            Line::List(name, condition, lines) => {
                let recorders = progress.recorded.len();
                let parts = Self::all_of(lines, seen, progress);
                let records = progress.recorded.len() > recorders;
                let condition = condition.map(Asked::of);
                Self::List { name, is_off: false, condition, records, parts }
            }
        };
        lines.iter().map(part).collect()
    }

    fn run(&mut self, world: &mut World, runs: bool, progress: &mut Progress) {
        match self {
            Self::System(alone) => {
                if runs && alone.sees_world {
                    progress.apply(world);
                }
                alone.run(world, runs, progress);
            }
            Self::Together(all) => {
                if runs && all.iter().any(|alone| alone.sees_world) {
                    progress.apply(world);
                }
                for alone in all {
                    alone.run(world, runs, progress);
                }
            }
            Self::Sync if runs => progress.apply(world),
            Self::Sync => {}
            Self::List { is_off, condition, records, parts, .. } => {
                if runs && condition.as_ref().is_some_and(|condition| condition.2) {
                    progress.apply(world);
                }
                let runs = runs && !*is_off;
                let runs = runs && condition.as_mut().is_none_or(|asked| asked.ask(world));
                for part in parts {
                    part.run(world, runs, progress);
                }
                if runs && *records {
                    progress.apply(world);
                }
            }
        }
    }

    fn switch(&mut self, wanted: &str, is_on: bool) {
        if let Self::List { name, is_off, parts, .. } = self {
            if *name == wanted {
                *is_off = !is_on;
            }
            for part in parts {
                part.switch(wanted, is_on);
            }
        }
    }
}

impl Alone {
    fn of(
        system: usize,
        condition: Option<usize>,
        seen: &mut Vec<Seen>,
        progress: &mut Progress,
    ) -> Self {
        let (buffer, own) = (Buffer::default(), Seen::default());
        let mut schedule = add(Schedule::new(), system, condition, Some(&buffer), &own);
        schedule.set_sharing(Sharing::Never);
        let (at, records) = (seen.len(), system >= FIRST_RECORDER);
        seen.push(own);
        if records {
            progress.recorded.push((at, buffer, 0));
        }
        Self { at, schedule, records, sees_world: sees_world(system, condition) }
    }

    fn run(&mut self, world: &mut World, runs: bool, progress: &mut Progress) {
        if self.records {
            progress.recorded[progress.before].2 = world.resource::<Id>().0;
            progress.before += 1;
        }
        if runs && let Err(error) = self.schedule.run(world) {
            progress.errors.extend(texts(&error).map(|text| (self.at, text)));
        }
    }
}

impl Asked {
    fn of(condition: usize) -> Self {
        let answer = Arc::new(AtomicBool::new(false));
        let own = answer.clone();
        let note = move || own.store(true, Ordering::Relaxed);
        let schedule = match condition {
            0 => Schedule::new().add_if(is_odd, note),
            1 => Schedule::new().add_if(are_few, note),
            _ => Schedule::new().add_if(is_so, note),
        };
        Self(schedule, answer, condition == WORLD_CONDITION)
    }

    fn ask(&mut self, world: &mut World) -> bool {
        self.1.store(false, Ordering::Relaxed);
        self.0.run(world).unwrap();
        self.1.load(Ordering::Relaxed)
    }
}

impl Progress {
    /// Applies earlier commands, or drops them, if they are for another world.
    fn apply(&mut self, world: &mut World) {
        for (at, buffer, owner) in &self.recorded[..self.before] {
            let mut commands = locked(buffer);
            let applied = if *owner == world.resource::<Id>().0 {
                commands.apply(world)
            } else {
                let mut applied = Applied::default();
                applied.foreign = std::mem::take(&mut *commands).len();
                applied
            };
            if let Err(error) = applied.into_result() {
                self.errors.push((*at, error.to_string()));
            }
        }
    }
}

fn texts(error: &ScheduleError) -> impl Iterator<Item = String> {
    error.errors().map(|(_, error)| error.to_string())
}

/// A runner of a list.
trait Runner {
    fn switch_all(&mut self, name: &str, is_on: bool);
    /// Returns the errors.
    fn run_once(&mut self, world: &mut World) -> Vec<String>;
}

impl Runner for Schedule {
    fn switch_all(&mut self, name: &str, is_on: bool) {
        self.switch(name, is_on);
    }

    fn run_once(&mut self, world: &mut World) -> Vec<String> {
        self.run(world).err().map(|error| texts(&error).collect()).unwrap_or_default()
    }
}

impl Runner for Model {
    fn switch_all(&mut self, name: &str, is_on: bool) {
        for part in &mut self.parts {
            part.switch(name, is_on);
        }
    }

    fn run_once(&mut self, world: &mut World) -> Vec<String> {
        let Self { parts, progress } = self;
        progress.errors.clear();
        if std::mem::replace(&mut progress.is_unfinished, true) {
            progress.before = progress.recorded.len();
            progress.apply(world);
        }
        progress.before = 0;
        for part in parts {
            part.run(world, true, progress);
        }
        progress.apply(world);
        progress.is_unfinished = false;
        progress.errors.sort_by_key(|(at, _)| *at);
        progress.errors.drain(..).map(|(_, text)| text).collect()
    }
}

/// A hash of all that there is, in its order.
fn digest(world: &World) -> u64 {
    let mut hash = world.len() as u64;
    let mut note = |entity: Entity, value| {
        mix(&mut hash, entity.to_bits());
        mix(&mut hash, value);
    };
    // Entities that are only reserved are not counted.
    let count = world.view::<Entity>().count() as u64;
    world.entities().for_each(|entity| note(entity, count));
    world.view::<&A>().iter().for_each(|(entity, it)| note(entity, it.0));
    world.view::<&B>().iter().for_each(|(entity, it)| note(entity, it.0));
    world.view::<&T>().iter().for_each(|(entity, it)| note(entity, it.0));
    world.view::<&V>().iter().for_each(|(entity, it)| note(entity, it.0));
    world.view::<(Entity, &P)>().iter().for_each(|(entity, ..)| note(entity, 1));
    let resources = [world.resource::<Tick>().0, world.resource::<R>().0];
    for number in resources.into_iter().chain([world.resource::<S>().0, world.resource::<Id>().0]) {
        mix(&mut hash, number);
    }
    hash
}

/// Returns the outcome of a case, turn by turn: hashes of errors, of the world and of the items
/// that systems saw; then of both worlds, with the next handles.
fn play(case: u64, runner: &mut impl Runner, seen: &[Seen]) -> Vec<u64> {
    let mut random = Random::new(!case);
    let worlds = Arc::default();
    let mut both = [world(&worlds), world(&worlds)];
    let mut story = Vec::new();
    for _ in 0..3 {
        runner.switch_all(NAMES[random.below(2)], random.below(3) > 0);
        let own = &mut both[random.below(4) / 3];
        let run = catch_unwind(AssertUnwindSafe(|| runner.run_once(own)));
        let mut hash = 0;
        match run {
            Ok(errors) => {
                for error in errors {
                    error.bytes().for_each(|byte| mix(&mut hash, byte.into()));
                    mix(&mut hash, 1);
                }
            }
            Err(panic) if panic.downcast_ref::<String>().is_some_and(|it| it == BOOM) => hash = !0,
            Err(panic) => resume_unwind(panic),
        }
        story.extend([hash, digest(own)]);
        story.extend(seen.iter().map(|seen| seen.0.load(Ordering::Relaxed)));
    }
    for own in &mut both {
        story.push(digest(own));
        if case.is_multiple_of(64) {
            own.check_invariants();
        }
        story.extend((0..8).map(|_| own.spawn_empty().id().to_bits()));
    }
    story
}

/// Silences expected panics.
pub fn quietly() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let say = take_hook();
        set_hook(Box::new(move |info| {
            let (payload, text) = (info.payload(), info.payload().downcast_ref::<String>());
            let text = text.map(String::as_str).or_else(|| payload.downcast_ref::<&str>().copied());
            let text = text.unwrap_or_default();
            if ![BOOM, MISHAP].contains(&text) && !text.contains("`together`") {
                say(info);
            }
        }));
    });
}

const WAYS: [Sharing; 3] = [Sharing::Never, Sharing::Always, Sharing::Measured];

#[test]
fn random_schedules_have_the_result_of_the_list() {
    quietly();
    let pairs = pairs();
    let pools = [1, 2, 4].map(|count| ThreadPoolBuilder::new().num_threads(count).build().unwrap());
    let number = |name, default| std::env::var(name).map_or(default, |text| text.parse().unwrap());
    let first: u64 = number("ECS_FIRST", 0);
    let end = first + number("ECS_SCHEDULES", 1_000);
    for first in (first..end).step_by(1_000) {
        check(first..end.min(first + 1_000), &pairs, &pools);
    }
}

/// A target of the fuzzer in `fuzz`, which may be called with any bytes: a list of systems that is run on two threads.
pub fn schedules(bytes: &[u8]) {
    fn two() -> ThreadPool {
        let pool = ThreadPoolBuilder::new().num_threads(2);
        // This thread is one of two, so that nothing waits until another one begins. Rayon leaks its state for such a
        // thread, which ends after the test.
        if cfg!(test) { pool } else { pool.use_current_thread() }.build().unwrap()
    }
    thread_local!(static SHARED: (Pairs, ThreadPool) = (pairs(), two()));
    quietly();
    // The first byte selects the events beside the list, and `true` or `false` for a check of all.
    let case = bytes.first().copied().unwrap_or(0).into();
    SHARED.with(|(pairs, pool)| {
        let lines =
            Random(1, bytes.get(1..).unwrap_or_default().to_vec().into_iter()).lines(2, pairs);
        let mut seen = Vec::new();
        let mut model = Model::of(&lines, &mut seen);
        let expected = play(case, &mut model, &seen);
        // Mostly on one thread: to share takes many times longer.
        let sharing = WAYS[usize::from(case % 8 == 1)];
        in_pool(pool, || {
            let mut seen = Vec::new();
            let mut schedule = schedule_of(&lines, &mut seen);
            schedule.set_sharing(sharing);
            schedule.set_strict(true);
            let story = play(case, &mut schedule, &seen);
            assert!(story == expected, "{sharing:?}:\n{lines:?}\n{schedule:?}");
        });
    });
}

/// Checks this many cases in each way. All of one way are run in one pool: to go there takes time.
fn check(cases: std::ops::Range<u64>, pairs: &Pairs, pools: &[ThreadPool]) {
    let lines_of = |case| Random::new(case).lines(2, pairs);
    let model = |case| {
        let (lines, mut seen) = (lines_of(case), Vec::new());
        let mut model = Model::of(&lines, &mut seen);
        play(case, &mut model, &seen)
    };
    let expected: Vec<_> = cases.clone().map(model).collect();
    for pool in pools {
        let threads = pool.current_num_threads();
        in_pool(pool, || {
            for (case, expected) in cases.clone().zip(&expected) {
                for sharing in WAYS {
                    // Alone, threads matter little; and a measured schedule is run in one of the other
                    // ways.
                    let is_rare = match sharing {
                        Sharing::Never => threads > 1,
                        Sharing::Always => threads == 1,
                        _ => true,
                    };
                    if is_rare && !case.is_multiple_of(4) {
                        continue;
                    }
                    let (lines, mut seen) = (lines_of(case), Vec::new());
                    let mut schedule = schedule_of(&lines, &mut seen);
                    schedule.set_sharing(sharing);
                    schedule.set_strict(true);
                    let story = play(case, &mut schedule, &seen);
                    if story != *expected {
                        let at = story.iter().zip(expected).position(|(a, b)| a != b);
                        let turn = at.map(|at| (at / (2 + seen.len()), at % (2 + seen.len())));
                        panic!(
                            "case {case}, {sharing:?} on {threads} threads, first in turn and part {turn:?}:\n\
                             {lines:?}\n{schedule:?}"
                        );
                    }
                }
            }
        });
    }
}
