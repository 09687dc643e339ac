//! The index in worlds: after loops, copies, and by systems.

use ecs::{Component, Entity, Index, IndexKind, Resource, View, World};
use ecs_space::Grid;

#[derive(Component, Clone, Copy, Debug)]
#[component(index(kind = Grid<2>, by = 0), clone)]
struct Flat([f32; 2]);

/// A component whose point is computed.
#[derive(Component, Clone, Copy)]
#[component(index(kind = Grid<3, f64>, by = Solid::point), clone)]
struct Solid {
    x: f64,
    height: f64,
}

impl Solid {
    fn point(&self) -> [f64; 3] {
        [self.x, 0.0, self.height]
    }
}

#[derive(Component)]
struct Health(u32);

#[derive(Resource)]
struct Blast([f32; 2]);

fn row(world: &mut World, count: u16) -> Vec<Entity> {
    world.spawn_batch((0..count).map(|n| Flat([n.into(), 0.0])))
}

#[test]
fn edits_and_loops_are_seen() {
    let mut world = World::new();
    assert!(world.index::<Flat>().nearest([0.0, 0.0], 3).is_empty());
    let entities = row(&mut world, 1_000);
    assert_eq!(world.index::<Flat>().near([500.0, 0.0], 1.0), entities[499..502]);
    world.despawn(entities[500]).unwrap();
    world.remove::<Flat>(entities[499]).unwrap();
    assert_eq!(world.index::<Flat>().near([500.0, 0.0], 1.0), entities[501..502]);
    world.get_mut::<Flat>(entities[3]).unwrap().0 = [500.5, 0.0];
    let found = world.index::<Flat>().near([500.0, 0.0], 1.0);
    assert_eq!(found, [entities[3], entities[501]]);
    world.view_mut::<&mut Flat>().for_each(|(_, at)| at.0[1] += 5.0);
    assert!(world.index::<Flat>().near([500.0, 0.0], 1.0).is_empty());
    assert_eq!(world.index::<Flat>().near([500.0, 5.0], 1.0), found);
    assert_eq!(world.index::<Flat>().len(), 998);
    let all = world.index::<Flat>().inside([f32::MIN; 2]..=[f32::MAX; 2]);
    world.despawn_batch(&all);
    assert!(world.index::<Flat>().is_empty());
    assert!(world.index::<Flat>().nearest([0.0, 0.0], 3).is_empty());
}

#[test]
fn a_copy_answers_alike_whatever_its_history_was() {
    let mut world = World::new();
    let entities = row(&mut world, 300);
    let _ = world.index::<Flat>(); // built, and edited from here on
    for (n, entity) in (0_u16..).zip(&entities) {
        world.get_mut::<Flat>(*entity).unwrap().0 = [n * 7 % 50, n % 4].map(f32::from);
        if n % 20 == 0 {
            let _ = world.index::<Flat>();
        }
    }
    let copy = world.try_clone().unwrap();
    for n in 0..50_u8 {
        let at = [n.into(), 1.5];
        let [ours, copied] = [&world, &copy].map(|world| {
            let flat = world.index::<Flat>();
            (flat.near(at, 3.0), flat.nearest(at, 9), flat.inside([0.0, 1.0]..=at))
        });
        assert_eq!(ours, copied);
    }
}

#[test]
fn systems_ask_for_what_earlier_ones_wrote() {
    fn advance(all: View<&mut Flat>) {
        all.for_each(|(_, at)| at.0[0] += 10.0);
    }
    fn hurt(blast: &Blast, places: Index<Flat>, mut healths: View<&mut Health>) {
        healths.for_each_many(places.near(blast.0, 2.0), |(_, health)| health.0 -= 1);
    }
    let mut world = World::new();
    let entities = world.spawn_batch((0..50_u8).map(|n| (Flat([n.into(), 0.0]), Health(9))));
    world.insert_resource(Blast([10.0, 0.0]));
    world.run(advance);
    world.run(hurt);
    let hurt = entities.iter().filter(|it| world.get::<Health>(**it).unwrap().0 == 8);
    assert!(hurt.eq(&entities[..3]));
}

#[test]
fn a_point_may_be_computed() {
    let mut world = World::new();
    let entities = world.spawn_batch([0.0, 4.0].map(|height| Solid { x: 3.0, height }));
    let solid = world.index::<Solid>();
    assert_eq!(solid.near([0.0; 3], 5.0), entities);
    assert_eq!(solid.near([0.0; 3], 4.9), entities[..1]);
    assert_eq!(format!("{solid:?}"), "Grid(2 points)");
}

#[test]
fn memory_follows_the_points_not_their_distances() {
    let mut world = World::new();
    let count = 10_000_u16;
    world.spawn_batch((0..count).map(|n| {
        let x = if n % 100 == 0 { 1e30 } else { n.into() };
        Flat([x, -x])
    }));
    let _ = world.index::<Flat>();
    let memory = world.index::<Flat>().memory();
    assert!(memory < usize::from(count) * 120, "{memory}");
}
