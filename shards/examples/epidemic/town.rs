//! The town of the epidemic: its people, the systems that move and infect them, and the stripe of it that a rank has.

use super::crowd::Crowd;
use ecs::{Commands, Component, Has, Resource, View, With, World, schedule};
use ecs_shards::{Cuts, Ghosts, Identity};
use serde::{Deserialize, Serialize};

/// The number of people on ten squares of length 1, the distance that the illness reaches.
const ON_TEN_SQUARES: u32 = 13;
/// The longest way of a step, to the east or to the north.
const STRIDE: f32 = 0.5;
/// The probability that one goes on in another direction.
const TURN: f32 = 0.05;
/// The probability that an ill person near by infects one in a step.
const RISK: f32 = 0.04;
const ILL_FOR: u32 = 20;
/// One person of this many is ill at first.
const APART: u32 = 2_000;

#[derive(Component, Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[component(save = "place", track)]
pub struct Place(pub [f32; 2]);
/// The distance that a person walks in a step.
#[derive(Component, Clone, Copy, Serialize, Deserialize)]
#[component(save = "stride")]
pub struct Stride([f32; 2]);
/// Has not been ill yet.
#[derive(Component, Serialize, Deserialize)]
#[component(save = "healthy")]
pub struct Healthy;
/// A person who has recovered has neither this nor [`Healthy`].
#[derive(Component, Serialize, Deserialize)]
#[component(save = "ill")]
pub struct Ill {
    steps_left: u32,
}

/// A town, and a rank's stripe of it.
#[derive(Resource, Clone, Debug, Serialize, Deserialize)]
#[resource(save = "town")]
pub struct Town {
    pub seed: u64,
    pub step: u32,
    /// The length and the width, in squares.
    pub side: u16,
    rank: usize,
    /// Cuts the columns into stripes, from west to east.
    pub cuts: Cuts,
}

/// The sum over the people of a world: equal in whichever order they are walked.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Tally {
    people: u64,
    ill: u64,
    healthy: u64,
    checksum: u64,
}

impl Tally {
    pub fn of(world: &World) -> Self {
        let people = world.view::<(&Identity, &Place, Has<Healthy>, Option<&Ill>)>();
        let checksum = people.par_fold(
            || 0,
            |sum: u64, (_, who, place, is_healthy, ill)| {
                let [x, y] = place.0.map(|at| u64::from(at.to_bits()));
                let state = ill.map_or(u32::from(is_healthy), |ill| ill.steps_left + 1);
                sum.wrapping_add(mix(mix((x << 32) | y) ^ (who.0 << 32 | u64::from(state))))
            },
            u64::wrapping_add,
        );
        let [people, ill, healthy] =
            [world.pool::<Place>().len(), world.pool::<Ill>().len(), world.pool::<Healthy>().len()]
                .map(|count| count as u64);
        Self { people, ill, healthy, checksum }
    }

    pub fn add(self, other: Self) -> Self {
        Self {
            people: self.people + other.people,
            ill: self.ill + other.ill,
            healthy: self.healthy + other.healthy,
            checksum: self.checksum.wrapping_add(other.checksum),
        }
    }

    /// Returns a line for people and for programs.
    pub fn line(self, step: u32) -> String {
        let Self { people, ill, healthy, checksum } = self;
        let caught = people - healthy;
        format!("step={step} people={people} caught={caught} ill={ill} checksum={checksum:016x}")
    }
}

/// The subject of a draw: draws of different subjects are independent.
#[derive(Clone, Copy)]
enum Draw {
    Home,
    Turn,
    Stride,
    Catch,
}

impl Town {
    pub fn new(people: u32, seed: u64, rank: usize, ranks: usize) -> Self {
        let side = (people * 10 / ON_TEN_SQUARES).isqrt() + 1;
        let side = u16::try_from(side).expect("a small number");
        Self { seed, step: 0, side, rank, cuts: Cuts::even(side.into(), ranks) }
    }

    /// Returns two numbers from 0 to 1, 1 not included, for this person and step: a hash, so it is equal on every rank,
    /// and in every order.
    #[expect(clippy::cast_precision_loss, reason = "24 bits are exact")]
    fn draw(&self, who: Identity, what: Draw) -> [f32; 2] {
        let bits =
            mix(mix(self.seed ^ ((what as u64) << 56)) ^ (who.0 << 32 | u64::from(self.step)));
        [bits >> 40, bits & 0xff_ffff].map(|bits| bits as f32 / 16_777_216.0)
    }

    fn stride(&self, who: Identity) -> Stride {
        Stride(self.draw(who, Draw::Stride).map(|part| (2.0 * part - 1.0) * STRIDE))
    }

    /// Returns the column of a place: the cell that is cut.
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "0 to the side")]
    pub fn column(&self, place: Place) -> usize {
        (place.0[0] as u16).min(self.side - 1).into()
    }

    /// Returns the rank that has this place.
    pub fn owner(&self, place: Place) -> usize {
        let column = self.column(place);
        if self.cuts.part(self.rank).contains(&column) {
            return self.rank; // as for nearly all
        }
        self.cuts.owner(column)
    }

    /// Returns the ranks that see this place of the own stripe: the illness reaches the column beside it.
    pub fn seen_by(&self, place: Place) -> impl Iterator<Item = usize> + use<> {
        let (column, rank) = (self.column(place), self.rank);
        let stripe = self.cuts.part(rank);
        let west = column == stripe.start && stripe.start > 0;
        let east = column + 1 == stripe.end && stripe.end < self.cuts.cells();
        [west.then(|| rank - 1), east.then_some(rank + 1)].into_iter().flatten()
    }

    /// Returns the world of this stripe, before the first step.
    pub fn people(self, people: u32) -> World {
        let mut world = World::new();
        world.register::<(Place, Stride, Healthy, Ill, ecs::Res<Self>)>();
        let all = (0..people).map(|who| {
            let home = self.draw(Identity(who.into()), Draw::Home);
            (who, Place(home.map(|part| part * f32::from(self.side))))
        });
        let own = all.filter(|(_, home)| self.owner(*home) == self.rank);
        let own = world.spawn_batch(own.map(|(who, home)| {
            let who = Identity(who.into());
            (who, home, self.stride(who), Healthy)
        }));
        for entity in own {
            if world.get::<Identity>(entity).is_some_and(|who| who.0 % u64::from(APART) == 0) {
                world.remove::<Healthy>(entity);
                world.insert(entity, Ill { steps_left: ILL_FOR }).expect("it is alive");
            }
        }
        world.insert_resource(self);
        world.insert_resource(Crowd::default());
        world
    }
}

schedule! {
    /// The first half of a step. Then people that left the stripe move to another rank.
    pub struct Walk { walk }
}

schedule! {
    /// The second half. While some catch it, others recover.
    pub struct Spread { gather, together(infect, recover), sync, end_step }
}

fn walk(people: View<(&Identity, &mut Place, &mut Stride)>, town: &Town) {
    let side = f32::from(town.side);
    people.par_for_each(|(_, who, place, stride)| {
        if town.draw(*who, Draw::Turn)[0] < TURN {
            *stride = town.stride(*who);
        }
        for (at, by) in place.0.iter_mut().zip(&mut stride.0) {
            let there = *at + *by;
            *at = there.clamp(0.0, side);
            if !(0.0..=side).contains(&there) {
                *by = -*by; // turns around at the wall
            }
        }
    });
}

/// Sorts the ill of the stripe and the ghosts beside it into squares.
fn gather(ill: View<(&Place, With<Ill>)>, ghosts: Option<&Ghosts>, town: &Town, crowd: &mut Crowd) {
    let beside = ghosts.map(|ghosts| ghosts.world().pool::<Place>().as_slice());
    let own = ill.iter().map(|(_, place)| place.0);
    let all = own.chain(beside.into_iter().flatten().map(|place| place.0));
    let stripe = town.cuts.part(town.rank);
    let columns = stripe.start.saturating_sub(1)..(stripe.end + 1).min(town.side.into());
    let columns = narrow(columns.start)..narrow(columns.end);
    crowd.fill(columns, town.side, all);
}

fn narrow(column: usize) -> u16 {
    u16::try_from(column).expect("at most the side")
}

fn infect(
    healthy: View<(&Identity, &Place, With<Healthy>)>,
    crowd: &Crowd,
    town: &Town,
    commands: &mut Commands,
) {
    let caught = healthy.par_fold(
        Vec::new,
        |mut caught, (entity, who, place)| {
            // Only the number of the ill counts, so their order does not.
            let near = crowd.count_near(place.0);
            let escape = (0..near).fold(1.0, |chance, _| chance * (1.0 - RISK));
            if near > 0 && town.draw(*who, Draw::Catch)[0] >= escape {
                caught.push(entity);
            }
            caught
        },
        |mut first, mut second| {
            first.append(&mut second);
            first
        },
    );
    for entity in caught {
        commands.remove::<Healthy>(entity);
        commands.insert(entity, Ill { steps_left: ILL_FOR });
    }
}

fn recover(people: View<&mut Ill>, commands: &mut Commands) {
    for (entity, ill) in people {
        ill.steps_left -= 1;
        if ill.steps_left == 0 {
            commands.remove::<Ill>(entity);
        }
    }
}

fn end_step(town: &mut Town) {
    town.step += 1;
}

/// A step of `SplitMix64`, by Steele, Lea and Flood.
const fn mix(number: u64) -> u64 {
    let mut mixed = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}
