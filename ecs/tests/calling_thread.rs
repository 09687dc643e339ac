//! Systems that stay on the thread that runs their schedule, and values that are not `Send` as their parameters.
#![allow(clippy::needless_pass_by_value, reason = "systems take their parameters by value")]

use ecs::{
    CallingThread, Commands, Component, EntityAllocator, Local, NonSend, NonSendMut, NonSendRef,
    Resource, Schedule, Sharing, View, Views, World, schedule,
};
use in_pool::in_pool;
use std::cell::{Cell, RefCell};
use std::mem::ManuallyDrop;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread::{self, ThreadId};
use std::time::{Duration, Instant};

#[path = "it/in_pool.rs"]
mod in_pool;

#[derive(Component)]
struct Health;
#[derive(Component)]
struct Fuel(u32);
/// The thread that runs the schedule.
#[derive(Resource)]
struct Caller(ThreadId);
/// The number of systems that ran on other threads.
#[derive(Resource, Default)]
struct Elsewhere(AtomicUsize);

/// A window, which may be used on its own thread only: not even its counter is atomic.
#[derive(Default)]
struct Window {
    frames: Rc<Cell<u32>>,
}
/// Sounds, on one thread, too.
struct Mixer(Rc<RefCell<Vec<usize>>>);

fn is_here(caller: &Caller) -> bool {
    thread::current().id() == caller.0
}
fn assert_here(caller: &Caller) {
    assert!(is_here(caller), "on another thread than the one that runs the schedule");
}

fn draw(_: CallingThread, healths: View<&Health>, caller: &Caller) {
    assert_here(caller);
    assert_eq!(healths.count(), 20);
}
fn present(mut window: NonSendMut<Window>, caller: &Caller) {
    assert_here(caller);
    window.frames.set(window.frames.get() + 1);
    window.frames = Rc::clone(&window.frames);
}
fn measure(window: NonSendRef<Window>, again: NonSendRef<Window>, caller: &Caller) {
    assert_here(caller);
    assert!(Rc::ptr_eq(&window.frames, &again.frames));
}
fn play(mixer: Option<NonSendRef<Mixer>>, fuels: View<&Fuel>, caller: &Caller) {
    assert_here(caller);
    mixer.unwrap().0.borrow_mut().push(fuels.count());
}
fn is_open(window: NonSendRef<Window>, caller: &Caller) -> bool {
    assert_here(caller);
    window.frames.get() < u32::MAX
}

#[derive(Views)]
struct Screen<'w> {
    window: NonSendMut<'w, Window>,
    healths: View<'w, &'w Health>,
    runs: Local<'w, u32>,
    caller: &'w Caller,
}
fn refresh(mut screen: Screen) {
    assert_here(screen.caller);
    *screen.runs += 1;
    assert_eq!(screen.healths.count(), 20);
    screen.window.frames = Rc::clone(&screen.window.frames);
}

/// Work for other threads.
fn work(all: View<&mut Fuel>, caller: &Caller, elsewhere: &Elsewhere) {
    elsewhere.0.fetch_add(usize::from(!is_here(caller)), Ordering::Relaxed);
    all.for_each(|(_, fuel)| fuel.0 = fuel.0.wrapping_mul(3) + 1);
}
fn wait(caller: &Caller, elsewhere: &Elsewhere) {
    elsewhere.0.fetch_add(usize::from(!is_here(caller)), Ordering::Relaxed);
    thread::sleep(Duration::from_micros(20));
}
fn spawn(allocator: EntityAllocator, commands: &mut Commands) {
    let entity = commands.spawn(allocator, Fuel(1));
    commands.despawn(entity);
}

schedule! { struct Drawing { present, play } }
schedule! {
    struct Frame {
        together(draw, wait),
        work,
        measure if is_open,
        wait,
        drawing: Drawing if is_open,
        spawn,
        wait,
        refresh,
    }
}

/// Returns a world whose values belong to this thread.
fn world() -> World {
    let mut world = World::new();
    world.spawn_batch((0..20).map(|at| (Health, Fuel(at))));
    world.insert_resource(Caller(thread::current().id()));
    world.insert_resource(Elsewhere::default());
    world.insert_resource(NonSend::new(Window::default()));
    world.insert_resource(NonSend::new(Mixer(Rc::default())));
    world
}

/// Returns the number of runs a test of threads has.
fn runs() -> u32 {
    std::env::var("ECS_RUNS").ok().and_then(|runs| runs.parse().ok()).unwrap_or(400)
}

/// Calls `f` here, and in pools of several sizes.
fn everywhere(f: impl Fn() + Sync) {
    f();
    for threads in [1, 2, 4] {
        in_pool(&rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap(), &f);
    }
}

/// Calls `f` with each way to share.
fn in_each_mode(f: impl Fn(Sharing) + Sync) {
    everywhere(|| [Sharing::Never, Sharing::Measured, Sharing::Always].into_iter().for_each(&f));
}

fn panic_of(f: impl FnOnce()) -> String {
    let error = catch_unwind(AssertUnwindSafe(f)).expect_err("it panics");
    let text = error.downcast_ref::<String>().cloned();
    text.or_else(|| error.downcast_ref::<&str>().map(|text| (*text).to_owned())).unwrap()
}

#[test]
fn systems_that_stay_run_on_the_thread_that_runs_the_schedule() {
    in_each_mode(|sharing| {
        let (mut world, mut frame) = (world(), Frame::new());
        frame.set_sharing(sharing);
        for _ in 0..runs() {
            frame.run(&mut world).unwrap();
        }
        assert_eq!(world.resource::<NonSend<Window>>().get().frames.get(), runs());
        assert_eq!(world.resource::<NonSend<Mixer>>().get().0.borrow().len(), runs() as usize);
        let elsewhere = world.resource::<Elsewhere>().0.load(Ordering::Relaxed);
        assert!(sharing != Sharing::Never || elsewhere == 0);
    });
}

#[test]
fn other_systems_overlap_with_one_that_stays() {
    /// The number of arrivals in all runs.
    static CAME: AtomicUsize = AtomicUsize::new(0);
    fn meet() {
        let both = CAME.fetch_add(1, Ordering::SeqCst) / 2 * 2 + 2;
        let start = Instant::now();
        while CAME.load(Ordering::SeqCst) < both {
            assert!(start.elapsed().as_secs() < 20, "they do not overlap");
            thread::yield_now();
        }
    }
    fn here(window: NonSendRef<Window>, caller: &Caller) {
        assert_here(caller);
        meet();
        assert_eq!(window.frames.get(), 0);
    }
    fn elsewhere(_: View<&mut Fuel>, caller: &Caller) {
        meet();
        assert!(!is_here(caller));
    }
    schedule! { struct Both { together(elsewhere, here) } }
    let pool = rayon::ThreadPoolBuilder::new().num_threads(2).build().unwrap();
    let run = |turns| {
        let (mut world, mut both) = (world(), Both::new());
        both.set_sharing(Sharing::Always);
        (0..turns).for_each(|_| both.run(&mut world).unwrap());
    };
    in_pool(&pool, || run(20));
    // From outside of the pool the caller is one more thread.
    run(20);
}

#[test]
fn a_system_that_is_not_send_stays_on_its_thread() {
    in_each_mode(|sharing| {
        let (drawn, mut world) = (Rc::new(Cell::new(0)), world());
        let (count, look) = (Rc::clone(&drawn), Rc::clone(&drawn));
        let count = NonSend::new(move |all: View<&Health>, caller: &Caller| {
            assert_here(caller);
            count.set(count.get() + all.count());
        });
        let is_wanted = NonSend::new(move |caller: &Caller| {
            assert_here(caller);
            look.get() < 60
        });
        let mut frame = Schedule::of((wait, count))
            .add_if(is_wanted, work)
            .together((wait, NonSend::new(|| {})));
        frame.set_sharing(sharing);
        for turn in 1..=runs() as usize {
            frame.run(&mut world).unwrap();
            assert_eq!(drawn.get(), 20 * turn);
        }
        drop(frame);
        assert_eq!(Rc::strong_count(&drawn), 1);
    });
}

#[test]
fn a_captured_value_and_its_system_have_errors_and_names() {
    let failures = Rc::new(Cell::new(0));
    let count = Rc::clone(&failures);
    let mut frame = Schedule::new().add(NonSend::new(move || {
        count.set(count.get() + 1);
        Err::<(), _>("no window")
    }));
    let error = frame.run(&mut World::new()).unwrap_err();
    let name = "a_captured_value_and_its_system_have_errors_and_names::{{closure}}";
    assert_eq!(error.to_string(), format!("system `{name}` failed: no window"));
    assert_eq!(failures.get(), 1);
    assert_eq!(World::new().run(NonSend::new(|| 3)), 3);
}

#[test]
fn a_schedule_with_systems_that_stay_is_send_and_sync() {
    fn is_send_sync<T: Send + Sync>(_: &T) {}
    let (value, mut world) = (Rc::new(3), world());
    let captured = Rc::clone(&value);
    let mut frame = Schedule::of((draw, NonSend::new(move || assert_eq!(*captured, 3))));
    is_send_sync(&frame);
    frame.run(&mut world).unwrap();
    // A system that stays does so on whichever thread runs the schedule.
    let elsewhere = thread::spawn(move || {
        let mut drawing = Schedule::of((draw, wait));
        world.insert_resource(Caller(thread::current().id()));
        (0..10).for_each(|_| drawing.run(&mut world).unwrap());
        // Values do not.
        let text = panic_of(|| frame.run(&mut world).unwrap());
        assert!(text.contains("on another thread than the one that made it"), "{text}");
        let mut presenting = Schedule::new().add(present);
        let text = panic_of(|| presenting.run(&mut world).unwrap());
        assert!(text.starts_with("the value of a `NonSend<calling_thread::Window>` was"), "{text}");
        drop(frame);
    });
    elsewhere.join().unwrap();
    assert_eq!(Rc::strong_count(&value), 2);
    drop(NonSend::new(()));
    assert_eq!(Rc::strong_count(&value), 1);
}

#[test]
fn values_that_are_not_send_conflict_like_resources() {
    fn write(mut list: NonSendMut<Vec<Rc<usize>>>) {
        let next = list.len();
        list.push(Rc::new(next));
    }
    fn double(mut list: NonSendMut<Vec<Rc<usize>>>) {
        let newest = list.last_mut().unwrap();
        *newest = Rc::new(**newest * 2);
    }
    fn check(list: NonSendRef<Vec<Rc<usize>>>, mut runs: Local<usize>) {
        *runs += 1;
        assert_eq!(list.len(), *runs);
        assert_eq!(list.last().map(|it| **it), Some(2 * (*runs - 1)));
    }
    in_each_mode(|sharing| {
        let mut frame = Schedule::of((write, wait, double, wait, check));
        frame.set_sharing(sharing);
        let mut world = world();
        world.insert_resource(NonSend::new(Vec::<Rc<usize>>::new()));
        (0..50).for_each(|_| frame.run(&mut world).unwrap());
    });
    let alias = |_: NonSendMut<Window>, _: NonSendRef<Window>| {};
    let text = panic_of(|| drop(Schedule::new().add(alias)));
    assert!(text.contains("NonSend"), "{text}");
    // Others do not conflict.
    world().run(|_: NonSendMut<Window>, _: NonSendMut<Mixer>| {});
}

#[test]
fn a_missing_value_is_named_and_an_option_is_none() {
    let mut world = World::new();
    let text = panic_of(|| world.run(|_: NonSendMut<Mixer>| {}));
    let start = "there is no resource `NonSend<Mixer>` for parameter `1` of system `";
    assert!(text.starts_with(start), "{text}");
    assert!(world.run(|a: Option<NonSendRef<Mixer>>, b: Option<NonSendMut<Window>>| {
        a.is_none() && b.is_none()
    }));
}

#[test]
fn two_systems_that_stay_cannot_stand_together() {
    fn list() -> Schedule {
        Schedule::new().add(measure).add(draw)
    }
    fn open() -> Schedule {
        Schedule::new().add(draw).add_if(is_open, wait)
    }
    let text = panic_of(|| drop(Schedule::new().together(open())));
    assert!(text.starts_with("system `draw` and condition `is_open` both stay on"), "{text}");
    // A condition is asked before those behind it.
    _ = Schedule::new().together(Schedule::new().add_if(is_open, wait).add(draw));
    let text = panic_of(|| drop(Schedule::new().together(list())));
    assert_eq!(
        text,
        "system `measure` and system `draw` both stay on the thread that runs the schedule, so they cannot overlap: list \
         one of them outside of `together`"
    );
}

#[test]
fn a_panic_of_a_system_that_stays_leaves_world_and_schedule_whole() {
    fn fail(mut window: NonSendMut<Window>, mut runs: Local<u32>) {
        *runs += 1;
        window.frames = Rc::new(Cell::new(*runs));
        assert!(!runs.is_multiple_of(2), "every other time");
    }
    in_each_mode(|sharing| {
        let mut frame = Schedule::of((wait, work, fail, wait)).sync().add(present);
        frame.set_sharing(sharing);
        let mut world = world();
        for turn in 1..=40 {
            if turn % 2 == 0 {
                assert_eq!(panic_of(|| frame.run(&mut world).unwrap()), "every other time");
            } else {
                frame.run(&mut world).unwrap();
            }
            let frames = world.resource::<NonSend<Window>>().get().frames.get();
            assert_eq!(frames, turn + turn % 2);
        }
    });
}

#[test]
fn a_panic_elsewhere_waits_for_the_system_that_stays() {
    fn fail(_: View<&mut Fuel>) {
        panic!("elsewhere");
    }
    in_each_mode(|sharing| {
        let mut frame = Schedule::of((fail, present, wait));
        frame.set_sharing(sharing);
        let mut world = world();
        for _ in 0..20 {
            assert_eq!(panic_of(|| frame.run(&mut world).unwrap()), "elsewhere");
            assert!(Rc::strong_count(&world.resource::<NonSend<Window>>().get().frames) == 1);
        }
    });
}

#[test]
fn times_of_systems_that_stay_are_taken() {
    let mut frame = Schedule::of((draw, wait, present));
    frame.set_sharing(Sharing::Always);
    frame.set_timed(true);
    frame.run(&mut world()).unwrap();
    assert!(frame.times().all(|(_, took)| !took.is_zero()));
}

#[test]
fn a_leaked_borrow_is_reported() {
    let mut list = NonSend::new(vec![1]);
    let _ = ManuallyDrop::new(list.get());
    assert_eq!(*list.get(), [1]);
    let text = panic_of(|| drop(list.get_mut()));
    assert!(text.starts_with("a borrow of the value of a `NonSend<alloc::vec::Vec"), "{text}");
    assert_eq!(*list.get(), [1]);
    let list = list.into_inner().unwrap_err();
    assert_eq!(*list.get(), [1], "it works like before");
    let mut list = NonSend::new(vec![1]);
    let _ = ManuallyDrop::new(list.get_mut());
    assert!(panic_of(|| drop(list.get())).starts_with("a borrow of the value"));
    assert!(panic_of(|| drop(list.get_mut())).starts_with("a borrow of the value"));
    assert!(list.into_inner().is_err());
}

/// The next one of a fixed row of numbers.
fn next(random: &mut u64) -> u64 {
    *random =
        random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    *random >> 33
}

/// A value that only systems on this thread see: no parameter reveals it.
type Seen = Rc<RefCell<Vec<u64>>>;

/// Adds one of several systems, which do the same wherever they stay.
fn add(list: Schedule, random: &mut u64, seen: &Seen) -> Schedule {
    let note = |number: u64| {
        let seen = Rc::clone(seen);
        move || {
            let mut seen = seen.borrow_mut();
            let before = seen.last().copied().unwrap_or_default();
            seen.push(before.wrapping_mul(31).wrapping_add(number));
        }
    };
    let asked = || {
        let seen = Rc::clone(seen);
        NonSend::new(move || seen.borrow().last().is_none_or(|last| last % 3 > 0))
    };
    let number = next(random);
    let note = note(number);
    match next(random) % 10 {
        0 => list.add(work),
        1 => list.add(|_: View<&mut Health>| {}),
        2 => {
            list.add(|_: View<&Health>, fuels: View<&mut Fuel>| fuels.for_each(|(_, it)| it.0 ^= 5))
        }
        3 => list.add(NonSend::new(note)),
        4 => list.add(NonSend::new(move |_: View<&mut Fuel>| note())),
        5 => list.add(NonSend::new(move |_: View<&Fuel>, _: View<&mut Health>| note())),
        6 => list.add_if(asked(), NonSend::new(note)),
        7 => list.add_if(asked(), work),
        8 => list.together((work, NonSend::new(note))),
        _ => {
            let within = Schedule::new().add(work).add(NonSend::new(note)).add(draw);
            list.add_all_if("within", asked(), within)
        }
    }
}

#[test]
fn systems_that_stay_run_in_the_order_of_the_list_without_a_conflict() {
    let result = |seed: u64, sharing| {
        let (mut random, seen) = (seed, Seen::default());
        let len = 2 + next(&mut random) % 8;
        let add = |list, _| add(list, &mut random, &seen);
        let mut frame = (0..len).fold(Schedule::new(), add);
        frame.set_sharing(sharing);
        let mut world = world();
        (0..3).for_each(|_| frame.run(&mut world).unwrap());
        let fuels: u32 =
            world.view::<&Fuel>().iter().map(|(_, fuel)| fuel.0).fold(0, u32::wrapping_add);
        (seen.take(), fuels)
    };
    everywhere(|| {
        for seed in 0..u64::from(runs()) {
            let expected = result(seed, Sharing::Never);
            assert_eq!(result(seed, Sharing::Always), expected, "seed {seed}");
        }
    });
}
