use ecs::{Component, Query, With, Without, World};

#[derive(Component)]
struct Health(u32);
#[derive(Component)]
struct Player;
#[derive(Component)]
struct Monster;

type Players = (&'static mut Health, With<Player>);
type Others = (&'static mut Health, Without<(Player, Monster)>);

#[derive(Query)]
#[query(with(Monster), without(Player))]
struct Monsters<'w>(&'w mut Health);

pub(super) fn main() {
    let mut world = World::new();
    world.spawn_empty().insert((Health(10), Player));
    world.spawn_empty().insert((Health(20), Monster));
    world.spawn_empty().insert(Health(30));
    let (players, monsters, others) = world.split_mut::<(Players, Monsters, Others)>();
    let (_, player) = players.single().unwrap();
    let monster = monsters.single().unwrap();
    let (_, other) = others.single().unwrap();
    std::mem::swap(player, monster.0);
    std::mem::swap(monster.0, other);
    assert_eq!(world.view::<(Health, Player)>().single().unwrap().1.0, 20);
    assert_eq!(world.view::<(Health, Monster)>().single().unwrap().1.0, 30);

    // Requiring by a value is requiring, too.
    world.split_mut::<((&mut Health, &Player), Others)>();
    world.split_mut::<((&mut Health, Player), (&mut Health, Without<Player>))>();
}
