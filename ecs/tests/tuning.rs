//! Worlds that choose their groups: what they count, advise and do.

use ecs::layout::Layout;
use ecs::{Component, Entity, PlanKind, World};

#[derive(Component, Clone, Copy, Debug, PartialEq)]
#[component(clone)]
struct A(u32);
#[derive(Component, Clone, Copy, Debug, PartialEq)]
#[component(clone)]
struct B(u32);
#[derive(Component, Clone, Copy, Debug, PartialEq)]
#[component(clone)]
struct C(u32);
#[derive(Component, Clone, Copy, Debug, PartialEq)]
#[component(clone)]
struct D(u32);

/// Numbers that look random and are the same in every run: Marsaglia's xorshift (2003).
struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 16) as usize % end
    }
}

/// A world of so many entities, of which one in `every` has each component, in random order.
fn scattered(count: usize, every: usize) -> (World, Vec<Entity>) {
    let mut random = Random(42);
    let mut world = World::new();
    let entities = world.spawn_batch((0..count).map(|_| ()));
    let mut order = entities.clone();
    for component in 0..4 {
        for at in (1..order.len()).rev() {
            order.swap(at, random.below(at + 1));
        }
        for &entity in &order[..count / every] {
            let value = entity.index();
            match component {
                0 => world.insert(entity, A(value)).map(drop),
                1 => world.insert(entity, B(value)).map(drop),
                2 => world.insert(entity, C(value)).map(drop),
                _ => world.insert(entity, D(value)).map(drop),
            }
            .unwrap();
        }
    }
    (world, entities)
}

fn names(world: &World) -> Vec<String> {
    world.groups().map(|group| group.to_string()).collect()
}

/// Calls `frame` so often, and tunes after each.
fn frames(world: &mut World, count: usize, mut frame: impl FnMut(&mut World)) {
    for _ in 0..count {
        frame(world);
        Layout::of(world).tune();
    }
}

fn walk_ab(world: &mut World) {
    world.view::<(&A, &B)>().for_each(|_| ());
}

const AB: &str = "group owning (`A`, `B`)";

#[test]
fn a_join_that_is_walked_often_gets_a_group() {
    let (mut world, _) = scattered(10_000, 5);
    frames(&mut world, 5, walk_ab);
    assert!(names(&world).is_empty(), "nobody asked it to observe");
    Layout::of(&mut world).observe(true);
    frames(&mut world, 40, walk_ab);
    assert_eq!(names(&world), [AB]);
    assert!(world.groups().all(|group| group.is_tuned()));
    assert_eq!(world.view::<(&A, &B)>().explain().kind, PlanKind::Group);
    world.check_invariants();
}
