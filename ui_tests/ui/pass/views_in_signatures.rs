use ecs::{Component, Entity, View, World};
use ecs::iter::Items;

#[derive(Component)]
struct Position(f32);
#[derive(Component)]
struct Velocity(f32);

fn step(view: View<'_, (&mut Position, &Velocity)>) {
    view.for_each(|(_, position, velocity)| position.0 += velocity.0);
}

fn nudge(view: &mut View<&mut Position>, entity: Entity) {
    view.get_mut(entity).unwrap().1.0 += 1.0;
}

fn fastest<'w>(view: &View<'w, &Velocity>) -> Option<&'w Velocity> {
    view.iter().map(|(_, velocity)| velocity).max_by(|a, b| a.0.total_cmp(&b.0))
}

fn placed(world: &World) -> View<'_, &Position> {
    world.view()
}

fn walk(world: &mut World) -> Items<'_, &mut Position> {
    world.view_mut().into_iter()
}

fn heights(world: &World) -> impl Iterator<Item = f32> {
    world.view::<Position>().into_iter().map(|(_, position)| position.0)
}

pub(super) fn main() {
    let mut world = World::new();
    let entity = world.spawn_empty().insert((Position(1.0), Velocity(2.0))).id();
    step(world.view_mut());
    nudge(&mut world.view_mut(), entity);
    walk(&mut world).for_each(|(_, position)| position.0 += 1.0);
    assert_eq!(fastest(&world.view()).unwrap().0, 2.0);
    assert_eq!((placed(&world).count(), heights(&world).sum::<f32>()), (1, 5.0));
}
