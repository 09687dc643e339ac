//! Clients that follow a server by change sets have exactly what it has, frame by frame.

use crate::worlds::{Friends, Random, asked, seeds};
use ecs::by_name::Declaration;
use ecs::save::{Applied, ChangeSets, Delta, Follower, Limits};
use ecs::{ChildOf, Component, Entity, Relation, World};
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
/// Declared to be tracked, like `Fuel`: both are of another crate.
#[derive(Component, Serialize, Deserialize, Clone, Debug, Default, PartialEq)]
#[component(clone, requires(Fuel))]
pub struct Engine(pub u64);
#[derive(Component, Serialize, Deserialize, Clone, Debug, Default, PartialEq)]
#[component(save = "fuel", clone)]
pub struct Fuel(pub u64);
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
/// May form circles, and names a second entity.
#[derive(Component, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[component(save = "towed by", relation, track, clone)]
struct TowedBy {
    #[component(target)]
    ship: Entity,
    #[component(entities)]
    rope: Entity,
}

pub fn empty() -> World {
    let mut world = World::new();
    Declaration::<Engine>::new().save("engine", 1).track().declare(&mut world);
    Declaration::<Fuel>::new().track().declare(&mut world);
    world.register::<(Hull, Shield, Power, Shadow, Aim, TowedBy, Friends, ChildOf)>();
    world
}

/// A world that follows another one.
pub struct Client {
    pub sets: ChangeSets,
    pub world: World,
    pub known: Follower,
    /// Entities that the other world does not have.
    pub own: Vec<Entity>,
    /// `true` if it began with a saved world, which has entities that no set names.
    is_late: bool,
}

impl Client {
    pub fn new(sets: ChangeSets) -> Self {
        Self { sets, world: empty(), known: Follower::default(), own: Vec::new(), is_late: false }
    }

    /// Begins with a saved world.
    fn late(server: &mut World) -> Self {
        let mut client = Self::new(server.change_sets());
        let mut bytes = Vec::new();
        server.save().leave_out_rest().to_bytes(&mut bytes).unwrap();
        client.world.spawn_batch((0..7).map(Shadow));
        let (saved, _) = client.world.read(&bytes, &Limits::default()).unwrap();
        client.known = Follower::from(client.world.merge(saved));
        client.is_late = true;
        client
    }

    /// Applies what happened. Returns whether anything did.
    fn follow(&mut self, server: &mut World) -> bool {
        let set = self.sets.drain(server).unwrap();
        let Self { world, known, .. } = self;
        let applied = world.apply_change_set(set.as_bytes(), known, &Limits::default()).unwrap();
        assert_eq!(applied, Applied::Done);
        !set.is_empty()
    }

    #[track_caller]
    pub fn here(&self, there: Entity) -> Entity {
        let here = self.known.get(there).unwrap_or_else(|| panic!("{there} is not known"));
        assert!(self.world.is_alive(here), "{there} is not alive here");
        here
    }

    /// Checks that a handle in a value is the one for that entity.
    #[track_caller]
    fn assert_names(&self, server: &World, there: Entity, here: Entity) {
        if server.is_alive(there) {
            assert_eq!(here, self.here(there));
        } else {
            let is_kept = self.is_late && self.known.get(there) == Some(here);
            assert!(is_kept || !self.world.is_alive(here));
        }
    }

    #[track_caller]
    fn assert_same<T: Component<Storage = Vec<T>> + Clone + PartialEq + std::fmt::Debug>(
        &self,
        server: &World,
    ) {
        for (entity, value) in server.pool::<T>() {
            assert_eq!(Some(value), self.world.get::<T>(self.here(entity)), "{entity}");
        }
        let own = self.own.iter().filter(|own| self.world.get::<T>(**own).is_some()).count();
        assert_eq!(self.world.pool::<T>().len(), server.pool::<T>().len() + own);
    }

    #[track_caller]
    fn assert_related<R: Relation>(&self, server: &World) {
        for (entity, _) in server.pool::<R>() {
            let target = server.target_of::<R>(entity).map(|target| self.here(target));
            assert_eq!(target, self.world.target_of::<R>(self.here(entity)), "{entity}");
        }
        for target in server.entities().filter(|it| server.related::<R>(*it).len() > 0) {
            let there = server.related::<R>(target).map(|source| self.here(source));
            let here = self.world.related::<R>(self.here(target));
            let here = here.filter(|source| !self.own.contains(source));
            assert_eq!(there.collect::<Vec<_>>(), here.collect::<Vec<_>>(), "of {target}");
        }
    }

    /// Checks that this world has what is sent of the other one to a reader of some components, and nothing else.
    #[track_caller]
    fn assert_follows_in_part(&self, server: &World) {
        self.world.check_invariants();
        self.assert_same::<Hull>(server);
        self.assert_same::<Power>(server);
        self.assert_related::<ChildOf>(server);
        assert!(self.world.pool::<Shield>().is_empty() && self.world.pool::<Aim>().is_empty());
    }

    /// Checks that this world has what is sent of the other one, and nothing else.
    #[track_caller]
    pub fn assert_follows(&self, server: &World) {
        self.world.check_invariants();
        for (there, here) in self.known.known().iter().filter(|_| !self.is_late) {
            assert!(server.is_alive(there) && self.world.is_alive(*here), "{there}");
        }
        self.assert_same::<Hull>(server);
        self.assert_same::<Shield>(server);
        self.assert_same::<Power>(server);
        self.assert_same::<Engine>(server);
        self.assert_same::<Fuel>(server);
        self.assert_related::<ChildOf>(server);
        self.assert_related::<TowedBy>(server);
        for (entity, towed) in server.pool::<TowedBy>() {
            let here = self.world.get::<TowedBy>(self.here(entity)).unwrap();
            self.assert_names(server, towed.rope, here.rope);
        }
        for (entity, aim) in server.view::<&Aim>() {
            let here = self.world.get::<Aim>(self.here(entity)).unwrap();
            assert_eq!((aim.at.is_some(), aim.strength), (here.at.is_some(), here.strength));
            if let (Some(there), Some(here)) = (*aim.at, *here.at) {
                self.assert_names(server, there, here);
            }
        }
        assert_eq!(server.pool::<Aim>().len(), self.world.pool::<Aim>().len());
        for (entity, friends) in server.pool::<Friends>() {
            let here = self.world.get::<Friends>(self.here(entity)).unwrap();
            assert_eq!(friends.0.len(), here.0.len());
            for (there, here) in friends.0.iter().zip(&here.0) {
                self.assert_names(server, *there, *here);
            }
        }
        assert_eq!(server.pool::<Friends>().len(), self.world.pool::<Friends>().len());
    }
}

/// Edits a server at random.
pub fn edit(world: &mut World, random: &mut Random) {
    let all: Vec<Entity> = world.entities().collect();
    let number = random.next() % 1_000;
    if all.len() < 3 {
        world.spawn_batch((0..5).map(Power));
        return;
    }
    let [one, other, third] = [(); 3].map(|()| all[random.below(all.len())]);
    let parent = world.parent(one).unwrap_or(other);
    match random.below(36) {
        0 => drop(world.spawn(Hull(number)).id()),
        1 => drop(world.spawn_batch((0..number % 9).map(|it| (Hull(it), ChildOf(one))))),
        2 => drop(world.spawn_empty().id()),
        3 => drop(world.spawn(Shadow(1)).id()),
        4 => world.insert(one, Hull(number)).unwrap(),
        5 => drop(world.remove::<Hull>(one)),
        6 => drop(world.remove::<Shield>(one)),
        7 => drop(world.remove::<(Power, Shield)>(one)),
        8 => _ = world.remove_batch::<Shield>(&all[all.len() / 2..]),
        9 => {
            world.remove::<(Hull, Shield)>(one);
            world.insert(one, Hull(number)).unwrap();
        }
        10 => _ = world.despawn(one),
        11 => _ = world.despawn_batch(&all[..all.len() / 6]),
        12 => {
            world.despawn(one).unwrap();
            world.spawn((Power(1), Friends(vec![one, other]))); // under the same index
        }
        13 => {
            let new = world.spawn(Power(number)).id();
            world.despawn(new).unwrap();
        }
        14 => world.insert(one, Friends(vec![other, third, one])).unwrap(),
        15 => world.insert(one, Aim { at: Some(other), strength: 3 }).unwrap(),
        16 => {
            // Names an entity that has nothing yet, and is named by it.
            let new = world.spawn(Aim { at: Some(one), strength: 1 }).id();
            let named = world.spawn_empty().id();
            world.insert(one, Friends(vec![named, new])).unwrap();
        }
        17 => _ = world.attach(one, other),
        18 => _ = world.detach(one),
        19 => {
            // There and back again, so the entity comes last.
            let _ = world.detach(one);
            let _ = world.attach(one, parent);
        }
        20 | 21 => _ = world.move_related::<ChildOf>(one, random.below(6)),
        22 => {
            let children: Vec<Entity> = world.children(parent).collect();
            if let Some(last) = children.last() {
                world.swap_related::<ChildOf>(children[0], *last);
            }
        }
        23 => world.sort_related_by::<ChildOf>(parent, |_, a, b| b.index().cmp(&a.index())),
        24 | 25 => _ = world.relate(one, TowedBy { ship: other, rope: third }),
        26 => _ = world.move_related::<TowedBy>(one, random.below(3)),
        27 => drop(world.remove::<TowedBy>(one)),
        28 => {
            if let Some(friends) = world.get_mut::<Friends>(one) {
                friends.0.push(other);
            }
        }
        29 => world.insert(one, Engine(number)).unwrap(),
        30 => drop(world.remove::<Fuel>(one)),
        31 => _ = world.remove_batch::<Engine>(&all[all.len() / 2..]),
        32 => world.view_mut::<(&mut Fuel, &Engine)>().for_each(|(_, fuel, _)| fuel.0 += 1),
        33 => world.pool_mut::<Engine>().sort_by_key(|engine| engine.0 ^ number).unwrap(),
        34 => {
            if let Some(fuel) = world.get_mut::<Fuel>(one) {
                fuel.0 = number;
            }
        }
        _ => {
            if let Some(power) = world.get_mut::<Power>(one) {
                power.0 = number;
            }
        }
    }
}

/// Edits a whole server, in ways that do not reveal the changes.
pub fn replace(world: &mut World, kept: &mut World, random: &mut Random) {
    match random.below(60) {
        0 => world.copy_from(kept).unwrap(),
        1 => kept.copy_from(world).unwrap(),
        2 => {
            let mut later = world.try_clone().unwrap();
            (0..9).for_each(|_| edit(&mut later, random));
            let delta = Delta::between(world, &later).unwrap();
            world.apply_delta(delta.as_bytes(), &Limits::default()).unwrap();
        }
        3 => {
            let mut bytes = Vec::new();
            world.save().leave_out_rest().to_bytes(&mut bytes).unwrap();
            world.load(&bytes, &Limits::default()).unwrap();
        }
        4 => world.clear(),
        _ => {}
    }
}

/// Adds to a client entities and components that its server lacks.
pub fn add_own(client: &mut Client, random: &mut Random) {
    client.own.retain(|own| client.world.is_alive(*own));
    let here = client.known.known().iter().map(|(_, here)| *here);
    let here: Vec<Entity> = here.filter(|it| client.world.is_alive(*it)).collect();
    if random.below(8) == 0 && !here.is_empty() {
        let parent = here[random.below(here.len())];
        let own = client.world.spawn((Power(0), Shield(0), ChildOf(parent))).id();
        client.world.move_related::<ChildOf>(own, random.below(4));
        client.own.push(own);
    }
    // It outlives what it is attached to.
    for own in client.own.clone() {
        if random.below(20) == 0 {
            client.world.despawn(own).unwrap();
        }
    }
    client.own.retain(|own| client.world.is_alive(*own));
}

/// `ECS_FRAMES` says how many frames each world goes through.
#[test]
fn clients_equal_the_server_after_every_frame() {
    let frames = asked("ECS_FRAMES", 40);
    for seed in seeds(20) {
        let mut random = Random(seed);
        let mut server = empty();
        (0..random.below(20)).for_each(|_| edit(&mut server, &mut random));
        let mut kept = server.try_clone().unwrap();
        let mut clients = vec![Client::new(ChangeSets::default())];
        let mut in_part = Client::new(ChangeSets::default().only::<(Hull, Power, ChildOf)>());
        for frame in 0..frames {
            if random.below(30) == 0 && clients.len() < 3 {
                clients.push(Client::late(&mut server));
            }
            (0..random.below(8)).for_each(|_| edit(&mut server, &mut random));
            replace(&mut server, &mut kept, &mut random);
            if server.len() > 200 {
                server.clear();
            }
            in_part.follow(&mut server);
            in_part.assert_follows_in_part(&server);
            for client in &mut clients {
                if random.below(3) == 0 {
                    continue; // sees several frames as one
                }
                add_own(client, &mut random);
                client.follow(&mut server);
                client.own.retain(|own| client.world.is_alive(*own));
                client.assert_follows(&server);
                assert!(!client.follow(&mut server), "{seed}, frame {frame}");
            }
        }
    }
}

/// A client is a server to others.
#[test]
fn sets_are_passed_on() {
    for seed in seeds(20) {
        let mut random = Random(seed);
        let mut server = empty();
        let [mut between, mut last] = [(); 2].map(|()| Client::new(ChangeSets::default()));
        for _ in 0..asked("ECS_FRAMES", 40) {
            (0..random.below(8)).for_each(|_| edit(&mut server, &mut random));
            between.follow(&mut server);
            between.assert_follows(&server);
            last.follow(&mut between.world);
            last.assert_follows(&between.world);
        }
    }
}

fn server_and_client() -> (World, Client) {
    (empty(), Client::new(ChangeSets::default()))
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
        client.assert_follows(&server);
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
    client.assert_follows(&server);
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
        assert_eq!(applied.unwrap(), Applied::Done);
        client.assert_follows(&server);
        set.as_bytes().len()
    });
    // A handle and a value of seven bytes for each.
    assert!(sizes.iter().all(|size| *size < 120), "{sizes:?}");
}
