//! The game: ships that shoot at asteroids, which break.

use ecs::{Component, Entity, Name, World};
use serde::{Deserialize, Serialize};

#[derive(Component, Clone, Copy, Serialize, Deserialize)]
#[component(clone, save = "position", track)]
struct Position {
    x: f32,
    y: f32,
}

/// An entity without one rests.
#[derive(Component, Clone, Copy, Serialize, Deserialize)]
#[component(clone, save = "velocity", track)]
struct Velocity {
    x: f32,
    y: f32,
}

#[derive(Component, Clone, Copy, Serialize, Deserialize)]
#[component(clone, save = "asteroid", track)]
struct Asteroid {
    size: u8,
}

#[derive(Component, Clone, Serialize, Deserialize)]
#[component(clone, save = "ship", track)]
struct Ship {
    #[component(entities)]
    aims_at: Option<Entity>,
    hits: u32,
}

/// Returns a world with all components registered.
pub fn empty() -> World {
    let mut world = World::new();
    world.register::<(Position, Velocity, Asteroid, Ship, Name)>();
    world
}

/// Returns all bodies as bytes, in the order of the handles that `there` returns for them and for the targets of
/// ships.
pub fn listing(world: &World, there: impl Fn(Entity) -> Option<Entity>) -> Vec<u8> {
    let mut all: Vec<_> = world
        .view::<(&Position, Option<&Velocity>, Option<&Asteroid>, Option<&Ship>, Option<&Name>)>()
        .into_iter()
        .map(|(entity, position, velocity, asteroid, ship, name)| {
            let ship = ship.map(|ship| Ship { aims_at: ship.aims_at.and_then(&there), ..*ship });
            (there(entity), position, velocity, asteroid, ship, name)
        })
        .collect();
    all.sort_by_key(|(entity, ..)| *entity);
    postcard::to_allocvec(&all).expect("these are plain values")
}

/// Numbers that look random, and are the same each time.
fn draw(seed: u32, below: u32) -> u32 {
    let mixed = seed.wrapping_mul(0x9E37_79B9) ^ 0x5DEE_CE66;
    ((mixed ^ mixed >> 15).wrapping_mul(0x2C1B_3C6D) >> 8) % below
}

fn coordinate(seed: u32) -> f32 {
    f32::from(u16::try_from(draw(seed, 1_000)).expect("it is below 1,000"))
}

/// The world as the game begins. Most asteroids rest.
pub fn begin(asteroids: u32) -> World {
    let mut world = empty();
    for number in 0..asteroids {
        let position = Position { x: coordinate(number), y: coordinate(!number) };
        let mut asteroid = world.spawn((position, Asteroid { size: 3 }));
        if number % 20 == 0 {
            let (x, y) = (coordinate(number + 7) - 500.0, coordinate(number + 9) - 500.0);
            asteroid.insert(Velocity { x: x / 1_000.0, y: y / 1_000.0 });
        }
    }
    for name in ["Argo", "Beagle", "Calypso"] {
        let ship = Ship { aims_at: None, hits: 0 };
        world.spawn_named(name).insert((Position { x: 500.0, y: 500.0 }, ship));
    }
    world
}

/// A tick of the game: bodies move, a ship aims at an asteroid or hits the one that it aims at, and an asteroid that
/// is hit breaks.
pub fn step(world: &mut World, tick: u32) {
    for (_, position, velocity) in world.view_mut::<(&mut Position, &Velocity)>() {
        position.x = (position.x + velocity.x).rem_euclid(1_000.0);
        position.y = (position.y + velocity.y).rem_euclid(1_000.0);
    }
    let asteroids: Vec<Entity> = world.pool::<Asteroid>().keys().to_vec();
    let mut hit = Vec::new();
    for (shooter, ship) in world.view_mut::<&mut Ship>() {
        if let Some(target) = ship.aims_at.take() {
            ship.hits += 1;
            hit.push(target);
        } else if let Ok(count @ 1..) = u32::try_from(asteroids.len()) {
            let chosen = draw(tick ^ shooter.index() << 9, count);
            ship.aims_at = asteroids.get(chosen as usize).copied();
        }
    }
    for (target, seed) in hit.into_iter().zip(tick..) {
        let Ok(asteroid) = world.get_entity(target) else { continue }; // another ship was first
        let (position, size) = (asteroid.get::<Position>(), asteroid.get::<Asteroid>());
        if let (Some(&position), Some(&Asteroid { size: size @ 2.. })) = (position, size) {
            let (x, y) = (coordinate(seed) / 400.0 - 1.0, coordinate(!seed) / 400.0 - 1.0);
            let halves = [Velocity { x, y }, Velocity { x: -x, y: -y }];
            world.spawn_batch(halves.map(|half| (position, half, Asteroid { size: size - 1 })));
        }
        world.despawn(target).expect("it has no veto");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ships_hit_asteroids_and_these_break() {
        let mut world = begin(50);
        (0..40).for_each(|tick| step(&mut world, tick));
        let hits: u32 = world.view::<&Ship>().into_iter().map(|(_, ship)| ship.hits).sum();
        assert_eq!(hits, 3 * 20);
        let sizes: Vec<u8> = world.pool::<Asteroid>().as_slice().iter().map(|it| it.size).collect();
        assert!(sizes.len() > 60 && sizes.contains(&2), "{sizes:?}");
    }

    #[test]
    fn the_game_is_the_same_each_time() {
        let play = || {
            let mut world = begin(100);
            (0..30).for_each(|tick| step(&mut world, tick));
            listing(&world, Some)
        };
        assert_eq!(play(), play());
    }
}
