//! Commands of two worlds; any call of user code may panic. Nothing is lost or dropped twice, both worlds are whole,
//! and no command comes to the other world. `ECS_MISHAPS` sets how many cases there are.
#![allow(clippy::trivially_copy_pass_by_ref, reason = "systems borrow resources")]

use super::random::{MISHAP, Random, quietly};
use ecs::{
    Commands, Component, Entity, EntityAllocator, Inserted, Resource, Schedule, Sharing, View,
    World,
};
use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};

thread_local! {
    /// The number of calls of user code that succeed before one panics.
    static FUSE: Cell<usize> = const { Cell::new(usize::MAX) };
    /// The number of values there are.
    static ALIVE: Cell<usize> = const { Cell::new(0) };
}

/// A function that all user code calls.
fn tick() {
    if !std::thread::panicking() {
        let left = FUSE.get();
        FUSE.set(if left == 0 { usize::MAX } else { left - 1 });
        assert!(left > 0, "{MISHAP}");
    }
}

/// A value that is of one world, and says so in each of its calls.
struct Value(Box<u64>);

impl Value {
    fn new(world: u64) -> Self {
        ALIVE.set(ALIVE.get() + 1);
        Self(Box::new(world))
    }
}

impl Drop for Value {
    fn drop(&mut self) {
        assert!(
            std::mem::replace(&mut *self.0, u64::MAX) < 1_000,
            "dropped twice, or something else"
        );
        ALIVE.set(ALIVE.get() - 1);
        tick();
    }
}

impl Clone for Value {
    fn clone(&self) -> Self {
        tick();
        Self::new(*self.0)
    }
}

#[derive(Component, Clone)]
#[component(clone, on_insert = hear, on_remove = hear)]
struct Plain(Value);
#[derive(Component, Clone)]
#[component(clone, veto = Guarded::may_go)]
struct Guarded(Value);
#[derive(Component, Clone)]
#[component(clone, layout = "soa")]
struct Pair {
    left: Value,
    right: Value,
}
#[derive(Resource, Clone, Copy)]
#[resource(clone)]
struct Id(u64);

impl Guarded {
    fn may_go(&mut self) -> bool {
        tick();
        !self.0.0.is_multiple_of(2)
    }
}

fn hear(_: &mut World, _: Entity) {
    tick();
}

/// Notes that a command came to the world with this number.
fn arrive(world: &World, number: u64) {
    assert_eq!(world.resource::<Id>().0, number, "a command came to another world");
    tick();
}

fn world(number: u64) -> World {
    let mut world = World::new();
    world.insert_resource(Id(number));
    world.on_update::<Plain>(hear);
    world.on_remove::<Pair>(hear);
    world.on_batch::<Inserted<Pair>>(|_, _| tick());
    for _ in 0..6 {
        world.spawn((Plain(Value::new(number)), Guarded(Value::new(number))));
    }
    world
}

/// Records some commands for the world with this number; `made` are entities of it.
fn record(commands: &mut Commands, random: &mut Random, number: u64, made: &[Entity]) {
    let value = || Value::new(number);
    for _ in 0..random.below(6) {
        let entity = made[random.below(made.len())];
        let kind = random.below(9);
        for _ in 0..[1, 1, 3][random.below(3)] {
            match kind {
                0 => commands.insert(entity, Plain(value())),
                1 => commands
                    .insert(entity, (Pair { left: value(), right: value() }, Plain(value()))),
                2 => commands.insert(entity, Guarded(value())),
                3 => commands.remove::<(Plain, Guarded)>(entity),
                4 => commands.despawn(entity),
                5 => {
                    let value = value();
                    commands.patch::<Plain>(entity, move |plain| {
                        tick();
                        plain.0 = value;
                    });
                }
                6 => {
                    let value = value();
                    commands.queue(move |world| arrive(world, *value.0));
                }
                7 => commands.send(value()),
                _ => commands.remove::<Pair>(entity),
            }
        }
    }
    if random.below(8) == 0 {
        let value = value();
        commands.queue(move |own| {
            arrive(own, *value.0);
            *own = world(number + 2);
        });
    }
}

/// Returns the number of values in a world.
fn held(world: &World) -> usize {
    let count = |kind: ecs::by_name::Kind| {
        world.kind_entities(kind).len() * (1 + usize::from(kind.name() == "Pair"))
    };
    world.kinds().map(count).sum()
}

/// Checks that each value is of its own world.
fn check(world: &World) {
    world.check_invariants();
    let number = world.resource::<Id>().0;
    let mut values: Vec<u64> = world.view::<&Plain>().iter().map(|(_, it)| *it.0.0).collect();
    values.extend(world.view::<&Guarded>().iter().map(|(_, it)| *it.0.0));
    values.extend(world.view::<&Pair>().iter().flat_map(|(_, it)| [*it.left.0, *it.right.0]));
    assert!(values.iter().all(|it| *it == number), "a value came to another world: {values:?}");
}

/// Calls `f`, in which a call of user code may panic.
fn mishap(random: &mut Random, f: impl FnOnce()) -> bool {
    let fuse = [2, 20, usize::MAX][random.below(3)];
    FUSE.set(random.below(fuse));
    let panicked = catch_unwind(AssertUnwindSafe(f));
    FUSE.set(usize::MAX);
    let Err(panic) = panicked else { return false };
    assert_eq!(panic.downcast_ref::<String>().map(String::as_str), Some(MISHAP));
    true
}

fn cases() -> u64 {
    std::env::var("ECS_MISHAPS").map_or(500, |cases| cases.parse().unwrap())
}

#[test]
fn commands_that_panic_lose_nothing_and_stay_in_their_world() {
    quietly();
    let mut mishaps = 0;
    for case in 1..=cases() {
        let mut random = Random::new(case);
        let mut worlds = [world(0), world(1)];
        let made = worlds.each_ref().map(|world| world.entities().collect::<Vec<_>>());
        assert_eq!(made[0], made[1], "handles tell no worlds apart");
        let mut buffers = [(); 3].map(|()| Commands::new());
        for _ in 0..4 {
            // Each buffer is for the world of its first handle.
            for (at, commands) in buffers.iter_mut().enumerate() {
                let own = at % 2;
                let number = worlds[own].resource::<Id>().0;
                commands.spawn(&worlds[own], Plain(Value::new(number)));
                record(commands, &mut random, number, &made[0]);
            }
            let target = random.below(2);
            for commands in &mut buffers {
                let apply = || _ = commands.apply(&mut worlds[target]);
                mishaps += u64::from(mishap(&mut random, apply));
            }
            if random.below(2) == 0 {
                worlds.swap(0, 1);
            }
            // The remaining commands are for their own world: another one, even a copy, gets none.
            mishaps += u64::from(mishap(&mut random, || {
                if let Ok(mut copy) = worlds[0].try_clone() {
                    buffers[2].apply(&mut copy);
                    check(&copy);
                }
            }));
            for commands in &mut buffers {
                match random.below(3) {
                    0 => *commands = Commands::new(),
                    other => _ = commands.apply(&mut worlds[other - 1]),
                }
                assert!(commands.is_empty());
            }
            worlds.iter().for_each(check);
            assert_eq!(ALIVE.get(), worlds.iter().map(held).sum::<usize>(), "case {case}");
        }
        mishaps += u64::from(mishap(&mut random, || drop(worlds)));
        assert_eq!(ALIVE.get(), 0, "case {case}");
    }
    assert!(mishaps > cases() * 2, "{mishaps}");
}

#[test]
fn schedules_that_panic_lose_nothing_and_stay_in_their_world() {
    fn spawn(id: &Id, allocator: EntityAllocator, commands: &mut Commands) {
        for _ in 0..2 {
            commands.spawn(allocator, (Plain(Value::new(id.0)), Guarded(Value::new(id.0))));
        }
        tick();
    }
    fn write(all: View<&mut Plain>, id: &Id) {
        for (_, plain) in all {
            plain.0 = Value::new(id.0);
        }
    }
    fn look(world: &mut World) {
        check(world);
        tick();
    }
    quietly();
    let mut mishaps = 0;
    for case in 1..=cases() {
        let mut random = Random::new(!case);
        let mut worlds = [world(0), world(1)];
        let records = |seed: u64| {
            move |all: View<Entity>, id: &Id, commands: &mut Commands| {
                let made: Vec<Entity> = all.iter().collect();
                let mut random = Random::new(seed ^ made.len() as u64);
                if !made.is_empty() {
                    record(commands, &mut random, id.0, &made);
                }
                tick();
            }
        };
        let inner = Schedule::new().add(write).add(records(case + 1));
        let mut schedule = Schedule::new().add(records(case)).add(spawn).add(write);
        schedule = schedule.add_all("inner", inner).add(look).add(records(case + 2));
        schedule.set_sharing(Sharing::Never); // values are counted on this thread
        for _ in 0..4 {
            let target = random.below(2);
            let panicked = mishap(&mut random, || schedule.run(&mut worlds[target]).unwrap());
            mishaps += u64::from(panicked);
            worlds.iter().for_each(check);
        }
        mishaps += u64::from(mishap(&mut random, || drop(schedule)));
        assert_eq!(ALIVE.get(), worlds.iter().map(held).sum::<usize>(), "case {case}");
        mishaps += u64::from(mishap(&mut random, || drop(worlds)));
        assert_eq!(ALIVE.get(), 0, "case {case}");
    }
    assert!(mishaps > cases(), "{mishaps}");
}
