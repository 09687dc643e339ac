use ecs::{Bundle, Component, Query, World};

#[derive(Component)]
struct Position(f32);

#[derive(Query)]
struct Both<'w>(&'w mut Position, &'w mut engine::Position);

#[derive(Bundle)]
struct Places(Position, engine::Position);

pub(super) fn main() {
    let mut world = World::new();
    world.spawn_empty().insert(Places(Position(1.0), engine::Position(2.0)));
    world.view_mut::<Both>().for_each(|Both(ours, theirs)| std::mem::swap(&mut ours.0, &mut theirs.0));
    let (ours, theirs) = world.split_mut::<(&mut Position, &mut engine::Position)>();
    assert_eq!(ours.single().unwrap().1.0 - theirs.single().unwrap().1.0, 1.0);
}
