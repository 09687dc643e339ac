//! Schedules: declarations, overlaps, and the result of the list from top to bottom.
#![allow(clippy::needless_pass_by_value, reason = "systems take their parameters by value")]

use ecs::{
    Changes, Commands, Component, Entity, EntityAllocator, HasChanged, Local, Param, Resource,
    Schedule, View, Views, With, Without, World, schedule,
};
use std::panic::{AssertUnwindSafe, catch_unwind};

#[derive(Component, Clone, Debug)]
#[component(track)]
struct Health(u64);
#[derive(Component, Clone, Debug)]
struct Fuel(u64);
#[derive(Component, Clone, Debug)]
#[component(layout = "soa")]
struct Near {
    distance: u64,
    angle: u64,
}
#[derive(Component, Clone, Debug)]
struct Player;
#[derive(Component, Clone, Debug)]
struct Of<T>(u64, std::marker::PhantomData<T>);
#[derive(Resource, Clone, Debug)]
struct Score(u64);
#[derive(Resource, Clone, Debug)]
struct Log(Vec<u64>);

/// A step of a generator of hashes: the order of two calls shows in the result.
fn mix(value: &mut u64, by: u64) {
    *value = (*value ^ by).wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(23);
}

fn heal(healths: View<&mut Health>) {
    healths.for_each(|(entity, health)| mix(&mut health.0, u64::from(entity.index())));
}
fn heal_players(healths: View<(&mut Health, With<Player>)>) {
    healths.for_each(|(_, health)| mix(&mut health.0, 2));
}
fn heal_others(healths: View<(&mut Health, Without<Player>)>) {
    healths.for_each(|(_, health)| mix(&mut health.0, 3));
}
fn burn(fuels: View<&mut Fuel>) {
    fuels.for_each(|(_, fuel)| mix(&mut fuel.0, 4));
}
fn feed(all: View<(&mut Fuel, &Health)>) {
    all.for_each(|(_, fuel, health)| mix(&mut fuel.0, health.0));
}
fn approach(all: View<&mut near::distance>) {
    all.for_each(|(_, distance)| mix(distance, 5));
}
fn turn(all: View<(&mut near::angle, &Fuel)>) {
    all.for_each(|(_, angle, fuel)| mix(angle, fuel.0));
}
fn score(all: View<&Health>, score: &mut Score) {
    all.for_each(|(_, health)| mix(&mut score.0, health.0));
}
fn log(score: &Score, log: &mut Log, mut runs: Local<u64>, changed: HasChanged<Score>) {
    *runs += 1;
    let (last, score) = (log.0.len() as u64, score.0 ^ u64::from(changed.get()));
    log.0.push(score ^ last ^ *runs);
}
fn spawn(all: View<Entity>, allocator: EntityAllocator, commands: &mut Commands) {
    if all.count() < 90 {
        commands.spawn(allocator, (Health(7), Fuel(all.count() as u64)));
        commands.spawn(allocator, (Health(8), Player));
    }
}
fn bury(all: View<&Health>, commands: &mut Commands) {
    for (entity, health) in all {
        if health.0 % 11 == 0 {
            commands.despawn(entity);
        }
    }
}
fn notice(changes: &Changes<Health>, score: &mut Score) {
    mix(&mut score.0, changes.changed().len() as u64);
}
/// Counts all entities, those without components included.
fn census(all: View<Entity>, log: &mut Log) {
    log.0.push(all.count() as u64);
}
fn lack(all: View<(Option<&Fuel>, Without<Player>)>, mut last: Local<u64>, score: &mut Score) {
    mix(&mut last, all.iter().filter(|(_, fuel)| fuel.is_none()).count() as u64);
    score.0 ^= *last;
}
fn is_even(all: View<Entity>) -> bool {
    all.count().is_multiple_of(2)
}
fn look(world: &mut World) {
    let health =
        world.view::<&Health>().iter().map(|(_, health)| health.0).fold(0, u64::wrapping_add);
    mix(&mut world.resource_mut::<Score>().0, health);
}
fn rest() {}
fn is_odd(score: &Score) -> bool {
    score.0 % 2 == 1
}
fn is_there(healths: View<(&Health, &Fuel)>) -> bool {
    !healths.is_empty()
}
fn stock<T: Send + Sync + 'static>(all: View<&mut Of<T>>, score: &Score) {
    all.for_each(|(_, of)| mix(&mut of.0, score.0));
}

fn world() -> World {
    let mut world = World::new();
    world.insert_resource(Score(1));
    world.insert_resource(Log(Vec::new()));
    let of = std::marker::PhantomData::<u8>;
    world.spawn_batch((0..20).map(|at| (Health(at), Fuel(at))));
    world.spawn_batch((0..20).map(|at| (Health(at), Near { distance: at, angle: at }, Player)));
    world.spawn_batch((0..20).map(|at| (Fuel(at), Of(at, of), Near { distance: at, angle: 1 })));
    world
}

/// All that there is, as text.
fn tell(world: &World) -> String {
    let mut all: Vec<_> = world
        .view::<Entity>()
        .iter()
        .map(|entity| {
            let of = world.get::<Of<u8>>(entity).map(|of| of.0);
            let near = world.get::<Near>(entity).map(|near| (*near.distance, *near.angle));
            let (health, fuel) = (world.get::<Health>(entity), world.get::<Fuel>(entity));
            format!("{entity} {health:?} {fuel:?} {near:?} {of:?}\n")
        })
        .collect();
    all.sort();
    format!("{} {:?} {:?}", all.concat(), world.resource::<Score>(), world.resource::<Log>())
}

fn panic_of(f: impl FnOnce()) -> String {
    let error = catch_unwind(AssertUnwindSafe(f)).expect_err("it panics");
    let text = error.downcast_ref::<String>().cloned();
    text.or_else(|| error.downcast_ref::<&str>().map(|text| (*text).to_owned())).unwrap()
}

schedule! {
    /// The systems that move entities.
    struct Physics { approach, turn, sync }
}
schedule! {
    /// All of it.
    pub struct Frame {
        spawn,
        /// They share no entity.
        together(heal_players, heal_others, burn),
        physics: Physics,
        score if is_odd,
        stock::<u8>,
        look,
        log,
    }
}

#[test]
fn a_declared_schedule_runs_as_it_reads() {
    let (mut declared, mut by_hand) = (world(), world());
    let mut frame = Frame::new();
    assert_eq!(
        format!("{frame:?}"),
        "[spawn, together [heal_players, heal_others, burn], physics [approach, turn, sync], \
         score, stock<u8>, look, log]"
    );
    let physics = Schedule::new().add(approach).add(turn).sync();
    let healing = Schedule::new().add(heal_players).add(heal_others).add(burn);
    let mut list = Schedule::new()
        .add(spawn)
        .together(healing)
        .add_all("physics", physics)
        .add_if(is_odd, score)
        .add(stock::<u8>)
        .add(look)
        .add(log);
    for turn in 0..9 {
        assert!(frame.switch("physics", turn != 4) && list.switch("physics", turn != 4));
        frame.run(&mut declared).unwrap();
        list.run(&mut by_hand).unwrap();
        assert_eq!(tell(&declared), tell(&by_hand), "in turn {turn}");
    }
    assert!(Schedule::from(frame).switch("turn", false));
}

#[test]
fn commands_of_an_inner_list_are_applied_at_its_end() {
    fn count(all: View<Entity>, mut expected: Local<usize>) {
        *expected += 2;
        assert_eq!(all.count(), *expected);
    }
    schedule! { struct Spawning { spawn } }
    schedule! { struct Both { spawning: Spawning, count } }
    let mut world = World::new();
    let mut both = Both::new();
    both.run(&mut world).unwrap();
    both.run(&mut world).unwrap();
    assert!(Both::PLAN.waits().eq([("spawn", "sync"), ("sync", "count")]));
}

#[test]
fn commands_are_applied_in_the_order_of_the_list() {
    fn note<const N: u64>(commands: &mut Commands) {
        commands.queue(|world: &mut World| world.resource_mut::<Log>().0.push(N));
    }
    fn told<const N: u64>(log: &Log) {
        assert!(log.0.iter().copied().eq(1..=N), "{N}: {log:?}");
    }
    schedule! { struct Inner { note::<2>, sync, told::<2>, note::<3> } }
    schedule! { struct Outer { note::<1>, told::<0>, inner: Inner, told::<3>, note::<4> } }
    let by_hand = Schedule::new().add(note::<2>).sync().add(told::<2>).add(note::<3>);
    let by_hand = Schedule::new().add(note::<1>).add_all("inner", by_hand).add(told::<3>);
    for mut outer in [Schedule::from(Outer::new()), by_hand.add(note::<4>)] {
        let mut world = world();
        outer.run(&mut world).unwrap();
        assert_eq!(world.resource::<Log>().0, [1, 2, 3, 4]);
    }
}

#[test]
fn a_list_within_has_a_condition() {
    fn count(score: &mut Score) {
        score.0 += 1;
    }
    fn note(score: &Score, log: &mut Log, commands: &mut Commands) {
        log.0.push(score.0);
        commands.queue(|world: &mut World| world.resource_mut::<Log>().0.push(99));
    }
    fn is_early(score: &Score, mut asked: Local<u32>) -> bool {
        *asked += 1;
        assert!(*asked <= 5, "it is asked once a run");
        score.0 < 6
    }
    fn is_even(score: &Score) -> bool {
        score.0.is_multiple_of(2)
    }
    schedule! { struct Counting { count, noting: Noting if is_even, count } }
    schedule! { struct Noting { note } }
    schedule! { struct Frame { count, counting: Counting if is_early, log } }

    let by_hand = Schedule::new().add_all_if("noting", is_even, Schedule::new().add(note));
    let by_hand = Schedule::new().add(count).add_all("all", by_hand).add(count);
    let by_hand =
        Schedule::new().add(count).add_all_if("counting", is_early, by_hand).add(|| {}).add(log);
    for mut frame in [Schedule::from(Frame::new()), by_hand] {
        let mut world = world();
        let mut run = |frame: &mut Schedule| {
            frame.run(&mut world).unwrap();
            let notes = world.resource_mut::<Log>().0.drain(..).filter(|it| *it < 100);
            (notes.collect::<Vec<_>>(), world.resource::<Score>().0)
        };
        // 2 before it, 3 and 4 in it: the odd one is not noted.
        assert_eq!(run(&mut frame).1, 4);
        frame.switch("counting", false);
        assert_eq!(run(&mut frame).1, 5);
        frame.switch("counting", true);
        // It becomes 6, which is not early; then no condition in it is evaluated, either.
        assert_eq!(run(&mut frame).1, 6);
        assert_eq!(run(&mut frame).1, 7);
    }
    // One whose inner condition holds.
    let (mut world, mut frame) = (world(), Frame::new());
    world.resource_mut::<Score>().0 = 2;
    frame.run(&mut world).unwrap();
    assert_eq!(world.resource::<Log>().0[..2], [4, 99]);
    // Systems that are off within it stay off.
    assert!(frame.switch("noting", false));
    world.resource_mut::<Score>().0 = 2;
    world.resource_mut::<Log>().0.clear();
    frame.run(&mut world).unwrap();
    assert_eq!((world.resource::<Log>().0.len(), world.resource::<Score>().0), (1, 5));
}

#[test]
fn a_skipped_list_runs_when_its_condition_holds_again() {
    fn count(score: &mut Score) {
        score.0 += 1;
    }
    fn is_quiet(log: &Log) -> bool {
        log.0.is_empty()
    }
    let mut world = World::new();
    world.insert_resource(Score(0));
    world.insert_resource(Log(Vec::from([1])));
    let mut schedule = Schedule::new().add_all_if("counting", is_quiet, Schedule::new().add(count));
    schedule.run(&mut world).unwrap();
    assert_eq!(world.resource::<Score>().0, 0);
    world.resource_mut::<Log>().0.clear();
    schedule.run(&mut world).unwrap();
    assert_eq!(world.resource::<Score>().0, 1);
}

#[test]
fn a_list_waits_for_its_condition() {
    fn set(fuels: View<&mut Fuel>) {
        fuels.for_each(|(_, fuel)| fuel.0 = 0);
    }
    fn is_full(fuels: View<&Fuel>) -> bool {
        !fuels.is_empty()
    }
    schedule! { struct Inner { rest, approach } }
    schedule! { struct All { rest, set, inner: Inner if is_full, set } }
    const _: () = assert!(All::PLAN.depth() == 3);
    let waits =
        [("set", "is_full"), ("is_full", "rest"), ("is_full", "approach"), ("is_full", "set")];
    assert!(All::PLAN.waits().eq(waits), "{:?}", All::PLAN);
    assert_eq!(
        All::PLAN.mermaid(),
        r#"flowchart TD
  s0["rest"]
  s1["set"]
  s2{"is_full"}
  subgraph g2["inner"]
    s3["rest"]
    s4["approach"]
  end
  s5["set"]
  s1 -->|Fuel| s2
  s2 --> s3
  s2 --> s4
  s2 -->|Fuel| s5
"#
    );
    assert_eq!(All::PLAN.mermaid(), All::new().mermaid());
    assert!(All::PLAN.dot().contains("  s2 [label=\"is_full\", shape=diamond]\n"));
    assert_eq!(All::PLAN.dot(), All::new().dot());
}

#[test]
fn the_plan_lists_waits_and_is_drawn() {
    schedule! { struct All { together(heal, burn), feed, score if is_odd, inner: Inner } }
    schedule! { struct Inner { stock::<u8>, look } }
    const _: () = assert!(All::PLAN.depth() == 4);
    let waits = [
        ("heal", "feed"),
        ("burn", "feed"),
        ("heal", "score"),
        ("score", "stock<u8>"),
        ("feed", "look"),
        ("stock<u8>", "look"),
    ];
    assert!(All::PLAN.waits().eq(waits), "{:?}", All::PLAN);
    assert_eq!(
        All::PLAN.mermaid(),
        r#"flowchart TD
  subgraph g0["together"]
    s1["heal"]
    s2["burn"]
  end
  s3["feed"]
  s4["score if is_odd"]
  subgraph g5["inner"]
    s6["stock&lt;u8&gt;"]
    s7[["look"]]
  end
  s1 -->|Health| s3
  s2 -->|Fuel| s3
  s1 -->|Health| s4
  s4 -->|Score| s6
  s3 --> s7
  s6 --> s7
"#
    );
    assert_eq!(All::PLAN.mermaid(), All::new().mermaid());
    assert_eq!(All::PLAN.dot(), All::new().dot());
    assert!(All::PLAN.dot().contains("  s1 -> s3 [label=\"Health\"]\n"));
}

#[test]
fn columns_and_views_without_a_common_entity_do_not_wait() {
    fn turn_only(all: View<&mut near::angle>) {
        all.for_each(|(_, angle)| *angle += 1);
    }
    fn both(_: View<&Near>) {}
    schedule! { struct Columns { approach, turn_only, both } }
    assert!(Columns::PLAN.waits().eq([("approach", "both"), ("turn_only", "both")]));
    schedule! { struct Sides { heal_players, heal_others } }
    // Compile time sees that they are apart by ids only; the process confirms it.
    assert!(!Sides::new().mermaid().contains("-->"));
    // A system that reads changes waits for the systems that make them.
    schedule! { struct Heard { heal_players, notice } }
    assert!(Heard::PLAN.waits().eq([("heal_players", "notice")]));
    // Systems that reserve entities take turns, so that each gets the same ones in each run. A view of all entities
    // sees the ones that were reserved before.
    schedule! { struct Counting { census, spawn, lack, heal_others if is_even } }
    let waits = [("census", "spawn"), ("spawn", "lack"), ("spawn", "heal_others")];
    assert!(Counting::PLAN.waits().eq(waits), "{:?}", Counting::PLAN);
    schedule! { struct Reserving { spawn, spawn } }
    assert!(Reserving::PLAN.waits().eq([("spawn", "spawn")]));
}

#[test]
fn generic_components_are_compared_at_run_time() {
    schedule! { struct Apart { together(stock::<u8>, stock::<u16>) } }
    let mut world = world();
    Apart::new().run(&mut world).unwrap();
    assert!(!Apart::new().mermaid().contains("-->"));
    schedule! { struct Same { together(stock::<u8>, stock::<u8>) } }
    let message = panic_of(|| drop(Same::new()));
    assert_eq!(
        message,
        "parameter `1` of system `stock<u8>` writes `Of<u8>`, which parameter `1` of system `stock<u8>` also \
         writes: systems in `together` overlap, so list one after the other"
    );
}

#[test]
fn exclusions_are_compared_by_the_process() {
    fn with(_: View<(&mut Fuel, With<Of<u8>>)>) {}
    fn without<T: Send + Sync + 'static>(_: View<(&mut Fuel, Without<Of<T>>)>) {}
    // Both exclude the component that the first one requires, by its id.
    schedule! { struct Apart { together(with, without::<u8>) } }
    schedule! { struct Same { together(with, without::<u16>) } }
    schedule! { struct List { with, without::<u8>, without::<u16> } }
    drop(Apart::new());
    assert_eq!(
        panic_of(|| drop(Same::new())),
        "parameter `1` of system `without<u16>` writes `Fuel`, which parameter `1` of system `with` also writes: systems in `together` overlap, so list one after the other"
    );
    // By the process, one waits for the other that it shares entities with.
    let picture = List::new().mermaid();
    assert!(
        !picture.contains("s0 -->|Fuel| s1") && picture.contains("s0 -->|Fuel| s2"),
        "{picture}"
    );
}

/// All that a parameter may be, under names.
#[derive(Views)]
struct Nursing<'w> {
    players: View<'w, (&'w mut Health, With<Player>)>,
    others: View<'w, (&'w mut Health, Without<Player>)>,
    fuels: View<'w, &'w Fuel>,
    score: &'w Score,
    log: Option<&'w mut Log>,
    runs: Local<'w, u64>,
    allocator: EntityAllocator<'w>,
    commands: &'w mut Commands,
}

/// Fields of a type that is known later, and fields of a field.
#[derive(Views)]
struct Stocking<'w, T: Send + Sync + 'static> {
    stock: View<'w, &'w mut Of<T>>,
    inner: Heard<'w>,
}

#[derive(Views)]
struct Heard<'w>(&'w Changes<Health>, Local<'w, u64>);

fn nurse(mut all: Nursing) {
    *all.runs += 1;
    let by = *all.runs ^ all.score.0 ^ all.fuels.count() as u64;
    all.players.for_each(|(_, health)| mix(&mut health.0, by));
    all.others.for_each(|(_, health)| mix(&mut health.0, by + 1));
    if let Some(log) = all.log {
        log.0.push(by);
    }
    if *all.runs < 4 {
        all.commands.spawn(all.allocator, Health(by));
    }
}
fn stock_up<T: Send + Sync + 'static>(mut all: Stocking<T>, _: &Score) {
    *all.inner.1 += all.inner.0.changed().len() as u64;
    all.stock.for_each(|(_, of)| mix(&mut of.0, *all.inner.1));
}

#[test]
fn a_struct_of_parameters_is_a_parameter() {
    fn is_a_parameter<P: Param>() {}
    is_a_parameter::<Nursing>();
    schedule! { struct Nursed { nurse, heal_others, stock_up::<u8>, burn, log } }
    assert!(
        Nursed::PLAN.waits().eq([
            // In a pair of views that are apart, the second is not apart from this system's.
            ("nurse", "heal_others"),
            // It hears of changes.
            ("heal_others", "stock_up<u8>"),
            ("nurse", "burn"),
            ("nurse", "log"),
        ]),
        "{:?}",
        Nursed::PLAN
    );
    let (mut world, mut nursed) = (world(), Nursed::new());
    let before = world.len();
    for runs in 1..=5 {
        nursed.run(&mut world).unwrap();
        assert_eq!(world.len(), before + runs.min(3));
        assert_eq!(world.resource::<Log>().0.len(), 2 * runs);
    }
    // Once, without a schedule; and by a closure.
    world.run(nurse);
    world.run(|all: Stocking<u8>| assert_eq!((*all.inner.1, all.stock.count()), (0, 20)));
    assert_eq!(world.len(), before + 4);
}

#[test]
fn fields_that_only_the_process_distinguishes_are_compared_at_run_time() {
    #[derive(Views)]
    struct Both<'w, A: Send + Sync + 'static, B: Send + Sync + 'static> {
        ours: View<'w, &'w mut Of<A>>,
        theirs: View<'w, &'w mut Of<B>>,
    }
    fn count<A: Send + Sync + 'static, B: Send + Sync + 'static>(both: Both<A, B>) {
        assert_eq!((both.ours.count(), both.theirs.count()), (20, 0));
    }
    let mut world = world();
    world.run(count::<u8, u16>);
    let message = panic_of(|| world.run(count::<u8, u8>));
    assert!(message.starts_with(
        "view `theirs` of the split writes `Of<u8>`, which view `ours` also writes: "
    ));
    // In a schedule, too, when it is made; with another system, by the numbers of its types.
    schedule! { struct Alone { count::<u8, u8> } }
    assert_eq!(panic_of(|| drop(Alone::new())), message);
    schedule! { struct Apart { together(count::<u8, u16>, stock::<u32>) } }
    schedule! { struct Same { together(count::<u8, u16>, stock::<u16>) } }
    Apart::new().run(&mut world).unwrap();
    assert!(panic_of(|| drop(Same::new())).starts_with("parameter `1` of system `stock<u16>`"));
}

#[test]
fn there_may_be_many_resources() {
    #[derive(Resource)]
    struct At<const N: usize>(usize);
    #[derive(Views)]
    struct Six<'w>(
        &'w mut At<0>,
        &'w mut At<1>,
        Option<&'w At<2>>,
        &'w At<3>,
        &'w mut At<4>,
        Option<&'w mut At<5>>,
    );
    #[derive(Views)]
    struct Eight<'w>(
        &'w At<6>,
        &'w mut At<7>,
        &'w At<8>,
        &'w At<9>,
        &'w mut At<10>,
        &'w mut At<11>,
        &'w At<12>,
        Six<'w>,
    );
    fn add(all: Eight, last: &mut At<13>, again: &At<3>) {
        assert_eq!((all.0.0, all.1.0, all.2.0, all.3.0), (6, 7, 8, 9));
        assert_eq!((all.4.0, all.5.0, all.6.0, last.0), (10, 11, 12, 13));
        let Six(zero, one, two, three, four, five) = all.7;
        assert_eq!((zero.0, one.0, two.is_some(), three.0, again.0), (0, 1, false, 3, 3));
        assert_eq!((four.0, five.map(|five| five.0)), (4, Some(5)));
    }
    fn few(zero: &At<0>, six: &At<6>, nine: &mut At<9>) {
        assert_eq!((zero.0, six.0, nine.0), (0, 6, 9));
    }
    let mut world = World::new();
    macro_rules! insert {
        ($($at:literal)+) => { $(world.insert_resource(At::<$at>($at));)+ };
    }
    insert!(13 11 9 7 5 3 1 0 4 6 8 10 12);
    world.run(add);
    world.run(few);
    schedule! { struct Adding { add, few, add } }
    Adding::new().run(&mut world).unwrap();
}

/// Reads, keeps and records.
fn survey(world: &World, mut runs: Local<u64>, healths: View<&Health>, commands: &mut Commands) {
    *runs += 1;
    let (count, seen, runs) = (healths.count() as u64, tell(world).len() as u64, *runs);
    commands.queue(move |world: &mut World| {
        mix(&mut world.resource_mut::<Score>().0, count ^ seen ^ runs);
    });
}
fn is_crowded(world: &World) -> bool {
    world.len() > 70
}

#[test]
fn readers_of_the_world_wait_for_writers() {
    fn read(_: View<&Health>, _: &Score) {}
    fn notes(log: &mut Log) {
        log.0.push(1);
    }
    schedule! { struct Surveyed { heal, survey, rest, read, notes, spawn, together(survey, read) } }
    assert!(
        Surveyed::PLAN.waits().eq([
            ("heal", "survey"),
            ("heal", "read"),
            ("survey", "notes"),
            ("survey", "spawn"),
            // All that the first `survey` and `spawn` recorded is applied before the second one: all stand before or
            // behind that.
            ("rest", "survey"),
            ("read", "survey"),
            ("notes", "survey"),
            ("spawn", "survey"),
            ("rest", "read"),
            ("read", "read"),
            ("notes", "read"),
            ("spawn", "read"),
        ]),
        "{:?}",
        Surveyed::PLAN
    );
    assert!(Surveyed::PLAN.mermaid().contains("-->|Health| s1\n"), "it says what they share");
    schedule! { struct Asked { burn if is_crowded } }
    let mut world = world();
    Surveyed::new().run(&mut world).unwrap();
    Asked::new().run(&mut world).unwrap();
    world.run(survey);
    assert_eq!(world.run(|world: &World| world.len()), world.len());
    let message =
        panic_of(|| drop(Schedule::new().together(Schedule::new().add(survey).add(heal))));
    assert_eq!(
        message,
        "parameter `1` of system `heal` writes `Health`, which parameter `1` of system `survey` \
         reads: systems in `together` overlap, so list one after the other"
    );
}

#[test]
fn conflicting_systems_are_not_together() {
    let message = panic_of(|| drop(Schedule::new().together(Schedule::new().add(heal).add(feed))));
    assert_eq!(
        message,
        "parameter `1` of system `feed` reads `Health`, which parameter `1` of system `heal` writes: systems in `together` overlap, so list one after the other"
    );
    let message = panic_of(|| drop(Schedule::new().together(Schedule::new().add(look).add(rest))));
    assert_eq!(
        message,
        "system `look` takes the whole world, so it cannot overlap system `rest`: list it outside of \
         `together`"
    );
    let inner = Schedule::new().add_all("inner", Schedule::new().add(rest));
    assert!(panic_of(|| drop(Schedule::new().together(inner))).contains("only systems stand"));
}

#[test]
fn tuples_of_systems_are_lists() {
    let (mut tuple, mut list) = (world(), world());
    let mut of_tuple = Schedule::of((spawn, heal, |_: &Score| {}, feed, score))
        .together((heal_players, heal_others, burn))
        .add_all("more", Schedule::of((look, nurse)))
        .add_all("none", Schedule::of(Schedule::new()));
    let together = Schedule::new().add(heal_players).add(heal_others).add(burn);
    let mut of_list = Schedule::new()
        .add(spawn)
        .add(heal)
        .add(feed)
        .add(score)
        .together(together)
        .add_all("more", Schedule::new().add(look).add(nurse));
    for _ in 0..3 {
        of_tuple.run(&mut tuple).unwrap();
        of_list.run(&mut list).unwrap();
        assert_eq!(tell(&tuple), tell(&list));
    }
    // Two that conflict are in order.
    assert!(Schedule::of((heal, feed, rest)).mermaid().contains("s0 -->|Health| s1\n"));
    // Conflicts of generic types show when a system is added.
    let _ = Schedule::new().together((stock::<u8>, stock::<u16>));
    let same = panic_of(|| drop(Schedule::new().together((stock::<u8>, stock::<u8>))));
    assert!(same.starts_with("parameter `1` of system `stock<u8>` writes `Of<u8>`"), "{same}");
}

#[test]
fn times_are_measured_on_request() {
    fn wait() {
        std::thread::sleep(std::time::Duration::from_millis(2));
    }
    schedule! { struct Waiting { inner: Inner, rest } }
    schedule! { struct Inner { wait, wait } }
    let mut waiting = Waiting::new();
    waiting.run(&mut World::new()).unwrap();
    assert_eq!((waiting.times().count(), waiting.timeline()), (0, String::new()));
    waiting.set_timed(true);
    waiting.run(&mut World::new()).unwrap();
    let times: Vec<_> = waiting.times().collect();
    let names: Vec<_> = times.iter().map(|(name, _)| *name).collect();
    assert_eq!(names, ["inner", "wait", "wait", "rest"]);
    assert_eq!(times[0].1, times[1].1 + times[2].1);
    assert!(times[1].1.as_millis() >= 2 && times[3].1.as_millis() < 2);
    let picture = waiting.timeline();
    assert_eq!(picture.matches("<title>wait: ").count(), 2);
    assert!(picture.starts_with("<svg xmlns=") && picture.ends_with("</svg>\n"), "{picture}");
    waiting.switch("wait", false);
    waiting.run(&mut World::new()).unwrap();
    assert!(waiting.times().all(|(_, took)| took.as_millis() < 2));
}

#[test]
fn times_of_all_runs_are_kept_for_each_system_that_was_run() {
    fn wait() {
        std::thread::sleep(std::time::Duration::from_millis(2));
    }
    schedule! { struct Waiting { inner: Inner, rest } }
    schedule! { struct Inner { wait, sync, rest } }
    let mut waiting = Waiting::new();
    assert_eq!(waiting.time_stats().count(), 0);
    waiting.set_timed(true);
    waiting.run(&mut World::new()).unwrap();
    waiting.switch("wait", false);
    (0..4).for_each(|_| waiting.run(&mut World::new()).unwrap());
    let stats: Vec<_> = waiting.time_stats().map(|(name, it)| (name, it.runs())).collect();
    assert_eq!(stats, [("wait", 1), ("sync", 5), ("rest", 5), ("rest", 5)]);
    let (_, times) = waiting.time_stats().next().unwrap();
    assert!(times.total().as_millis() >= 2 && times.total() == times.most());
    assert_eq!(times.percentile(50.0), times.most());
    waiting.set_timed(true); // begins anew
    assert!(waiting.time_stats().all(|(_, times)| times.runs() == 0));
}

#[test]
fn times_include_the_commands_that_a_sync_applies() {
    fn record(commands: &mut Commands) {
        commands.queue(|_| std::thread::sleep(std::time::Duration::from_millis(2)));
    }
    schedule! { struct Recording { record, sync, inner: Inner, rest } }
    schedule! { struct Inner { record, rest } }
    let mut recording = Recording::new();
    recording.set_timed(true);
    recording.run(&mut World::new()).unwrap();
    let times: Vec<_> = recording.times().collect();
    let names: Vec<_> = times.iter().map(|(name, _)| *name).collect();
    assert_eq!(names, ["record", "sync", "inner", "record", "rest", "sync", "rest"]);
    for at in [1, 2, 5] {
        assert!(times[at].1.as_millis() >= 2, "{} at {at}: {:?}", names[at], times[at].1);
    }
    assert_eq!(times[2].1, times[3..6].iter().map(|(_, took)| *took).sum());
}

/// The generator of Marsaglia ("Xorshift RNGs", 2003).
struct Random(u64);

impl Random {
    fn below(&mut self, end: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % end
    }
}

/// Adds a random line: the same one for the same number.
fn add(list: Schedule, line: u64, random: &mut Random, depth: u32) -> Schedule {
    match line {
        0 => list.add(heal),
        1 => list.add(heal_players),
        2 => list.add(heal_others),
        3 => list.add(burn),
        4 => list.add(feed),
        5 => list.add(approach),
        6 => list.add(turn),
        7 => list.add(score),
        8 => list.add(log),
        9 => list.add(spawn),
        10 => list.add(bury),
        11 => list.add(notice),
        12 => list.add(rest),
        13 => list.add(stock::<u8>),
        14 => list.add_if(is_odd, heal),
        15 => list.add_if(is_there, burn),
        16 => list.add_if(is_odd, score),
        17 => list.together(Schedule::new().add(heal_players).add(heal_others).add(approach)),
        18 => list.sync(),
        19 => list.add(look),
        20 => list.add(nurse),
        21 => list.add(stock_up::<u8>),
        22 => list.add(survey),
        23 => list.add_if(is_crowded, heal),
        27 => list.add(census),
        28 => list.add(lack),
        29 => list.add_if(is_even, burn),
        24 if depth > 0 => list.add_all_if("inner", is_odd, random_list(random, depth - 1)),
        25 if depth > 0 => list.add_all_if("asked", is_there, random_list(random, depth - 1)),
        _ if depth > 0 => list.add_all("inner", random_list(random, depth - 1)),
        _ => list.add(stock::<u16>),
    }
}

fn random_list(random: &mut Random, depth: u32) -> Schedule {
    let len = random.below(12);
    (0..len).fold(Schedule::new(), |list, _| {
        // The last ones are fences, which are to be few.
        let line = match random.below(32) {
            line @ 0..18 => line,
            line @ 18..22 => line + 2,
            line @ 29..32 => line - 2,
            other => [18, 19, 24, 25, 26, 26][(other % 6) as usize],
        };
        add(list, line, random, depth)
    })
}

/// Runs the same random lists in two worlds; `change` changes the way in which the second one is
/// run.
fn compare(cases: u64, change: impl Fn(&mut Schedule)) {
    for case in 1..=cases {
        let make = || random_list(&mut Random(case.wrapping_mul(0x9E37_79B9_7F4A_7C15)), 2);
        let (mut plain, mut other) = (make(), make());
        change(&mut other);
        let (mut first, mut second) = (world(), world());
        for turn in 0..4 {
            let is_on = turn != 2;
            assert_eq!(plain.switch("inner", is_on), other.switch("inner", is_on));
            plain.run(&mut first).unwrap();
            other.run(&mut second).unwrap();
            assert_eq!(tell(&first), tell(&second), "case {case}, turn {turn}: {plain:?}");
        }
    }
}

#[test]
fn times_change_nothing() {
    compare(50, |schedule| schedule.set_timed(true));
}

#[cfg(feature = "parallel")]
mod shared {
    use super::*;
    use crate::in_pool::in_pool;
    use ecs::__private::eagerly;
    use ecs::Sharing;
    use std::sync::Barrier;
    use std::sync::atomic::{AtomicUsize, Ordering};

    /// Calls `f` in a pool of this many threads.
    fn on<R: Send>(threads: usize, f: impl FnOnce() -> R + Send) -> R {
        in_pool(&rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap(), f)
    }

    #[test]
    fn any_number_of_threads_gives_the_result_of_the_list() {
        // The plain ones run in the order of the list.
        let never = |schedule: &mut Schedule| schedule.set_sharing(Sharing::Never);
        compare(100, never);
        for threads in [1, 2, 4] {
            on(threads, || compare(150, |schedule| schedule.set_sharing(Sharing::Always)));
        }
    }

    #[test]
    fn the_result_is_that_without_threads() {
        use crate::execution_order::{Frame, RESULT, result_of};
        let run = |frame: &mut Frame, world: &mut World| frame.run(world).unwrap();
        assert_eq!(result_of(run), RESULT);
        for threads in [1, 2, 4] {
            let shared = |frame: &mut Frame, world: &mut World| {
                frame.set_sharing(Sharing::Always);
                eagerly(|| run(frame, world));
            };
            assert_eq!(on(threads, || result_of(shared)), RESULT, "on {threads}");
        }
    }

    #[test]
    fn systems_in_together_overlap() {
        static BOTH: Barrier = Barrier::new(2);
        fn first(_: View<&mut Health>) {
            BOTH.wait();
        }
        fn second(_: View<&mut Fuel>, _: &Score) {
            BOTH.wait();
        }
        // `first` waits for `heal`, and `second` for no system: without `together` they would not meet.
        schedule! { struct Both { heal, together(first, second) } }
        let mut both = Both::new();
        both.set_sharing(Sharing::Always);
        both.set_timed(true);
        let mut world = world();
        on(3, || both.run(&mut world)).unwrap();
        assert!(both.timeline().contains("y=\"24\""), "a row for each of two threads");
    }

    #[test]
    fn errors_come_in_the_order_of_the_list() {
        fn fail(_: View<&mut Health>) -> Result<(), &'static str> {
            Err("one")
        }
        fn fail_late(_: View<&Health>) -> Result<(), &'static str> {
            Err("two")
        }
        fn fail_soon(_: View<&Fuel>) -> Result<(), &'static str> {
            Err("three")
        }
        schedule! { struct Failing { fail, fail_late, fail_soon } }
        let mut failing = Failing::new();
        failing.set_sharing(Sharing::Always);
        let error = failing.run(&mut world()).unwrap_err();
        assert!(error.errors().map(|(_, error)| error.to_string()).eq(["one", "two", "three"]));
    }

    #[test]
    fn a_panic_leaves_the_world_and_the_schedule_whole() {
        static RUNS: AtomicUsize = AtomicUsize::new(0);
        fn fail(_: View<&mut Fuel>) {
            assert!(RUNS.fetch_add(1, Ordering::Relaxed) > 0, "once");
        }
        fn note(_: View<&Fuel>, log: &mut Log) {
            log.0.push(1);
        }
        schedule! { struct Failing { spawn, together(heal, fail), note } }
        let mut failing = Failing::new();
        failing.set_sharing(Sharing::Always);
        let mut world = world();
        let before = world.len();
        assert_eq!(panic_of(|| failing.run(&mut world).unwrap()), "once");
        assert_eq!(world.resource::<Log>().0.len(), 0);
        failing.run(&mut world).unwrap();
        assert_eq!((world.resource::<Log>().0.len(), world.len()), (1, before + 4));
    }

    #[test]
    fn changes_are_reported_although_others_panic() {
        fn fail(_: View<&mut Fuel>, mut runs: Local<u32>) {
            *runs += 1;
            assert!(!(*runs).is_multiple_of(3), "again");
        }
        fn hear(changes: &Changes<Health>, log: &mut Log) {
            let (news, gone) = (changes.changed().len(), changes.removed().len());
            log.0.push((10 * news + gone) as u64);
        }
        schedule! { struct Failing { fail, hear } }
        for (sharing, threads) in [(Sharing::Never, 2), (Sharing::Always, 1)] {
            let (mut world, mut failing) = (World::new(), Failing::new());
            world.insert_resource(Log(Vec::new()));
            let all = world.spawn_batch((0..6).map(Health));
            failing.set_sharing(sharing);
            for (turn, &gone) in all[..4].iter().enumerate() {
                let run = || failing.run(&mut world).unwrap();
                let is_well = catch_unwind(AssertUnwindSafe(|| on(threads, run))).is_ok();
                assert_eq!(is_well, turn != 2, "the third run panics");
                world.get_mut::<Health>(all[5]).unwrap().0 += 1;
                world.despawn(gone).unwrap();
            }
            // The last run also gets the changes that the third one should have seen.
            assert_eq!(world.resource::<Log>().0, [60, 11, 12], "{sharing:?}");
        }
    }

    #[test]
    fn a_changed_resource_is_reported_although_others_panic() {
        fn fail(_: View<&mut Fuel>, mut runs: Local<u32>) {
            *runs += 1;
            assert!(*runs != 2, "again");
        }
        fn hear(changed: HasChanged<Score>, log: &mut Log) {
            log.0.push(u64::from(changed.get()));
        }
        schedule! { struct Failing { fail, hear } }
        for (sharing, threads) in [(Sharing::Never, 2), (Sharing::Always, 1)] {
            let (mut world, mut failing) = (World::new(), Failing::new());
            world.insert_resource(Log(Vec::new()));
            world.insert_resource(Score(1));
            failing.set_sharing(sharing);
            for turn in 0..4 {
                let run = || failing.run(&mut world).unwrap();
                let is_well = catch_unwind(AssertUnwindSafe(|| on(threads, run))).is_ok();
                assert_eq!(is_well, turn != 1, "the second run panics");
                if turn == 0 {
                    world.resource_mut::<Score>().0 += 1;
                }
            }
            // The third run gets the changes that the second one should have seen.
            assert_eq!(world.resource::<Log>().0, [1, 1, 0], "{sharing:?}");
        }
    }

    #[test]
    fn measured_lists_run_each_way_with_equal_results() {
        fn count(score: &mut Score) {
            score.0 += 1;
            std::thread::sleep(std::time::Duration::from_micros(30));
        }
        fn sleep() {
            std::thread::sleep(std::time::Duration::from_micros(30));
        }
        schedule! { struct Sleeping { count, sleep } }
        let mut world = world();
        let mut sleeping = Sleeping::new();
        (0..70).for_each(|_| sleeping.run(&mut world).unwrap());
        assert_eq!(world.resource::<Score>().0, 71);
    }

    #[test]
    fn readers_of_the_world_overlap_with_other_readers() {
        static BOTH: Barrier = Barrier::new(3);
        fn all(world: &World) {
            assert_eq!((world.view::<&Health>().count(), world.resource::<Score>().0), (40, 1));
            BOTH.wait();
        }
        fn some(healths: View<&Health>, score: &Score, _: Option<&Log>) {
            assert_eq!((healths.count(), score.0), (40, 1));
            BOTH.wait();
        }
        schedule! { struct Reading { together(all, some, all) } }
        let mut reading = Reading::new();
        reading.set_sharing(Sharing::Always);
        let mut world = world();
        on(3, || reading.run(&mut world)).unwrap();
    }

    #[test]
    fn conditions_are_evaluated_before_overlapping_systems() {
        // The condition reads the data that its own system writes.
        fn count(score: &mut Score) {
            score.0 += 1;
        }
        fn is_low(score: &Score) -> bool {
            score.0 < 3
        }
        schedule! { struct Counting { count if is_low, heal } }
        let mut counting = Counting::new();
        counting.set_sharing(Sharing::Always);
        let mut world = world();
        (0..9).for_each(|_| counting.run(&mut world).unwrap());
        assert_eq!(world.resource::<Score>().0, 3);
    }
}

/// Commands that systems miss, because they are applied behind them.
mod late_commands {
    use super::*;
    use ecs::SpawnCommands;

    #[derive(Component)]
    struct Poison;
    #[derive(Component)]
    struct Shield;

    fn poison(all: View<Entity>, commands: &mut Commands) {
        all.iter().for_each(|entity| commands.insert(entity, (Poison, Shield)));
    }
    fn cure(all: View<Entity>, commands: &mut Commands) {
        all.iter().for_each(|entity| commands.remove::<(Shield, Poison)>(entity));
    }
    fn spawn(mut commands: SpawnCommands) {
        commands.spawn(Poison);
    }
    fn despawn(all: View<Entity>, commands: &mut Commands) {
        all.iter().for_each(|entity| commands.despawn(entity));
    }
    fn hurt(_: View<&Poison>) {}
    fn is_healthy(_: View<(Entity, Without<Poison>)>) -> bool {
        true
    }
    fn shine(_: View<Option<&Shield>>) {}
    fn rest() {}

    /// Returns the warnings of two runs: for each the late system, the component and the recording system.
    fn warnings(mut list: Schedule) -> Vec<[String; 3]> {
        let mut world = World::new();
        world.spawn_empty();
        for _ in 0..2 {
            list.run(&mut world).unwrap();
        }
        let names = |warning: &str| {
            let mut names = warning.split('`').skip(1).step_by(2).map(ToOwned::to_owned);
            [(); 3].map(|()| names.next().unwrap())
        };
        list.warnings().map(names).collect()
    }

    fn warns(list: Schedule, all: &[[&str; 3]]) {
        let all = if cfg!(debug_assertions) { all } else { &[] };
        assert_eq!(warnings(list), all);
    }

    #[test]
    fn a_system_that_misses_commands_is_warned_of_once() {
        warns(Schedule::new().add(poison).add(rest).add(hurt), &[["hurt", "Poison", "poison"]]);
        warns(Schedule::new().add(cure).add(shine), &[["shine", "Shield", "cure"]]);
        warns(Schedule::new().add(spawn).add(hurt), &[["hurt", "Poison", "spawn"]]);
        warns(Schedule::new().add(spawn).add_if(is_healthy, rest), &[["rest", "Poison", "spawn"]]);
        let inner = Schedule::new().add(poison).add(shine);
        warns(Schedule::new().add_all("inner", inner), &[["shine", "Shield", "poison"]]);
    }

    #[test]
    fn a_system_that_misses_nothing_is_not_warned_of() {
        warns(Schedule::new().add(poison).sync().add(hurt), &[]);
        warns(Schedule::new().add(hurt).add(poison), &[]);
        warns(Schedule::new().add(poison).add(|_: &World| ()).add(hurt), &[]);
        warns(Schedule::new().add(spawn).add(shine), &[]);
        warns(Schedule::new().add(despawn).add(hurt), &[]); // it sees values that are there until later
        warns(Schedule::new().add_all("inner", Schedule::new().add(poison)).add(hurt), &[]);
        let mut list = Schedule::new().add(poison).add(hurt);
        list.switch("hurt", false);
        warns(list, &[]);
        let mut list = Schedule::new().add(poison).add(hurt);
        list.set_warns(false);
        warns(list, &[]);
    }

    #[test]
    fn pictures_show_where_commands_are_applied() {
        fn look(_: &World) {}
        let list = Schedule::new().add(look).add(poison).add(rest).add(look);
        assert!(list.mermaid().contains("s0[\"look\"]\n"), "{}", list.mermaid());
        assert!(list.mermaid().contains("s3[\"look (after commands)\"]\n"), "{}", list.mermaid());
        assert!(list.dot().contains("label=\"look (after commands)\""));
    }
}
