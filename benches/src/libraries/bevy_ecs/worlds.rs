//! Worlds as programs have them: frames, entities that are spawned in order, and entities of many kinds.

use super::{Queried, lettered, moved};
use crate::components::frame::{
    self, Ai, Damage, Health, Hitbox, Item, Life, Place, Speed, Sprite,
};
use crate::components::{Position, Rotation, Telling, Velocity, letters};
use crate::frames::parts::{self, Part, for_kind, for_loops, for_parts};
use crate::frames::{Stage, add_frames};
use crate::library::Library;
use crate::scene::{self, Fragments, Spawned, for_pairs, for_spawned};
use bevy_ecs::prelude::{Component, Entity, QueryState, World};
use std::ops::{Deref, DerefMut};

pub fn worlds(bevy: &mut Library) {
    add_frames(bevy, || {
        let mut world = World::new();
        Bevy { queries: Queries::new(&mut world), world }
    });
    for spawned in scene::SPAWNED.into_iter().flatten() {
        let name = spawned.workload.name;
        if spawned.turns {
            bevy.add_checked(
                name,
                move || Queried::<(&mut Velocity, &Rotation)>::new(filled(&spawned)),
                |Queried { world, query }| {
                    let mut query = query.query_mut(&mut *world);
                    for (mut velocities, rotations) in query.contiguous_iter_mut().expect("tables")
                    {
                        for (v, r) in velocities.iter_mut().zip(rotations) {
                            v.0 += r.0;
                        }
                    }
                },
                |queried| moved(&mut queried.world),
            );
        } else {
            bevy.add_checked(
                name,
                move || Queried::new(filled(&spawned)),
                |Queried { world, query }| super::loops::move_all(world, query),
                |queried| moved(&mut queried.world),
            );
        }
    }
    for fragments in scene::FRAGMENTS {
        macro_rules! add {
            ($($name:ident $a:ident $b:ident,)*) => {
                bevy.add_checked(
                    fragments.workload.name,
                    move || {
                        let mut world = fragmented(&fragments);
                        $(let $name = world.query::<(&mut letters::$a, &letters::$b)>();)*
                        (world, ($($name,)*))
                    },
                    |(world, ($($name,)*))| {
                        $(
                            let mut query = $name.query_mut(&mut *world);
                            for (mut a, b) in query.contiguous_iter_mut().expect("tables") {
                                a.iter_mut().zip(b).for_each(|(a, b)| scene::blend(&mut a.0, b.0));
                            }
                        )*
                    },
                    |(world, _)| {
                        let mut sum = 0_u64;
                        $(for a in world.query::<&letters::$a>().iter(world) {
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

/// It comes and goes.
#[derive(Component)]
#[component(storage = "SparseSet")]
struct Burning(frame::Burning);

impl Deref for Burning {
    type Target = frame::Burning;
    fn deref(&self) -> &frame::Burning {
        &self.0
    }
}

impl DerefMut for Burning {
    fn deref_mut(&mut self) -> &mut frame::Burning {
        &mut self.0
    }
}

struct Bevy {
    world: World,
    queries: Queries,
}

macro_rules! queries {
    ($($way:ident $name:ident $a:ident $b:ident;)*) => {
        struct Queries {
            $($name: QueryState<queries!(@$way $a $b)>,)*
        }

        impl Queries {
            fn new(world: &mut World) -> Self {
                Self { $($name: world.query(),)* }
            }
        }
    };
    (@write $a:ident $b:ident) => { (&'static mut $a, &'static $b) };
    (@read $a:ident $b:ident) => { (&'static $a, &'static $b) };
}
for_loops!(queries);

impl Stage for Bevy {
    type Entity = Entity;

    fn spawn(&mut self, kind: usize, number: u32) -> Entity {
        macro_rules! spawn {
            ($($part:ident),*) => { self.world.spawn(($($part::of(number),)*)).id() };
        }
        for_kind!(kind, spawn)
    }

    fn despawn(&mut self, entity: Entity) {
        assert!(self.world.despawn(entity), "it is alive");
    }

    fn ignite(&mut self, entities: &[Entity]) {
        for &entity in entities {
            self.world.entity_mut(entity).insert(Burning(Part::of(0)));
        }
    }

    fn extinguish(&mut self, entities: &[Entity]) {
        for &entity in entities {
            if let Ok(mut entity) = self.world.get_entity_mut(entity) {
                entity.remove::<Burning>();
            }
        }
    }

    fn run_loops(&mut self) -> f64 {
        let Self { world, queries } = self;
        let mut total = 0.0;
        macro_rules! run {
            ($($way:ident $name:ident $a:ident $b:ident;)*) => { $(run!(@$way $name);)* };
            (@write $name:ident) => {
                let mut query = queries.$name.query_mut(&mut *world);
                if let Ok(tables) = query.contiguous_iter_mut() {
                    for (mut a, b) in tables {
                        a.iter_mut().zip(b).for_each(|(a, b)| parts::$name(a, b));
                    }
                } else {
                    query.iter_mut().for_each(|(mut a, b)| parts::$name(&mut a, b));
                }
            };
            (@read $name:ident) => {
                let both = queries.$name.iter(&*world);
                total += f64::from(both.map(|(a, b)| parts::$name(a, b)).sum::<f32>());
            };
        }
        for_loops!(run);
        total
    }

    fn check(&mut self) -> u64 {
        let mut sum = 0_u64;
        macro_rules! add {
            ($($part:ident)*) => {$(
                for it in self.world.query::<&$part>().iter(&self.world) {
                    sum = sum.wrapping_add(it.bits());
                }
            )*};
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

/// Components are inserted one by one: a bundle is a type, and 500 of them would be compiled.
fn fragmented(fragments: &Fragments) -> World {
    let letters = fragments.letters();
    let mut world = World::new();
    let entities: Vec<_> = letters.iter().map(|_| world.spawn_empty().id()).collect();
    lettered(world, &entities, |at, letter| letters[at] >> letter & 1 == 1)
}
