//! Worlds as programs have them: frames, entities that are spawned in order, and entities of many kinds.

use super::scenes::{Kept, Read, Write, empty, keep, lettered, moved, read, write};
use crate::components::frame::{
    Ai, Burning, Damage, Health, Hitbox, Item, Life, Place, Speed, Sprite,
};
use crate::components::{Position, Rotation, Telling, Velocity, letters};
use crate::frames::parts::{self, Part, for_kind, for_loops, for_parts};
use crate::frames::{Stage, add_frames};
use crate::library::Library;
use crate::scene::{self, Fragments, Spawned, for_pairs, for_spawned};
use specs::{Builder, Entity, Join as _, World, WorldExt};

pub fn worlds(specs: &mut Library) {
    add_frames(specs, Specs::new);
    for spawned in scene::SPAWNED.into_iter().flatten() {
        let run = if spawned.turns { turn } else { super::loops::move_all };
        let name = spawned.workload.name;
        specs.add_checked(name, move || filled(&spawned), run, |world| moved(world));
    }
    for fragments in scene::FRAGMENTS {
        let make = move || fragmented(&fragments);
        specs.add_checked(fragments.workload.name, make, blend, |world| hash_of_letters(world));
    }
}

struct Specs(World);

impl Specs {
    fn new() -> Self {
        let mut world = World::new();
        macro_rules! register {
            ($($part:ident)*) => { $(world.register::<Kept<$part>>();)* };
        }
        for_parts!(register);
        Self(world)
    }
}

impl Stage for Specs {
    type Entity = Entity;

    fn spawn(&mut self, kind: usize, number: u32) -> Entity {
        macro_rules! spawn {
            ($($part:ident),*) => { self.0.create_entity()$(.with(keep($part::of(number))))*.build() };
        }
        for_kind!(kind, spawn)
    }

    fn despawn(&mut self, entity: Entity) {
        self.0.delete_entity(entity).expect("it is alive");
    }

    fn ignite(&mut self, entities: &[Entity]) {
        let mut burning = write::<Burning>(&self.0);
        for &entity in entities {
            burning.insert(entity, keep(Burning::of(0))).expect("it is alive");
        }
    }

    fn extinguish(&mut self, entities: &[Entity]) {
        let mut burning = write::<Burning>(&self.0);
        for &entity in entities {
            burning.remove(entity);
        }
    }

    fn run_loops(&mut self) -> f64 {
        let mut total = 0.0;
        macro_rules! run {
            ($($way:ident $name:ident $a:ident $b:ident;)*) => { $(run!(@$way $name $a $b);)* };
            (@write $name:ident $a:ident $b:ident) => {{
                let (mut a, b): (Write<$a>, Read<$b>) = self.0.system_data();
                (&mut a, &b).join().for_each(|(a, b)| parts::$name(a, b));
            }};
            (@read $name:ident $a:ident $b:ident) => {{
                let (a, b): (Read<$a>, Read<$b>) = self.0.system_data();
                total += f64::from((&a, &b).join().map(|(a, b)| parts::$name(a, b)).sum::<f32>());
            }};
        }
        for_loops!(run);
        total
    }

    fn check(&mut self) -> u64 {
        let mut sum = 0_u64;
        macro_rules! add {
            ($($part:ident)*) => {
                $(for it in read::<$part>(&self.0).join() { sum = sum.wrapping_add(it.bits()); })*
            };
        }
        for_parts!(add);
        sum
    }
}

fn filled(spawned: &Spawned) -> World {
    let mut world = empty::<(Read<Position>, Read<Velocity>, Read<Rotation>)>();
    for at in 0..spawned.entities {
        macro_rules! spawn {
            ($($part:ident),*) => { world.create_entity()$(.with(keep($part::of(at))))*.build() };
        }
        for_spawned!(spawned, at, spawn);
    }
    world
}

fn turn(world: &mut World) {
    let (mut velocities, rotations): (Write<Velocity>, Read<Rotation>) = world.system_data();
    (&mut velocities, &rotations).join().for_each(|(v, r)| v.0 += r.0);
}

fn fragmented(fragments: &Fragments) -> World {
    let letters = fragments.letters();
    let mut world = World::new();
    let entities: Vec<_> = world.create_iter().take(letters.len()).collect();
    lettered(world, &entities, |at, letter| letters[at] >> letter & 1 == 1)
}

fn blend(world: &mut World) {
    macro_rules! run {
        ($($name:ident $a:ident $b:ident,)*) => {$({
            let (mut a, b): (Write<letters::$a>, Read<letters::$b>) = world.system_data();
            (&mut a, &b).join().for_each(|(a, b)| scene::blend(&mut a.0, b.0));
        })*};
    }
    for_pairs!(run);
}

fn hash_of_letters(world: &World) -> u64 {
    let mut sum = 0_u64;
    macro_rules! add {
        ($($name:ident $a:ident $b:ident,)*) => {$(
            for a in read::<letters::$a>(world).join() {
                sum = sum.wrapping_add(a.0.to_bits().into());
            }
        )*};
    }
    for_pairs!(add);
    sum
}
