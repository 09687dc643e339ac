//! Predictions with roll-back, and values between ticks, over a network that loses packets.
#![expect(clippy::trivially_copy_pass_by_ref, reason = "inputs are lent, as they may be large")]

use ecs::app::{App, UPDATE};
use ecs::{Component, Local, Resource, Schedule, View, World};
use ecs_replication::{
    Client, Delivery, Interpolated, Predicted, PredictionError, Server, Transport,
};
use serde::{Deserialize, Serialize};
use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, VecDeque};
use std::io;
use std::rc::Rc;

#[derive(Component, Serialize, Deserialize, Clone, Copy, Debug, PartialEq)]
#[component(save = "place", track, clone)]
struct Place(i64);
#[derive(Component, Serialize, Deserialize, Clone, Copy, Debug, PartialEq)]
#[component(save = "speed", track, clone)]
struct Speed(i64);
/// A component that the client alone has.
#[derive(Component, Clone, Copy, Debug, PartialEq)]
#[component(clone)]
struct Camera(u64);
#[derive(Resource, Clone, Copy, Default)]
#[resource(clone)]
struct Input(i64);

fn empty() -> World {
    let mut world = World::new();
    world.register::<(Place, Speed)>();
    world.insert_resource(Input::default());
    world
}

/// Is not copied, so a program with it cannot go back.
#[derive(Resource)]
struct Window;

/// A step of the game, on both sides. The state of the system goes back, too.
fn steer(all: View<(&mut Place, &mut Speed)>, input: &Input, mut steps: Local<i64>) {
    *steps += 1;
    for (_, place, speed) in all {
        speed.0 += input.0;
        place.0 += speed.0;
    }
}

fn follow(cameras: View<&mut Camera>, mut steps: Local<u64>) {
    *steps += 1;
    cameras.for_each(|(_, camera)| camera.0 = *steps);
}

type Program = (World, Schedule);

fn play((world, schedule): &mut Program, input: &i64) {
    world.resource_mut::<Input>().0 = *input;
    schedule.run(world).unwrap();
}

/// Packets in one direction: each with the time at which it arrives.
type Wire = Rc<RefCell<VecDeque<(u64, Vec<u8>)>>>;

struct End {
    to: Wire,
    from: Wire,
    now: Rc<Cell<u64>>,
    sent: u64,
}

const LATENCY: u64 = 3;

impl Transport for End {
    fn delivery(&self) -> Delivery {
        Delivery::Unordered { longest: 1_200 }
    }
    fn send(&mut self, message: &[u8]) -> io::Result<()> {
        self.sent += 1;
        if !self.sent.is_multiple_of(7) {
            self.to.borrow_mut().push_back((self.now.get() + LATENCY, message.to_vec()));
        }
        Ok(())
    }
    fn receive(&mut self) -> io::Result<Option<Vec<u8>>> {
        let mut from = self.from.borrow_mut();
        let is_there = from.front().is_some_and(|(at, _)| *at <= self.now.get());
        Ok(if is_there { from.pop_front().map(|(_, message)| message) } else { None })
    }
}

#[test]
fn a_program_plays_ahead_and_ends_with_the_state_of_the_server() {
    let now = Rc::<Cell<u64>>::default();
    let [there, back] = [(); 2].map(|()| Wire::default());
    let end = |to: &Wire, from: &Wire| End {
        to: Rc::clone(to),
        from: Rc::clone(from),
        now: Rc::clone(&now),
        sent: 0,
    };
    let (mut server, mut world) = (Server::default(), empty());
    let mut steps = Schedule::new().add(steer);
    let ship = world.spawn((Place(0), Speed(0))).id();
    server.connect(end(&there, &back));
    let mut client = Client::new(end(&back, &there));
    let mut confirmed = empty();
    let mut program = (empty(), Schedule::new().add(steer).add(follow));
    let camera = program.0.spawn(Camera(0)).id();
    let mut predicted = Predicted::new(40);
    let mut inputs = BTreeMap::<u64, i64>::new();
    let (mut right, mut wrong, mut first) = (0, 0, None);
    let mut newest = VecDeque::new();
    for frame in 0..400_u64 {
        now.set(frame);
        // The server plays the input of its tick, if it is there.
        while let Some((_, message)) = server.received() {
            let (newest, steps): (u64, Vec<i64>) = postcard::from_bytes(&message).unwrap();
            inputs.extend((0..=newest).rev().zip(steps));
        }
        let tick = server.tick() + 1;
        world.resource_mut::<Input>().0 = inputs.remove(&tick).unwrap_or(0);
        steps.run(&mut world).unwrap();
        if frame % 90 == 50 {
            world.get_mut::<Place>(ship).unwrap().0 -= 1_000; // a hit, which the client cannot foresee
        }
        server.update_at(&mut world, tick).unwrap();

        client.update(&mut confirmed).unwrap();
        if client.tick() == 0 {
            continue;
        }
        let place = |predicted: &Predicted<i64>, program: &Program| {
            let here = predicted.follower().get(client.follower().get(ship)?)?;
            program.0.get::<Place>(here).copied()
        };
        let before = place(&predicted, &program);
        let played = predicted.confirm(&mut program, &mut confirmed, client.tick(), play).unwrap();
        let first = *first.get_or_insert(predicted.confirmed());
        assert!(played <= 40);
        if before.is_some() {
            if before == place(&predicted, &program) { right += 1 } else { wrong += 1 }
        }
        // The client is so far ahead that inputs arrive in time. In the end the ship flies straight on.
        while predicted.tick() < client.tick() + 2 * LATENCY + 6 {
            let input = match frame % 10 {
                _ if frame > 250 => 0,
                0 => 1,
                5 => -1,
                _ => 0,
            };
            let tick = predicted.play(&mut program, input, play).unwrap().unwrap();
            newest.push_front(input);
            newest.truncate(5);
            client.send_unordered(&postcard::to_allocvec(&(tick, &newest)).unwrap()).unwrap();
        }
        // The state of the client's own system goes back along with the world.
        let camera = program.0.get::<Camera>(camera).unwrap().0;
        assert_eq!(camera, predicted.tick() - first);
    }
    assert!(right > 5 * wrong && wrong >= 4, "{right} right, {wrong} wrong");
    let here = predicted.follower().get(client.follower().get(ship).unwrap()).unwrap();
    let ahead = i64::try_from(predicted.tick() - server.tick()).unwrap();
    let (speed, there) = (world.get::<Speed>(ship).unwrap().0, world.get::<Place>(ship).unwrap().0);
    assert_eq!(program.0.get::<Speed>(here), Some(&Speed(speed)));
    assert_eq!(program.0.get::<Place>(here), Some(&Place(there + ahead * speed)));
    assert_eq!(program.0.len(), 2);
}

fn move_all(world: &mut World, step: &i64) {
    world.view_mut::<&mut Place>().into_iter().for_each(|(_, place)| place.0 += step);
}

#[test]
fn a_prediction_has_a_limit_and_an_old_tick_changes_nothing() {
    let (mut confirmed, mut program) = (empty(), empty());
    let there = confirmed.spawn(Place(0)).id();
    let mut predicted = Predicted::new(2);
    assert_eq!(predicted.confirm(&mut program, &mut confirmed, 5, move_all).unwrap(), 0);
    assert_eq!((predicted.tick(), predicted.confirmed()), (5, 5));
    let played = [(); 3].map(|()| predicted.play(&mut program, 1, move_all).unwrap());
    assert_eq!(played, [Some(6), Some(7), None]);
    let here = predicted.follower().get(there).unwrap();
    assert_eq!(program.get::<Place>(here), Some(&Place(2)));
    for tick in [0, 4, 5] {
        assert_eq!(predicted.confirm(&mut program, &mut confirmed, tick, move_all).unwrap(), 0);
    }
    assert_eq!(program.get::<Place>(here), Some(&Place(2)));
    // The server is further than the prediction.
    confirmed.get_mut::<Place>(there).unwrap().0 = 50;
    assert_eq!(predicted.confirm(&mut program, &mut confirmed, 9, move_all).unwrap(), 0);
    assert_eq!((predicted.tick(), program.get::<Place>(here)), (9, Some(&Place(50))));
    assert_eq!(predicted.play(&mut program, 1, move_all).unwrap(), Some(10));
}

#[test]
fn entities_that_the_server_did_not_confirm_go_back_too() {
    let spawn = |world: &mut World, _: &()| _ = world.spawn(Camera(1)).id();
    let (mut confirmed, mut program) = (empty(), empty());
    let mut predicted = Predicted::new(9);
    predicted.confirm(&mut program, &mut confirmed, 1, spawn).unwrap();
    for _ in 0..3 {
        predicted.play(&mut program, (), spawn).unwrap();
    }
    assert_eq!(program.len(), 3);
    // Spawned by both sides: by the server at tick 2, and by the prediction at ticks 2 to 4.
    let there = confirmed.spawn(Place(7)).id();
    for tick in 2..5 {
        predicted.confirm(&mut program, &mut confirmed, tick, spawn).unwrap();
        program.check_invariants();
        let here = predicted.follower().get(there).unwrap();
        assert_eq!(program.get::<Place>(here), Some(&Place(7)), "at {tick}");
        assert_eq!((program.pool::<Camera>().len(), program.len()), (3, 4));
    }
    confirmed.despawn(there).unwrap();
    predicted.confirm(&mut program, &mut confirmed, 5, spawn).unwrap();
    assert_eq!((program.pool::<Camera>().len(), program.len()), (3, 3));
}

#[test]
fn an_app_is_a_program_and_errors_name_their_part() {
    fn add(all: View<&mut Place>) {
        all.for_each(|(_, place)| place.0 += 1);
    }
    let mut app = App::new();
    app.world.register::<(Place, Speed)>();
    app.add_systems(UPDATE, "all", |list| list.add(add));
    let mut confirmed = empty();
    let there = confirmed.spawn(Place(3)).id();
    let mut predicted = Predicted::new(9);
    let play = |app: &mut App, (): &()| app.run_schedule(UPDATE).unwrap();
    predicted.confirm(&mut app, &mut confirmed, 1, play).unwrap();
    predicted.play(&mut app, (), play).unwrap();
    let here = predicted.follower().get(there).unwrap();
    assert_eq!(app.world.get::<Place>(here), Some(&Place(4)));

    app.world.insert_resource(Window);
    let error = predicted.play(&mut app, (), play).unwrap_err();
    assert!(matches!(error, PredictionError::Snapshot(_)));
    let error = error.to_string();
    assert!(
        error.starts_with("the program cannot go back: ") && error.contains("Window"),
        "{error}"
    );

    let (mut stranger, mut predicted) = (World::new(), Predicted::new(9));
    let error = predicted.confirm(&mut stranger, &mut confirmed, 1, move_all).unwrap_err();
    assert!(matches!(error, PredictionError::State(_)));
    let error = error.to_string();
    assert!(error.starts_with("the program cannot take over a state: "), "{error}");
    assert!(error.contains("`place`"), "{error}");
}

#[test]
fn moments_lie_between_the_values_of_their_ticks() {
    let mut world = empty();
    let [ship, other] = [(); 2].map(|()| world.spawn(Place(0)).id());
    let mut places = Interpolated::<Place>::new(&mut world, 4);
    let at = |places: &Interpolated<Place>, moment| {
        let (before, after, share) = places.get(ship, moment).unwrap();
        (before.0, after.0, share)
    };
    assert!(places.get(ship, 1.0).is_none());
    places.record(&mut world, 10);
    assert_eq!((at(&places, 3.0), at(&places, 99.0)), ((0, 0, 0.0), (0, 0, 0.0)));
    // It rests, and others move.
    for tick in [11, 12, 13] {
        world.get_mut::<Place>(other).unwrap().0 += 1;
        places.record(&mut world, tick);
    }
    world.get_mut::<Place>(ship).unwrap().0 = 40;
    places.record(&mut world, 15);
    assert_eq!(at(&places, 11.5), (0, 0, 0.5), "it rested until tick 13");
    assert_eq!(at(&places, 13.5), (0, 40, 0.25));
    assert_eq!(at(&places, 15.0), (40, 40, 0.0));
    // Two values of one tick: the newer one stays.
    world.get_mut::<Place>(ship).unwrap().0 = 50;
    places.record(&mut world, 15);
    assert_eq!(at(&places, 14.0), (0, 50, 0.5));
    // Few are kept.
    for tick in 16..=30 {
        world.get_mut::<Place>(ship).unwrap().0 += 10;
        places.record(&mut world, tick);
    }
    assert_eq!(at(&places, 0.0), (170, 170, 0.0));
    assert_eq!(at(&places, 29.5), (190, 200, 0.5));
    world.despawn(ship).unwrap();
    places.record(&mut world, 31);
    assert!(places.get(ship, 29.5).is_none() && places.get(other, 29.5).is_some());
}
