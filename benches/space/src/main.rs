//! A frame with 100,000 points and 10,000 questions, by `ecs_space`, and by other libraries as their users use them.
//! Prints the table in `benches/results/space.md`.
//!
//! ```sh
//! cargo run --release --manifest-path benches/space/Cargo.toml
//! ```
//!
//! A frame moves points, brings the index up to date, and asks. The points of `rstar` and `kiddo` are in a `Vec`, so they
//! pay for no world. Their trees are built anew in each frame, because inserting and removing each point takes longer.
//! `bevy_spatial` does this itself, by a timer that is set to each frame. All must find equally many.
//!
//! Times are processor times of all threads, so other programs are left out. `bevy_spatial` divides the building of its
//! tree between threads, so on a machine with idle cores its upkeep takes less of a frame than the table shows.

use bevy::app::App;
use bevy::prelude::{
    IntoScheduleConfigs, MinimalPlugins, PluginGroup, Query, Transform, Update, Vec2, Vec3,
};
use bevy_spatial::kdtree::{KDTree2, KDTree3};
use bevy_spatial::{AutomaticUpdate, SpatialAccess, SpatialSet, SpatialStructure};
use cpu_time::ProcessTime;
use ecs_space::Grid;
use kiddo::{ImmutableKdTree, SquaredEuclidean};
use rstar::primitives::GeomWithData;
use rstar::{AABB, RTree};
use std::hint::black_box;
use std::num::NonZero;
use std::time::Duration;

const POINTS: usize = 100_000;
const QUESTIONS: usize = 10_000;
const NEAREST: usize = 8;

/// Both libraries' derives have attributes of one name.
mod ours {
    use ecs::Component;
    use ecs_space::Grid;

    #[derive(Component, Clone, Copy)]
    #[component(index(kind = Grid<2>, by = 0))]
    pub struct Place2(pub [f32; 2]);
    #[derive(Component, Clone, Copy)]
    #[component(index(kind = Grid<3>, by = 0))]
    pub struct Place3(pub [f32; 3]);
    #[derive(Component, Clone, Copy)]
    pub struct Velocity2(pub [f32; 2]);
    #[derive(Component, Clone, Copy)]
    pub struct Velocity3(pub [f32; 3]);
}

mod theirs {
    use bevy::prelude::Component;

    #[derive(Component, Default)]
    pub struct Tracked;
    #[derive(Component)]
    pub struct Velocity<const D: usize>(pub [f32; D]);
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Question {
    Near,
    Nearest,
    Inside,
}

/// The points of a scene, their motion, and the radius of its questions.
#[derive(Clone)]
struct Scene<const D: usize> {
    points: Vec<[f32; D]>,
    velocities: Vec<[f32; D]>,
    side: f32,
    radius: f32,
}

struct Random(u64);

impl Random {
    fn unit(&mut self) -> f32 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (self.0 >> 40) as f32 / (1_u64 << 24) as f32
    }
}

impl<const D: usize> Scene<D> {
    /// `moving` is the share of the points that move.
    fn new(is_clustered: bool, moving: f32, side: f32, radius: f32) -> Self {
        let mut random = Random(7);
        let centres: Vec<[f32; D]> = (0..100)
            .map(|_| std::array::from_fn(|_| (0.05 + 0.9 * random.unit()) * side))
            .collect();
        let points = (0..POINTS).map(|n| {
            std::array::from_fn(|axis| {
                if is_clustered {
                    let offset = (0..4).map(|_| random.unit() - 0.5).sum::<f32>();
                    centres[n % centres.len()][axis] + offset * side / 100.0
                } else {
                    random.unit() * side
                }
            })
        });
        let points = points.collect();
        let velocities = (0..POINTS)
            .map(|_| {
                let is_moving = random.unit() < moving;
                std::array::from_fn(|_| {
                    if is_moving { (random.unit() - 0.5) * side / 5_000.0 } else { 0.0 }
                })
            })
            .collect();
        Self { points, velocities, side, radius }
    }

    fn advance(&mut self) {
        let side = self.side;
        for (point, velocity) in self.points.iter_mut().zip(&mut self.velocities) {
            step(point, velocity, side);
        }
    }
}

fn step<const D: usize>(point: &mut [f32; D], velocity: &mut [f32; D], side: f32) {
    for axis in 0..D {
        point[axis] += velocity[axis];
        if point[axis] < 0.0 || point[axis] > side {
            velocity[axis] = -velocity[axis];
        }
    }
}

/// The time until the index was up to date, the time of the questions, and the number of entities that were found.
type Frame = (Duration, Duration, usize);

fn timed(start: ProcessTime, upkeep: Duration, found: usize) -> Frame {
    (upkeep, start.elapsed() - upkeep, black_box(found))
}

trait Library<const D: usize> {
    fn frame(&mut self, at: &[[f32; D]], question: Question) -> Option<Frame>;
}

struct Ours {
    world: ecs::World,
    side: f32,
    radius: f32,
}

macro_rules! ours {
    ($d:literal $place:ident $velocity:ident) => {
        impl Library<$d> for Ours {
            fn frame(&mut self, at: &[[f32; $d]], question: Question) -> Option<Frame> {
                use ours::{$place, $velocity};
                let start = ProcessTime::now();
                let (side, radius) = (self.side, self.radius);
                self.world.view_mut::<(&mut $place, &mut $velocity)>().for_each(
                    |(_, place, velocity)| {
                        step(&mut place.0, &mut velocity.0, side);
                    },
                );
                let grid: &Grid<$d> = self.world.index::<$place>();
                let upkeep = start.elapsed();
                let found = match question {
                    Question::Near => at.iter().map(|it| grid.near(*it, radius).len()).sum(),
                    Question::Nearest => at.iter().map(|it| grid.nearest(*it, NEAREST).len()).sum(),
                    Question::Inside => at
                        .iter()
                        .map(|it| {
                            grid.inside(it.map(|x| x - radius)..=it.map(|x| x + radius)).len()
                        })
                        .sum(),
                };
                Some(timed(start, upkeep, found))
            }
        }
    };
}
ours! { 2 Place2 Velocity2 }
ours! { 3 Place3 Velocity3 }

struct Rstar<const D: usize>(Scene<D>);

impl<const D: usize> Library<D> for Rstar<D> {
    fn frame(&mut self, at: &[[f32; D]], question: Question) -> Option<Frame> {
        let start = ProcessTime::now();
        self.0.advance();
        let radius = self.0.radius;
        let points =
            self.0.points.iter().enumerate().map(|(n, point)| GeomWithData::new(*point, n as u32));
        let tree: RTree<GeomWithData<[f32; D], u32>> = RTree::bulk_load(points.collect());
        let upkeep = start.elapsed();
        let collect = |it: Vec<u32>| it.len();
        let found = match question {
            Question::Near => at
                .iter()
                .map(|it| {
                    collect(
                        tree.locate_within_distance(*it, radius * radius)
                            .map(|it| it.data)
                            .collect(),
                    )
                })
                .sum(),
            Question::Nearest => at
                .iter()
                .map(|it| {
                    collect(
                        tree.nearest_neighbor_iter(*it).take(NEAREST).map(|it| it.data).collect(),
                    )
                })
                .sum(),
            Question::Inside => at
                .iter()
                .map(|it| {
                    let area = AABB::from_corners(it.map(|x| x - radius), it.map(|x| x + radius));
                    collect(tree.locate_in_envelope(area).map(|it| it.data).collect())
                })
                .sum(),
        };
        Some(timed(start, upkeep, found))
    }
}

struct Kiddo<const D: usize>(Scene<D>);

impl<const D: usize> Library<D> for Kiddo<D> {
    fn frame(&mut self, at: &[[f32; D]], question: Question) -> Option<Frame> {
        let start = ProcessTime::now();
        self.0.advance();
        let radius = self.0.radius;
        let tree = ImmutableKdTree::<f32, D>::new_from_slice(&self.0.points).unwrap();
        let upkeep = start.elapsed();
        let found = match question {
            Question::Near => at
                .iter()
                .map(|it| {
                    tree.query(it)
                        .within::<SquaredEuclidean<f32>>(radius * radius)
                        .unsorted()
                        .execute()
                        .len()
                })
                .sum(),
            Question::Nearest => {
                let count = NonZero::new(NEAREST).unwrap();
                at.iter()
                    .map(|it| {
                        tree.query(it).nearest_n::<SquaredEuclidean<f32>>(count).execute().len()
                    })
                    .sum()
            }
            Question::Inside => return None,
        };
        Some(timed(start, upkeep, found))
    }
}

struct BevySpatial {
    app: App,
    radius: f32,
}

macro_rules! bevy {
    ($d:literal $tree:ident $vec:ident $into:expr) => {
        impl Library<$d> for BevySpatial {
            fn frame(&mut self, at: &[[f32; $d]], question: Question) -> Option<Frame> {
                let start = ProcessTime::now();
                self.app.update();
                let upkeep = start.elapsed();
                let tree = self.app.world().resource::<$tree<theirs::Tracked>>();
                let at = at.iter().map(|it| $vec::from_array(*it));
                let found = match question {
                    Question::Near => {
                        at.map(|it| tree.within_distance(it, self.radius).len()).sum()
                    }
                    Question::Nearest => {
                        at.map(|it| tree.k_nearest_neighbour(it, NEAREST).len()).sum()
                    }
                    Question::Inside => return None,
                };
                Some(timed(start, upkeep, found))
            }
        }

        impl Scene<$d> {
            fn bevy_spatial(&self) -> BevySpatial {
                let mut app = App::new();
                app.add_plugins(MinimalPlugins.build());
                app.add_plugins(
                    AutomaticUpdate::<theirs::Tracked>::new()
                        .with_spatial_ds(SpatialStructure::$tree)
                        .with_frequency(Duration::from_nanos(1)),
                );
                let side = self.side;
                let advance = move |mut all: Query<(&mut Transform, &mut theirs::Velocity<$d>)>| {
                    for (mut transform, mut velocity) in &mut all {
                        let mut point: [f32; $d] =
                            std::array::from_fn(|axis| transform.translation[axis]);
                        step(&mut point, &mut velocity.0, side);
                        transform.translation = $into(point);
                    }
                };
                app.add_systems(Update, advance.before(SpatialSet));
                let all = self.points.iter().zip(&self.velocities).map(|(point, velocity)| {
                    (
                        Transform::from_translation($into(*point)),
                        theirs::Velocity(*velocity),
                        theirs::Tracked,
                    )
                });
                app.world_mut().spawn_batch(all.collect::<Vec<_>>());
                app.finish();
                app.cleanup();
                BevySpatial { app, radius: self.radius }
            }
        }
    };
}
bevy! { 2 KDTree2 Vec2 |[x, y]: [f32; 2]| Vec3::new(x, y, 0.0) }
bevy! { 3 KDTree3 Vec3 |at: [f32; 3]| Vec3::from_array(at) }

fn median(mut times: Vec<Duration>) -> f64 {
    times.sort();
    times.get(times.len() / 2).map_or(0.0, |it| it.as_secs_f64() * 1e3)
}

/// Prints the rows of a scene. Each round visits each library once.
fn rows<const D: usize>(
    name: &str,
    mut scene: Scene<D>,
    mut libraries: Vec<Box<dyn Library<D>>>,
    rounds: usize,
) {
    for question in [Question::Near, Question::Nearest, Question::Inside] {
        let mut times = vec![Vec::new(); libraries.len()];
        for round in 0..=rounds {
            scene.advance();
            let at: Vec<_> = scene.points.iter().step_by(POINTS / QUESTIONS).copied().collect();
            let mut expected = None;
            for (library, times) in libraries.iter_mut().zip(&mut times) {
                let Some((upkeep, questions, found)) = library.frame(&at, question) else {
                    continue;
                };
                // bevy measures no time before its first frame, and builds no tree.
                if round > 0 {
                    let expected = *expected.get_or_insert(found);
                    // Sums of squares are rounded in another order, so a point on a border may differ.
                    assert!(
                        found.abs_diff(expected) < 10,
                        "{name} {question:?}: {found}, {expected}"
                    );
                    times.push((upkeep, questions));
                }
            }
        }
        let total = |it: &(Duration, Duration)| it.0 + it.1;
        let cells: Vec<String> = times
            .iter()
            .map(|own| {
                if own.is_empty() {
                    return "–".into();
                }
                let upkeep = median(own.iter().map(|it| it.0).collect());
                let questions = median(own.iter().map(|it| it.1).collect());
                // Within each round, as the machine may have other work in some.
                let quotients = own.iter().zip(&times[0]);
                let mut quotients: Vec<f64> =
                    quotients.map(|(own, ours)| total(own).div_duration_f64(total(ours))).collect();
                quotients.sort_by(f64::total_cmp);
                let all = median(own.iter().map(total).collect());
                let quotient = quotients[quotients.len() / 2];
                format!("{all:.1} ({upkeep:.1} + {questions:.1}), {quotient:.2}")
            })
            .collect();
        println!("| {name}, {} | {} |", format!("{question:?}").to_lowercase(), cells.join(" | "));
    }
}

macro_rules! scenes {
    ($d:literal $place:ident $velocity:ident, $scene:expr) => {{
        let scene: Scene<$d> = $scene;
        let mut world = ecs::World::new();
        let all = scene.points.iter().zip(&scene.velocities);
        world.spawn_batch(
            all.map(|(point, velocity)| (ours::$place(*point), ours::$velocity(*velocity)))
                .collect::<Vec<_>>(),
        );
        let ours = Ours { world, side: scene.side, radius: scene.radius };
        let libraries: Vec<Box<dyn Library<$d>>> = vec![
            Box::new(ours),
            Box::new(Rstar(scene.clone())),
            Box::new(Kiddo(scene.clone())),
            Box::new(scene.bevy_spatial()),
        ];
        (scene, libraries)
    }};
}

fn main() {
    let rounds = std::env::args().nth(1).map_or(15, |it| it.parse().expect("a number of rounds"));
    println!(
        "Each cell: ms of processor time a frame (upkeep + questions), and the multiple of `ecs_space`'s. Medians of {rounds} rounds, each of"
    );
    println!("which visits each library once.\n");
    println!("| scene | ecs_space | rstar | kiddo | bevy_spatial |");
    println!("|---|---|---|---|---|");
    // The radii are those at which a question finds about a dozen.
    for (name, is_clustered, moving, radius) in [
        ("even", false, 1.0, [5.64, 2.88]),
        ("clusters", true, 1.0, [1.41, 0.32]),
        ("even, 1% move", false, 0.01, [5.64, 2.88]),
    ] {
        let (scene, libraries) =
            scenes!(2 Place2 Velocity2, Scene::new(is_clustered, moving, 1_000.0, radius[0]));
        rows(&format!("2D, {name}"), scene, libraries, rounds);
        let (scene, libraries) =
            scenes!(3 Place3 Velocity3, Scene::new(is_clustered, moving, 100.0, radius[1]));
        rows(&format!("3D, {name}"), scene, libraries, rounds);
    }
}
