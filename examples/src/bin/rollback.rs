//! Two players over a slow network: each side predicts the other's input, and rolls back if the prediction was wrong.
//!
//! Both sides play one game, and send only inputs. A player's own inputs are applied at once, the other's
//! arrive up to 60 frames late; until then the last received input is assumed to continue. Each side keeps
//! snapshots of its program for the last frames: of the world and the values of its systems. When an unpredicted input
//! arrives, it goes back to the snapshot from before, by `Schedule::restore`, and plays the frames since again. In the
//! end both sides must agree with a referee that has all inputs in time.
//!
//! ```sh
//! cargo run --profile example -p ecs_examples --bin rollback
//! ```

use ecs::{
    Commands, Component, Entity, Local, Resource, Schedule, Snapshot, SpawnCommands, View, With,
    World, schedule,
};
use std::error::Error;
use std::fmt;
use std::time::{Duration, Instant};

/// The number of frames that can be rolled back.
const BACK: usize = 60;
/// The field is a torus of this size. Positions are whole numbers: on every machine they are the same.
const SIZE: i32 = 1 << 16;
/// The distance within which a shot hits.
const NEAR: i32 = 400;

#[derive(Component, Clone, Copy, Debug, PartialEq)]
#[component(clone)]
struct Position {
    x: i32,
    y: i32,
}

#[derive(Component, Clone, Copy, Debug, PartialEq)]
#[component(clone)]
struct Velocity {
    x: i32,
    y: i32,
}

#[derive(Component, Clone, Copy, Debug, PartialEq)]
#[component(clone)]
struct Ship {
    player: usize,
    hits: u32,
}

#[derive(Component, Clone, Copy, Debug, PartialEq)]
#[component(clone)]
struct Shot {
    #[component(entities)]
    by: Entity,
    /// Frames until it is gone.
    left: u32,
}

#[derive(Component, Clone)]
#[component(clone)]
struct Rock;

/// The input of a player: a direction to steer to, and whether to fire.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Input {
    x: i32,
    y: i32,
    fire: bool,
}

/// The inputs of both players in this frame.
#[derive(Resource, Clone)]
#[resource(clone)]
struct Inputs([Input; 2]);

fn steer(ships: View<(&Ship, &mut Velocity)>, inputs: &Inputs) {
    for (_, ship, velocity) in ships {
        let input = inputs.0[ship.player];
        velocity.x = (velocity.x + input.x * 8).clamp(-300, 300);
        velocity.y = (velocity.y + input.y * 8).clamp(-300, 300);
    }
}

fn drift(all: View<(&mut Position, &Velocity)>) {
    all.for_each(|(_, position, velocity)| {
        position.x = (position.x + velocity.x).rem_euclid(SIZE);
        position.y = (position.y + velocity.y).rem_euclid(SIZE);
    });
}

fn fire(
    ships: View<(&Ship, &Position, &Velocity)>,
    inputs: &Inputs,
    mut loading: Local<[u32; 2]>,
    mut commands: SpawnCommands,
) {
    for (by, ship, &position, velocity) in ships {
        let loading = &mut loading[ship.player];
        *loading = loading.saturating_sub(1);
        if inputs.0[ship.player].fire && *loading == 0 {
            *loading = 6;
            let velocity = Velocity { x: velocity.x * 2 + 90, y: velocity.y * 2 - 70 };
            commands.spawn((position, velocity, Shot { by, left: 90 }));
        }
    }
}

/// A rock that is hit is gone, and so is the shot.
#[expect(clippy::needless_pass_by_value, reason = "systems take their parameters by value")]
fn hit(
    mut ships: View<&mut Ship>,
    shots: View<(&mut Shot, &Position)>,
    rocks: View<(&Position, With<Rock>)>,
    commands: &mut Commands,
) {
    for (entity, shot, at) in shots {
        let is_hit = |rock: &Position| (rock.x - at.x).abs().max((rock.y - at.y).abs()) < NEAR;
        let rock = (&rocks).into_iter().find(|(_, rock)| is_hit(rock));
        shot.left -= 1;
        if let Some((rock, _)) = rock {
            commands.despawn(rock);
            if let Some((_, ship)) = ships.get_mut(shot.by) {
                ship.hits += 1;
            }
        }
        if rock.is_some() || shot.left == 0 {
            commands.despawn(entity);
        }
    }
}

schedule! {
    /// A frame of the game. A system keeps the frames until each player can fire again.
    struct Step { steer, drift, fire, sync, hit }
}

/// Draws numbers that depend only on their purpose.
fn draw(what: [u64; 3], below: u64) -> i32 {
    let mix =
        |hash: u64, part: u64| (hash ^ part).wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(29);
    let hash = what.into_iter().fold(0x5DEE_CE66, mix);
    i32::try_from(mix(hash, hash >> 31) % below).expect("numbers drawn are small")
}

/// Returns the input of a player in a frame. Players keep an input for a while.
fn input(player: usize, frame: usize) -> Input {
    let for_a_while = |what| draw([what, player as u64, (frame / 20) as u64], 3);
    Input { x: for_a_while(1) - 1, y: for_a_while(2) - 1, fire: for_a_while(3) == 0 }
}

/// Returns the frame in which a player receives the other's input of `frame`: never before the input of the preceding
/// frame.
fn known_at(player: usize, frame: usize) -> usize {
    let lag = |frame| frame + draw([4, player as u64, frame as u64], 8).pow(2) as usize + 11;
    (frame.saturating_sub(BACK)..=frame).map(lag).max().expect("the frame is one of them")
}

/// The world as the game begins.
fn begin(rocks: u64) -> World {
    let mut world = World::new();
    world.insert_resource(Inputs(<_>::default()));
    let at = |what, number| draw([what, number, 0], SIZE as u64);
    for player in [0, 1] {
        let position = Position { x: at(5, player as u64), y: at(6, player as u64) };
        let ship = Ship { player, hits: 0 };
        world.spawn((position, Velocity { x: 0, y: 0 }, ship));
    }
    world.spawn_batch((2..2 + rocks).map(|number| {
        let position = Position { x: at(5, number), y: at(6, number) };
        let velocity = Velocity { x: at(7, number) % 41 - 20, y: at(8, number) % 41 - 20 };
        (position, velocity, Rock)
    }));
    world
}

/// A player's side of the game.
struct Side {
    player: usize,
    world: World,
    step: Schedule,
    /// The program before each of the last frames: frame `f` at `f % BACK`.
    before: Vec<Snapshot>,
    /// The inputs by which each frame was played.
    played: Vec<[Input; 2]>,
    /// The number of received inputs of the other player.
    heard: usize,
    report: Report,
}

impl Side {
    fn new(player: usize, rocks: u64) -> Self {
        Self {
            player,
            world: begin(rocks),
            step: Step::new().into(),
            before: (0..BACK).map(|_| Snapshot::default()).collect(),
            played: Vec::new(),
            heard: 0,
            report: Report::default(),
        }
    }

    /// Plays the frame with the inputs that are given for it.
    fn play(&mut self, frame: usize) -> Result<(), Box<dyn Error>> {
        let start = Instant::now();
        self.step.snapshot_into(&mut self.world, &mut self.before[frame % BACK])?;
        let copied = Instant::now();
        self.world.resource_mut::<Inputs>().0 = self.played[frame];
        self.step.run(&mut self.world)?;
        self.report.steps += 1;
        self.report.copying += copied - start;
        self.report.stepping += copied.elapsed();
        Ok(())
    }

    /// Receives inputs that come before frame `now`, and corrects frames that were played
    /// otherwise.
    fn hear(&mut self, now: usize) -> Result<(), Box<dyn Error>> {
        let (other, mut wrong) = (1 - self.player, None);
        while self.heard < self.played.len() && known_at(other, self.heard) <= now {
            let (input, played) = (input(other, self.heard), &mut self.played[self.heard][other]);
            if *played != input {
                *played = input;
                wrong = wrong.or(Some(self.heard));
            }
            self.heard += 1;
        }
        let Some(first) = wrong else { return Ok(()) };
        let guess = input(other, self.heard - 1);
        self.played[self.heard..].iter_mut().for_each(|inputs| inputs[other] = guess);
        self.step.restore(&mut self.world, &self.before[first % BACK])?;
        self.report.rollbacks += 1;
        self.report.deepest = self.report.deepest.max(self.played.len() - first);
        (first..self.played.len()).try_for_each(|frame| self.play(frame))
    }

    /// Plays the next frame: the other player is taken to go on as before.
    fn go_on(&mut self) -> Result<(), Box<dyn Error>> {
        let frame = self.played.len();
        self.hear(frame)?;
        let mut inputs = self.played.last().copied().unwrap_or_default();
        inputs[self.player] = input(self.player, frame);
        self.played.push(inputs);
        self.play(frame)
    }
}

/// All that there is in a world, by entity. Which loops look at a world decides when its pools are put in order, and a side
/// is looked at less often than it plays.
type Contents = Vec<(Entity, Position, Velocity, Option<Ship>, Option<Shot>)>;

fn contents(world: &World) -> Contents {
    let all = world.view::<(&Position, &Velocity, Option<&Ship>, Option<&Shot>)>();
    let mut all: Contents = all
        .into_iter()
        .map(|(entity, &at, &v, ship, shot)| (entity, at, v, ship.copied(), shot.copied()))
        .collect();
    all.sort_unstable_by_key(|of| of.0);
    all
}

/// The number of rollbacks of a side, and their cost.
#[derive(Default)]
struct Report {
    frames: usize,
    entities: usize,
    rollbacks: usize,
    deepest: usize,
    /// Frames that were played, those played again included.
    steps: u32,
    copying: Duration,
    stepping: Duration,
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { frames, entities, rollbacks, deepest, steps, .. } = self;
        let (copy, step) = (self.copying / self.steps.max(1), self.stepping / self.steps.max(1));
        write!(
            f,
            "{frames} frames, {rollbacks} rollbacks of up to {deepest}, {steps} frames played; "
        )?;
        write!(f, "with {entities} entities a frame takes {step:.1?}, and its snapshot {copy:.1?}")
    }
}

/// Plays a game of two sides and returns their reports. They agree with the referee, or this is an
/// error.
fn run(frames: usize, rocks: u64) -> Result<[Report; 2], Box<dyn Error>> {
    let mut sides = [0, 1].map(|player| Side::new(player, rocks));
    let (mut truth, mut step) = (begin(rocks), Step::new());
    for frame in 0..frames {
        sides.iter_mut().try_for_each(Side::go_on)?;
        truth.resource_mut::<Inputs>().0 = [0, 1].map(|player| input(player, frame));
        step.run(&mut truth)?;
    }
    let truth = contents(&truth);
    for side in &mut sides {
        side.hear(frames + BACK)?;
        if contents(&side.world) != truth {
            return Err(format!("player {} saw another game", side.player).into());
        }
        (side.report.frames, side.report.entities) = (frames, truth.len());
    }
    Ok(sides.map(|side| side.report))
}

fn main() -> Result<(), Box<dyn Error>> {
    for (player, report) in run(3_600, 2_000)?.iter().enumerate() {
        println!("player {player}: {report}");
    }
    println!("both saw the same game as the referee");
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_sides_see_the_game_of_the_referee() {
        for (frames, rocks) in [(0, 5), (1, 0), (59, 10), (700, 300)] {
            for report in run(frames, rocks).expect("they agree") {
                assert!(report.steps as usize >= frames && report.deepest <= BACK, "{report}");
                assert!(
                    frames < 700 || report.deepest == BACK && report.rollbacks >= 20,
                    "{report}"
                );
            }
        }
    }

    #[test]
    fn wrong_predictions_show_until_the_input_arrives() {
        let mut side = Side::new(0, 100);
        let (mut truth, mut step) = (begin(100), Step::new());
        let mut differed = 0;
        for frame in 0..200 {
            side.go_on().unwrap();
            truth.resource_mut::<Inputs>().0 = [0, 1].map(|player| input(player, frame));
            step.run(&mut truth).unwrap();
            differed += usize::from(contents(&side.world) != contents(&truth));
        }
        assert!(differed > 50, "guesses were wrong in {differed} frames only");
        side.hear(200 + BACK).unwrap();
        assert_eq!(contents(&side.world), contents(&truth));
    }

    #[test]
    fn shots_hit_rocks() {
        let mut world = begin(400);
        let mut step = Step::new();
        for frame in 0..400 {
            world.resource_mut::<Inputs>().0 = [0, 1].map(|player| input(player, frame));
            step.run(&mut world).unwrap();
        }
        let hits: u32 = world.view::<&Ship>().into_iter().map(|(_, ship)| ship.hits).sum();
        assert!(hits > 0, "nobody hit anything");
        assert_eq!(world.view::<(&Position, With<Rock>)>().count(), 400 - hits as usize);
    }
}
