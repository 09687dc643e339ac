//! Change sets of chosen entities: clients that see parts of a server, and parts of worlds that move to others.

use ecs::by_name::Kind;
use ecs::save::{ChangeSet, ChangeSets, Follower, Limits, Received};
use ecs::{ChildOf, Component, Entity, Name, World};
use serde::{Deserialize, Serialize};

#[derive(Component, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[component(save = "health", track)]
struct Health(u64);
#[derive(Component, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[component(save = "aim", track)]
struct Aim(#[component(entities)] Option<Entity>);
#[derive(Component, Serialize, Deserialize, Debug, PartialEq)]
#[component(save = "load")]
struct Load(u32);

fn empty() -> World {
    let mut world = World::new();
    world.register::<(Health, Aim, Load, ChildOf, Name)>();
    world
}

struct Client {
    sets: ChangeSets,
    world: World,
    follower: Follower,
}

impl Client {
    fn see(&mut self, server: &mut World, seen: &[Entity]) {
        let set = self.sets.drain_among(server, seen).unwrap();
        let applied =
            self.world.apply_change_set(set.as_bytes(), &mut self.follower, &Limits::default());
        assert_eq!(applied.unwrap(), Received::Applied);
        self.world.check_invariants();
    }

    fn here(&self, entity: Entity) -> Option<Entity> {
        self.follower.get(entity).filter(|here| self.world.is_alive(*here))
    }
}

#[test]
fn unchanged_visible_entities_are_not_sent_again() {
    let (mut server, mut sets) = (World::new(), ChangeSets::default());
    let all = server.spawn_batch((0..100).map(Health));
    assert!(sets.drain_among(&mut server, &all[..50]).unwrap().as_bytes().len() > 100);
    assert!(sets.drain_among(&mut server, &all[..50]).unwrap().is_empty());
    server.get_mut::<Health>(all[70]).unwrap().0 = 1; // no client sees it
    assert!(sets.drain_among(&mut server, &all[..50]).unwrap().is_empty());
    server.get_mut::<Health>(all[7]).unwrap().0 = 1;
    let len = sets.drain_among(&mut server, &all[..50]).unwrap().as_bytes().len();
    assert!(len < 30, "{len}");
}

#[test]
fn an_entity_that_left_and_is_named_keeps_its_handle() {
    let mut server = World::new();
    let target = server.spawn(Health(1)).id();
    let aiming = server.spawn(Aim(Some(target))).id();
    let mut client =
        Client { sets: ChangeSets::default(), world: empty(), follower: Follower::default() };
    client.see(&mut server, &[target, aiming]);
    let here = client.here(target).unwrap();
    client.see(&mut server, &[aiming]);
    assert!(client.world.is_alive(here) && client.world.get::<Health>(here).is_none());
    client.see(&mut server, &[target, aiming]);
    assert_eq!(client.world.get::<Health>(here), Some(&Health(1)));
    client.see(&mut server, &[]);
    server.despawn(target).unwrap();
    client.see(&mut server, &[]);
    assert!(client.world.is_empty() && client.follower.known().is_empty());
}

#[test]
fn a_part_of_a_world_moves_with_named_entities() {
    let mut from = World::new();
    let town = from.spawn(Name::new("town")).id();
    let inn = from.spawn((ChildOf(town), Load(3))).id();
    let guests = from.spawn_batch((0..3).map(|at| (ChildOf(inn), Health(at))));
    from.insert(guests[0], Aim(Some(guests[2]))).unwrap();
    from.insert(guests[1], Aim(Some(town))).unwrap();
    from.move_related::<ChildOf>(guests[2], 0);
    let moving = [guests[2], inn, guests[1], guests[0]];
    let is_sent = |kind: Kind| kind != Kind::of::<Name>();
    let (set, named) = ChangeSet::of(&from, &moving, &is_sent).unwrap();
    assert_eq!(named, [town]);

    let (mut to, mut follower) = (empty(), Follower::default());
    to.spawn_empty();
    let town_here = to.spawn(Name::new("town of old")).id();
    follower.insert(town, town_here);
    let applied = to.apply_change_set(set.as_bytes(), &mut follower, &Limits::default());
    assert_eq!(applied.unwrap(), Received::Applied);
    to.check_invariants();
    let here = |entity| follower.get(entity).unwrap();
    assert_eq!((to.len(), to.name(town_here)), (6, Some("town of old")));
    assert_eq!(
        (to.parent(here(inn)), to.get::<Load>(here(inn))),
        (Some(town_here), Some(&Load(3)))
    );
    assert!(to.children(here(inn)).eq([guests[2], guests[0], guests[1]].map(here)));
    assert_eq!(to.get::<Aim>(here(guests[0])), Some(&Aim(Some(here(guests[2])))));
    assert_eq!(to.get::<Aim>(here(guests[1])), Some(&Aim(Some(town_here))));
}

#[derive(Component, Serialize, Deserialize, Debug, PartialEq)]
#[component(save = "cart", requires(Load = Load(8), Dust))]
struct Cart;
#[derive(Component, Default)]
#[component(save = skip, requires(Load = Load(9)))]
struct Dust;
/// Has no attribute.
#[derive(Component)]
struct Stray;

#[test]
fn an_entity_that_moves_gets_back_no_component_that_it_lost() {
    let (mut town, mut road) = (empty(), empty());
    road.register::<Cart>();
    let [empty_cart, full_cart] = [(); 2].map(|()| town.spawn(Cart).id());
    town.remove::<Load>(empty_cart);
    town.insert(full_cart, Stray).unwrap();
    let error = ChangeSet::of(&town, &[empty_cart, full_cart], &|_| true).unwrap_err().to_string();
    let words = "cannot save `Stray`: entities have it, and it is not saved";
    assert!(error.starts_with(words), "{error}");
    ChangeSet::of(&town, &[empty_cart], &|_| true).unwrap();
    let takes = |kind| kind != Kind::of::<Stray>();
    let (set, _) = ChangeSet::of(&town, &[empty_cart, full_cart], &takes).unwrap();
    let mut follower = Follower::default();
    let applied = road.apply_change_set(set.as_bytes(), &mut follower, &Limits::default());
    assert_eq!(applied.unwrap(), Received::Applied);
    let [empty_cart, full_cart] = [empty_cart, full_cart].map(|it| follower.get(it).unwrap());
    assert_eq!((road.get::<Load>(empty_cart), road.get::<Load>(full_cart)), (None, Some(&Load(8))));
    assert!(road.has::<Dust>(empty_cart), "it is not saved");
}

#[test]
fn named_entities_are_those_alive_that_values_name() {
    let mut world = World::new();
    let [a, b, dead] = [(); 3].map(|()| world.spawn_empty().id());
    world.spawn((ChildOf(b), Aim(Some(a))));
    world.spawn((ChildOf(b), Aim(Some(dead)), Load(1)));
    world.despawn(dead).unwrap();
    assert_eq!(world.save().named_entities().unwrap(), [a, b]);
    assert_eq!(world.save().only::<Load>().named_entities().unwrap(), []);
}

#[test]
fn an_entity_may_point_to_one_that_left_and_pointed_to_it() {
    let mut server = World::new();
    let a = server.spawn(Health(1)).id();
    let b = server.spawn((Health(2), ChildOf(a))).id();
    let (mut by_list, mut by_function) = (ChangeSets::default(), ChangeSets::default());
    let mut clients = [(); 2].map(|()| (empty(), Follower::default()));
    for seen in [&[a, b][..], &[a]] {
        if seen.len() == 1 {
            server.detach(b);
            server.attach(a, b).unwrap();
        }
        let sets = [
            by_list.drain_among(&mut server, seen),
            by_function.drain_visible(&mut server, |_, entity| seen.contains(&entity)),
        ];
        for (set, (client, follower)) in sets.into_iter().zip(&mut clients) {
            let bytes = set.unwrap().into_bytes();
            let applied = client.apply_change_set(&bytes, follower, &Limits::default());
            assert_eq!(applied.unwrap(), Received::Applied);
        }
    }
    for (client, follower) in &clients {
        let [a, b] = [a, b].map(|entity| follower.get(entity).unwrap());
        assert_eq!((client.parent(a), client.get::<Health>(b)), (Some(b), None));
    }
}
