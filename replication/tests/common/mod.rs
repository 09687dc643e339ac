//! A game, and a check that clients have the right part of it.

use ecs::{ChildOf, Component, Entity, Name, Res, Resource, World};
use ecs_replication::{Client, Transport};
use serde::{Deserialize, Serialize};

#[derive(Component, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[component(save = "position", track)]
pub struct Position(pub i32, pub i32);
#[derive(Component, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[component(save = "aim", track)]
pub struct Aim(#[component(entities)] pub Vec<Entity>);
/// Belongs to one team; others do not see it.
#[derive(Component, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[component(save = "secret", track)]
pub struct Secret;
#[derive(Resource, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[resource(save = "round")]
pub struct Round(pub u32);

pub fn empty() -> World {
    let mut world = World::new();
    world.register::<(Position, Aim, Secret, Name, ChildOf, Res<Round>)>();
    world
}

/// Steele, Lea and Flood's `SplitMix64` ("Fast splittable pseudorandom number generators", 2014).
pub struct Random(pub u64);

impl Random {
    pub fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        usize::try_from((z ^ (z >> 31)) % limit as u64).unwrap()
    }
}

/// A frame of the game.
pub fn step(world: &mut World, random: &mut Random) {
    for (_, position) in world.view_mut::<&mut Position>() {
        if position.1 % 3 == 0 {
            position.0 += 1;
        }
    }
    let all: Vec<Entity> = world.entities().collect();
    if all.len() < 20 {
        world.spawn_batch((0..40).map(|it| Position(it, it)));
        return;
    }
    let [one, other] = [(); 2].map(|()| all[random.below(all.len())]);
    match random.below(12) {
        0 => drop(world.spawn((Position(0, 0), Secret, ChildOf(one))).id()),
        1 | 2 => drop(world.spawn((Position(1, 1), ChildOf(one), Aim(vec![other, one]))).id()),
        3 => _ = world.despawn(one),
        4 => _ = world.attach(one, other),
        5 => _ = world.move_related::<ChildOf>(one, random.below(3)),
        6 => drop(world.remove::<Aim>(one)),
        7 => world.insert(one, Aim(vec![other])).unwrap(),
        8 => drop(world.remove::<Secret>(one)),
        9 => world.insert(one, Secret).unwrap(),
        10 => drop(world.insert_resource(Round(u32::try_from(random.below(99)).unwrap()))),
        _ => {
            // A name of many pieces.
            let name = ["a", "b", "c"][random.below(3)].repeat(random.below(4_000));
            world.insert(one, Name::new(name)).unwrap();
        }
    }
}

/// Checks that a world has exactly the server's components of the entities that its client may see, and
/// nothing else.
#[track_caller]
pub fn assert_follows<T: Transport>(
    server: &World,
    client: &Client<T>,
    world: &World,
    is_visible: impl Fn(Entity) -> bool,
) {
    world.check_invariants();
    let here = |there: Entity| client.follower().get(there).expect("it is known");
    let of_both = |there: Entity| {
        assert_eq!(server.get::<Position>(there), world.get::<Position>(here(there)));
        assert_eq!(server.has::<Secret>(there), world.has::<Secret>(here(there)));
        assert_eq!(server.name(there), world.name(here(there)));
        assert_eq!(server.parent(there).map(here), world.parent(here(there)));
        let aims = server.get::<Aim>(there).map_or(&[][..], |aim| &aim.0);
        let aims_here = world.get::<Aim>(here(there)).map_or(&[][..], |aim| &aim.0);
        assert_eq!(aims.len(), aims_here.len());
        for (there, it) in aims.iter().zip(aims_here) {
            assert!(if server.is_alive(*there) {
                *it == here(*there)
            } else {
                !world.is_alive(*it)
            });
        }
    };
    let has_any = |it: &Entity| {
        server.has::<Position>(*it)
            || server.has::<Aim>(*it)
            || server.has::<Secret>(*it)
            || server.has::<Name>(*it)
            || server.has::<ChildOf>(*it)
    };
    server.entities().filter(|it| has_any(it) && is_visible(*it)).for_each(of_both);
    for parent in server.entities().filter(|it| server.children(*it).any(&is_visible)) {
        let there = server.children(parent).filter(|it| is_visible(*it)).map(here);
        assert!(world.children(here(parent)).eq(there));
    }
    let seen = server.pool::<Position>().keys().iter().filter(|it| is_visible(**it)).count();
    assert_eq!(world.pool::<Position>().len(), seen);
    assert_eq!(world.get_resource::<Round>(), server.get_resource::<Round>());
}
