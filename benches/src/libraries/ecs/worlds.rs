//! Worlds as programs have them: frames, entities that are spawned in order, and entities of many kinds.

use super::grouped::{moving, with};
use super::loops::{move_by_fold, move_by_for};
use super::{Prepare, lettered, moved};
use crate::components::frame::{
    Ai, Burning, Damage, Health, Hitbox, Item, Life, Place, Speed, Sprite,
};
use crate::components::{Position, Rotation, Telling, Velocity, letters};
use crate::frames::parts::{self, Part, for_kind, for_loops, for_parts};
use crate::frames::{Stage, add_frames};
use crate::library::Library;
use crate::scene::{self, Fragments, Spawned, for_pairs, for_spawned};
use ecs::{Entity, Group, World};

/// Keeps a world in order, between edits and loops. Nothing is needed.
#[inline]
pub fn upkeep(_: &mut World) {}

pub fn worlds(ecs: &mut Library, by_for: &mut Library) {
    add_frames(ecs, || Ours { world: World::new(), upkeep, loops: loops_by_fold });
    add_frames(by_for, || Ours { world: World::new(), upkeep, loops: loops_by_for });
    for spawned in scene::SPAWNED.into_iter().flatten() {
        let name = spawned.workload.name;
        let ways: [fn(&mut World); 2] =
            if spawned.turns { [turn_by_fold, turn_by_for] } else { [move_by_fold, move_by_for] };
        for (library, run) in [&mut *ecs, &mut *by_for].into_iter().zip(ways) {
            let make = move || filled(World::new(), &spawned);
            library.add_checked(name, make, move |world| kept(world, run), |world| moved(world));
        }
    }
    for fragments in scene::FRAGMENTS {
        let name = fragments.workload.name;
        let make = move || fragmented(&fragments);
        let check = |world: &mut World| hash_of_letters(world);
        ecs.add_checked(name, make, |world| kept(world, blend_by_fold), check);
        by_for.add_checked(name, make, |world| kept(world, blend_by_for), check);
    }
}

/// Frames have the fastest groups that were tried: most loops read `Place`, which only nested groups can own.
pub fn grouped(grouped: &mut Library) {
    add_frames(grouped, || {
        let world = with(World::new(), Group::owning::<(Place, Sprite)>());
        let world = with(world, Group::owning::<(Speed, Ai)>());
        Ours { world, upkeep, loops: loops_by_fold }
    });
    for spawned in scene::SPAWNED.into_iter().flatten() {
        let (declare, run): (Prepare, fn(&mut World)) =
            if spawned.turns { (turning, turn_by_fold) } else { (moving, move_by_fold) };
        grouped.add_checked(
            spawned.workload.name,
            move || filled(declare(World::new()), &spawned),
            move |world| kept(world, run),
            |world| moved(world),
        );
    }
}

fn turning(world: World) -> World {
    with(world, Group::owning::<(Velocity, Rotation)>())
}

/// The loop, after the upkeep.
fn kept(world: &mut World, run: fn(&mut World)) {
    upkeep(world);
    run(world);
}

struct Ours {
    world: World,
    upkeep: fn(&mut World),
    loops: fn(&mut World) -> f64,
}

impl Stage for Ours {
    type Entity = Entity;

    fn spawn(&mut self, kind: usize, number: u32) -> Entity {
        macro_rules! spawn {
            ($($part:ident),*) => { self.world.spawn(($($part::of(number),)*)).id() };
        }
        for_kind!(kind, spawn)
    }

    fn despawn(&mut self, entity: Entity) {
        self.world.despawn(entity).expect("it is alive");
    }

    fn ignite(&mut self, entities: &[Entity]) {
        for &entity in entities {
            self.world.insert(entity, Burning::of(0)).expect("it is alive");
        }
    }

    fn extinguish(&mut self, entities: &[Entity]) {
        for &entity in entities {
            self.world.remove::<Burning>(entity);
        }
    }

    fn upkeep(&mut self) {
        (self.upkeep)(&mut self.world);
    }

    fn run_loops(&mut self) -> f64 {
        (self.loops)(&mut self.world)
    }

    fn check(&mut self) -> u64 {
        let mut sum = 0_u64;
        macro_rules! add {
            ($($part:ident)*) => {
                $(self.world.view::<$part>().for_each(|(_, it)| sum = sum.wrapping_add(it.bits()));)*
            };
        }
        for_parts!(add);
        sum
    }
}

fn loops_by_fold(world: &mut World) -> f64 {
    let mut total = 0.0;
    macro_rules! run {
        ($($way:ident $name:ident $a:ident $b:ident;)*) => { $(run!(@$way $name $a $b);)* };
        (@write $name:ident $a:ident $b:ident) => {
            world.view_mut::<(&mut $a, &$b)>().for_each(|(_, a, b)| parts::$name(a, b));
        };
        (@read $name:ident $a:ident $b:ident) => {
            let mut sum = 0.0;
            world.view_mut::<(&$a, &$b)>().for_each(|(_, a, b)| sum += parts::$name(a, b));
            total += f64::from(sum);
        };
    }
    for_loops!(run);
    total
}

fn loops_by_for(world: &mut World) -> f64 {
    let mut total = 0.0;
    macro_rules! run {
        ($($way:ident $name:ident $a:ident $b:ident;)*) => { $(run!(@$way $name $a $b);)* };
        (@write $name:ident $a:ident $b:ident) => {
            for (_, a, b) in world.view_mut::<(&mut $a, &$b)>() {
                parts::$name(a, b);
            }
        };
        (@read $name:ident $a:ident $b:ident) => {
            let mut sum = 0.0;
            for (_, a, b) in world.view_mut::<(&$a, &$b)>() {
                sum += parts::$name(a, b);
            }
            total += f64::from(sum);
        };
    }
    for_loops!(run);
    total
}

fn filled(mut world: World, spawned: &Spawned) -> World {
    for at in 0..spawned.entities {
        macro_rules! spawn {
            ($($part:ident),*) => { world.spawn(($($part::of(at),)*)) };
        }
        for_spawned!(spawned, at, spawn);
    }
    world
}

fn turn_by_fold(world: &mut World) {
    let view = world.view_mut::<(&mut Velocity, &Rotation)>();
    view.for_each(|(_, velocity, rotation)| velocity.0 += rotation.0);
}

fn turn_by_for(world: &mut World) {
    for (_, velocity, rotation) in world.view_mut::<(&mut Velocity, &Rotation)>() {
        velocity.0 += rotation.0;
    }
}

fn fragmented(fragments: &Fragments) -> World {
    let letters = fragments.letters();
    let mut world = World::new();
    let entities: Vec<_> = letters.iter().map(|_| world.spawn_empty().id()).collect();
    lettered(world, &entities, |at, letter| letters[at] >> letter & 1 == 1)
}

fn blend_by_fold(world: &mut World) {
    macro_rules! run {
        ($($name:ident $a:ident $b:ident,)*) => {$(
            world.view_mut::<(&mut letters::$a, &letters::$b)>()
                .for_each(|(_, a, b)| scene::blend(&mut a.0, b.0));
        )*};
    }
    for_pairs!(run);
}

fn blend_by_for(world: &mut World) {
    macro_rules! run {
        ($($name:ident $a:ident $b:ident,)*) => {$(
            for (_, a, b) in world.view_mut::<(&mut letters::$a, &letters::$b)>() {
                scene::blend(&mut a.0, b.0);
            }
        )*};
    }
    for_pairs!(run);
}

fn hash_of_letters(world: &World) -> u64 {
    let mut sum = 0_u64;
    macro_rules! add {
        ($($name:ident $a:ident $b:ident,)*) => {$(
            world.view::<letters::$a>()
                .for_each(|(_, a)| sum = sum.wrapping_add(a.0.to_bits().into()));
        )*};
    }
    for_pairs!(add);
    sum
}
