use crate::fixtures::{Position, Tag, Velocity, panics};
use ecs::{Component, Entity, Query, With, Without, World};

#[derive(Component)]
struct Wrapper<T>(T);

#[derive(Query)]
#[query(with(Tag))]
struct Tagged<'w> {
    position: &'w mut Position,
}

#[derive(Query)]
#[query(without(Tag))]
struct Plain<'w> {
    position: &'w mut Position,
}

#[test]
fn views_live_together() {
    let mut world = World::new();
    let entity = world.spawn((Position(1.0), Velocity(2.0))).id();
    let (mut positions, velocities) = world.split_mut::<(&mut Position, &Velocity)>();
    for (entity, velocity) in velocities {
        positions.get_mut(entity).unwrap().1.0 += velocity.0;
    }
    assert_eq!(world.get::<Position>(entity), Some(&Position(3.0)));
}

#[test]
fn filters_keep_views_apart() {
    let mut world = World::new();
    let tagged = world.spawn((Position(1.0), Tag)).id();
    let plain = world.spawn(Position(5.0)).id();
    let (a, mut b) =
        world.split_mut::<((&mut Position, With<Tag>), (&mut Position, Without<Tag>))>();
    for (_, tagged) in a {
        for (_, plain) in &mut b {
            core::mem::swap(tagged, plain);
        }
    }
    assert_eq!(world.get::<Position>(tagged), Some(&Position(5.0)));
    let (a, b) = world.split_mut::<(Tagged, Plain)>();
    core::mem::swap(a.single().unwrap().position, b.single().unwrap().position);
    assert_eq!(world.get::<Position>(plain), Some(&Position(5.0)));
    assert!(world.split_mut::<(Tagged, Plain)>().0.matches(tagged));
}

#[test]
fn generic_components_are_compared_when_views_are_built() {
    let mut world = World::new();
    world.spawn((Wrapper(1_u8), Wrapper(2_u16)));
    let (a, b) = world.split_mut::<(&mut Wrapper<u8>, &mut Wrapper<u16>)>();
    assert_eq!((a.single().unwrap().1.0, b.single().unwrap().1.0), (1, 2));
    let message =
        panics(|| world.split_mut::<(&mut Wrapper<u8>, &Wrapper<u8>)>().0.count()).unwrap();
    assert_eq!(
        message,
        "view `1` of the split reads `Wrapper<u8>`, which view `0` writes: let one require a component that the \
         other excludes, or borrow one after the other"
    );
}

#[test]
fn generic_tags_keep_views_apart_if_they_are_one_type() {
    #[derive(Component)]
    struct Dirty<T: Send + Sync + 'static>(std::marker::PhantomData<T>);
    type Both<A, B> =
        ((&'static mut Position, With<Dirty<A>>), (&'static mut Position, Without<Dirty<B>>));
    let mut world = World::new();
    let dirty = world.spawn((Position(1.0), Dirty::<Position>(std::marker::PhantomData))).id();
    let clean = world.spawn(Position(2.0)).id();
    let (a, b) = world.split_mut::<Both<Position, Position>>();
    let found: Vec<Entity> = a.into_iter().chain(b).map(|(entity, _)| entity).collect();
    assert_eq!(found, [dirty, clean]);
    let message = panics(|| _ = world.split_mut::<Both<Position, Tag>>()).unwrap();
    assert!(message.contains("writes `Position`, which view `0` also writes"), "{message}");
}
