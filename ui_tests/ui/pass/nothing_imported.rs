#[derive(ecs::Component)]
struct Health(u32);

#[derive(ecs::Query)]
struct Living<'w>(&'w Health);

#[derive(ecs::Bundle)]
struct Hero(Health);

pub(super) fn main() {
    let mut world = ecs::World::new();
    world.spawn_empty().insert(Hero(Health(3)));
    assert_eq!(world.view::<Living>().single().unwrap().0.0, 3);
}
