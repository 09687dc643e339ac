//! Systems and schedules: parameters, the order of runs, and effects.
#![allow(clippy::needless_pass_by_value, reason = "systems take their parameters by value")]

use crate::fixtures::{Mass, Position, Tag, Velocity, panics};
use ecs::{
    Changes, Commands, Component, Entity, EntityAllocator, EventCursor, Events, HasChanged, Local,
    Resource, Schedule, SpawnCommands, View, Views, With, Without, World, schedule,
};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

#[derive(Resource, Default, Debug, PartialEq)]
struct Log(Vec<&'static str>);
#[derive(Resource, Default)]
struct Score(u32);
#[derive(Component)]
#[component(track)]
struct Health(u32);

/// The ways in which the systems of a schedule share threads: first without others. Without the feature there is no other.
const SHARINGS: &[fn(&mut Schedule)] = &[
    #[cfg(not(feature = "parallel"))]
    |_| {},
    #[cfg(feature = "parallel")]
    |schedule| schedule.set_sharing(ecs::Sharing::Never),
    #[cfg(feature = "parallel")]
    |schedule| schedule.set_sharing(ecs::Sharing::Always),
    #[cfg(feature = "parallel")]
    |schedule| schedule.set_sharing(ecs::Sharing::Measured),
];

fn world() -> World {
    let mut world = World::new();
    world.insert_resource(Log::default());
    world.insert_resource(Score::default());
    world
}

#[test]
fn a_system_gets_all_its_parameters() {
    fn all(
        mut movers: View<(&mut Position, &Velocity)>,
        tagged: View<Entity, ()>,
        score: &mut Score,
        missing: Option<&Other>,
        mut runs: Local<u32>,
        commands: &mut Commands,
        allocator: EntityAllocator,
    ) -> (usize, bool, Entity) {
        for (_, position, velocity) in &mut movers {
            position.0 += velocity.0;
        }
        score.0 += 1;
        *runs += 1;
        assert_eq!(*runs, 1);
        let entity = commands.spawn(allocator, Mass(4));
        (tagged.count(), missing.is_none(), entity)
    }
    #[derive(Resource)]
    struct Other;
    let mut world = world();
    let mover = world.spawn((Position(1.0), Velocity(2.0))).id();
    let (count, is_missing, entity) = world.run(all);
    assert_eq!((count, is_missing), (1, true));
    assert_eq!(world.get::<Position>(mover), Some(&Position(3.0)));
    assert_eq!(world.resource::<Score>().0, 1);
    assert_eq!(world.get::<Mass>(entity).map(|mass| mass.0), Some(4));
    world.run(all); // a fresh `Local`
}

#[test]
fn parameters_that_share_no_entity_write_one_component() {
    fn both(
        mut with: View<(&mut Position, With<Tag>)>,
        mut without: View<(&mut Position, Without<Tag>)>,
    ) {
        with.iter_mut().for_each(|(_, position)| position.0 = 1.0);
        without.iter_mut().for_each(|(_, position)| position.0 = 2.0);
    }
    let mut world = World::new();
    let [a, b] = [world.spawn((Position(0.0), Tag)).id(), world.spawn(Position(0.0)).id()];
    world.run(both);
    let at = |entity| world.get::<Position>(entity).map(|position| position.0);
    assert_eq!((at(a), at(b)), (Some(1.0), Some(2.0)));
}

#[test]
fn parameters_that_only_the_process_distinguishes_are_compared_at_run_time() {
    #[derive(Component)]
    struct Of<T>(T);
    fn both<A: Send + Sync + 'static, B: Send + Sync + 'static>(
        _: View<&mut Of<A>>,
        _: View<&mut Of<B>>,
    ) {
    }
    let mut world = World::new();
    world.run(both::<u8, u16>);
    let message = panics(|| world.run(both::<u8, u8>)).unwrap();
    assert_eq!(
        message,
        "parameter `2` of system `both<u8, u8>` writes `Of<u8>`, which parameter `1` also writes: let one require a \
         component that the other excludes, or borrow one after the other"
    );
}

#[test]
fn whatever_way_a_system_is_added_its_parameters_are_compared() {
    #[derive(Component)]
    struct Of<T>(T);
    fn two<A: Send + Sync + 'static, B: Send + Sync + 'static>(
        _: View<&mut Of<A>>,
        _: View<&Of<B>>,
    ) {
    }
    fn one<A: Send + Sync + 'static, B: Send + Sync + 'static>(_: View<(&mut Of<A>, &Of<B>)>) {}
    fn is_so() -> bool {
        true
    }
    fn rest() {}
    macro_rules! check {
        ($system:ident, $says:literal) => {{
            schedule! { struct Line { rest, $system::<u8, u8> } }
            schedule! { struct Asked { $system::<u8, u8> if is_so } }
            schedule! { struct Together { together(rest, $system::<u8, u8>) } }
            schedule! { struct Nested { line: Line if is_so } }
            let ways: [fn(); 9] = [
                || drop(Schedule::new().add($system::<u8, u8>)),
                || drop(Schedule::new().add_if(is_so, $system::<u8, u8>)),
                || drop(Schedule::of((rest, $system::<u8, u8>))),
                || drop(Schedule::new().together((rest, $system::<u8, u8>))),
                || drop(Schedule::new().add(rest).add($system::<u8, u8>)),
                || drop(Line::new()),
                || drop(Asked::new()),
                || drop(Together::new()),
                || drop(Nested::default()),
            ];
            for way in ways {
                let message = panics(way).expect("it is refused");
                assert_eq!(message, $says);
            }
            let mut all =
                Schedule::of((rest, $system::<u8, u16>)).add_if(is_so, $system::<u8, u16>);
            all.run(&mut World::new()).unwrap();
        }};
    }
    check!(
        two,
        "parameter `2` of system `two<u8, u8>` reads `Of<u8>`, which parameter `1` writes: let one require a \
         component that the other excludes, or borrow one after the other"
    );
    check!(
        one,
        "parameter `1` of system `one<u8, u8>`: query `(&mut Of, &Of)` reads `Of<u8>`, which another of its terms \
         writes: ask for each component once"
    );
    let message = panics(|| World::new().run(one::<u8, u8>)).unwrap();
    assert!(
        message.starts_with("parameter `1` of system `one<u8, u8>`: query `(&mut Of, &Of)` reads")
    );
}

#[test]
fn events_are_sent_and_read_by_systems() {
    #[derive(Debug, PartialEq)]
    struct Hit(u32);
    #[derive(Resource, Default)]
    struct Sums([u32; 2]);
    fn update(hits: &mut Events<Hit>) {
        hits.update();
    }
    fn early(hits: &Events<Hit>, mut seen: Local<EventCursor>, sums: &mut Sums) {
        sums.0[0] += hits.read(&mut seen).map(|hit| hit.0).sum::<u32>();
    }
    fn strike(hits: &mut Events<Hit>, mut frame: Local<u32>) {
        *frame += 1;
        hits.send(Hit(*frame));
    }
    fn late(hits: &Events<Hit>, mut seen: Local<EventCursor>, sums: &mut Sums) {
        sums.0[1] += hits.read(&mut seen).map(|hit| hit.0).sum::<u32>();
    }
    schedule! { struct Frame { update, early, strike, late } }
    let mut world = World::new();
    world.insert_resource(Events::<Hit>::new());
    world.insert_resource(Sums::default());
    let mut frame = Frame::new();
    (0..4).for_each(|_| frame.run(&mut world).unwrap());
    assert_eq!(world.resource::<Sums>().0, [1 + 2 + 3, 1 + 2 + 3 + 4]);
    // A reader of the queue waits for senders.
    assert!(Frame::PLAN.waits().any(|pair| pair == ("strike", "late")));
}

#[test]
fn a_missing_resource_is_named() {
    let message = panics(|| World::new().run(|_: &Score| ())).unwrap();
    assert!(message.contains("there is no resource `Score`"), "{message}");
}

#[test]
fn changes_begin_with_all_there_is_and_go_on_from_run_to_run() {
    fn seen(changes: &Changes<Health>, mut all: Local<Vec<(usize, usize, usize)>>) {
        all.push((changes.inserted().len(), changes.changed().len(), changes.removed().len()));
        let expected = [(2, 2, 0), (0, 0, 0), (0, 1, 1)];
        assert_eq!(all[..], expected[..all.len()]);
    }
    let mut world = World::new();
    let entities = world.spawn_batch([Health(1), Health(2)]);
    let mut schedule = Schedule::new().add(seen);
    schedule.run(&mut world).unwrap();
    schedule.run(&mut world).unwrap();
    world.get_mut::<Health>(entities[0]).unwrap().0 = 5;
    world.despawn(entities[1]).unwrap();
    schedule.run(&mut world).unwrap();
}

/// A system that says a word.
macro_rules! say {
    ($word:literal) => {
        |log: &mut Log| log.0.push($word)
    };
}

#[test]
fn systems_and_conditions_see_possible_changes_of_resources() {
    #[derive(Views)]
    struct Look<'w> {
        score: Option<&'w Score>,
        changed: HasChanged<Score>,
        log: &'w mut Log,
    }
    fn look(Look { score, changed, log }: Look) {
        assert_eq!(format!("{changed:?}"), format!("HasChanged<Score>({})", changed.get()));
        log.0.push(match (score.is_some(), changed.get()) {
            (true, true) => "new",
            (true, false) => "old",
            (false, true) => "gone",
            (false, false) => "none",
        });
    }
    fn is_new(score: HasChanged<Score>) -> bool {
        score.get()
    }
    fn count(score: &mut Score, changed: HasChanged<Score>) {
        assert!(changed.get());
        score.0 += 1;
    }
    let mut schedule = Schedule::new().add_if(is_new, say!("asked")).add(look);
    let mut run = |world: &mut World| {
        schedule.run(world).unwrap();
        std::mem::take(&mut world.resource_mut::<Log>().0)
    };
    let mut world = World::new();
    world.insert_resource(Log::default());
    assert_eq!(run(&mut world), ["none"]);
    world.insert_resource(Score(1));
    assert_eq!(run(&mut world), ["asked", "new"]);
    assert_eq!(run(&mut world), ["old"]);
    world.run(|score: &Score| assert_eq!(score.0, 1));
    assert_eq!(run(&mut world), ["old"], "read only");
    world.run(|_: &mut Score| ());
    assert_eq!(run(&mut world), ["asked", "new"], "lent to be changed");
    world.remove_resource::<Score>();
    assert_eq!(run(&mut world), ["asked", "gone"]);
    assert_eq!(run(&mut world), ["none"]);

    // Another world's resource is another one, though it was given as often.
    for _ in 0..2 {
        let mut world = self::world();
        assert_eq!((run(&mut world), run(&mut world)), (vec!["asked", "new"], vec!["old"]));
    }

    // A change is seen by the systems behind its writer in the list, and by the writer itself at its next run.
    let mut world = self::world();
    let mut twice = Schedule::new().add_if(|score: &Score| score.0 < 2, count).add(look).add(look);
    for _ in 0..3 {
        twice.run(&mut world).unwrap();
    }
    assert_eq!(world.resource::<Log>().0, ["new", "new", "new", "new", "old", "old"]);
}

#[test]
fn systems_run_in_the_order_of_the_list_and_lists_can_be_switched_off() {
    let inner = Schedule::new().add(say!("b")).add(say!("c"));
    let mut schedule = Schedule::new().add(say!("a")).add_all("inner", inner).add(say!("d"));
    schedule.set_timed(true);
    let mut world = world();
    schedule.run(&mut world).unwrap();
    assert_eq!(world.resource::<Log>().0, ["a", "b", "c", "d"]);
    assert!(schedule.switch("inner", false));
    assert!(format!("{schedule:?}").contains("inner"), "{schedule:?}");
    schedule.run(&mut world).unwrap();
    assert_eq!(world.resource::<Log>().0[4..], ["a", "d"]);
    assert!(!schedule.switch("nothing", true) && schedule.switch("inner", true));
    schedule.run(&mut world).unwrap();
    assert_eq!(world.resource::<Log>().0[6..], ["a", "b", "c", "d"]);
    assert_eq!(schedule.times().count(), 5);
}

#[test]
fn commands_are_applied_at_syncs_and_at_the_end() {
    fn spawn(mut commands: SpawnCommands) {
        commands.spawn(Mass(1));
    }
    fn count(masses: View<&Mass>, mut expected: Local<usize>, score: &mut Score) {
        assert_eq!(masses.count(), *expected + score.0 as usize);
        *expected += 2;
    }
    let mut schedule = Schedule::new()
        .add(|score: &mut Score| score.0 = 0)
        .add(spawn)
        .add(count)
        .sync()
        .add(|score: &mut Score| score.0 = 1)
        .add(count)
        .add(spawn);
    let mut world = world();
    schedule.run(&mut world).unwrap();
    assert_eq!(world.view::<&Mass>().count(), 2);
    schedule.run(&mut world).unwrap();
    assert_eq!(world.view::<&Mass>().count(), 4);
}

#[test]
fn syncs_of_a_skipped_list_do_not_apply_commands() {
    #[derive(Resource)]
    struct Wanted(bool);
    fn spawn(mut commands: SpawnCommands) {
        commands.spawn(Mass(1));
    }
    fn is_wanted(wanted: &Wanted) -> bool {
        wanted.0
    }
    fn count(masses: View<&Mass>, score: &mut Score) {
        score.0 = u32::try_from(masses.count()).unwrap();
    }
    let list = || Schedule::new().sync().add(say!("inner")).sync();
    let always = |_: &Wanted| true;
    let schedules = [
        (false, Schedule::new().add(spawn).add_all("list", list()).add(count)),
        (true, Schedule::new().add(spawn).add_all_if("list", is_wanted, list()).add(count)),
        (false, {
            let within = Schedule::new().add_all("within", list());
            Schedule::new().add(spawn).add_all("list", within).add(count)
        }),
        (true, {
            let within = Schedule::new().add_all_if("within", always, list());
            Schedule::new().add(spawn).add_all_if("list", is_wanted, within).add(count)
        }),
        (true, {
            let within = Schedule::new().add_all_if("within", is_wanted, list());
            Schedule::new().add(spawn).add_all("list", within).add(count)
        }),
    ];
    for (has_condition, mut schedule) in schedules {
        for (sharing, set_sharing) in SHARINGS.iter().enumerate() {
            set_sharing(&mut schedule);
            for (is_on, is_wanted) in [
                (true, true),
                (false, true),
                (true, true),
                (true, false),
                (false, false),
                (true, true),
            ] {
                let mut world = world();
                world.insert_resource(Wanted(is_wanted));
                assert!(schedule.switch("list", is_on));
                schedule.run(&mut world).unwrap();
                let runs = is_on && (is_wanted || !has_condition);
                let seen =
                    (world.resource::<Score>().0 == 1, !world.resource::<Log>().0.is_empty());
                assert_eq!(seen, (runs, runs), "{schedule:?}, way {sharing}");
                assert_eq!(
                    world.view::<&Mass>().count(),
                    1,
                    "the end of a run applies all commands"
                );
            }
        }
    }
}

#[test]
fn a_condition_is_evaluated_before_each_run() {
    let mut schedule =
        Schedule::new().add_if(|score: &Score| score.0 > 0, say!("run")).add(say!("always"));
    let mut world = world();
    schedule.run(&mut world).unwrap();
    world.resource_mut::<Score>().0 = 1;
    schedule.run(&mut world).unwrap();
    assert_eq!(world.resource::<Log>().0, ["always", "run", "always"]);
}

#[test]
fn an_error_ends_one_system_and_all_errors_are_returned() {
    fn first() -> Result<(), String> {
        Err("one".to_owned())
    }
    fn second(_: View<&Mass>) -> Result<(), std::fmt::Error> {
        Err(std::fmt::Error)
    }
    let inner = Schedule::new().add(second);
    let mut schedule = Schedule::new().add(first).add(say!("on")).add_all("inner", inner);
    let mut world = world();
    let error = schedule.run(&mut world).unwrap_err();
    let names: Vec<&str> = error.errors().map(|(name, _)| name).collect();
    assert_eq!(names, ["first", "second"]);
    assert_eq!(world.resource::<Log>().0, ["on"]);
    assert!(error.to_string().starts_with("system `first` failed: one; system `second` failed: "));
}

#[test]
fn commands_left_by_a_panic_are_applied_by_the_next_run() {
    fn spawn(mut commands: SpawnCommands) {
        commands.spawn(Mass(1));
    }
    fn fail(score: &Score) {
        assert!(score.0 > 0, "not yet");
    }
    let mut schedule = Schedule::new().add(spawn).add(fail);
    let mut world = world();
    assert!(panics(|| schedule.run(&mut world)).is_some());
    assert_eq!(world.view::<&Mass>().count(), 0);
    world.resource_mut::<Score>().0 = 1;
    schedule.run(&mut world).unwrap();
    assert_eq!(world.view::<&Mass>().count(), 2);
}

#[test]
fn a_run_begins_with_the_commands_that_a_panic_left() {
    fn spawn(mut commands: SpawnCommands) {
        commands.spawn(Mass(1));
    }
    fn spawn_more(mut commands: SpawnCommands) {
        commands.spawn(Mass(2));
    }
    fn count(masses: View<&Mass>, score: &mut Score) {
        score.0 = u32::try_from(masses.count()).unwrap();
    }
    fn fail_once(mut runs: Local<u32>) {
        *runs += 1;
        assert!(*runs > 1, "not yet");
    }
    let mut schedule =
        Schedule::new().add(spawn).sync().add(count).add(spawn_more).sync().add(fail_once);
    let mut at_end = Schedule::new().add(spawn).sync().add(count).add(spawn_more).add(fail_once);
    for schedule in [&mut schedule, &mut at_end] {
        let mut world = world();
        SHARINGS[0](schedule);
        assert_eq!(panics(|| schedule.run(&mut world)).as_deref(), Some("not yet"));
        assert_eq!(world.resource::<Score>().0, 1);
        schedule.run(&mut world).unwrap();
        assert_eq!(
            world.resource::<Score>().0,
            3,
            "one of the first run, one that it left, and one of this run"
        );
        assert_eq!(world.view::<&Mass>().count(), 4);
    }
}

#[test]
fn the_condition_of_a_disabled_system_does_not_run() {
    fn run(log: &mut Log) {
        log.0.push("run");
    }
    let asked = Arc::new(AtomicUsize::new(0));
    let counter = asked.clone();
    let is_asked = move || {
        counter.fetch_add(1, Ordering::Relaxed);
        true
    };
    let inner = || Schedule::new().add_if(is_asked.clone(), run).add(|score: &Score| _ = score.0);
    let mut schedules = [
        inner(),
        Schedule::new().add_all("list", inner()),
        Schedule::new().add_all_if("list", is_asked.clone(), inner()),
    ];
    for (schedule, conditions) in schedules.iter_mut().zip([1, 1, 2]) {
        for (sharing, set_sharing) in SHARINGS.iter().enumerate() {
            set_sharing(schedule);
            let mut counts = |name, is_on| {
                let mut world = world();
                asked.store(0, Ordering::Relaxed);
                schedule.switch(name, is_on);
                schedule.run(&mut world).unwrap();
                (asked.load(Ordering::Relaxed), world.resource::<Log>().0.len())
            };
            assert_eq!(counts("run", true), (conditions, 1));
            assert_eq!(counts("run", false), (conditions - 1, 0), "way {sharing}");
            assert_eq!(counts("run", true), (conditions, 1));
            if conditions == 2 {
                assert_eq!(counts("list", false), (0, 0));
                assert_eq!(counts("list", true), (2, 1));
            }
        }
    }
}

#[test]
fn nested_lists_may_both_be_switched_off() {
    let inner = || Schedule::new().add(say!("inner"));
    let outer = || Schedule::new().add(say!("a")).add_all("inner", inner()).add(say!("b"));
    let mut schedule = Schedule::new().add_all("outer", outer()).add(say!("end"));
    let mut said = |outer, inner| {
        schedule.switch("outer", outer);
        schedule.switch("inner", inner);
        let mut world = world();
        schedule.run(&mut world).unwrap();
        std::mem::take(&mut world.resource_mut::<Log>().0)
    };
    assert_eq!(said(true, true), ["a", "inner", "b", "end"]);
    assert_eq!(said(true, false), ["a", "b", "end"]);
    assert_eq!(said(false, true), ["end"]);
    assert_eq!(said(false, false), ["end"]);
    assert_eq!(said(true, false), ["a", "b", "end"]);
    assert_eq!(said(true, true), ["a", "inner", "b", "end"]);
}

#[test]
fn schedules_go_to_other_threads() {
    let mut schedule = Schedule::new().add(say!("there"));
    let mut world = world();
    std::thread::scope(|scope| {
        scope.spawn(|| schedule.run(&mut world).unwrap()).join().unwrap();
    });
    assert_eq!(world.resource::<Log>().0, ["there"]);
}
