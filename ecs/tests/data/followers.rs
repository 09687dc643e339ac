//! Clients that follow a server by change sets have exactly its content, frame by frame.

use crate::worlds::Friends;
use ecs::save::{ChangeSets, Delta, Follower, Limits, Received};
use ecs::{ChildOf, Component, Entity, World};
use serde::{Deserialize, Serialize};

#[derive(Component, Serialize, Deserialize, Clone, Debug, Default, PartialEq)]
#[component(save = "hull", track, clone, requires(Shield, Sprite))]
pub struct Hull(pub u64);
#[derive(Component, Serialize, Deserialize, Clone, Debug, Default, PartialEq)]
#[component(save = "shield", track, clone, requires(Power))]
pub struct Shield(pub u64);
#[derive(Component, Serialize, Deserialize, Clone, Debug, Default, PartialEq)]
#[component(save = "power", track, clone, requires(Shadow))]
pub struct Power(pub u64);
/// No set carries it.
#[derive(Component, Clone, Debug, Default, PartialEq)]
#[component(clone, requires(Shadow))]
struct Sprite(u64);
/// No set carries it, though it is saved.
#[derive(Component, Serialize, Deserialize, Clone, Debug, Default, PartialEq)]
#[component(save = "shadow", clone)]
struct Shadow(u64);
#[derive(Component, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[component(save = "aim", track, clone, layout = "soa")]
struct Aim {
    #[component(entities)]
    at: Option<Entity>,
    strength: u8,
}
pub fn empty() -> World {
    let mut world = World::new();
    world.register::<(Hull, Shield, Power, Shadow, Aim, Friends, ChildOf)>();
    world
}

/// A world that follows another one.
#[derive(Default)]
struct Client {
    sets: ChangeSets,
    world: World,
    known: Follower,
}

impl Client {
    /// Applies the changes. Returns whether anything did.
    fn follow(&mut self, server: &mut World) -> bool {
        let set = self.sets.drain(server).unwrap();
        let Self { world, known, .. } = self;
        let applied = world.apply_change_set(set.as_bytes(), known, &Limits::default()).unwrap();
        assert_eq!(applied, Received::Applied);
        world.check_invariants();
        !set.is_empty()
    }

    #[track_caller]
    fn here(&self, there: Entity) -> Entity {
        let here = self.known.get(there).unwrap_or_else(|| panic!("{there} is not known"));
        assert!(self.world.is_alive(here), "{there} is not alive here");
        here
    }

    #[track_caller]
    fn assert_same_children(&self, server: &World, parent: Entity) {
        let there = server.children(parent).map(|child| self.here(child));
        assert!(self.world.children(self.here(parent)).eq(there));
    }
}

fn server_and_client() -> (World, Client) {
    (empty(), Client { world: empty(), ..Client::default() })
}

#[test]
fn a_lost_component_does_not_return_with_one_that_requires_it() {
    let (mut server, mut client) = server_and_client();
    let ship = server.spawn(Hull(1)).id();
    server.remove::<Shield>(ship);
    client.follow(&mut server);
    let here = client.here(ship);
    assert!(client.world.has::<Power>(here) && !client.world.has::<Shield>(here));
    // Nor with another value.
    server.remove::<Power>(ship);
    server.get_mut::<Hull>(ship).unwrap().0 = 2;
    client.follow(&mut server);
    assert_eq!(client.world.get::<Hull>(here), Some(&Hull(2)));
    assert!(!client.world.has::<Power>(here) && !client.world.has::<Shield>(here));
    // Nor when it comes again.
    server.remove::<Hull>(ship);
    client.follow(&mut server);
    server.insert(ship, Hull(3)).unwrap();
    server.remove::<(Shield, Power)>(ship);
    client.follow(&mut server);
    assert!(!client.world.has::<Power>(here) && !client.world.has::<Shield>(here));
}

#[test]
fn required_components_that_no_set_carries_are_inserted_once() {
    let (mut server, mut client) = server_and_client();
    let ship = server.spawn(Hull(1)).id();
    client.follow(&mut server);
    let here = client.here(ship);
    assert!(client.world.has::<Sprite>(here) && client.world.has::<Shadow>(here));
    client.world.remove::<Sprite>(here);
    server.get_mut::<Hull>(ship).unwrap().0 = 2;
    client.follow(&mut server);
    assert!(!client.world.has::<Sprite>(here), "it is not inserted with another value");
}

#[test]
fn a_handle_is_right_before_and_after_its_entity_gets_components() {
    let (mut server, mut client) = server_and_client();
    let [late, never] = [(); 2].map(|()| server.spawn_empty().id());
    let gone = server.spawn_empty().id();
    server.despawn(gone).unwrap();
    let first = server.spawn(Friends(vec![late, never, gone])).id();
    client.follow(&mut server);
    let friends = client.world.get::<Friends>(client.here(first)).unwrap().0.clone();
    assert_eq!(friends, [client.here(late), client.here(never), Entity::PLACEHOLDER]);
    // It comes in a later set, and names the first: a circle.
    server.insert(late, (Power(4), Aim { at: Some(first), strength: 1 })).unwrap();
    client.follow(&mut server);
    assert_eq!(client.world.get::<Power>(friends[0]), Some(&Power(4)));
    let aim = client.world.get::<Aim>(friends[0]).unwrap();
    assert_eq!(*aim.at, Some(client.here(first)));
    // One that was only named ends, too.
    server.despawn_batch(&[late, never]);
    client.follow(&mut server);
    assert!(!client.world.is_alive(friends[0]) && !client.world.is_alive(friends[1]));
    assert_eq!((client.world.len(), client.known.known().len()), (1, 1));
}

#[test]
fn a_named_entity_arrives_that_lost_its_components_before_it_was_sent() {
    let (mut server, mut client) = server_and_client();
    let bare = server.spawn(Power(1)).id();
    server.remove::<Power>(bare);
    client.follow(&mut server);
    assert_eq!(client.known.get(bare), None);
    let first = server.spawn(Friends(vec![bare])).id();
    client.follow(&mut server);
    assert_eq!(client.world.get::<Friends>(client.here(first)).unwrap().0, [client.here(bare)]);
    // One that ends in the frame in which it is named does not.
    server.insert(first, Friends(vec![bare, first])).unwrap();
    server.despawn(bare).unwrap();
    client.follow(&mut server);
    let friends = client.world.get::<Friends>(client.here(first)).unwrap().0.clone();
    assert!(!client.world.is_alive(friends[0]) && friends[1] == client.here(first));
    assert_eq!(client.world.len(), 1);
}

#[test]
fn an_entity_that_comes_and_goes_within_a_frame_is_not_sent() {
    let (mut server, mut client) = server_and_client();
    client.follow(&mut server);
    let new = server.spawn((Power(1), Friends(vec![]))).id();
    server.despawn(new).unwrap();
    client.follow(&mut server);
    assert_eq!((client.world.len(), client.known.known().len()), (0, 0));
}

#[test]
fn moving_a_child_alone_is_sent() {
    let (mut server, mut client) = server_and_client();
    let parent = server.spawn_empty().id();
    let children = server.spawn_batch((0..4).map(|_| ChildOf(parent)));
    client.follow(&mut server);
    let moves: [fn(&mut World, &[Entity]); 6] = [
        |world, it| _ = world.move_related::<ChildOf>(it[3], 0),
        |world, it| _ = world.move_related::<ChildOf>(it[0], 9),
        |world, it| _ = world.swap_related::<ChildOf>(it[0], it[2]),
        |world, it| _ = world.attach(it[2], world.parent(it[0]).unwrap()),
        |world, it| {
            let parent = world.parent(it[1]).unwrap();
            _ = world.detach(it[1]);
            _ = world.attach(it[1], parent);
        },
        |world, it| {
            let parent = world.parent(it[0]).unwrap();
            world.sort_related_by::<ChildOf>(parent, |_, a, b| b.cmp(&a));
        },
    ];
    for (number, edit) in moves.into_iter().enumerate() {
        edit(&mut server, &children);
        assert!(client.follow(&mut server), "move {number}");
        client.assert_same_children(&server, parent);
    }
    // A move that keeps every place is not sent.
    let last = server.children(parent).next_back().unwrap();
    server.move_related::<ChildOf>(last, 3);
    server.sort_related_by::<ChildOf>(parent, |_, a, b| b.cmp(&a));
    server.swap_related::<ChildOf>(last, last);
    assert!(!client.follow(&mut server));
}

#[test]
fn an_order_that_comes_by_a_delta_is_sent() {
    let (mut server, mut client) = server_and_client();
    let parent = server.spawn_empty().id();
    let children = server.spawn_batch((0..4).map(|_| ChildOf(parent)));
    client.follow(&mut server);
    let mut later = server.try_clone().unwrap();
    later.move_related::<ChildOf>(children[1], 3);
    let delta = Delta::between(&server, &later).unwrap();
    server.apply_delta(delta.as_bytes(), &Limits::default()).unwrap();
    assert!(client.follow(&mut server));
    client.assert_same_children(&server, parent);
}

#[test]
fn children_of_the_client_stay_between_those_of_the_server() {
    let (mut server, mut client) = server_and_client();
    let parent = server.spawn(Power(1)).id();
    let children = server.spawn_batch((0..3).map(|_| ChildOf(parent)));
    client.follow(&mut server);
    let own = client.world.spawn(ChildOf(client.here(parent))).id();
    client.world.move_related::<ChildOf>(own, 1);
    server.move_related::<ChildOf>(children[2], 1);
    let new = server.spawn(ChildOf(parent)).id();
    client.follow(&mut server);
    let [a, b, c, new] = [children[0], children[1], children[2], new].map(|it| client.here(it));
    assert!(client.world.children(client.here(parent)).eq([a, c, own, b, new]));
}

#[test]
fn a_set_of_appended_children_has_no_places() {
    let (mut server, mut client) = server_and_client();
    let parent = server.spawn_empty().id();
    server.spawn_batch((0..100).map(|_| ChildOf(parent)));
    client.follow(&mut server);
    let sizes = [(); 2].map(|()| {
        server.spawn_batch((0..10).map(|_| ChildOf(parent)));
        let set = client.sets.drain(&mut server).unwrap();
        let Client { world, known, .. } = &mut client;
        let applied = world.apply_change_set(set.as_bytes(), known, &Limits::default());
        assert_eq!(applied.unwrap(), Received::Applied);
        client.assert_same_children(&server, parent);
        set.as_bytes().len()
    });
    // A handle and a value of seven bytes for each.
    assert!(sizes.iter().all(|size| *size < 120), "{sizes:?}");
}
