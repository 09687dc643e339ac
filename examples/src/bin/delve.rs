//! A cave with monsters: a game of turns. The last ten turns can be undone.
//!
//! Monsters and things are prefabs of `data/delve.json`. Relations say which things an entity holds, and which entity a
//! monster hunts. Each turn begins with a snapshot of the program, to which an undo goes back.
//!
//! ```sh
//! cargo run --profile example -p ecs_examples --bin delve
//! ```
//!
//! `w`, `a`, `s` and `d` walk and attack, `q` drinks a potion, `.` waits, and `u` undoes a turn; a line may have several.

use ecs::save::Prefabs;
use ecs::{Component, Entity, Resource, Schedule, Snapshot, With, Without, World};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::error::Error;
use std::io;

/// The number of turns that can be undone.
const BACK: usize = 10;
const CAVE: &str = "\
####################
#@..#.......#...g..#
#...#.b.###.#.####.#
#.!.....#...#.#..#.#
#####.###.#...#.c..#
#.........#####..!.#
####################
";

#[derive(Component, Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[component(clone, save = "place")]
struct Place {
    x: i32,
    y: i32,
}
#[derive(Component, Clone, Serialize, Deserialize)]
#[component(clone, save = "glyph")]
struct Glyph(char);
#[derive(Component, Clone, Serialize, Deserialize)]
#[component(clone, save = "health")]
struct Health {
    now: i32,
    most: i32,
}
/// The harm that an entity does, or a thing adds to it.
#[derive(Component, Clone, Serialize, Deserialize)]
#[component(clone, save = "strength")]
struct Strength(i32);
/// The distance from which a monster sees the hero.
#[derive(Component, Clone, Serialize, Deserialize)]
#[component(clone, save = "sight")]
struct Sight(i32);
#[derive(Component, Clone, Serialize, Deserialize)]
#[component(clone, save = "heals")]
struct Heals(i32);
#[derive(Component, Clone, Serialize, Deserialize)]
#[component(clone, save = "hero")]
struct Hero;
#[derive(Component, Clone, Serialize, Deserialize)]
#[component(relation, clone, save = "held by")]
struct HeldBy(Entity);
#[derive(Component, Clone, Serialize, Deserialize)]
#[component(relation, clone, save = "hunts")]
struct Hunts(Entity);

/// The places where one can stand.
#[derive(Resource, Clone, Serialize, Deserialize)]
#[resource(clone, save = "floor")]
struct Floor(BTreeSet<(i32, i32)>);

/// The action of the hero in this turn.
#[derive(Resource, Clone, Copy, Serialize, Deserialize)]
#[resource(clone, save = "action")]
enum Action {
    Walk(i32, i32),
    Drink,
    Wait,
}

fn hero(world: &World) -> Option<(Entity, Place)> {
    world.view::<(&Place, With<Hero>)>().single().ok().map(|(entity, place)| (entity, *place))
}

/// Walks one step, or attacks the entity that is there.
fn step(world: &mut World, entity: Entity, (x, y): (i32, i32)) {
    let Some(&Place { x: from_x, y: from_y }) = world.get::<Place>(entity) else { return };
    let to = Place { x: from_x + x, y: from_y + y };
    let actors = world.view::<(&Place, With<Health>)>();
    if let Some((other, _)) = actors.iter().find(|(_, place)| **place == to) {
        let holds = world.related::<HeldBy>(entity).chain([entity]);
        let harm: i32 = holds.filter_map(|it| Some(world.get::<Strength>(it)?.0)).sum();
        if world.has::<Hero>(entity) != world.has::<Hero>(other) {
            world.patch::<Health>(other, |health| health.now -= harm);
        }
    } else if world.resource::<Floor>().0.contains(&(to.x, to.y)) {
        world.patch::<Place>(entity, |place| *place = to);
    }
}

fn act(world: &mut World) {
    let Some((hero, _)) = hero(world) else { return };
    match *world.resource::<Action>() {
        Action::Walk(x, y) => step(world, hero, (x, y)),
        Action::Drink => {
            let mut held = world.related::<HeldBy>(hero);
            if let Some(potion) = held.find(|it| world.has::<Heals>(*it)) {
                let Heals(more) = world.take::<Heals>(potion).expect("it has it");
                world.patch::<Health>(hero, |it| it.now = it.most.min(it.now + more));
                world.despawn(potion).expect("it is alive");
            }
        }
        Action::Wait => {}
    }
}

fn pick_up(world: &mut World) {
    let Some((hero, at)) = hero(world) else { return };
    let things = world.view::<(&Place, Without<Health>)>();
    let found = things.iter().filter(|(_, place)| **place == at).map(|(thing, _)| thing);
    for thing in found.collect::<Vec<_>>() {
        world.remove::<Place>(thing);
        world.insert(thing, HeldBy(hero)).expect("both are alive");
    }
}

fn hunt(world: &mut World) {
    let Some((hero, to)) = hero(world) else { return };
    let away = |place: &Place| (to.x - place.x, to.y - place.y);
    let monsters = world.view::<(&Place, &Sight)>();
    let sees = |place, sight: &Sight| away(place).0.abs() + away(place).1.abs() <= sight.0;
    let seeing = monsters.iter().filter(|(_, place, sight)| sees(place, sight));
    for monster in seeing.map(|(monster, ..)| monster).collect::<Vec<_>>() {
        world.insert(monster, Hunts(hero)).expect("both are alive");
    }
    for monster in world.related::<Hunts>(hero).collect::<Vec<_>>() {
        let (x, y) = world.get::<Place>(monster).map_or((0, 0), away);
        let is_level = x.abs() > y.abs();
        step(world, monster, if is_level { (x.signum(), 0) } else { (0, y.signum()) });
    }
}

/// Entities without health end. The things that they held lie in their places then.
fn fall(world: &mut World) {
    let all = world.view::<(&Health, &Place)>();
    let dead = all.iter().filter(|(_, health, _)| health.now <= 0).map(|(it, _, at)| (it, *at));
    for (entity, at) in dead.collect::<Vec<_>>() {
        for thing in world.related::<HeldBy>(entity).collect::<Vec<_>>() {
            world.insert(thing, at).expect("it is alive");
        }
        world.despawn(entity).expect("it is alive");
    }
}

struct Game {
    world: World,
    turn: Schedule,
    /// The program before each of the last turns.
    past: VecDeque<Snapshot>,
}

impl Game {
    fn new(cave: &str) -> Result<Self, Box<dyn Error>> {
        let mut world = World::new();
        world.register::<(Place, Glyph, Health, Strength, Sight, Heals, Hero, HeldBy, Hunts)>();
        let (mut prefabs, text) = (Prefabs::new(), include_str!("../../data/delve.json"));
        prefabs.read(&world, |seed| seed.read(&mut serde_json::Deserializer::from_str(text)))?;
        let glyph = |name: &&str| -> Option<char> {
            let prefab = prefabs.get(name).ok()?;
            Some(prefab.world().get::<Glyph>(prefab.root())?.0)
        };
        let mut floor = BTreeSet::new();
        for (y, line) in (0..).zip(cave.lines()) {
            for (x, letter) in (0..).zip(line.chars()).filter(|(_, letter)| *letter != '#') {
                floor.insert((x, y));
                if let Some(name) = prefabs.names().find(|name| glyph(name) == Some(letter)) {
                    world.spawn_prefab(prefabs.get(name)?)?.insert(Place { x, y });
                }
            }
        }
        world.insert_resource(Floor(floor));
        world.insert_resource(Action::Wait);
        let turn = Schedule::new().add(act).add(fall).add(pick_up).add(hunt).add(fall);
        Ok(Self { world, turn, past: VecDeque::new() })
    }

    /// Plays a turn, or undoes one. Returns `false` if there is none to undo.
    fn play(&mut self, key: char) -> Result<bool, Box<dyn Error>> {
        let action = match key {
            'w' => Action::Walk(0, -1),
            'a' => Action::Walk(-1, 0),
            's' => Action::Walk(0, 1),
            'd' => Action::Walk(1, 0),
            'q' => Action::Drink,
            'u' => {
                let Some(before) = self.past.pop_back() else { return Ok(false) };
                self.turn.restore(&mut self.world, &before)?;
                return Ok(true);
            }
            _ => Action::Wait,
        };
        let is_full = self.past.len() == BACK;
        let mut before = if is_full { self.past.pop_front() } else { None }.unwrap_or_default();
        self.turn.snapshot_into(&mut self.world, &mut before)?;
        self.past.push_back(before);
        self.world.insert_resource(action);
        self.turn.run(&mut self.world)?;
        Ok(true)
    }

    /// Returns the map, and the state of the hero below it.
    fn map(&self, cave: &str) -> String {
        let seen = self.world.view::<(&Place, &Glyph)>();
        let (things, actors): (Vec<_>, Vec<_>) =
            seen.iter().partition(|(entity, ..)| !self.world.has::<Health>(*entity));
        let all = things.into_iter().chain(actors); // actors stand above things
        let shown: BTreeMap<_, _> = all.map(|(_, at, glyph)| ((at.x, at.y), glyph.0)).collect();
        let mut map = String::new();
        for (y, line) in (0..).zip(cave.lines()) {
            let floor = |letter| if letter == '#' { '#' } else { '.' };
            let letters = (0..).zip(line.chars());
            map.extend(letters.map(|(x, it)| *shown.get(&(x, y)).unwrap_or(&floor(it))));
            map.push('\n');
        }
        let state = hero(&self.world).map_or("dead".to_owned(), |(hero, _)| {
            let health = self.world.get::<Health>(hero).map_or(0, |health| health.now);
            let held = self.world.related::<HeldBy>(hero);
            let held: String =
                held.map(|it| self.world.get::<Glyph>(it).map_or(' ', |it| it.0)).collect();
            format!("health {health}, holds \"{held}\"")
        });
        map + &state
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut game = Game::new(CAVE)?;
    println!("{}", game.map(CAVE));
    for line in io::stdin().lines() {
        for key in line?.chars() {
            if !game.play(key)? {
                println!("there is no turn to undo");
            }
        }
        println!("{}", game.map(CAVE));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn play(game: &mut Game, keys: &str) -> Vec<u8> {
        assert!(keys.chars().all(|key| game.play(key).unwrap()));
        game.world.check_invariants();
        game.world.save().to_vec().unwrap()
    }

    #[test]
    fn ten_turns_are_undone_and_played_again_alike() {
        let mut game = Game::new(CAVE).unwrap();
        let mut states = vec![play(&mut game, "")];
        for key in "dssaqddwdsdd".chars() {
            states.push(play(&mut game, &key.to_string()));
        }
        for state in states[2..12].iter().rev() {
            assert!(&play(&mut game, "u") == state);
        }
        assert!(!game.play('u').unwrap(), "two turns are left, and no snapshot");
        assert!(play(&mut game, "saqddwdsdd") == states[12]);
    }

    #[test]
    fn the_hero_takes_what_a_monster_held_and_grows_stronger() {
        let mut game = Game::new("######\n#@c..#\n######\n").unwrap();
        assert_eq!(game.world.view::<&HeldBy>().count(), 1, "the chief has the sword");
        play(&mut game, "dddd");
        assert_eq!(game.map("######\n#@c..#\n######\n").lines().nth(1), Some("#@/..#"));
        play(&mut game, "d");
        let (hero, _) = hero(&game.world).unwrap();
        assert_eq!(game.world.related::<HeldBy>(hero).len(), 1);
        play(&mut game, "uuu");
        assert_eq!(game.world.view::<&HeldBy>().count(), 1);
    }

    #[test]
    fn potions_heal_and_monsters_hunt_and_kill() {
        let cave = "#######\n#@!..c#\n#######\n";
        let mut game = Game::new(cave).unwrap();
        play(&mut game, "d....");
        let map = game.map(cave);
        assert!(map.contains("#.@c..#") && map.contains("holds \"!\""), "{map}");
        let before = map;
        play(&mut game, "q");
        assert_ne!(game.map(cave), before);
        play(&mut game, "........");
        assert!(game.map(cave).ends_with("dead"), "{}", game.map(cave));
        play(&mut game, "uuuuuuuuu");
        assert_eq!(game.map(cave), before);
    }
}
