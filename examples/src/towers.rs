//! A game of towers, which shoot at creeps that walk by: the rules, without a window.
//!
//! It is an [`App`] of two plugins. All happens in fixed steps, so a game depends only on its [`Input`]s: a recording of
//! them is played again, to the last bit. Creeps and towers are prefabs of `data/towers.ron`.
#![expect(clippy::needless_pass_by_value, reason = "systems take their parameters by value")]

use ecs::app::{App, FIXED, Plugin};
use ecs::save::{PrefabError, Prefabs};
use ecs::{
    Commands, Component, Entity, FixedStep, Resource, ScheduleError, SpawnCommands, View, With,
    Without,
};
use serde::{Deserialize, Serialize};
use std::error::Error;
use std::time::Duration;

/// The corners of the way of the creeps.
pub const WAY: [(f32, f32); 6] =
    [(-1.0, 2.5), (4.5, 2.5), (4.5, 6.5), (9.5, 6.5), (9.5, 2.5), (17.0, 2.5)];
/// The number of steps between two waves, and between two creeps of one.
const BETWEEN: [u32; 2] = [350, 25];
/// The length of the way of a shot in a step.
const SPEED: f32 = 0.3;

/// The place of a creep, a tower or a shot, from the left and from the top.
#[derive(Component, Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[component(clone, save = "place")]
#[expect(missing_docs, reason = "the fields are coordinates")]
pub struct Place {
    pub x: f32,
    pub y: f32,
}

impl Place {
    fn distance(self, to: Self) -> f32 {
        (self.x - to.x).hypot(self.y - to.y)
    }

    /// Returns the place that is nearer to another one by this length, or the other one.
    fn towards(self, to: Self, length: f32) -> Self {
        if self.distance(to) <= length {
            return to;
        }
        let part = length / self.distance(to);
        Self { x: self.x + (to.x - self.x) * part, y: self.y + (to.y - self.y) * part }
    }
}

/// A creep, which walks along the [`WAY`].
#[derive(Component, Clone, Serialize, Deserialize)]
#[component(clone, save = "creep")]
pub struct Creep {
    speed: f32,
    bounty: u32,
    /// It falls at 0.
    pub health: i32,
    /// Its health at first.
    pub most: i32,
    /// The next corner.
    #[serde(default)]
    corner: usize,
    #[serde(default)]
    walked: f32,
}

/// A tower, which shoots at the creep in its range that came furthest.
#[derive(Component, Clone, Serialize, Deserialize)]
#[component(clone, save = "tower")]
pub struct Tower {
    price: u32,
    /// The greatest distance of its targets.
    pub range: f32,
    /// The number of steps between two shots.
    pause: u32,
    damage: i32,
    #[serde(default)]
    loading: u32,
}

/// A shot on its way to its target: it ends when the target does.
#[derive(Component, Clone, Serialize, Deserialize)]
#[component(relation, at_end = despawn, clone, save = "shot")]
pub struct Shot {
    #[component(target)]
    at: Entity,
    damage: i32,
}

/// The state of the player and of the waves.
#[derive(Resource, Clone, Serialize, Deserialize)]
#[resource(clone, save = "game")]
pub struct Game {
    /// Gold, for towers.
    pub gold: u32,
    /// The number of creeps that may still pass.
    pub lives: u32,
    /// The number of the wave.
    pub wave: u32,
    /// The number of creeps of the wave that are still to come.
    pub left: u32,
    /// The number of steps until the next creep comes.
    wait: u32,
    orders: Vec<Build>,
}

/// An order to build a tower.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Build {
    /// The name of its prefab.
    pub tower: String,
    /// Its place.
    pub at: Place,
}

/// The input of a frame.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Input {
    /// The time since the last frame.
    pub elapsed: Duration,
    /// The towers to build.
    pub orders: Vec<Build>,
}

fn build(
    game: &mut Game,
    prefabs: &Prefabs,
    towers: View<(&Place, With<Tower>)>,
    mut commands: SpawnCommands,
) -> Result<(), PrefabError> {
    for Build { tower, at } in std::mem::take(&mut game.orders) {
        let prefab = prefabs.get(&tower)?;
        let price = prefab.world().get::<Tower>(prefab.root()).map_or(0, |tower| tower.price);
        if price <= game.gold && towers.iter().all(|(_, place)| place.distance(at) >= 1.0) {
            game.gold -= price;
            let tower = commands.spawn_prefab(prefab);
            commands.insert(tower, at);
        }
    }
    Ok(())
}

fn send_creeps(
    game: &mut Game,
    prefabs: &Prefabs,
    mut commands: SpawnCommands,
) -> Result<(), PrefabError> {
    game.wait -= 1;
    if game.wait == 0 {
        if game.left == 0 {
            game.wave += 1;
            game.left = 1 + 2 * game.wave;
        }
        game.left -= 1;
        let name = match (game.wave % 3, game.left) {
            (0, 0) => "giant",
            (2, _) => "runner",
            _ => "creep",
        };
        commands.spawn_prefab(prefabs.get(name)?);
        game.wait = BETWEEN[usize::from(game.left > 0)];
    }
    Ok(())
}

fn walk(creeps: View<(&mut Creep, &mut Place)>, game: &mut Game, commands: &mut Commands) {
    for (entity, creep, place) in creeps {
        let (x, y) = WAY[creep.corner];
        *place = place.towards(Place { x, y }, creep.speed);
        creep.walked += creep.speed;
        creep.corner += usize::from(*place == Place { x, y });
        if creep.corner == WAY.len() {
            commands.despawn(entity);
            game.lives = game.lives.saturating_sub(1);
        }
    }
}

fn aim(
    towers: View<(&mut Tower, &Place)>,
    creeps: View<(&Creep, &Place)>,
    mut commands: SpawnCommands,
) {
    for (_, tower, place) in towers {
        tower.loading = tower.loading.saturating_sub(1);
        let near = creeps.iter().filter(|(_, _, at)| at.distance(*place) <= tower.range);
        let first = near.max_by(|(_, a, _), (_, b, _)| a.walked.total_cmp(&b.walked));
        if tower.loading == 0
            && let Some((at, ..)) = first
        {
            tower.loading = tower.pause;
            commands.spawn((Shot { at, damage: tower.damage }, *place));
        }
    }
}

fn fly(
    shots: View<(&Shot, &mut Place, Without<Creep>)>,
    mut creeps: View<(&Place, &mut Creep)>,
    commands: &mut Commands,
) {
    for (entity, shot, place) in shots {
        let Some((_, at, creep)) = creeps.get_mut(shot.at) else { continue };
        *place = place.towards(*at, SPEED);
        if place == at {
            creep.health -= shot.damage;
            commands.despawn(entity);
        }
    }
}

fn fall(creeps: View<&Creep>, game: &mut Game, commands: &mut Commands) {
    for (entity, creep) in creeps.iter().filter(|(_, creep)| creep.health <= 0) {
        game.gold += creep.bounty;
        commands.despawn(entity);
    }
}

/// Creeps come in waves, and walk.
struct Creeps;

impl Plugin for Creeps {
    fn install(self, app: &mut App) {
        app.world.register::<(Place, Creep)>();
        app.add_systems(FIXED, "creeps", |list| list.add(send_creeps).add(walk).add(fall));
    }
}

/// Towers are built, and shoot.
struct Towers;

impl Plugin for Towers {
    fn install(self, app: &mut App) {
        app.world.register::<(Place, Tower, Shot)>();
        app.add_systems(FIXED, "towers", |list| list.add(build).sync().add(aim).sync().add(fly));
        app.order(FIXED, "towers", "creeps");
    }
}

/// Returns a new game.
///
/// # Errors
/// Returns an error if the prefabs cannot be read.
pub fn begin() -> Result<App, Box<dyn Error>> {
    let mut app = App::new();
    app.fixed_step = FixedStep::new(Duration::from_millis(20));
    app.install(Creeps).install(Towers);
    let (mut prefabs, text) = (Prefabs::new(), include_str!("../data/towers.ron"));
    prefabs.read(&app.world, |seed| ron::Options::default().from_str_seed(text, seed))?;
    app.world.insert_resource(prefabs);
    app.world.insert_resource(Game {
        gold: 100,
        lives: 10,
        wave: 0,
        left: 0,
        wait: 100,
        orders: Vec::new(),
    });
    Ok(app)
}

/// Plays a frame.
///
/// # Errors
/// Returns an error if an order names no tower.
pub fn play(app: &mut App, input: &Input) -> Result<(), ScheduleError> {
    app.world.resource_mut::<Game>().orders.extend_from_slice(&input.orders);
    app.frame(input.elapsed)
}
