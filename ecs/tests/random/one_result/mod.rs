//! One result: a schedule leaves the same world under every sharing mode and on any number of threads. Commands are
//! applied to the world that they were recorded for, or to none.
#![allow(clippy::needless_pass_by_value, reason = "systems take their parameters by value")]

use crate::in_pool;
use ecs::{
    ChildOf, Commands, CommandsError, Component, Entity, EntityAllocator, Resource, Schedule,
    Sharing, SpawnCommands, View, World,
};
use std::mem;
use std::panic::{AssertUnwindSafe, catch_unwind};

mod commands_of_two_worlds;
pub mod random;

#[derive(Component, Clone, Debug)]
struct Slow(u64);
#[derive(Component, Clone, Debug)]
struct Mass(u64);
#[derive(Resource, Clone, Debug, Default)]
struct Counts(Vec<usize>);

/// Calls `f` in a pool of this many threads.
fn on<R: Send>(threads: usize, f: impl FnOnce() -> R + Send) -> R {
    in_pool::in_pool(&rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap(), f)
}

/// All ways to share, and numbers of threads.
const WAYS: [(Sharing, usize); 7] = [
    (Sharing::Never, 1),
    (Sharing::Always, 1),
    (Sharing::Always, 2),
    (Sharing::Always, 4),
    (Sharing::Measured, 1),
    (Sharing::Measured, 2),
    (Sharing::Measured, 4),
];

/// Runs a schedule four times in each way; `check` looks at the world after each run.
fn in_each_way(make: fn() -> Schedule, check: fn(&mut World, usize)) {
    for (sharing, threads) in WAYS {
        on(threads, || {
            let (mut world, mut schedule) = (World::new(), make());
            world.insert_resource(Counts::default());
            world.spawn_batch((0..8).map(Slow));
            schedule.set_sharing(sharing);
            for turn in 1..=8 {
                schedule.run(&mut world).unwrap();
                world.check_invariants();
                check(&mut world, turn);
            }
        });
    }
}

fn panics<R>(f: impl FnOnce() -> R) -> bool {
    catch_unwind(AssertUnwindSafe(f)).is_err()
}

fn panic_of(f: impl FnOnce()) -> String {
    let error = catch_unwind(AssertUnwindSafe(f)).expect_err("it panics");
    let text = error.downcast_ref::<String>().cloned();
    text.or_else(|| error.downcast_ref::<&str>().map(|text| (*text).to_owned())).unwrap()
}

fn slow(all: View<&mut Slow>) {
    all.for_each(|(_, slow)| slow.0 = slow.0.wrapping_mul(31) + 1);
}
fn reserve(allocator: EntityAllocator) {
    _ = allocator.reserve_entity();
}

#[test]
fn a_system_of_the_whole_world_sees_earlier_reservations() {
    fn look(world: &mut World) {
        let count = world.view::<Entity>().count();
        world.resource_mut::<Counts>().0.push(count);
    }
    in_each_way(
        || Schedule::new().add(reserve).add(slow).add(look),
        |world, turn| assert_eq!(world.resource::<Counts>().0.last(), Some(&(8 + turn))),
    );
}

#[test]
fn a_system_that_reads_the_world_sees_earlier_reservations() {
    fn count(world: &World, commands: &mut Commands) {
        let count = world.view::<Entity>().count();
        commands.queue(move |world| world.resource_mut::<Counts>().0.push(count));
    }
    in_each_way(
        || Schedule::new().add(reserve).add(slow).add(count),
        |world, turn| assert_eq!(world.resource::<Counts>().0.last(), Some(&(8 + turn))),
    );
}

#[test]
fn commands_see_earlier_reservations() {
    fn count(commands: &mut Commands) {
        commands.queue(|world| {
            let count = world.view::<Entity>().count();
            world.resource_mut::<Counts>().0.push(count);
        });
    }
    in_each_way(
        || Schedule::new().add(count).add(slow).add(reserve),
        |world, turn| assert_eq!(world.resource::<Counts>().0.last(), Some(&(8 + turn))),
    );
}

#[test]
fn entities_reserved_by_a_run_are_there_after_it() {
    in_each_way(
        || Schedule::new().add(reserve).add(slow),
        |world, turn| assert_eq!(world.view::<Entity>().count(), 8 + turn),
    );
}

#[test]
fn entities_reserved_by_a_run_are_there_although_a_system_panics() {
    fn fail(slow: View<&mut Slow>) {
        assert!(!slow.is_empty(), "no");
    }
    for (sharing, threads) in WAYS {
        on(threads, || {
            let mut world = World::new();
            let mut schedule = Schedule::new().add(reserve).add(fail);
            schedule.set_sharing(sharing);
            assert!(panics(|| schedule.run(&mut world)));
            assert_eq!(world.view::<Entity>().count(), 1, "{sharing:?}");
        });
    }
}

#[test]
fn systems_reserve_by_their_allocator_alone() {
    fn by_world(world: &World, commands: &mut Commands) {
        commands.spawn(world, Mass(1));
    }
    fn by_view(all: View<&mut Slow>) {
        _ = all.allocator().reserve_entity();
    }
    fn is_reserved(world: &World) -> bool {
        world.is_alive(world.reserve_entity())
    }
    fn well(world: &World, allocator: EntityAllocator, commands: &mut Commands) {
        assert!(world.is_alive(commands.spawn(allocator, Mass(1))));
    }
    fn whole(world: &mut World) {
        let entity = world.reserve_entity();
        world.insert(entity, Mass(2)).unwrap();
        let mut commands = Commands::new();
        commands.spawn(&*world, Mass(3));
        commands.spawn(world.view_mut::<&mut Slow>().allocator(), Mass(4));
        commands.apply(world);
        // A schedule within.
        Schedule::new().add(well).add(reserve).run(world).unwrap();
        _ = world.reserve_entity();
    }
    fn queue(commands: &mut Commands) {
        commands.queue(whole);
    }
    let refused: [fn() -> Schedule; 4] = [
        || Schedule::new().add(by_world).add(slow),
        || Schedule::new().add(slow).add(by_view),
        || Schedule::new().add_if(is_reserved, slow),
        || Schedule::new().add_all_if("list", is_reserved, Schedule::new().add(slow)),
    ];
    for make in refused {
        for (sharing, threads) in WAYS {
            on(threads, || {
                let (mut world, mut schedule) = (World::new(), make());
                schedule.set_sharing(sharing);
                for _ in 0..3 {
                    let message = panic_of(|| _ = schedule.run(&mut world));
                    assert!(message.contains("`mut commands: SpawnCommands`"), "{message}");
                    assert_eq!(world.len(), 0);
                }
                // Outside of the schedule, and in a system by itself, reservations need no turns.
                _ = world.reserve_entity();
                world.run(by_world);
                world.run(by_view);
                assert!(world.run(is_reserved));
                assert_eq!((world.len(), world.view::<&Mass>().count()), (4, 1));
            });
        }
    }
    in_each_way(
        || Schedule::new().add(well).add(slow).add(whole).add(well).add(queue),
        |world, turn| assert_eq!(world.len(), 8 + 14 * turn),
    );
}

#[test]
fn systems_that_spawn_get_handles_in_the_order_of_the_list() {
    fn note(commands: &mut Commands, made: &[Entity]) {
        let made: Vec<usize> = made.iter().map(|made| made.index() as usize).collect();
        commands.queue(move |world| world.resource_mut::<Counts>().0.extend(made));
    }
    fn pair(all: View<&mut Slow>, mut commands: SpawnCommands) {
        slow(all);
        std::thread::sleep(std::time::Duration::from_millis(1)); // others come first, if they may
        let first = commands.spawn(Mass(1));
        let second = commands.spawn(Mass(2));
        note(&mut commands, &[first, second]);
    }
    fn family(mut commands: SpawnCommands) {
        let parent = commands.spawn_with(Mass(3), |parent| [(Mass(4), ChildOf(parent))]);
        note(&mut commands, &[parent]);
    }
    fn alone(allocator: EntityAllocator, commands: &mut Commands) {
        let made = commands.spawn(allocator, Mass(5));
        note(commands, &[made]);
    }
    in_each_way(
        || Schedule::new().add(pair).add(slow).add(family).add(alone),
        |world, turn| {
            let first = 8 + 5 * (turn - 1);
            let counts = mem::take(&mut world.resource_mut::<Counts>().0);
            assert_eq!(counts, [first, first + 1, first + 2, first + 4]);
            assert_eq!(world.view::<(&Mass, &ChildOf)>().count(), turn);
        },
    );
}

#[test]
fn a_system_of_the_whole_world_sees_effects_of_earlier_commands() {
    fn spawn(mut commands: SpawnCommands) {
        commands.spawn(Mass(1));
    }
    fn look(world: &mut World) {
        let count = world.view::<&Mass>().count();
        world.resource_mut::<Counts>().0.push(count);
    }
    fn seen(world: &mut World, turn: usize) {
        assert_eq!(world.resource::<Counts>().0.last(), Some(&turn));
    }
    in_each_way(|| Schedule::new().add(spawn).add(slow).add(look), seen);
    in_each_way(
        || Schedule::new().add(spawn).add_all("inner", Schedule::new().add(slow).add(look)),
        seen,
    );
    in_each_way(
        || Schedule::new().add_all("inner", Schedule::new().add(spawn).add(look).add(slow)),
        seen,
    );
    // A list that is not run applies nothing.
    in_each_way(
        || {
            let never = Schedule::new().add(spawn);
            Schedule::new().add(spawn).add_all_if("never", || false, never).add(look)
        },
        seen,
    );
}

#[test]
fn a_system_that_reads_the_world_sees_effects_of_earlier_commands() {
    fn spawn(mut commands: SpawnCommands) {
        commands.spawn(Mass(1));
    }
    fn note(world: &World, commands: &mut Commands) {
        let count = world.view::<&Mass>().count();
        commands.queue(move |world| world.resource_mut::<Counts>().0.push(count));
    }
    fn are_any(world: &World) -> bool {
        world.view::<&Mass>().count() > 0
    }
    fn count(masses: View<&Mass>, counts: &mut Counts) {
        counts.0.push(masses.count());
    }
    fn seen(world: &mut World, turn: usize) {
        let counts = &world.resource::<Counts>().0;
        assert_eq!((counts.len(), counts.last()), (turn, Some(&turn)));
    }
    in_each_way(|| Schedule::new().add(spawn).add(slow).add(note), seen);
    in_each_way(|| Schedule::new().add(spawn).together((|_: View<&Slow>| (), note)), seen);
    // So do conditions, of systems and of lists, and the lines behind them in the list.
    in_each_way(|| Schedule::new().add(spawn).add_if(are_any, count), seen);
    in_each_way(
        || Schedule::new().add(spawn).add_all_if("inner", are_any, Schedule::new().add(count)),
        seen,
    );
    in_each_way(|| Schedule::new().add(spawn).add(|_: &World| ()).add(count), seen);
}

#[test]
fn commands_that_a_panic_left_are_not_applied_to_another_world() {
    fn kill(all: View<Entity>, commands: &mut Commands) {
        all.iter().for_each(|entity| commands.despawn(entity));
    }
    fn fail(counts: &Counts) {
        assert!(counts.0.is_empty(), "once");
    }
    for (sharing, threads) in WAYS {
        on(threads, || {
            let mut schedule = Schedule::new().add(kill).add(fail);
            schedule.set_sharing(sharing);
            let mut x = World::new();
            x.insert_resource(Counts(vec![1]));
            x.spawn_batch((0..5).map(Mass));
            let mut y = World::new();
            assert!(panics(|| schedule.run(&mut x)));
            assert_eq!(x.len(), 5);
            // Empty when the system looks at it, but with entities under the same handles when commands are applied.
            y.insert_resource(Counts::default());
            let mut late = Schedule::new().add(fail);
            late.run(&mut y).unwrap();
            y.spawn_batch((0..5).map(Mass));
            schedule.switch("kill", false);
            schedule.run(&mut y).unwrap();
            assert_eq!(y.len(), 5, "{sharing:?}: they were recorded for another world");
            // They are gone.
            x.resource_mut::<Counts>().0.clear();
            schedule.run(&mut x).unwrap();
            assert_eq!(x.len(), 5);
            schedule.switch("kill", true);
            schedule.run(&mut y).unwrap();
            assert_eq!((x.len(), y.len()), (5, 0));
        });
    }
}

#[test]
fn commands_recorded_before_a_system_that_puts_another_world_in_place_are_for_the_old_one() {
    fn kill(masses: View<(Entity, &Mass)>, commands: &mut Commands) {
        masses.iter().for_each(|(entity, ..)| commands.despawn(entity));
    }
    fn next_level(world: &mut World) {
        assert!(world.is_empty(), "they were applied before");
        *world = World::new();
        world.spawn_batch((0..5).map(Mass));
    }
    for (sharing, threads) in WAYS {
        on(threads, || {
            let mut schedule = Schedule::new().add(kill).add(next_level);
            schedule.set_sharing(sharing);
            let mut world = World::new();
            world.spawn_batch((0..5).map(Mass));
            for _ in 0..3 {
                schedule.run(&mut world).unwrap();
                assert_eq!(world.len(), 5);
            }
        });
    }
}

#[test]
fn a_command_that_puts_another_world_in_place_ends_those_behind_it() {
    fn swap(commands: &mut Commands) {
        commands.queue(|world| {
            *world = World::new();
            world.spawn_batch((0..5).map(Mass));
        });
        commands.queue(World::clear);
    }
    fn kill(all: View<Entity>, commands: &mut Commands) {
        all.iter().for_each(|entity| commands.despawn(entity));
    }
    for (sharing, threads) in WAYS {
        on(threads, || {
            let mut schedule = Schedule::new().add(swap).add(kill);
            schedule.set_sharing(sharing);
            let mut world = World::new();
            world.spawn_batch((0..5).map(Mass));
            for _ in 0..3 {
                schedule.run(&mut world).unwrap();
                assert_eq!(world.len(), 5);
            }
        });
    }
}

#[test]
fn a_buffer_is_for_the_world_that_its_handles_are_of() {
    let mass = |world: &World, entity| world.get::<Mass>(entity).map(|mass| mass.0);
    let (mut world, mut other) = (World::new(), World::new());
    let there = other.spawn(Mass(7)).id();
    let mut commands = Commands::new();
    let made = commands.spawn(&world, Mass(1));
    commands.despawn(there);
    assert_eq!(made, there, "they cannot be told apart");
    assert_eq!(commands.apply(&mut other).foreign, 2);
    assert_eq!(mass(&other, there), Some(7));
    assert!(world.is_alive(made) && mass(&world, made).is_none());
    // It is for any world again.
    commands.despawn(there);
    assert!(commands.apply(&mut other).into_result().is_ok() && other.is_empty());
    // Bundles for handles of another world are not inserted.
    let first = commands.spawn(&world, Mass(2));
    let foreign = commands.spawn(&other, Mass(3));
    assert_eq!(commands.apply(&mut world).foreign, 1);
    assert_eq!((mass(&world, first), mass(&other, foreign)), (Some(2), None));
    assert_eq!(world.view::<&Mass>().count(), 1);
    // Worlds that change places take along the commands that were recorded for them.
    let last = commands.spawn(world.view_mut::<&mut Mass>().allocator(), Mass(4));
    mem::swap(&mut world, &mut other);
    assert_eq!(commands.apply(&mut other).foreign, 0);
    assert_eq!(mass(&other, last), Some(4));
}

#[test]
fn after_a_panic_the_rest_of_a_buffer_is_for_the_same_world() {
    let (mut x, mut y) = (World::new(), World::new());
    let entity = x.spawn(Mass(1)).id();
    y.spawn(Mass(1));
    let mut commands = Commands::new();
    commands.queue(|_| panic!("no"));
    commands.despawn(entity);
    assert!(panics(|| commands.apply(&mut x)));
    assert_eq!(commands.apply(&mut y).foreign, 1);
    assert_eq!(commands.apply(&mut x).foreign, 0);
    assert_eq!((x.len(), y.len()), (1, 1));
}

#[test]
fn a_clone_and_a_loaded_world_are_other_worlds() {
    #[derive(Component, Clone)]
    #[component(clone)]
    struct Copied;
    let mut world = World::new();
    let entity = world.spawn(Copied).id();
    let mut copy = world.try_clone().unwrap();
    let mut commands = Commands::new();
    let made = commands.spawn(&world, Copied);
    commands.despawn(entity);
    assert_eq!(commands.apply(&mut copy).foreign, 2);
    assert_eq!((copy.len(), world.len()), (1, 2));
    // A rolled back world is still the world of its commands.
    commands.despawn(made);
    commands.spawn(&world, Copied);
    world.copy_from(&copy).unwrap();
    let applied = commands.apply(&mut world);
    assert_eq!((applied.missing, applied.foreign), (2, 0));
    // A loaded world is another one.
    commands.spawn(&world, Copied);
    commands.despawn(entity);
    let mut bytes = Vec::new();
    copy.save().leave_out_rest().to_bytes(&mut bytes).unwrap();
    world.load(&bytes, &ecs::save::Limits::default()).unwrap();
    assert_eq!(commands.apply(&mut world).foreign, 2);
    assert!(world.is_alive(entity));
}

#[test]
fn a_strict_schedule_names_the_system_whose_commands_were_not_applied() {
    #[derive(Component)]
    #[component(veto = Door::may_go)]
    struct Door(bool);
    impl Door {
        fn may_go(&mut self) -> bool {
            self.0
        }
    }
    fn kill(masses: View<&Mass>, commands: &mut Commands) {
        masses.iter().for_each(|(entity, _)| commands.despawn(entity));
    }
    fn open(doors: View<&Door>, commands: &mut Commands) -> Result<(), &'static str> {
        doors.iter().for_each(|(entity, _)| commands.remove::<Door>(entity));
        Err("stuck")
    }
    fn swap(commands: &mut Commands) {
        commands.queue(|world| *world = World::new());
        commands.queue(|_| unreachable!("it is for the world before"));
    }
    for (sharing, threads) in WAYS {
        on(threads, || {
            let inner = Schedule::new().add(kill).add(open);
            let mut schedule = Schedule::new().add(kill).add_all("inner", inner).add(swap);
            schedule.set_sharing(sharing);
            let mut run = |is_strict| {
                let mut world = World::new();
                world.spawn_batch((0..3).map(Mass));
                world.spawn(Door(false));
                schedule.set_strict(is_strict);
                let error = schedule.run(&mut world).unwrap_err();
                let errors = error.errors().map(|(system, error)| {
                    let applied = error.downcast_ref::<CommandsError>().map(CommandsError::applied);
                    let counts = applied.map(|it| (it.missing, it.refused, it.foreign));
                    (system, counts, error.to_string())
                });
                errors.collect::<Vec<_>>()
            };
            let said = |what: &str| format!("not all commands were applied: {what}");
            let stuck = || ("open", None, "stuck".to_owned());
            assert_eq!(run(false), [stuck()]);
            assert_eq!(
                run(true),
                [
                    ("kill", Some((3, 0, 0)), said("3 found no living entity")),
                    stuck(),
                    (
                        "open",
                        Some((0, 1, 0)),
                        said("1 refused by a veto, an acyclic relation or a unique component")
                    ),
                    ("swap", Some((0, 0, 1)), said("1 recorded for another world")),
                ],
                "{sharing:?}"
            );
        });
    }
}

#[test]
fn commands_left_by_a_panic_are_reported_by_the_next_run() {
    fn kill(masses: View<&Mass>, commands: &mut Commands) {
        masses.iter().for_each(|(entity, _)| commands.despawn(entity));
    }
    fn fail(counts: &Counts) {
        assert!(counts.0.is_empty(), "once");
    }
    fn look(world: &mut World) {
        assert!(world.is_empty(), "what was left is applied before the first system");
    }
    let mut schedule = Schedule::new().add(look).add(kill).add(fail);
    schedule.set_strict(true);
    let (mut x, mut y) = (World::new(), World::new());
    for world in [&mut x, &mut y] {
        world.insert_resource(Counts(vec![1]));
    }
    let left = |schedule: &mut Schedule, world: &mut World| {
        schedule.switch("look", false);
        world.resource_mut::<Counts>().0.push(1);
        world.spawn_batch((0..3).map(Mass));
        assert!(panics(|| schedule.run(world)));
        world.resource_mut::<Counts>().0.clear();
        schedule.switch("look", true);
    };
    left(&mut schedule, &mut x);
    schedule.run(&mut x).unwrap();
    assert!(x.is_empty());
    left(&mut schedule, &mut x);
    y.resource_mut::<Counts>().0.clear();
    let error = schedule.run(&mut y).unwrap_err().to_string();
    assert_eq!(
        error,
        "system `kill` failed: not all commands were applied: 3 recorded for another world"
    );
    assert_eq!(x.len(), 3);
}
