use ecs::{Bundle, Component, Entity, Item, Query, ReadOnlyQuery, World};

#[derive(Component, Default)]
struct Health(u32);

fn count<Q: ReadOnlyQuery>(world: &World) -> usize {
    world.view::<Q>().count()
}

fn first<Q: Query>(world: &mut World) -> Option<Item<'_, Q>> {
    world.view_mut::<Q>().into_iter().next()
}

fn give<T: Component + Default>(world: &mut World) -> Entity {
    world.spawn_empty().add::<T>().id()
}

fn make<B: Bundle + Clone>(world: &mut World, bundle: &B) -> Entity {
    world.spawn(bundle.clone()).id()
}

fn both<A: Component, B: Component>(world: &mut World) -> usize {
    world.view_mut::<(&mut A, &B)>().count()
}

#[derive(Component, Clone)]
struct Armour;

pub(super) fn main() {
    let mut world = World::new();
    let entity = give::<Health>(&mut world);
    make(&mut world, &Armour);
    world.insert(entity, Armour).unwrap();
    first::<&mut Health>(&mut world).unwrap().1.0 = 3;
    assert_eq!(count::<(Health, Armour)>(&world), 1);
    assert_eq!(both::<Health, Armour>(&mut world), 1);
}
