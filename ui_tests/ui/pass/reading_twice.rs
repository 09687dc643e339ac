use ecs::{Component, Has, Query, With, World};

#[derive(Component)]
struct Position(f32);
type Place = Position;

#[derive(Query)]
struct Same<'w> {
    a: &'w Position,
    b: &'w Place,
    c: Option<&'w Position>,
    has: Has<Position>,
}

#[derive(Query)]
#[query(with(Position))]
struct Written<'w> {
    position: &'w mut Position,
    has: Has<Position>,
}

ecs::check_query!((Position, &Position, Option<&Place>));
ecs::check_query!((&mut Position, Has<Position>, With<Position>));

pub(super) fn main() {
    let mut world = World::new();
    world.spawn_empty().insert(Position(1.0));
    world.view_mut::<Written>().for_each(|it| it.position.0 += f32::from(u8::from(it.has.get())));
    let same = world.view::<Same>().single().unwrap();
    assert_eq!((same.a.0, same.b.0, same.c.map(|it| it.0), same.has.get()), (2.0, 2.0, Some(2.0), true));
    assert_eq!(world.view_mut::<(&Position, Position, Option<&Position>)>().count(), 1);
    let (a, b) = world.split_mut::<(&Position, (Position, &Place))>();
    assert_eq!((a.count(), b.count()), (1, 1));
}
