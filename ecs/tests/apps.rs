//! Apps of plugins that do not name each other.

use core::time::Duration;
use ecs::app::{App, AppState, DRAW, Elapsed, FIXED, LAST, Plugin, UPDATE, every};
use ecs::{Local, Resource, World};
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

/// An app with a log, and a set for each of these labels that notes it.
fn noting(labels: &[&'static str]) -> App {
    let mut app = App::new();
    app.world.insert_resource(Log::default());
    for &label in labels {
        app.add_systems(label, "note", |list| list.add(move |log: &mut Log| log.0.push(label)));
    }
    app
}

/// Runs a frame of 20 ms, and returns the notes of its systems.
fn frame(app: &mut App) -> Vec<&'static str> {
    app.frame(Duration::from_millis(20)).unwrap();
    std::mem::take(&mut app.world.resource_mut::<Log>().0)
}

#[test]
fn a_paused_label_does_not_run_and_counts_no_time() {
    let mut app = noting(&[FIXED, UPDATE, LAST]);
    app.pause_label(UPDATE, true);
    assert_eq!(frame(&mut app), [FIXED, LAST]);
    app.pause_label(UPDATE, false).pause_label(FIXED, true);
    for _ in 0..9 {
        assert_eq!(frame(&mut app), [UPDATE, LAST]);
    }
    app.pause_label(FIXED, false);
    assert_eq!(frame(&mut app), [FIXED, UPDATE, LAST]); // 3 ms were left, and 20 came
}

#[test]
fn a_paused_app_runs_its_functions_after_frames_only() {
    let mut app = noting(&[FIXED, UPDATE]);
    app.add_state("menu").on_enter("menu", |list| list.add(|log: &mut Log| log.0.push("menu")));
    app.after_frame(|app| app.world.resource_mut::<Log>().0.push("after"));
    app.pause(true);
    assert!(app.is_paused());
    assert_eq!([frame(&mut app), frame(&mut app)], [["after"], ["after"]]);
    app.pause(false);
    assert_eq!(frame(&mut app), ["menu", FIXED, UPDATE, "after"]);
}

#[derive(Resource, Clone)]
#[resource(clone)]
struct Number(u32);

#[test]
fn labels_and_sets_run_under_their_conditions_only() {
    let mut app = noting(&[FIXED, UPDATE]);
    app.world.insert_resource(Number(0));
    app.add_systems(UPDATE, "more", |list| {
        list.add(|log: &mut Log| log.0.push("more")).add(|number: &mut Number| number.0 += 1)
    });
    app.run_label_if(FIXED, |number: &Number| number.0 == 1);
    app.run_set_if(UPDATE, "note", |number: &Number| number.0 < 3);
    app.run_set_if(UPDATE, "note", |number: &Number| number.0 > 0);
    assert_eq!(frame(&mut app), ["more"]);
    assert_eq!(frame(&mut app), [FIXED, UPDATE, "more"]);
    assert_eq!(frame(&mut app), [UPDATE, "more"]);
    assert_eq!(frame(&mut app), ["more"]);
}

#[test]
fn conditions_of_labels_and_sets_go_back_with_the_app() {
    fn is_third(mut asked: Local<u32>) -> bool {
        *asked += 1;
        asked.is_multiple_of(3)
    }
    let mut app = App::new();
    app.world.insert_resource(Number(0));
    app.add_systems(UPDATE, "count", |list| list.add(|number: &mut Number| number.0 += 1));
    app.run_label_if(UPDATE, is_third);
    app.run_set_if(UPDATE, "count", every(Duration::from_millis(30)));
    let frames = |app: &mut App| {
        let numbers = (0..9).map(|_| {
            app.frame(Duration::from_millis(20)).unwrap();
            app.world.resource::<Number>().0
        });
        numbers.collect::<Vec<_>>()
    };
    frames(&mut app);
    app.pause_label(LAST, true);
    let snapshot = app.snapshot().unwrap();
    app.pause_label(LAST, false).pause(true);
    let runs = [(); 3].map(|()| {
        app.restore(&snapshot).unwrap();
        assert!(!app.is_paused());
        frames(&mut app)
    });
    assert!(runs[0] == runs[1] && runs[0] == runs[2], "{runs:?}");
    assert!(runs[0][8] > runs[0][0], "{runs:?}");
}

#[test]
fn several_sets_are_ordered_at_once() {
    let mut app = noting(&[]);
    for set in ["d", "c", "b", "a"] {
        app.add_systems(UPDATE, set, |list| list.add(move |log: &mut Log| log.0.push(set)));
    }
    app.order_all(UPDATE, ["b", "c", "d"]).order_all(UPDATE, ["a"]).order_all(UPDATE, []);
    assert_eq!(frame(&mut app), ["b", "c", "d", "a"]);
    assert!(panics(|| _ = app.order_all(UPDATE, ["d", "a", "b"])));
}

/// Returns the message of the panic of the first frame.
fn refused(app: &mut App) -> String {
    let panic = catch_unwind(AssertUnwindSafe(|| app.frame(Duration::ZERO))).unwrap_err();
    *panic.downcast::<String>().unwrap()
}

#[test]
fn misspelt_labels_and_sets_are_refused_by_the_first_frame() {
    assert_eq!(
        refused(&mut noting(&["updaet"])),
        "the label `updaet` is unknown (the nearest is `update`): labels are `first`, `fixed`, `update`, `last`, \
         `draw`; declare one of your own by `App::add_label`"
    );
    for label in ["Update", "update2", "pdate", "drwa"] {
        assert!(refused(&mut noting(&[label])).contains("declare one of your own"), "{label}");
        noting(&[label]).add_label(label).frame(Duration::ZERO).unwrap();
    }
    for label in ["save", "late_update", "test", "late", "draw_ui"] {
        noting(&[label]).frame(Duration::ZERO).unwrap();
    }
    let mut app = noting(&[UPDATE]);
    app.pause_label("updates", true);
    assert!(
        refused(&mut app).starts_with("the label `updates` is unknown (the nearest is `update`)")
    );

    let mut app = noting(&[UPDATE, FIXED]);
    app.add_systems(UPDATE, "physics", |list| list).order(UPDATE, "phisics", "note");
    assert_eq!(
        refused(&mut app),
        "no systems were added to the set `phisics` of `update` (the nearest is `physics`): its sets are \
         `physics`, `note`"
    );
    let mut app = noting(&[UPDATE]);
    app.run_set_if(UPDATE, "physics", || true);
    assert!(refused(&mut app).contains("the set `physics` of `update`: its sets are `note`"));
    assert!(refused(&mut app).contains("the set `physics`"), "as long as nothing is mended");
    app.add_systems(UPDATE, "physics", |list| list);
    app.frame(Duration::ZERO).unwrap();
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Screen {
    Menu,
    Play,
    Pause,
}
use Screen::{Menu, Pause, Play};

/// An app that notes each state that begins and ends.
fn staged(update: impl Fn(&mut AppState<Screen>) + Send + Sync + 'static) -> App {
    let mut app = noting(&[UPDATE]);
    app.add_state(Menu);
    let lists = [(Menu, "+menu", "-menu"), (Play, "+game", "-game"), (Pause, "+pause", "-pause")];
    for (state, enter, exit) in lists {
        let check = move |log: &mut Log, screen: &AppState<Screen>, note| {
            assert_eq!(*screen.get(), state);
            log.0.push(note);
        };
        app.on_enter(state, |list| {
            list.add(move |log: &mut Log, screen: &AppState<Screen>| check(log, screen, enter))
        });
        app.on_exit(state, |list| {
            list.add(move |log: &mut Log, screen: &AppState<Screen>| check(log, screen, exit))
        });
    }
    app.add_systems(UPDATE, "set", |list| {
        list.add(move |screen: &mut AppState<Screen>| update(screen))
    });
    app
}

#[test]
fn no_change_of_a_state_is_missed() {
    let mut app = staged(|screen| {
        screen.set(Play);
        screen.set(Menu);
        screen.set(Menu);
    });
    assert_eq!(frame(&mut app), ["+menu", UPDATE, "-menu", "+game", "-game", "+menu"]);
    assert_eq!(frame(&mut app), [UPDATE, "-menu", "+game", "-game", "+menu"]);

    let mut app = staged(|screen| {
        screen.set(match screen.get() {
            Menu => Play,
            Play | Pause => Pause,
        });
    });
    assert_eq!(frame(&mut app), ["+menu", UPDATE, "-menu", "+game"]);
    assert_eq!(frame(&mut app), [UPDATE, "-game", "+pause"]);
    assert_eq!(frame(&mut app), [UPDATE]);
    assert_eq!(*app.world.resource::<AppState<Screen>>().get(), Pause);
}

#[test]
fn lists_of_a_state_may_set_another_one_but_not_without_end() {
    let mut app = staged(|_| ());
    app.on_enter(Menu, |list| list.add(|screen: &mut AppState<Screen>| screen.set(Play)));
    assert_eq!(frame(&mut app), ["+menu", "-menu", "+game", UPDATE]);
    app.on_enter(Play, |list| list.add(|screen: &mut AppState<Screen>| screen.set(Menu)));
    app.world.resource_mut::<AppState<Screen>>().set(Menu);
    assert!(refused(&mut app).contains("changed 1000 times between two labels"));
}

#[test]
#[should_panic(expected = "the app has no state `apps::Screen`: add it by `App::add_state` before")]
fn lists_of_an_unknown_state_are_refused() {
    App::new().on_exit(Menu, |list| list);
}

#[test]
#[should_panic(expected = "the app has a state `apps::Screen` already: set it by `AppState::set`")]
fn a_state_is_added_once() {
    App::new().add_state(Menu).add_state(Play);
}

#[test]
fn states_and_the_values_of_their_lists_go_back_with_the_app() {
    #[derive(Resource, Clone, Default)]
    #[resource(clone)]
    struct Entered(Vec<u32>);
    fn count(mut times: Local<u32>, entered: &mut Entered) {
        *times += 1;
        entered.0.push(*times);
    }
    fn toggle(screen: &mut AppState<Screen>) {
        screen.set(if *screen.get() == Menu { Play } else { Menu });
    }
    let mut app = App::new();
    app.world.insert_resource(Entered::default());
    app.add_state(Menu)
        .on_enter(Menu, |list| list.add(count))
        .on_exit(Play, |list| list.add(count));
    app.add_systems(DRAW, "toggle", |list| list.add(toggle)); // made in the next frame
    let frames = |app: &mut App| {
        for _ in 0..5 {
            app.frame(Duration::ZERO).unwrap();
        }
        app.world.resource::<Entered>().0.clone()
    };
    frames(&mut app);
    let snapshot = app.snapshot().unwrap();
    let first = frames(&mut app);
    for _ in 0..2 {
        app.restore(&snapshot).unwrap();
        assert_eq!(frames(&mut app), first);
    }
    assert_eq!(first, [1, 1, 2, 2, 3, 3, 4, 4, 5][..first.len()]);
}
