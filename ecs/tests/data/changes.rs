//! Change sets: a world that follows another one, with entities of its own beside.

use crate::hostile::{SLACK, mutate, outcome};
use crate::worlds::{Friends, Random, asked};
use ecs::save::{ChangeSet, ChangeSets, Follower, Limits, LoadError, Received};
use ecs::{ChildOf, Component, Entity, Name, Res, Resource, SparseSet, World};
use serde::{Deserialize, Serialize};

#[derive(Component, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[component(save = "score", track, clone)]
pub struct Score(pub u64);
#[derive(Component, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[component(save = "spot", track, clone, layout = "soa")]
struct Spot {
    x: f32,
    label: String,
}
#[derive(Component, Serialize, Deserialize, Clone)]
#[component(save = "flag", track, clone)]
struct Flag;
/// Is not sent.
#[derive(Component, Serialize, Deserialize, Clone)]
#[component(save = "secret", clone)]
struct Secret(u8);
/// May form circles.
#[derive(Component, Serialize, Deserialize, Clone)]
#[component(save = "follows", relation, track, clone)]
struct Follows(#[component(target)] Entity);

pub fn knowing() -> World {
    let mut world = World::new();
    world.register::<(Score, Spot, Flag, Friends, Follows, ChildOf, Name, Secret)>();
    world
}

/// Returns the client's entity for one of the server.
#[track_caller]
fn at(known: &Follower, there: Entity) -> Entity {
    known.get(there).expect("it is known")
}

fn apply(world: &mut World, set: &[u8], known: &mut Follower) -> Result<(), LoadError> {
    let applied = world.apply_change_set(set, known, &Limits::default())?;
    assert_eq!(applied, Received::Applied);
    Ok(())
}

fn tell(server: &mut World, sets: &mut ChangeSets) -> ChangeSet {
    sets.drain(server).unwrap()
}

/// Edits the sent components, at random.
pub fn edit(world: &mut World, random: &mut Random) {
    let all: Vec<Entity> = world.entities().collect();
    let number = random.next() % 1_000;
    let Some(&one) = all.get(random.below(all.len().max(1))) else {
        world.spawn_batch((0..5).map(Score));
        return;
    };
    let other = all[random.below(all.len())];
    match random.below(14) {
        0 => drop(world.spawn_batch((0..number % 40).map(|it| (Score(it), Flag)))),
        1 => drop(world.spawn((Score(number), Friends(vec![one, other]), ChildOf(one))).id()),
        2 => drop(world.spawn(Spot { x: 0.5, label: number.to_string() }).id()),
        3 => world.insert(one, (Score(number), Flag)).unwrap(),
        4 => drop(world.remove::<(Score, Flag)>(one)),
        5 => {
            for (_, spot) in world.view_mut::<&mut Spot>() {
                *spot.x += 1.0;
            }
        }
        6 => drop(world.despawn(one)),
        7 => drop(world.despawn_batch(&all[..all.len() / 8])),
        8 => drop(world.attach(one, other)),
        9 => drop(world.detach(one)),
        10 => drop(world.relate(one, Follows(other))),
        11 => {
            world.despawn(one).unwrap();
            world.spawn((Score(1), Friends(vec![one, other]))); // under the same index
        }
        12 if random.below(9) == 0 => world.clear(),
        12 => drop(world.remove_batch::<Score>(&all[all.len() / 2..])),
        _ => {
            if let Some(score) = world.get_mut::<Score>(one) {
                score.0 = number;
            }
        }
    }
}

#[test]
fn sets_go_on_where_a_snapshot_ends() {
    let mut server = knowing();
    let old = server.spawn((Score(1), Secret(7))).id();
    let mut sent = server.change_sets();
    let mut bytes = Vec::new();
    server.save().only::<(Score, ChildOf)>().to_bytes(&mut bytes).unwrap();
    let mut client = knowing();
    client.spawn_batch((0..3).map(|_| Flag));
    let (mut level, _) = client.read(&bytes, &Limits::default()).unwrap();
    let mut known = Follower::from(client.merge(&mut level).unwrap());
    assert!(tell(&mut server, &mut sent).is_empty());
    let new = server.spawn((Score(2), Secret(8), ChildOf(old))).id();
    server.get_mut::<Score>(old).unwrap().0 = 9;
    let news = tell(&mut server, &mut sent);
    assert!(news.as_bytes().len() < 100, "{}", news.as_bytes().len());
    apply(&mut client, news.as_bytes(), &mut known).unwrap();
    assert_eq!(client.get::<Score>(at(&known, old)), Some(&Score(9)));
    assert_eq!(client.parent(at(&known, new)), Some(at(&known, old)));
    assert!(client.pool::<Secret>().is_empty(), "what is not tracked is not sent");
    // In a world that was loaded, each entity is known for itself.
    let mut loaded = knowing();
    loaded.load(&bytes, &Limits::default()).unwrap();
    let itself: SparseSet<Entity, Entity> = loaded.entities().map(|it| (it, it)).collect();
    let mut known = Follower::from(itself);
    apply(&mut loaded, news.as_bytes(), &mut known).unwrap();
    assert_eq!(loaded.get::<Score>(old), Some(&Score(9)));
}

#[derive(Resource, Default, Debug, PartialEq)]
struct Heard(Vec<String>);

#[test]
fn observers_are_notified_at_the_end_and_vetoes_are_checked() {
    #[derive(Component, Serialize, Deserialize)]
    #[component(save = "lock", track, veto = Lock::may_go)]
    struct Lock(bool);
    impl Lock {
        fn may_go(&mut self) -> bool {
            !self.0
        }
    }
    let (mut server, mut client) = (knowing(), knowing());
    client.register::<Lock>();
    client.insert_resource(Heard::default());
    client.on_insert::<Flag>(|world, entity| {
        let all = (world.get::<Score>(entity) == Some(&Score(4)), world.has::<Lock>(entity));
        world.resource_mut::<Heard>().0.push(format!("came {all:?}"));
    });
    client.on_remove::<Score>(|world, _| world.resource_mut::<Heard>().0.push("went".to_owned()));
    let mut sent = server.change_sets();
    let mut known = Follower::default();
    let [a, b] =
        [true, false].map(|is_locked| server.spawn((Flag, Score(4), Lock(is_locked))).id());
    apply(&mut client, tell(&mut server, &mut sent).as_bytes(), &mut known).unwrap();
    assert_eq!(client.resource::<Heard>().0, ["came (true, true)"; 2]);
    client.resource_mut::<Heard>().0.clear();
    server.get_mut::<Lock>(a).unwrap().0 = false;
    server.despawn_batch(&[a, b]);
    let news = tell(&mut server, &mut sent);
    let here = [a, b].map(|it| at(&known, it));
    apply(&mut client, news.as_bytes(), &mut known).unwrap();
    // The lock of the one is closed here.
    assert!(client.is_alive(here[0]) && !client.is_alive(here[1]));
    assert_eq!(client.resource::<Heard>().0, ["went"]);
    assert_eq!((known.get(a), known.get(b)), (Some(here[0]), None));
}

#[test]
fn an_entity_that_an_observer_ends_is_skipped_until_a_full_set() {
    let (mut server, mut client) = (knowing(), knowing());
    let (mut sent, mut known) = (server.change_sets(), Follower::default());
    let [a, b] = [1, 2].map(|it| server.spawn((Score(it), Flag)).id());
    let [child, friend] = [ChildOf(b), ChildOf(a)].map(|it| server.spawn(it).id());
    apply(&mut client, tell(&mut server, &mut sent).as_bytes(), &mut known).unwrap();
    let other = at(&known, b);
    client.insert_resource(Doomed(other));
    client.on_remove::<Score>(|world, _| {
        let Doomed(other) = *world.resource::<Doomed>();
        let _ = world.despawn(other);
    });
    server.remove::<Score>(a);
    server.get_mut::<Score>(b).unwrap().0 = 5;
    server.insert(a, Friends(vec![b])).unwrap();
    server.relate(friend, ChildOf(b)).unwrap();
    let new = server.spawn(ChildOf(a)).id();
    apply(&mut client, tell(&mut server, &mut sent).as_bytes(), &mut known).unwrap();
    client.check_invariants();
    assert!(!client.is_alive(other) && !client.is_alive(at(&known, child)));
    assert_eq!(client.parent(at(&known, friend)), Some(at(&known, a)), "its new one is dead");
    assert_eq!(client.parent(at(&known, new)), Some(at(&known, a)));
    let mut skipped: Vec<_> = known.skipped().collect();
    skipped.sort_unstable();
    assert_eq!(skipped, [(b, 2), (friend, 2)]);
    assert_eq!(client.get::<Friends>(at(&known, a)).unwrap().0, [other]);
    // All of it comes back, and is named again.
    sent.restart();
    apply(&mut client, tell(&mut server, &mut sent).as_bytes(), &mut known).unwrap();
    client.check_invariants();
    assert_ne!(at(&known, b), other);
    assert!(
        client.get::<Score>(at(&known, b)) == Some(&Score(5)) && client.has::<Flag>(at(&known, b))
    );
    assert!(client.children(at(&known, b)).eq([child, friend].map(|it| at(&known, it))));
    assert_eq!(client.get::<Friends>(at(&known, a)).unwrap().0, [at(&known, b)]);
    assert_eq!(known.skipped().count(), 0);
}

#[derive(Resource)]
struct Doomed(Entity);

#[test]
fn a_reader_of_another_world_begins_anew() {
    let (mut one, mut other) = (knowing(), knowing());
    let mut sent = one.change_sets();
    one.spawn(Score(1));
    assert!(!tell(&mut one, &mut sent).is_empty());
    other.spawn(Score(2));
    let mut fresh = ChangeSets::default();
    let (again, first) = (tell(&mut other, &mut sent), tell(&mut other, &mut fresh));
    assert!(again.is_full() && again.number() == 2 && first.number() == 1);
    assert_eq!(again.as_bytes()[6..], first.as_bytes()[6..]); // behind the number
}

#[test]
fn schemas_are_compared_by_saved_components() {
    #[derive(Resource, Serialize, Deserialize)]
    #[resource(save = "season")]
    struct Season(u8);
    #[derive(Component, Serialize, Deserialize)]
    #[component(save = "score", version = 2)]
    struct NewScore(u64);
    #[derive(Component, Serialize, Deserialize)]
    #[component(save = "score")]
    struct Renamed(u64);
    let hash_of = |register: fn(&mut World)| {
        let mut world = World::new();
        register(&mut world);
        world.save().schema_hash()
    };
    let one = hash_of(World::register::<(Score, Flag)>);
    assert_eq!(one, hash_of(World::register::<(Flag, Score)>));
    assert_eq!(one, hash_of(World::register::<(Flag, Renamed)>));
    assert_ne!(one, hash_of(World::register::<Flag>));
    assert_ne!(one, hash_of(World::register::<(Flag, NewScore)>));
    assert_ne!(one, hash_of(World::register::<(Flag, Score, Res<Season>)>));
    // The hash is equal on every machine.
    assert_eq!(hash_of(World::register::<Name>), 14_221_045_253_624_140_117);
}

/// Checks that a world refuses this set with these words, and is as it was.
#[track_caller]
fn refused(set: &[u8], words: &str) {
    let (mut world, mut known) = family();
    let (before, known_before) = (saved(&world), pairs(&known));
    let error = apply(&mut world, set, &mut known).unwrap_err().to_string();
    assert!(error.ends_with(words), "{error}");
    world.check_invariants();
    assert!(saved(&world) == before && pairs(&known) == known_before);
}

pub fn saved(world: &World) -> Vec<u8> {
    let mut bytes = Vec::new();
    world.save().to_bytes(&mut bytes).unwrap();
    bytes
}

pub fn pairs(known: &Follower) -> Vec<(Entity, Entity)> {
    known.known().iter().map(|(there, here)| (there, *here)).collect()
}

/// A world that follows one with entities 0v1 and 1v1; the second is the child of the first.
fn family() -> (World, Follower) {
    let mut world = knowing();
    world.spawn_empty();
    let parent = world.spawn(Score(1)).id();
    let child = world.spawn((Score(2), ChildOf(parent))).id();
    let there = [0, 1].map(|index| Entity::from_bits(1 << 32 | index).unwrap());
    let known: SparseSet<Entity, Entity> = there.into_iter().zip([parent, child]).collect();
    (world, known.into())
}

/// A first set with these ended entities, as bytes, and parts.
fn crafted(ended: &[u8], parts: &[(&str, &[u8])]) -> Vec<u8> {
    let mut bytes = [&b"ecs\x04c\x01\x06"[..], ended].concat();
    bytes.push(parts.len().try_into().unwrap());
    for (number, (name, part)) in (0..).zip(parts) {
        bytes.extend([number, name.len().try_into().unwrap()]);
        bytes.extend(name.as_bytes());
        bytes.extend([1, 0, 0, 0, 0]); // version, fingerprint
        bytes.extend(*part);
    }
    bytes
}

/// Other fields under the name of [`Score`], a later version of it, and the same of a resource.
#[derive(Component, Serialize, Deserialize, Clone)]
#[component(save = "score", track, clone)]
struct Signed(i64);
#[derive(Component, Serialize, Deserialize, Clone)]
#[component(save = "score", track, clone, version = 2, from(1 = Score))]
struct Doubled(u64, u64);
impl From<Score> for Doubled {
    fn from(Score(score): Score) -> Self {
        Self(score, 2 * score)
    }
}
#[derive(Resource, Serialize, Deserialize, Debug, PartialEq)]
#[resource(save = "round")]
struct Round(u32);
#[derive(Resource, Serialize, Deserialize)]
#[resource(save = "round")]
struct SignedRound(i32);

/// Returns the error without the place.
fn what(error: &LoadError) -> String {
    error.to_string().split_once(": ").unwrap().1.to_owned()
}

#[test]
fn sets_of_other_fields_are_refused_with_the_words_of_a_file() {
    let (mut server, mut client) = (World::new(), World::new());
    client.register::<(Score, Res<Round>)>();
    server.register::<Res<SignedRound>>();
    let mut sent = server.change_sets();
    server.spawn(Signed(-1));
    let (bytes, file) = (tell(&mut server, &mut sent), saved(&server));
    let error = apply(&mut client, bytes.as_bytes(), &mut Follower::default()).unwrap_err();
    let of_file = client.read(&file, &Limits::default()).unwrap_err();
    assert_eq!((error.component(), what(&error)), (Some("score"), what(&of_file)));
    assert!(what(&error).starts_with("its fields, their types or its variants differ"), "{error}");

    let mut sent = server.change_sets().resource::<SignedRound>().only::<Name>();
    server.insert_resource(SignedRound(-1));
    let bytes = tell(&mut server, &mut sent);
    let error = apply(&mut client, bytes.as_bytes(), &mut Follower::default()).unwrap_err();
    assert_eq!((error.component(), what(&error)), (Some("round"), what(&of_file)));
    assert!(client.is_empty() && client.get_resource::<Round>().is_none());
}

#[test]
fn sets_of_an_earlier_version_are_read_and_those_of_a_later_one_are_refused() {
    let (mut early, mut late) = (World::new(), World::new());
    let (mut sent_early, mut sent_late) = (ChangeSets::default(), ChangeSets::default());
    early.spawn(Score(4));
    late.spawn(Doubled(1, 2));
    let bytes = tell(&mut late, &mut sent_late);
    let error = apply(&mut early, bytes.as_bytes(), &mut Follower::default()).unwrap_err();
    assert_eq!(what(&error), "it is of version 2, and this program has version 1");
    let bytes = tell(&mut early, &mut sent_early);
    apply(&mut late, bytes.as_bytes(), &mut Follower::default()).unwrap();
    assert!(late.view::<&Doubled>().iter().any(|(_, it)| (it.0, it.1) == (4, 8)));
}

#[test]
fn a_resource_is_sent_when_it_changed() {
    let mut server = knowing();
    let mut sent = server.change_sets().resource::<Round>();
    server.insert_resource(Round(1));
    assert!(!tell(&mut server, &mut sent).is_empty());
    assert!(tell(&mut server, &mut sent).is_empty());
    server.resource_mut::<Round>().0 = 2;
    assert!(!tell(&mut server, &mut sent).is_empty());
}

#[test]
fn a_component_that_returned_within_a_frame_is_not_removed() {
    let (mut server, mut client, mut known) = (knowing(), knowing(), Follower::default());
    let mut sent = server.change_sets();
    let ship = server.spawn(Score(1)).id();
    apply(&mut client, tell(&mut server, &mut sent).as_bytes(), &mut known).unwrap();
    client.on_remove::<Score>(|_, _| panic!("it returned"));
    server.remove::<Score>(ship).unwrap();
    server.insert(ship, Score(2)).unwrap();
    apply(&mut client, tell(&mut server, &mut sent).as_bytes(), &mut known).unwrap();
    assert!(client.view::<&Score>().iter().map(|(_, score)| score.0).eq([2]));
}

#[test]
fn a_name_and_its_schema_are_sent_once_until_a_full_set() {
    let mut server = knowing();
    let mut sent = server.change_sets();
    let ship = server.spawn(Score(1)).id();
    let has_name = |set: &ChangeSet| set.as_bytes().windows(5).any(|five| five == b"score");
    assert!(has_name(&tell(&mut server, &mut sent)));
    server.get_mut::<Score>(ship).unwrap().0 = 2;
    let bytes = tell(&mut server, &mut sent);
    // Header, number, flags | one part: of name 0, one member, flags, index, generation, value.
    assert_eq!(bytes.as_bytes(), [&b"ecs\x04c\x02\x04"[..], &[1, 0, 1, 8, 0, 1, 2]].concat());
    sent.restart();
    assert!(has_name(&tell(&mut server, &mut sent)));
}

#[test]
fn impossible_sets_are_refused() {
    let score = |part: &[u8]| crafted(&[0], &[("score", part)]);
    let (mut world, mut known) = family();
    let there = |index: u64| Entity::from_bits(1 << 32 | index).unwrap();
    // The first has 7, a third comes with 8.
    apply(&mut world, &score(&[2, 8, 0, 2, 1, 1, 7, 8]), &mut known).unwrap();
    let scores = [0, 2].map(|index| world.get::<Score>(at(&known, there(index))).unwrap().0);
    assert_eq!((scores, world.len()), ([7, 8], 4));

    let other = "these are not the bytes of a change set";
    for bytes in [&b""[..], b"ecs", b"ecd\x01", b"ecc\0", b"ecs\x01c", b"ecs\x04w", b"ecs\x04d"] {
        refused(bytes, other);
    }
    refused(b"ecs\x05", "it was made by a later version of the library");
    for early in [&b"ecc\x03"[..], b"ecs\x02c"] {
        refused(early, "it was made by an earlier version of the library: make it again");
    }
    refused(b"ecs\x04c\x01\x80", "it has no section, and says that values come apart");
    let huge = [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f];
    refused(&crafted(&huge, &[]), "the bytes are too few for the number of elements");
    refused(
        &score(&[&huge[..], &[8]].concat()),
        "the bytes are too few for the number of elements",
    );
    for flags in [0, 1, 9, 10, 12, 24, 40, 8 | 128] {
        refused(&score(&[0, flags, 0]), "its encoding is unknown");
    }
    refused(&crafted(&[2, 2, 1, 1, 1], &[]), "entities are not in order");
    refused(&score(&[0, 8 | 64, 2, 2, 1, 1, 1]), "entities are not in order");
    let invalid = "invalid handle 0v0: indices are below 4294967295, and generations start at 1";
    refused(&crafted(&[1, 0, 0], &[]), invalid);
    refused(&score(&[1, 8, 0, 0, 7]), invalid);
    refused(&score(&[2, 8, 0, 1, 1, 2, 7, 8]), "two entities have one index");
    let elsewhere: &[(&str, &[u8])] = &[("flag", &[1, 8, 0, 2]), ("score", &[1, 8, 0, 1, 7])];
    refused(&crafted(&[0], elsewhere), "two entities have one index");
    refused(
        &crafted(&[1, 0, 1], &[("score", &[1, 8, 0, 1, 7])]),
        "the entity was despawned, and still has the component",
    );
    refused(&crafted(&[0], &[("nothing", &[0, 8])]), "register it by `World::register`");
    let twice: &[(&str, &[u8])] = &[("score", &[0, 8]), ("score", &[0, 8])];
    refused(&crafted(&[0], twice), "it is there twice");
    let mut again = crafted(&[0], &[("score", &[0, 8])]);
    again[8] = 2; // parts
    again.extend([0, 0, 8]);
    refused(&again, "it is there twice");
    let number = again.len() - 3;
    again[number] = 2;
    refused(&again, "a number stands for a name that was not sent");
    let mut mixed = score(&[0, 8]);
    mixed[6] |= 32; // resources
    mixed.extend([1, 0, 0]);
    refused(&mixed, "a component is named as a resource, or a resource as a component");
    // A later set that names it once more.
    let mut later = score(&[0, 8]);
    (later[5], later[9]) = (2, 1); // the numbers of the set and the name
    let error = apply(&mut world, &later, &mut known).unwrap_err().to_string();
    assert!(error.ends_with("it is there twice"), "{error}");
    refused(&score(&[0, 8, 7]), "there are bytes behind the end");
    refused(&score(&[1, 8, 0, 1]), "the bytes end too early");
    refused(&[&crafted(&[0], &[])[..], &[0]].concat(), "there are bytes behind the end");
    // An index behind all others would take 32 MB of pages.
    let far = [1, 8, 0xfc, 0xff, 0xff, 0xff, 0x1f, 1, 7];
    let (mut world, mut known) = family();
    let limits = Limits::default().memory(1_000_000);
    let error = world.apply_change_set(&score(&far), &mut known, &limits).unwrap_err().to_string();
    assert!(error.ends_with("it takes more memory than the limit"), "{error}");
}

#[test]
fn relations_point_to_the_living_and_form_no_circle() {
    let bits = |index: u8| [index | 0x80, 0x80, 0x80, 0x80, 0x10]; // generation 1
    let child = |of: u8, by: u8| [&[1, 8, 2 * of, 1][..], &bits(by)].concat();
    let set = |part: &[u8]| crafted(&[0], &[("ecs::ChildOf", part)]);
    refused(&set(&child(0, 0)), "entities point to each other in a circle");
    // With a relation of the client, which may have been written in advance: only a full set shows it.
    let (mut world, mut known) = family();
    let applied = world.apply_change_set(&set(&child(0, 1)), &mut known, &Limits::default());
    assert!(applied.unwrap() == Received::Missing && known.needs_full());
    let mut full = set(&child(0, 1));
    full[6] |= 1;
    apply(&mut world, &full, &mut known).unwrap();
    let there = |index: u64| Entity::from_bits(1 << 32 | index).unwrap();
    assert_eq!(world.parent(at(&known, there(0))), Some(at(&known, there(1))));
    assert_eq!(world.parent(at(&known, there(1))), None);
    let dead = crafted(&[1, 0, 1], &[("ecs::ChildOf", &child(1, 0))]);
    refused(&dead, "it points to an entity that is dead");
    let nobody = [&[1, 8, 0, 1][..], &[0xff; 9], &[1]].concat();
    let (mut world, mut known) = family();
    assert!(apply(&mut world, &set(&nobody), &mut known).is_err());
    // Its target is there, if need be.
    apply(&mut world, &set(&child(0, 5)), &mut known).unwrap();
    let there = |index: u64| Entity::from_bits(1 << 32 | index).unwrap();
    assert_eq!(world.parent(at(&known, there(0))), Some(at(&known, there(5))));
    // The circle would be closed by one that goes.
    let (mut world, mut known) = family();
    let turned = [&[1, 8 | 64, 0, 1, 1, 2, 1][..], &bits(1)].concat();
    apply(&mut world, &set(&turned), &mut known).unwrap();
    assert_eq!(world.parent(at(&known, there(0))), Some(at(&known, there(1))));
}

#[test]
fn places_and_bare_entities_that_cannot_be_are_refused() {
    let set = |parts: &[(&str, &[u8])], bare: &[u8]| {
        let mut bytes = crafted(&[1, 2, 9], parts);
        bytes[6] |= 1 << 3;
        [&bytes[..], bare].concat()
    };
    let bits = |index: u8| [index | 0x80, 0x80, 0x80, 0x80, 0x10]; // generation 1
    // 2v1 and 3v1 become children of 0v1 and 4v1.
    let children = [&[2, 8 | 128, 4, 0, 1, 1][..], &bits(0), &bits(4)].concat();
    let placed = |places: &[u8]| set(&[("ecs::ChildOf", &[&children, places].concat())], &[0]);
    let (mut world, mut known) = family();
    apply(&mut world, &placed(&[1, 0, 0]), &mut known).unwrap();
    let there = [0, 1, 2].map(|index| at(&known, Entity::from_bits(1 << 32 | index).unwrap()));
    assert!(world.children(there[0]).eq([there[2], there[1]]));

    refused(&placed(&[1, 2, 0]), "a place belongs to none of the changed entities");
    refused(&placed(&[2, 0, 0, 0, 0]), "an entity has two places");
    refused(&placed(&[2, 1, 0, 0, 0]), "places are not in the order of the targets");
    let far = [1, 0, 1, 0xff, 0xff, 0xff, 0xff, 0x0f];
    refused(
        &placed(&far),
        "invalid handle 4294967295v1: indices are below 4294967295, and generations start at 1",
    );
    refused(&set(&[], &[]), "the bytes end too early");
    refused(&set(&[], &[1, 2, 9]), "the entity was despawned, and is still named");
    refused(&set(&[("score", &[1, 8, 0, 1, 7])], &[1, 0, 2]), "two entities have one index");
}

#[test]
fn two_entities_may_not_share_a_counterpart() {
    let (mut world, mut known) = family();
    let there = [0, 1].map(|index| Entity::from_bits(1 << 32 | index).unwrap());
    let second = at(&known, there[1]);
    known.insert(there[0], second);
    let set = crafted(&[0], &[("score", &[2, 8, 0, 0, 1, 1, 7, 8])]);
    let error = apply(&mut world, &set, &mut known).unwrap_err().to_string();
    assert!(error.ends_with("two entities of the sender stand for one entity here"), "{error}");
}

/// Mutates change sets: `ECS_MUTATIONS` says how many times.
#[test]
fn mutated_sets_do_no_harm() {
    let mut cases = Vec::new();
    for seed in 0..12 {
        let mut random = Random(seed);
        let (mut server, mut client) = (knowing(), knowing());
        client.spawn_batch((0..5).map(Score));
        let (mut sent, mut known) = (server.change_sets(), Follower::default());
        (0..20).for_each(|_| edit(&mut server, &mut random));
        apply(&mut client, tell(&mut server, &mut sent).as_bytes(), &mut known).unwrap();
        (0..6).for_each(|_| edit(&mut server, &mut random));
        cases.push((client, known, tell(&mut server, &mut sent).into_bytes()));
    }
    let sets: Vec<Vec<u8>> = cases.iter().map(|(.., set)| set.clone()).collect();
    let mut random = Random(asked("ECS_SEED", 0));
    let (mut applied, all) = (0, asked("ECS_MUTATIONS", 1_000));
    for at in 0..all {
        let (client, known, set) = &cases[random.below(cases.len())];
        let (mut world, mut known) = (client.try_clone().unwrap(), known.clone());
        let before = (saved(&world), pairs(&known));
        let mut bytes = set.clone();
        for _ in 0..=random.below(3) {
            mutate(&mut bytes, &sets, &mut random);
        }
        let allowed = 32 * bytes.len() + 300 * (bytes.len() + before.0.len()) + 200_000;
        let limits = Limits::default().memory(allowed);
        let apply = || world.apply_change_set(&bytes, &mut known, &limits);
        let done = outcome(at, &bytes, allowed + SLACK, apply);
        applied += u64::from(done.is_some());
        world.check_invariants();
        let is_same = || before == (saved(&world), pairs(&known));
        assert!(done.is_some() || is_same(), "mutation {at} changed the world");
    }
    println!("{applied} of {all} still apply");
    assert!(applied > all / 100, "only {applied} of {all} still apply");
}
