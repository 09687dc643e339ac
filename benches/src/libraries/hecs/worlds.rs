//! Worlds as programs have them: frames, entities that are spawned in order, and entities of many kinds.

use super::moved;
use crate::components::frame::{
    Ai, Burning, Damage, Health, Hitbox, Item, Life, Place, Speed, Sprite,
};
use crate::components::{Position, Rotation, Telling, Velocity, for_letters, letters};
use crate::frames::parts::{self, Part, for_kind, for_loops, for_parts};
use crate::frames::{Stage, add_frames};
use crate::library::Library;
use crate::scene::{self, Fragments, Spawned, for_pairs, for_spawned};
use hecs::{Entity, EntityBuilder, PreparedQuery, World};

pub fn worlds(hecs: &mut Library) {
    add_frames(hecs, Hecs::default);
    for spawned in scene::SPAWNED.into_iter().flatten() {
        let run = if spawned.turns { turn } else { super::loops::move_all };
        let name = spawned.workload.name;
        hecs.add_checked(name, move || filled(&spawned), run, |world| moved(world));
    }
    for fragments in scene::FRAGMENTS {
        macro_rules! add {
            ($($name:ident $a:ident $b:ident,)*) => {
                hecs.add_checked(
                    fragments.workload.name,
                    move || {
                        $(let $name = PreparedQuery::<(&mut letters::$a, &letters::$b)>::new();)*
                        (fragmented(&fragments), ($($name,)*))
                    },
                    |(world, ($($name,)*))| {
                        $($name.query_mut(world).for_each(|(a, b)| scene::blend(&mut a.0, b.0));)*
                    },
                    |(world, _)| {
                        let mut sum = 0_u64;
                        $(for a in world.query_mut::<&letters::$a>() {
                            sum = sum.wrapping_add(a.0.to_bits().into());
                        })*
                        sum
                    },
                )
            };
        }
        for_pairs!(add);
    }
}

#[derive(Default)]
struct Hecs {
    world: World,
    queries: Queries,
}

macro_rules! queries {
    ($($way:ident $name:ident $a:ident $b:ident;)*) => {
        #[derive(Default)]
        struct Queries {
            $($name: PreparedQuery<queries!(@$way $a $b)>,)*
        }
    };
    (@write $a:ident $b:ident) => { (&'static mut $a, &'static $b) };
    (@read $a:ident $b:ident) => { (&'static $a, &'static $b) };
}
for_loops!(queries);

impl Stage for Hecs {
    type Entity = Entity;

    fn spawn(&mut self, kind: usize, number: u32) -> Entity {
        macro_rules! spawn {
            ($($part:ident),*) => { self.world.spawn(($($part::of(number),)*)) };
        }
        for_kind!(kind, spawn)
    }

    fn despawn(&mut self, entity: Entity) {
        self.world.despawn(entity).expect("it is alive");
    }

    fn ignite(&mut self, entities: &[Entity]) {
        for &entity in entities {
            self.world.insert_one(entity, Burning::of(0)).expect("it is alive");
        }
    }

    fn extinguish(&mut self, entities: &[Entity]) {
        for &entity in entities {
            _ = self.world.remove_one::<Burning>(entity);
        }
    }

    fn run_loops(&mut self) -> f64 {
        let Self { world, queries } = self;
        let mut total = 0.0;
        macro_rules! run {
            ($($way:ident $name:ident $a:ident $b:ident;)*) => { $(run!(@$way $name);)* };
            (@write $name:ident) => {
                queries.$name.query_mut(world).for_each(|(a, b)| parts::$name(a, b));
            };
            (@read $name:ident) => {
                let both = queries.$name.query_mut(world);
                total += f64::from(both.map(|(a, b)| parts::$name(a, b)).sum::<f32>());
            };
        }
        for_loops!(run);
        total
    }

    fn check(&mut self) -> u64 {
        let mut sum = 0_u64;
        macro_rules! add {
            ($($part:ident)*) => {
                $(for it in self.world.query_mut::<&$part>() { sum = sum.wrapping_add(it.bits()); })*
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
            ($($part:ident),*) => { world.spawn(($($part::of(at),)*)) };
        }
        for_spawned!(spawned, at, spawn);
    }
    world
}

fn turn(world: &mut World) {
    world.query_mut::<(&mut Velocity, &Rotation)>().into_iter().for_each(|(v, r)| v.0 += r.0);
}

fn fragmented(fragments: &Fragments) -> World {
    let mut world = World::new();
    let mut entity = EntityBuilder::new();
    for letters in fragments.letters() {
        macro_rules! add {
            ($($letter:ident $index:literal,)*) => {
                $(if letters >> $index & 1 == 1 { entity.add(letters::$letter(1.0)); })*
            };
        }
        for_letters!(add);
        world.spawn(entity.build());
    }
    world
}
