//! Worlds as programs have them: frames, entities that are spawned in order, and entities of many kinds.

use super::{lettered, moved};
use crate::components::frame::{
    Ai, Burning, Damage, Health, Hitbox, Item, Life, Place, Speed, Sprite,
};
use crate::components::{Position, Rotation, Telling, Velocity, letters};
use crate::frames::parts::{self, Part, for_kind, for_loops, for_parts};
use crate::frames::{Stage, add_frames};
use crate::library::Library;
use crate::scene::{self, Fragments, Spawned, for_pairs, for_spawned};
use shipyard::{Delete, EntitiesView, EntityId, IntoIter, View, ViewMut, World};

pub fn worlds(shipyard: &mut Library) {
    add_frames(shipyard, World::new);
    for spawned in scene::SPAWNED.into_iter().flatten() {
        let run = if spawned.turns { turn } else { super::loops::move_all };
        let name = spawned.workload.name;
        shipyard.add_checked(name, move || filled(&spawned), run, |world| moved(world));
    }
    for fragments in scene::FRAGMENTS {
        let make = move || fragmented(&fragments);
        shipyard.add_checked(fragments.workload.name, make, blend, |world| hash_of_letters(world));
    }
}

impl Stage for World {
    type Entity = EntityId;

    fn spawn(&mut self, kind: usize, number: u32) -> EntityId {
        macro_rules! spawn {
            ($($part:ident),*) => { self.add_entity(($($part::of(number),)*)) };
        }
        for_kind!(kind, spawn)
    }

    fn despawn(&mut self, entity: EntityId) {
        assert!(self.delete_entity(entity), "it is alive");
    }

    fn ignite(&mut self, handles: &[EntityId]) {
        self.run(|entities: EntitiesView, mut burning: ViewMut<Burning>| {
            for &entity in handles {
                entities.add_component(entity, &mut burning, Burning::of(0));
            }
        });
    }

    fn extinguish(&mut self, handles: &[EntityId]) {
        self.run(|mut burning: ViewMut<Burning>| {
            for &entity in handles {
                burning.delete(entity);
            }
        });
    }

    fn run_loops(&mut self) -> f64 {
        let mut total = 0.0;
        macro_rules! run {
            ($($way:ident $name:ident $a:ident $b:ident;)*) => { $(run!(@$way $name $a $b);)* };
            (@write $name:ident $a:ident $b:ident) => {
                self.run(|mut a: ViewMut<$a>, b: View<$b>| {
                    (&mut a, &b).iter().for_each(|(a, b)| parts::$name(a, b));
                });
            };
            (@read $name:ident $a:ident $b:ident) => {
                total += f64::from(self.run(|a: View<$a>, b: View<$b>| {
                    (&a, &b).iter().map(|(a, b)| parts::$name(a, b)).sum::<f32>()
                }));
            };
        }
        for_loops!(run);
        total
    }

    fn check(&mut self) -> u64 {
        let mut sum = 0_u64;
        macro_rules! add {
            ($($part:ident)*) => {
                $(self.run(|all: View<$part>| {
                    all.iter().for_each(|it| sum = sum.wrapping_add(it.bits()));
                });)*
            };
        }
        for_parts!(add);
        sum
    }
}

fn filled(spawned: &Spawned) -> World {
    let mut world = World::new();
    for at in 0..spawned.entities {
        macro_rules! spawn {
            ($($part:ident),*) => { world.add_entity(($($part::of(at),)*)) };
        }
        for_spawned!(spawned, at, spawn);
    }
    world
}

fn turn(world: &mut World) {
    world.run(|mut velocities: ViewMut<Velocity>, rotations: View<Rotation>| {
        (&mut velocities, &rotations).iter().for_each(|(v, r)| v.0 += r.0);
    });
}

fn fragmented(fragments: &Fragments) -> World {
    let letters = fragments.letters();
    let mut world = World::new();
    let entities: Vec<_> = world.bulk_add_entity(letters.iter().map(|_| ())).collect();
    lettered(world, &entities, |at, letter| letters[at] >> letter & 1 == 1)
}

fn blend(world: &mut World) {
    macro_rules! run {
        ($($name:ident $a:ident $b:ident,)*) => {$(
            world.run(|mut a: ViewMut<letters::$a>, b: View<letters::$b>| {
                (&mut a, &b).iter().for_each(|(a, b)| scene::blend(&mut a.0, b.0));
            });
        )*};
    }
    for_pairs!(run);
}

fn hash_of_letters(world: &World) -> u64 {
    let mut sum = 0_u64;
    macro_rules! add {
        ($($name:ident $a:ident $b:ident,)*) => {$(
            world.run(|all: View<letters::$a>| {
                all.iter().for_each(|a| sum = sum.wrapping_add(a.0.to_bits().into()));
            });
        )*};
    }
    for_pairs!(add);
    sum
}
