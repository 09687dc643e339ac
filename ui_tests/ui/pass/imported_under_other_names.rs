use ecs::{Bundle as Kit, Component as Part, Query as Ask, World as Universe};

#[derive(Part)]
struct Health(u32);

#[derive(Ask)]
struct Living<'w>(&'w Health);

#[derive(Kit)]
struct Hero(Health);

pub(super) fn main() {
    let mut world = Universe::new();
    world.spawn_empty().insert(Hero(Health(3)));
    assert_eq!(world.view::<Living>().single().unwrap().0.0, 3);
}
