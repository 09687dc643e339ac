use ecs::{Component, Entity, Query, View, Views, With, Without, World};

#[derive(Component)]
struct Health(u32);
#[derive(Component)]
struct Player;
#[derive(Component)]
struct Target(Entity);

#[derive(Query)]
#[query(with(Player))]
struct Playing<'w>(&'w mut Health);

#[derive(Views)]
struct Sides<'w> {
    players: View<'w, Playing<'w>>,
    others: View<'w, (&'w mut Health, Without<Player>)>,
    targets: View<'w, &'w Target>,
}

#[derive(Views)]
struct One<'a>(View<'a, (&'a mut Health, With<Player>)>);

pub(super) fn main() {
    let mut world = World::new();
    let player = world.spawn_empty().insert((Health(10), Player)).id();
    world.spawn_empty().insert((Health(3), Target(player)));
    let mut sides = world.split_mut::<Sides>();
    for (hunter, target) in &sides.targets {
        let (_, hunter) = sides.others.get_mut(hunter).unwrap();
        let player = sides.players.get_mut(target.0).unwrap();
        std::mem::swap(hunter, player.0);
    }
    assert_eq!(world.get::<Health>(player).unwrap().0, 3);
    let One(players) = world.split_mut::<One>();
    assert_eq!(players.count(), 1);
}
