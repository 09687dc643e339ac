#![allow(dead_code)]

struct Entity;
struct World;
struct Query;
struct Component;
struct Bundle;
struct View;
struct Views;
struct Item;
struct Term;
struct Field;
struct Fetch;
struct Signature;
struct ComponentId;
struct ComponentIndex;
struct ComponentSlot;
struct EntityFetch;
struct StructQuery;
struct Derived;
struct Read;
struct Write;
struct With;
struct Without;
struct Has;
struct Inserter;
struct EntityAllocator;
struct Part;
struct VecStorage;

mod parts {
    #[derive(ecs::Component)]
    pub struct Health(pub u32);
}
use parts::Health;

#[derive(ecs::Component)]
struct Wrapper<T>(T);

#[derive(ecs::Query)]
#[query(with(Health), without(Wrapper<u8>))]
struct Living<'w>(ecs::Entity, &'w mut Health, ecs::Has<Health>);

#[derive(ecs::Bundle)]
struct Hero(Health, Wrapper<u32>);

pub(super) fn main() {
    let mut world = ecs::World::new();
    world.spawn_empty().insert(Hero(Health(3), Wrapper(4)));
    assert_eq!(world.view_mut::<Living>().count(), 1);
}
