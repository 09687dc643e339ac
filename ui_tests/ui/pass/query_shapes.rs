use ecs::{Component, Entity, Has, Query, World};

#[derive(Component)]
struct A(u32);
#[derive(Component)]
struct B(u32);

#[derive(Query)]
struct Tuple<'w>(Entity, &'w mut A, Option<&'w mut B>);

#[derive(Query)]
struct Tuples<'w> {
    all: (Entity, (&'w A, Has<B>), Option<&'w B>),
}

#[derive(Query)]
struct OnlyEntity {
    entity: Entity,
}

#[derive(Query)]
#[query(with(A), without(B))]
struct OnlyFilters(Entity);

#[derive(Query)]
struct OnlyHas {
    a: Has<A>,
    b: Has<B>,
}

pub(super) fn main() {
    let mut world = World::new();
    world.spawn_empty().insert((A(1), B(2)));
    world.spawn_empty().insert(A(3));
    world.spawn_empty();
    for Tuple(entity, a, b) in world.view_mut::<Tuple>() {
        a.0 += entity.index() + b.map_or(0, |b| b.0);
    }
    let sum = |Tuples { all: (_, (a, has), b) }| a.0 + u32::from(has.get()) + b.map_or(0, |b| b.0);
    assert_eq!(world.view::<Tuples>().into_iter().map(sum).sum::<u32>(), 3 + 1 + 2 + 4);
    assert_eq!(world.view::<OnlyEntity>().into_iter().map(|it| it.entity.index()).max(), Some(2));
    assert_eq!(world.view::<OnlyFilters>().single().unwrap().0.index(), 1);
    assert_eq!(world.view::<OnlyHas>().into_iter().filter(|it| it.a.get() && !it.b.get()).count(), 1);
}
