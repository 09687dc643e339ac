//! Worlds as programs have them: frames, entities that are spawned in order, and entities of many kinds.

use super::{Groups, Moving, empty, lettered, moved};
use crate::components::frame::{
    Ai, Burning, Damage, Health, Hitbox, Item, Life, Place, Speed, Sprite,
};
use crate::components::{Position, Rotation, Telling, Velocity, letters};
use crate::frames::parts::{self, Part, for_kind, for_loops, for_parts};
use crate::frames::{Stage, add_frames};
use crate::library::Library;
use crate::scene::{self, Fragments, Spawned, for_pairs, for_spawned};
use sparsey::World;
use sparsey::component::GroupLayout;
use sparsey::entity::Entity;

pub fn worlds(sparsey: &mut Library, groups: impl Fn(Groups) -> Groups) {
    let of_frames = groups(groups_of_frames);
    add_frames(sparsey, move || stage(of_frames));
    let moving = groups(GroupLayout::add_group::<Moving>);
    let turning = groups(GroupLayout::add_group::<(Velocity, Rotation)>);
    for spawned in scene::SPAWNED.into_iter().flatten() {
        let (groups, run): (Groups, fn(&mut World)) =
            if spawned.turns { (turning, turn) } else { (moving, super::loops::move_all) };
        let make = move || filled(&spawned, groups);
        sparsey.add_checked(spawned.workload.name, make, run, |world| moved(world));
    }
}

/// Each component is in two pairs, so no group helps.
pub fn fragments(sparsey: &mut Library) {
    for fragments in scene::FRAGMENTS {
        let make = move || fragmented(&fragments);
        sparsey.add_checked(fragments.workload.name, make, blend, |world| hash_of_letters(world));
    }
}

/// The fastest that were tried: most loops read `Place`, which only one family can own.
fn groups_of_frames(layout: &mut GroupLayout) {
    layout.add_group::<(Place, Sprite)>();
    layout.add_group::<(Speed, Ai)>();
}

fn stage(groups: Groups) -> World {
    let mut layout = GroupLayout::default();
    groups(&mut layout);
    let mut world = World::new(&layout);
    macro_rules! register {
        ($($part:ident)*) => { $(world.register::<$part>();)* };
    }
    for_parts!(register);
    world
}

impl Stage for World {
    type Entity = Entity;

    fn spawn(&mut self, kind: usize, number: u32) -> Entity {
        macro_rules! spawn {
            ($($part:ident),*) => { self.create(($($part::of(number),)*)) };
        }
        for_kind!(kind, spawn)
    }

    fn despawn(&mut self, entity: Entity) {
        assert!(self.destroy(entity), "it is alive");
    }

    fn ignite(&mut self, entities: &[Entity]) {
        for &entity in entities {
            self.insert(entity, (Burning::of(0),));
        }
    }

    fn extinguish(&mut self, entities: &[Entity]) {
        for &entity in entities {
            self.delete::<(Burning,)>(entity);
        }
    }

    fn run_loops(&mut self) -> f64 {
        let mut total = 0.0;
        macro_rules! run {
            ($($way:ident $name:ident $a:ident $b:ident;)*) => { $(run!(@$way $name $a $b);)* };
            (@write $name:ident $a:ident $b:ident) => {
                self.for_each::<(&mut $a, &$b)>(|(a, b)| parts::$name(a, b));
            };
            (@read $name:ident $a:ident $b:ident) => {
                let mut sum = 0.0;
                self.for_each::<(&$a, &$b)>(|(a, b)| sum += parts::$name(a, b));
                total += f64::from(sum);
            };
        }
        for_loops!(run);
        total
    }

    fn check(&mut self) -> u64 {
        let mut sum = 0_u64;
        macro_rules! add {
            ($($part:ident)*) => {
                $(self.for_each::<&$part>(|it| sum = sum.wrapping_add(it.bits()));)*
            };
        }
        for_parts!(add);
        sum
    }
}

fn filled(spawned: &Spawned, groups: Groups) -> World {
    let mut world = empty::<(Position, Velocity, Rotation)>(groups);
    for at in 0..spawned.entities {
        macro_rules! spawn {
            ($($part:ident),*) => { world.create(($($part::of(at),)*)) };
        }
        for_spawned!(spawned, at, spawn);
    }
    world
}

fn turn(world: &mut World) {
    world.for_each::<(&mut Velocity, &Rotation)>(|(v, r)| v.0 += r.0);
}

fn fragmented(fragments: &Fragments) -> World {
    let letters = fragments.letters();
    let mut world = World::default();
    let entities = world.extend(letters.iter().map(|_| ())).to_vec();
    lettered(world, &entities, |at, letter| letters[at] >> letter & 1 == 1)
}

fn blend(world: &mut World) {
    macro_rules! run {
        ($($name:ident $a:ident $b:ident,)*) => {$(
            world.for_each::<(&mut letters::$a, &letters::$b)>(|(a, b)| scene::blend(&mut a.0, b.0));
        )*};
    }
    for_pairs!(run);
}

fn hash_of_letters(world: &World) -> u64 {
    let mut sum = 0_u64;
    macro_rules! add {
        ($($name:ident $a:ident $b:ident,)*) => {$(
            world.for_each::<&letters::$a>(|a| sum = sum.wrapping_add(a.0.to_bits().into()));
        )*};
    }
    for_pairs!(add);
    sum
}
