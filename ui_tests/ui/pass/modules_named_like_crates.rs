mod core {}
mod std {}
mod alloc {}
mod ecs {}
mod diagnostic {}
mod component {}
mod query {}

#[derive(::ecs::Component)]
#[component(bit = 3)]
struct Health(u32);

#[derive(::ecs::Query)]
#[query(with(Health))]
struct Living<'w>(&'w mut Health);

#[derive(::ecs::Bundle)]
struct Hero(Health);

pub(super) fn main() {
    let mut world = ::ecs::World::new();
    world.spawn_empty().insert(Hero(Health(3)));
    world.view_mut::<Living>().for_each(|living| living.0.0 += 1);
}
