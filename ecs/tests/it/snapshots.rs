//! Programs that go back: a world with all that its systems keep.

use core::time::Duration;
use ecs::app::{App, Elapsed, Exit, FIXED, UPDATE, every};
use ecs::{
    Changes, ChildOf, Commands, Component, CopiedSystem, EventCursor, Events, HasChanged, Local,
    Resource, Schedule, Snapshot, Stays, View, Views, World,
};
use std::sync::Mutex;

#[derive(Component, Clone, Debug, PartialEq)]
#[component(clone, track)]
struct Health(u32);

#[derive(Resource, Clone, Default)]
#[resource(clone)]
struct Log(Vec<String>);

#[derive(Resource, Clone)]
#[resource(clone)]
struct Score(u32);

impl Log {
    fn note(&mut self, text: impl Into<String>) {
        self.0.push(text.into());
    }
}

/// Runs a program for some frames, and returns the notes of its systems.
fn notes(frames: usize, app: &mut App) -> Vec<String> {
    app.world.resource_mut::<Log>().0.clear();
    for _ in 0..frames {
        app.frame(Duration::from_millis(16)).unwrap();
    }
    app.world.resource_mut::<Log>().0.clone()
}

/// Checks that a program repeats its frames after it went back, from each of its first frames on; and that it does
/// something in these frames.
fn repeats(app: &mut App) {
    app.world.insert_resource(Log::default());
    let mut all = Vec::new();
    for _ in 0..8 {
        let snapshot = app.snapshot().unwrap();
        let first = notes(6, app);
        for _ in 0..2 {
            app.restore(&snapshot).unwrap();
            assert_eq!(notes(6, app), first);
        }
        app.restore(&snapshot).unwrap();
        all.extend(notes(1, app));
    }
    all.dedup();
    assert!(all.len() > 2, "{all:?}");
}

fn app_of(add: impl FnOnce(Schedule) -> Schedule) -> App {
    let mut app = App::new();
    app.add_systems(UPDATE, "all", add);
    app
}

#[test]
fn locals_go_back() {
    fn count(mut runs: Local<u32>, mut all: Local<Vec<u32>>, log: &mut Log) {
        *runs += 1;
        let next = all.iter().sum::<u32>() + *runs;
        all.push(next);
        log.note(format!("{all:?}"));
    }
    repeats(&mut app_of(|list| list.add(count)));
}

#[test]
fn locals_in_structs_of_parameters_go_back() {
    #[derive(Views)]
    struct Inner<'w> {
        runs: Local<'w, u32>,
    }
    #[derive(Views)]
    struct Outer<'w> {
        log: &'w mut Log,
        inner: Inner<'w>,
        twice: Local<'w, u64>,
    }
    fn count(Outer { log, mut inner, mut twice }: Outer) {
        *inner.runs += 1;
        *twice += 2;
        log.note(format!("{} {}", *inner.runs, *twice));
    }
    repeats(&mut app_of(|list| list.add(count)));
}

#[test]
fn conditions_go_back() {
    fn is_third(mut asked: Local<u32>) -> bool {
        *asked += 1;
        asked.is_multiple_of(3)
    }
    let mut calls = 0;
    let is_second = CopiedSystem(move || {
        calls += 1;
        calls % 2 == 0
    });
    let list = Schedule::new().add(|log: &mut Log| log.note("list"));
    repeats(&mut app_of(|all| {
        all.add_if(is_third, |log: &mut Log| log.note("third"))
            .add_if(is_second, |log: &mut Log| log.note("second"))
            .add_all_if("list", is_third, list)
            .add(|log: &mut Log| log.note("frame"))
    }));
}

#[test]
fn times_go_back() {
    let mut app = app_of(|list| {
        list.add_if(every(Duration::from_millis(40)), |log: &mut Log| log.note("every"))
    });
    app.add_systems(FIXED, "fixed", |list| list.add(|log: &mut Log| log.note("fixed")));
    app.fixed_step = ecs::FixedStep::new(Duration::from_millis(23));
    repeats(&mut app);
    let snapshot = app.snapshot().unwrap();
    app.world.resource_mut::<Exit>().0 = true;
    app.frame(Duration::from_secs(9)).unwrap();
    app.restore(&snapshot).unwrap();
    assert_eq!(*app.world.resource::<Exit>(), Exit(false));
    assert_eq!(*app.world.resource::<Elapsed>(), Elapsed(Duration::from_millis(16)));
}

#[test]
fn queues_and_cursors_go_back() {
    fn send(hits: &mut Events<u32>, mut sent: Local<u32>) {
        if sent.is_multiple_of(2) {
            hits.update();
        }
        *sent += 1;
        hits.extend([*sent, 10 * *sent]);
    }
    fn hear(hits: &Events<u32>, mut seen: Local<EventCursor>, log: &mut Log) {
        let unread = hits.read(&mut seen);
        let missed = unread.missed();
        log.note(format!("{missed} {:?}", unread.collect::<Vec<_>>()));
    }
    fn is_fourth(mut asked: Local<u32>) -> bool {
        *asked += 1;
        asked.is_multiple_of(4)
    }
    let mut app = app_of(|list| list.add(hear).add(send).add_if(is_fourth, hear));
    app.world.insert_resource(Events::<u32>::new().in_snapshots());
    repeats(&mut app);
}

#[test]
fn a_cursor_keeps_its_place_through_any_number_of_restores() {
    fn hear(hits: &Events<u32>, mut seen: Local<EventCursor>, log: &mut Log) {
        log.note(format!("{:?}", hits.read(&mut seen).collect::<Vec<_>>()));
    }
    let mut app = app_of(|list| list.add(hear));
    app.world.insert_resource(Log::default());
    app.world.insert_resource(Events::<u32>::from_iter([1, 2]).in_snapshots());
    assert_eq!(notes(1, &mut app), ["[1, 2]"]);
    for _ in 0..20 {
        let snapshot = app.snapshot().unwrap();
        app.world.resource_mut::<Events<u32>>().send(3);
        app.restore(&snapshot).unwrap();
    }
    app.world.resource_mut::<Events<u32>>().send(4);
    assert_eq!(notes(1, &mut app), ["[4]"]);
}

#[test]
fn readers_of_changes_go_back_to_what_they_were_not_given() {
    fn hear(healths: &Changes<Health>, one: View<&Health>, all: View<&Health>, log: &mut Log) {
        let list = |view: View<&Health>, set| {
            view.among(set).iter().map(|(entity, _)| entity).collect::<Vec<_>>()
        };
        let (inserted, changed) = (list(one, healths.inserted()), list(all, healths.changed()));
        log.note(format!("{inserted:?} {changed:?} {:?}", healths.removed()));
    }
    fn edit(world: &mut World) {
        let len = u32::try_from(world.len()).unwrap();
        world.spawn(Health(len));
        let first = world.view::<&Health>().iter().map(|(entity, _)| entity).next();
        if len > 3
            && let Some(first) = first
        {
            world.despawn(first).unwrap();
        }
        let last = world.view::<&Health>().iter().map(|(entity, _)| entity).last();
        world.get_mut::<Health>(last.unwrap()).unwrap().0 += 1;
    }
    fn is_second(mut asked: Local<u32>) -> bool {
        *asked += 1;
        asked.is_multiple_of(2)
    }
    repeats(&mut app_of(|list| list.add(edit).add_if(is_second, hear)));
}

#[test]
fn changes_of_a_resource_go_back() {
    #[expect(clippy::needless_pass_by_value, reason = "a system takes its parameters by value")]
    fn note(score: HasChanged<Score>, log: &mut Log) {
        log.note(format!("{}", score.get()));
    }
    fn is_second(mut asked: Local<u32>) -> bool {
        *asked += 1;
        asked.is_multiple_of(3)
    }
    let mut app = app_of(|list| {
        list.add(note)
            .add_if(is_second, |score: &mut Score| score.0 += 1)
            .add(|log: &mut Log, score: &Score| log.note(format!("{}", score.0)))
    });
    app.world.insert_resource(Score(0));
    repeats(&mut app);
}

#[test]
fn lists_are_switched_as_at_the_snapshot() {
    let physics = Schedule::new().add(|score: &mut Score| score.0 += 1);
    let (mut world, mut frame) = (World::new(), Schedule::new().add_all("physics", physics));
    world.insert_resource(Score(0));
    let on = frame.snapshot(&mut world).unwrap();
    assert!(frame.switch("physics", false));
    let off = frame.snapshot(&mut world).unwrap();
    for (snapshot, points) in [(&on, 1), (&off, 0), (&on, 1)] {
        frame.restore(&mut world, snapshot).unwrap();
        frame.run(&mut world).unwrap();
        assert_eq!(world.resource::<Score>().0, points);
    }
}

#[test]
fn relations_and_free_ids_go_back() {
    let (mut world, mut schedule) = (World::new(), Schedule::new());
    let parent = world.spawn(Health(1)).id();
    let child = world.spawn(ChildOf(parent)).id();
    let snapshot = schedule.snapshot(&mut world).unwrap();
    let next = world.spawn_empty().id();
    world.despawn(parent).unwrap();
    schedule.restore(&mut world, &snapshot).unwrap();
    assert_eq!(world.children(parent).collect::<Vec<_>>(), [child]);
    assert_eq!(world.spawn_empty().id(), next);
    assert_eq!(snapshot.world().len(), 2);
}

#[test]
fn what_stays_goes_on() {
    #[derive(Default)]
    struct Total(u32); // not `Clone`
    fn count(mut runs: Local<u32>, mut total: Local<Stays<Total>>, score: &mut Score) {
        *runs += 1;
        total.0.0 += 1;
        score.0 = 100 * *runs + total.0.0;
    }
    let calls = Mutex::new(0);
    let called = Stays(move |log: &mut Log| {
        *calls.lock().unwrap() += 1;
        log.note(format!("{}", calls.lock().unwrap()));
    });
    let (mut world, mut schedule) = (World::new(), Schedule::new().add(count).add(called));
    world.insert_resource(Score(0));
    world.insert_resource(Log::default());
    world.insert_resource(Events::<char>::new().outside_snapshots());
    let mut snapshot = schedule.snapshot(&mut world).unwrap();
    for run in 1..4 {
        world.resource_mut::<Events<char>>().send('x');
        schedule.run(&mut world).unwrap();
        assert_eq!(world.resource::<Score>().0, 100 + run);
        assert_eq!(world.resource::<Log>().0, [run.to_string()]);
        assert_eq!(world.resource::<Events<char>>().len(), run as usize);
        schedule.restore(&mut world, &snapshot).unwrap();
        schedule.snapshot_into(&mut world, &mut snapshot).unwrap();
    }
}

#[test]
fn each_part_that_cannot_be_copied_is_named_at_the_snapshot() {
    #[derive(Resource)]
    struct Window;
    #[derive(Component)]
    struct Socket;
    fn named() {}
    let speed = 3;
    let counting = move |log: &mut Log| log.note(format!("{speed}"));
    let asked = Mutex::new(0);
    let is_odd = move || {
        *asked.lock().unwrap() += 1;
        true
    };
    let mut app = app_of(|list| list.add(counting).add_if(is_odd, named));
    app.world.insert_resource(Window);
    app.world.insert_resource(Events::<u32>::new());
    app.world.insert_resource(Events::<u8>::new().in_snapshots());
    let error = app.snapshot().unwrap_err();
    let parts: Vec<&str> = error.parts().collect();
    let name = "each_part_that_cannot_be_copied_is_named_at_the_snapshot::{{closure}}";
    assert_eq!(parts.len(), 4, "{parts:?}");
    assert!(parts[0].starts_with(&format!("`{name}` captures values: keep them in a `Local`")));
    assert!(parts[1].starts_with("the condition of `named` captures values"), "{}", parts[1]);
    assert!(parts[2].starts_with("the resource `Events<u32>` does not say whether it goes back"));
    assert!(parts[3].contains("`Window` may not be copied"), "{}", parts[3]);
    app.world.remove_resource::<Window>();
    app.world.spawn(Socket);
    assert!(app.snapshot().unwrap_err().to_string().contains("`Socket` may not be copied"));
}

mod elsewhere {
    pub fn one(_: ecs::Local<u64>) {}
}

#[test]
fn a_snapshot_of_another_program_changes_nothing() {
    fn one(_: Local<u32>) {}
    fn two(_: Local<u32>) {}
    let mut world = World::new();
    let snapshot = Schedule::new().add(one).snapshot(&mut world).unwrap();
    let lengths = [vec![], vec![1, 2]];
    for mut other in [
        Schedule::new(),
        Schedule::new().add(two),
        Schedule::new().add(one).add(one),
        Schedule::new().add_if(|_: Local<u8>| true, one),
    ] {
        world.clear();
        for length in &lengths {
            world.spawn_batch(length.iter().map(|points| Health(*points)));
        }
        let error = other.restore(&mut world, &snapshot).unwrap_err();
        assert!(error.to_string().contains("of another program"), "{error}");
        assert_eq!(world.len(), 2);
    }
    let mut other = Schedule::new().add(elsewhere::one);
    let error = other.restore(&mut world, &snapshot).unwrap_err().to_string();
    assert!(
        error.starts_with("the snapshot has no `u64` in the place where `one` has one"),
        "{error}"
    );
    let error = App::new().restore(&snapshot).unwrap_err();
    assert_eq!(error.parts().count(), 1);
    assert!(error.to_string().contains("and the snapshot 1: it is of another program"), "{error}");
    let mut app = app_of(|list| list.add(one));
    app.add_systems(UPDATE, "more", |list| list.add(two));
    let error = app.restore(&snapshot).unwrap_err();
    assert!(error.to_string().contains("and the snapshot 1: it is of another program"), "{error}");
}

#[test]
fn a_schedule_that_panicked_has_no_snapshot_until_it_runs() {
    fn fail(mut runs: Local<u32>, commands: &mut Commands) {
        commands.queue(|world: &mut World| _ = world.spawn_empty().id());
        *runs += 1;
        assert!(*runs > 1, "the first time");
    }
    let (mut world, mut schedule) = (World::new(), Schedule::new().add(fail));
    let before = schedule.snapshot(&mut world).unwrap();
    let call = std::panic::AssertUnwindSafe(|| schedule.run(&mut world));
    std::panic::catch_unwind(call).unwrap_err();
    let error = schedule.snapshot(&mut world).unwrap_err();
    assert!(error.to_string().starts_with("the last run of the schedule ended by a panic"));
    schedule.run(&mut world).unwrap();
    assert!(schedule.snapshot(&mut world).is_ok());
    schedule.restore(&mut world, &before).unwrap();
    assert!(world.is_empty());
}

#[test]
fn a_snapshot_is_restored_in_another_program_of_the_same_systems() {
    fn grow(mut runs: Local<u32>, healths: View<&mut Health>, log: &mut Log) {
        *runs += 1;
        healths.for_each(|(_, health)| health.0 += *runs);
        log.note(format!("{}", *runs));
    }
    fn hear(
        healths: &Changes<Health>,
        log: &mut Log,
        hits: &Events<u32>,
        mut at: Local<EventCursor>,
    ) {
        log.note(format!("{} {}", healths.inserted().len(), healths.changed().len()));
        log.note(format!("{:?}", hits.read(&mut at).collect::<Vec<_>>()));
    }
    fn is_second(mut asked: Local<u32>) -> bool {
        *asked += 1;
        asked.is_multiple_of(2)
    }
    let new = || {
        let mut app = app_of(|list| list.add(grow).add_if(is_second, hear));
        app.world.insert_resource(Log::default());
        app.world.insert_resource(Events::<u32>::from_iter([1, 2, 3]).in_snapshots());
        app.world.spawn_batch([1, 2].map(Health));
        app
    };
    let (mut here, mut there) = (new(), new());
    notes(3, &mut here);
    notes(1, &mut there);
    let snapshot = here.snapshot().unwrap();
    there.restore(&snapshot).unwrap();
    let (here, there) = (notes(4, &mut here), notes(4, &mut there));
    assert_eq!(here, there);
    assert!(here.contains(&"0 2".to_owned()), "{here:?}");
}

#[test]
fn a_new_snapshot_is_of_an_empty_program() {
    let (mut world, mut schedule) = (World::new(), Schedule::new());
    world.spawn_empty();
    schedule.restore(&mut world, &Snapshot::default()).unwrap_err();
    App::new().restore(&Snapshot::default()).unwrap();
}

#[cfg(feature = "serde")]
mod as_bytes {
    use super::*;
    use ecs::save::SnapshotTypes;
    use serde::{Deserialize, Serialize};

    #[derive(Component, Clone, Serialize, Deserialize)]
    #[component(clone, track, save = "mass")]
    struct Mass(u32);
    #[derive(Resource, Clone, Default, Serialize, Deserialize)]
    #[resource(clone, save = "notes")]
    struct Notes(Vec<String>);
    #[derive(Clone, Default, Serialize, Deserialize)]
    struct Runs(u32);

    fn edit(world: &mut World) {
        let all: Vec<_> = world.entities().collect();
        world.spawn(Mass(1));
        world.get_mut::<Mass>(all[all.len() / 2]).unwrap().0 += 1;
        if all.len() > 4 {
            world.despawn(all[0]).unwrap();
        }
    }
    fn send(hits: &mut Events<u32>, mut runs: Local<Runs>) {
        runs.0 += 1;
        hits.send(runs.0);
        if runs.0.is_multiple_of(2) {
            hits.update();
        }
    }
    fn hear(hits: &Events<u32>, mut seen: Local<EventCursor>, notes: &mut Notes) {
        notes.0.push(format!("{:?}", hits.read(&mut seen).collect::<Vec<_>>()));
    }
    #[expect(clippy::needless_pass_by_value, reason = "a system takes its parameters by value")]
    fn changes(masses: &Changes<Mass>, new: HasChanged<Notes>, notes: &mut Notes) {
        let lens = (masses.inserted().len(), masses.changed().len());
        notes.0.push(format!("{lens:?} {:?} {}", masses.removed(), new.get()));
    }

    fn program() -> App {
        let mut app = App::new();
        app.world.insert_resource(Notes::default());
        app.world.insert_resource(Events::<u32>::new().in_snapshots());
        app.world.spawn_batch([1, 2, 3].map(Mass));
        app.add_state(7_u8);
        app.add_systems(FIXED, "fixed", |list| list.add(edit).add(send));
        app.add_systems(UPDATE, "update", |list| {
            list.add_if(every(Duration::from_millis(40)), hear)
                .add_if(every(Duration::from_millis(30)), changes)
        });
        app
    }

    fn types() -> SnapshotTypes {
        SnapshotTypes::new().local::<Runs>().queue::<u32>().state::<u8>()
    }

    fn run(app: &mut App, frames: usize) -> Vec<String> {
        for _ in 0..frames {
            app.frame(Duration::from_millis(16)).unwrap();
        }
        app.world.resource::<Notes>().0.clone()
    }

    #[test]
    fn another_process_goes_on_from_the_bytes_of_a_snapshot() {
        for frames in 0..9 {
            let mut here = program();
            run(&mut here, frames);
            let bytes = types().write(&here.snapshot().unwrap()).unwrap();
            let mut there = program();
            let mut snapshot = there.snapshot().unwrap();
            types().read(&bytes, &mut snapshot).unwrap();
            assert!(types().write(&snapshot).unwrap() == bytes, "equal snapshots have equal bytes");
            there.restore(&snapshot).unwrap();
            let notes = run(&mut here, 12);
            assert_eq!(run(&mut there, 12), notes);
            assert!(notes.len() > 8);
        }
    }

    #[test]
    fn parts_of_unknown_types_are_named() {
        let mut app = program();
        let mut calls = 0;
        app.add_systems(UPDATE, "count", |list| {
            list.add(CopiedSystem(move |notes: &mut Notes| {
                calls += 1;
                notes.0.push(format!("{calls}"));
            }))
        });
        let snapshot = app.snapshot().unwrap();
        let error = SnapshotTypes::new().write(&snapshot).unwrap_err();
        let parts: Vec<&str> = error.parts().collect();
        assert_eq!(parts.len(), 4, "{parts:?}");
        assert_eq!(parts[0], "the `Runs` of `send` is not known: add it by `SnapshotTypes::local`");
        assert!(parts[1].contains("closure"), "{parts:?}");
        for name in ["`Events<u32>`", "`AppState<u8>`"] {
            let is_it =
                |part: &&str| part.starts_with(&format!("the resource {name} is not known"));
            assert!(parts.iter().any(is_it), "{parts:?}");
        }
    }

    #[test]
    fn bytes_that_are_cut_or_changed_are_refused_or_read() {
        let mut app = program();
        run(&mut app, 5);
        let mut snapshot = app.snapshot().unwrap();
        let bytes = types().write(&snapshot).unwrap();
        for len in 0..bytes.len() {
            let error = types().read(&bytes[..len], &mut snapshot).unwrap_err();
            assert!(error.to_string().starts_with("the snapshot cannot be read: "), "{error}");
        }
        for at in 0..bytes.len() {
            for change in [1, 0x80, 0xff] {
                let mut bytes = bytes.clone();
                bytes[at] ^= change;
                _ = types().read(&bytes, &mut snapshot);
            }
        }
        types().read(&bytes, &mut snapshot).unwrap();
        let error = SnapshotTypes::new().read(&bytes, &mut snapshot).unwrap_err();
        assert!(error.to_string().contains("other types were registered"), "{error}");
        let mut other = App::new().snapshot().unwrap();
        assert!(types().read(&bytes, &mut other).is_err());
    }
}
