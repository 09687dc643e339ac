use ecs::{Component, Filter, Query, View, With, World};
use ecs::iter::Items;

#[derive(Component)]
struct Health(u32);
#[derive(Component)]
struct Player;
#[derive(Component)]
struct Asleep;

fn heal<F: Filter>(view: View<'_, &mut Health, F>) {
    view.for_each(|(_, health)| health.0 += 1);
}

fn narrow<'w, Q: Query, F: Filter>(view: View<'w, Q, F>) -> View<'w, Q, (F, With<Player>)> {
    view.with::<Player>()
}

fn rest<Q: Query, F: Filter>(items: Items<'_, Q, F>) -> usize {
    items.count()
}

pub(super) fn main() {
    let mut world = World::new();
    world.spawn((Health(3), Player));
    world.spawn((Health(5), Player, Asleep));
    heal(world.view_mut::<&mut Health>());
    heal(narrow(world.view_mut::<&mut Health>().without::<Asleep>()));
    assert_eq!(world.view::<Health>().iter().map(|(_, health)| health.0).sum::<u32>(), 11);
    assert_eq!(rest(world.view::<Health>().with::<Asleep>().iter()), 1);
}
