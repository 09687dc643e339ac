//! Worlds as programs have them: frames, entities that are spawned in order, and entities of many kinds.

use super::{Queried, moved};
use crate::components::frame::{
    Ai, Burning, Damage, Health, Hitbox, Item, Life, Place, Speed, Sprite,
};
use crate::components::{Position, Rotation, Telling, Velocity, letters};
use crate::frames::parts::{self, Part, for_kind, for_loops, for_parts};
use crate::frames::{Stage, add_frames};
use crate::library::Library;
use crate::scene::{self, Fragments, Spawned, for_pairs, for_spawned};
use flecs_ecs::prelude::*;

pub fn worlds(flecs: &mut Library) {
    add_frames(flecs, || {
        let world = World::new();
        Flecs { queries: Queries::new(&world), world }
    });
    for spawned in scene::SPAWNED.into_iter().flatten() {
        let name = spawned.workload.name;
        if spawned.turns {
            flecs.add_checked(
                name,
                move || Queried::<(&mut Velocity, &Rotation)>::new(filled(&spawned)),
                |queried| {
                    queried.tables(|table| {
                        let mut velocities = table.field_mut::<Velocity>(0);
                        let rotations = table.field::<Rotation>(1);
                        let velocities = velocities.as_mut_slice().iter_mut();
                        velocities.zip(rotations.as_slice()).for_each(|(v, r)| v.0 += r.0);
                    });
                },
                |queried| moved(&queried.world),
            );
        } else {
            let make = move || Queried::new(filled(&spawned));
            flecs.add_checked(name, make, super::loops::move_all, |queried| moved(&queried.world));
        }
    }
    for fragments in scene::FRAGMENTS {
        macro_rules! add {
            ($($name:ident $a:ident $b:ident,)*) => {
                flecs.add_checked(
                    fragments.workload.name,
                    move || {
                        let world = fragmented(&fragments);
                        $(let $name =
                            world.query::<(&mut letters::$a, &letters::$b)>().set_cached().build();)*
                        (($($name,)*), world)
                    },
                    |(($($name,)*), _)| {
                        $($name.run(|mut tables| {
                            while tables.next() {
                                let mut a = tables.field_mut::<letters::$a>(0);
                                let b = tables.field::<letters::$b>(1);
                                let both = a.as_mut_slice().iter_mut().zip(b.as_slice());
                                both.for_each(|(a, b)| scene::blend(&mut a.0, b.0));
                            }
                        });)*
                    },
                    |(_, world)| {
                        let mut sum = 0_u64;
                        $(world.each::<&letters::$a>(|a| {
                            sum = sum.wrapping_add(a.0.to_bits().into());
                        });)*
                        sum
                    },
                )
            };
        }
        for_pairs!(add);
    }
}

/// Queries are dropped before their world.
struct Flecs {
    queries: Queries,
    world: World,
}

macro_rules! queries {
    ($($way:ident $name:ident $a:ident $b:ident;)*) => {
        struct Queries {
            $($name: Query<queries!(@$way $a $b)>,)*
        }

        impl Queries {
            fn new(world: &World) -> Self {
                Self { $($name: world.query().set_cached().build(),)* }
            }
        }
    };
    (@write $a:ident $b:ident) => { (&'static mut $a, &'static $b) };
    (@read $a:ident $b:ident) => { (&'static $a, &'static $b) };
}
for_loops!(queries);

impl Stage for Flecs {
    type Entity = Entity;

    /// Spawns a bulk of one: `entity().set().set()` moves the entity once for each component.
    fn spawn(&mut self, kind: usize, number: u32) -> Entity {
        macro_rules! spawn {
            ($($part:ident),*) => {
                self.world.entity_bulk(1)$(.set(&[$part::of(number)]))*.build()[0]
            };
        }
        for_kind!(kind, spawn)
    }

    fn despawn(&mut self, entity: Entity) {
        self.world.entity_from_id(entity).destruct();
    }

    fn ignite(&mut self, entities: &[Entity]) {
        for &entity in entities {
            self.world.entity_from_id(entity).set(Burning::of(0));
        }
    }

    fn extinguish(&mut self, entities: &[Entity]) {
        for &entity in entities {
            if self.world.is_alive(entity) {
                self.world.entity_from_id(entity).remove(Burning::id());
            }
        }
    }

    fn run_loops(&mut self) -> f64 {
        let mut total = 0.0;
        macro_rules! run {
            ($($way:ident $name:ident $a:ident $b:ident;)*) => { $(run!(@$way $name $a $b);)* };
            (@write $name:ident $a:ident $b:ident) => {
                self.queries.$name.run(|mut tables| {
                    while tables.next() {
                        let (mut a, b) = (tables.field_mut::<$a>(0), tables.field::<$b>(1));
                        let both = a.as_mut_slice().iter_mut().zip(b.as_slice());
                        both.for_each(|(a, b)| parts::$name(a, b));
                    }
                });
            };
            (@read $name:ident $a:ident $b:ident) => {
                let mut sum = 0.0;
                self.queries.$name.run(|mut tables| {
                    while tables.next() {
                        let (a, b) = (tables.field::<$a>(0), tables.field::<$b>(1));
                        let both = a.as_slice().iter().zip(b.as_slice());
                        both.for_each(|(a, b)| sum += parts::$name(a, b));
                    }
                });
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
                $(self.world.each::<&$part>(|it| sum = sum.wrapping_add(it.bits()));)*
            };
        }
        for_parts!(add);
        sum
    }
}

fn filled(spawned: &Spawned) -> World {
    let world = World::new();
    for at in 0..spawned.entities {
        macro_rules! spawn {
            ($($part:ident),*) => { world.entity_bulk(1)$(.set(&[$part::of(at)]))*.build() };
        }
        for_spawned!(spawned, at, spawn);
    }
    world
}

fn fragmented(fragments: &Fragments) -> World {
    let letters = fragments.letters();
    let world = World::new();
    let entities: Vec<_> = letters.iter().map(|_| world.entity().id()).collect();
    super::lettered(world, &entities, |at, letter| letters[at] >> letter & 1 == 1)
}
