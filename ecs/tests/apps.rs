//! Apps of plugins that do not name each other.

use core::time::Duration;
use ecs::app::{App, Elapsed, FIXED, LAST, Plugin, UPDATE, every};
use ecs::{Resource, World};
use std::panic::{AssertUnwindSafe, catch_unwind};

#[derive(Resource, Default)]
struct Log(Vec<&'static str>);

struct Physics;
struct Input;
struct Game;

impl Plugin for Physics {
    fn install(self, app: &mut App) {
        app.add_systems(UPDATE, "physics", |list| {
            list.add(|world: &mut World| world.resource_mut::<Log>().0.push("physics"))
        });
    }
}
impl Plugin for Input {
    fn install(self, app: &mut App) {
        app.add_systems(UPDATE, "input", |list| list.add(|log: &mut Log| log.0.push("input")));
    }
}
impl Plugin for Game {
    fn install(self, app: &mut App) {
        app.world.insert_resource(Log::default());
        app.install(Physics).install(Input).order(UPDATE, "input", "physics");
    }
}

#[test]
fn a_third_plugin_orders_the_systems_of_two_others() {
    let mut app = App::new();
    app.install(Game);
    app.frame(Duration::ZERO).unwrap();
    assert_eq!(app.world.resource::<Log>().0, ["input", "physics"]);
}

#[test]
fn installing_twice_does_nothing() {
    let mut app = App::new();
    app.install(Game).install(Input).install(Game);
    app.frame(Duration::ZERO).unwrap();
    assert_eq!(app.world.resource::<Log>().0.len(), 2);
}

#[test]
#[should_panic(expected = "set `c` of `update` cannot run before `a`")]
fn sets_ordered_in_a_circle_panic() {
    App::new().order(UPDATE, "a", "b").order(UPDATE, "b", "c").order(UPDATE, "c", "a");
}

/// Returns `true` if `edit` panics.
fn panics(edit: impl FnOnce()) -> bool {
    catch_unwind(AssertUnwindSafe(edit)).is_err()
}

#[test]
fn an_order_that_is_refused_changes_nothing() {
    let mut app = App::new();
    app.world.insert_resource(Log::default());
    for set in ["a", "b", "c", "d"] {
        app.add_systems(UPDATE, set, |list| list.add(move |log: &mut Log| log.0.push(set)));
    }
    app.order(UPDATE, "c", "b").order(UPDATE, "b", "a");
    assert!(panics(|| _ = app.order(UPDATE, "a", "c")));
    assert!(panics(|| _ = app.order(UPDATE, "d", "d")));
    app.frame(Duration::ZERO).unwrap();
    app.order(UPDATE, "d", "c");
    app.frame(Duration::ZERO).unwrap();
    assert_eq!(app.world.resource::<Log>().0, ["c", "b", "a", "d", "d", "c", "b", "a"]);
}

#[test]
fn functions_after_a_frame_stay_when_one_panics() {
    let mut app = App::new();
    app.world.insert_resource(Log::default());
    app.after_frame(|app| app.world.resource_mut::<Log>().0.push("first"));
    let mut calls = 0;
    app.after_frame(move |app| {
        calls += 1;
        app.after_frame(|app| app.world.resource_mut::<Log>().0.push("added"));
        assert!(calls > 1, "the first call");
    });
    app.after_frame(|app| app.world.resource_mut::<Log>().0.push("last"));
    assert!(panics(|| app.frame(Duration::ZERO).unwrap()));
    app.frame(Duration::ZERO).unwrap();
    assert_eq!(app.world.resource::<Log>().0, ["first", "first", "last", "added"]);
}

#[test]
fn fixed_steps_run_as_often_as_they_fit_and_errors_end_no_other_system() {
    let mut app = App::new();
    app.world.insert_resource(Log::default());
    app.add_systems(FIXED, "step", |list| {
        list.add(|| Err::<(), _>("no")).add(|log: &mut Log| log.0.push("step"))
    });
    let error = app.frame(Duration::from_millis(50)).unwrap_err();
    assert_eq!((error.errors().len(), app.world.resource::<Log>().0.len()), (2, 2));
}

#[test]
#[should_panic(
    expected = "no set has the label `udpate` (the nearest is `update`): add systems to it by `App::add_systems`"
)]
fn running_an_unknown_label_panics_with_the_nearest_one() {
    App::new().run_schedule("udpate").unwrap();
}

#[test]
fn running_a_label_of_a_frame_without_sets_runs_nothing() {
    assert!(App::new().run_schedule(UPDATE).is_ok());
}

#[derive(Resource, Default)]
struct Times(Vec<(&'static str, u128)>);

#[test]
fn systems_find_the_time_of_their_frame_and_fixed_ones_the_length_of_a_step() {
    let mut app = App::new();
    app.world.insert_resource(Times::default());
    for label in [FIXED, UPDATE, LAST] {
        app.add_systems(label, "time", |list| {
            list.add(move |times: &mut Times, elapsed: &Elapsed| {
                times.0.push((label, elapsed.0.as_millis()));
            })
        });
    }
    app.frame(Duration::from_millis(20)).unwrap();
    assert_eq!(app.world.resource::<Times>().0, [(FIXED, 16), (UPDATE, 20), (LAST, 20)]);
}

#[test]
fn a_periodic_condition_keeps_the_remainder_and_skips_periods_of_one_run() {
    let mut app = App::new();
    app.world.insert_resource(Log::default());
    app.add_systems(UPDATE, "lamp", |list| {
        list.add_if(every(Duration::from_millis(100)), |log: &mut Log| log.0.push("on"))
    });
    for (elapsed, runs) in [(99, 0), (1, 1), (350, 2), (50, 3), (0, 3)] {
        app.frame(Duration::from_millis(elapsed)).unwrap();
        assert_eq!(app.world.resource::<Log>().0.len(), runs, "after {elapsed} ms");
    }
}
