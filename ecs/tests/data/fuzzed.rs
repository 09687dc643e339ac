//! Targets of the fuzzers in `fuzz`: each may be called with any bytes. Here they are called with the kept corpora.

use crate::changes;
use crate::deltas::{between, know};
use crate::hostile::{
    Big, Boxed, Deep, Log, SLACK, Score, Shelf, Tree, Units, empty, outcome, small, within,
};
#[cfg(test)]
use crate::replay::replay;
use crate::worlds::{Friends, Number, Place, Random, Tag, Text, edit};
use ecs::by_name::{FieldType, FieldValue, Fields, Kind, Redefinition};
use ecs::save::{Follower, Limits, Received, WorldSeed};
use ecs::{ChildOf, Entity, Name, Res, World};
use serde::de::DeserializeSeed;
use std::cell::RefCell;

/// Returns a world in which the components of [`small`] worlds are registered, except those with hash maps: equal maps
/// may be written in different orders. It has changed the fields of a component without a type.
fn knowing() -> World {
    let mut world = World::new();
    know(&mut world);
    world.register::<(Big, Units, Deep, Boxed, Tree, Res<Score>, Res<Log>)>();
    potion(&mut world, true);
    world
}

/// Returns the kind of a component without a type, which is defined if need be. Its fields have changed if it `is_later`.
fn potion(world: &mut World, is_later: bool) -> Kind {
    if let Some(kind) = world
        .kind("Potion")
        .ok()
        .filter(|kind| kind.saved_as().unwrap().1 == 1 + u32::from(is_later))
    {
        return kind;
    }
    let order = Fields::new().entity("to").i16("urgency");
    let fields = Fields::new().f32("x").text("of").list("all", FieldType::Record(order));
    let kind = world.define("Potion", fields).unwrap();
    if !is_later {
        return kind;
    }
    let at = FieldValue::Record(vec![3_i8.into()]);
    let changes = Redefinition::new()
        .convert("x", FieldType::F64)
        .convert("of", FieldType::U8)
        .rename("of", "dose")
        .add("at", FieldType::Record(Fields::new().i8("y")), at)
        .add("label", FieldType::Text, "none");
    world.redefine(kind, &changes).unwrap()
}

/// Inserts a component without a type into each third entity.
fn brew(world: &mut World, is_later: bool) {
    let kind = potion(world, is_later);
    let all: Vec<Entity> = world.entities().collect();
    for (entity, to) in all.iter().zip(all.iter().rev()).step_by(3) {
        let dose = to.index().to_le_bytes()[0];
        let order = FieldValue::Record(vec![(*to).into(), (-3_i16).into()]);
        let all = FieldValue::List(vec![order; usize::from(dose % 3)]);
        let values = if is_later {
            let at = FieldValue::Record(vec![(-7_i8).into()]);
            vec![0.5_f64.into(), dose.into(), all, at, "a".into()]
        } else {
            vec![f32::from(dose).into(), dose.to_string().into(), all]
        };
        world.insert_fields(kind, *entity, &values).unwrap();
    }
}

fn saved(world: &World) -> Vec<u8> {
    let mut bytes = Vec::new();
    world.save().leave_out::<Shelf>().to_bytes(&mut bytes).unwrap();
    bytes
}

/// Returns a world saved with the fields of its components, so that a world that keeps unknown ones defines them again.
fn saved_with_definitions(world: &World) -> Vec<u8> {
    world.save().leave_out::<Shelf>().with_definitions().to_vec().unwrap()
}

/// Checks that a world is consistent, and is saved and read again without a difference.
fn is_exact(known: &World, world: &World) {
    world.check_invariants();
    let bytes = saved_with_definitions(world);
    let (again, _) = known.read(&bytes, &Limits::default().keep_unknown()).unwrap();
    again.check_invariants();
    assert!(
        saved_with_definitions(&again) == bytes,
        "the world that was read is saved as other bytes"
    );
}

/// A world that reads, and its memory when it is empty.
struct Reading {
    world: World,
    empty: usize,
}

impl Reading {
    fn new(world: World) -> Self {
        Self { empty: empty(&world), world }
    }

    fn read(&self, bytes: &[u8], limits: fn(Limits) -> Limits) {
        // A member takes a byte at least, and its value at most this many in memory.
        let allowed = 32 * bytes.len() + size_of::<Big>() * bytes.len() + SLACK;
        let limits = limits(Limits::default().memory(allowed));
        let new = outcome(0, bytes, allowed + self.empty, || self.world.read(bytes, &limits));
        if let Some((world, _)) = new {
            is_exact(&self.world, &world);
        }
    }
}

/// Reads files, by a world that has all of their components and by one that keeps most as unknown.
pub fn files(bytes: &[u8]) {
    thread_local! {
        static WORLDS: [Reading; 2] = {
            let mut few = World::new();
            few.register::<(Number, Name)>();
            [Reading::new(knowing()), Reading::new(few)]
        };
    }
    WORLDS.with(|[all, few]| {
        all.read(bytes, |limits| limits);
        few.read(bytes, Limits::keep_unknown);
    });
}

pub fn file_seeds() -> Vec<Vec<u8>> {
    let write = |seed| {
        let mut world = small(seed);
        if seed % 4 < 2 {
            brew(&mut world, seed % 4 == 0);
        }
        if seed % 2 == 0 {
            return saved(&world);
        }
        let order = Fields::new().entity("to").i16("urgency");
        let fields = Fields::new().f32("x").text("of").list("all", FieldType::Record(order));
        let kind = world.define("Defined", fields).unwrap();
        let all: Vec<Entity> = world.entities().collect();
        for (entity, to) in all.iter().zip(all.iter().rev()).step_by(3) {
            let order = FieldValue::Record(vec![(*to).into(), (-3_i16).into()]);
            let values = [0.5_f32.into(), "a".into(), FieldValue::List(vec![order])];
            world.insert_fields(kind, *entity, &values).unwrap();
        }
        saved_with_definitions(&world)
    };
    (0..40).map(write).filter(|bytes| bytes.len() < 4_000).collect()
}

/// Reads texts.
pub fn texts(bytes: &[u8]) {
    thread_local!(static WORLD: World = knowing());
    const MEMORY: usize = 200_000;
    let Ok(text) = str::from_utf8(bytes) else { return };
    let read = |known: &World, text: &str, limits: &Limits| {
        let mut from = serde_json::Deserializer::from_str(text);
        WorldSeed::new(known, limits).deserialize(&mut from).map(|(world, _)| world)
    };
    WORLD.with(|known| {
        let mut new = None;
        let limits = Limits::default().memory(MEMORY);
        within(MEMORY + SLACK, || new = read(known, text, &limits).ok());
        let Some(new) = new else { return };
        new.check_invariants();
        let text = |world: &World| serde_json::to_string(&world.save()).unwrap();
        // JSON has no infinite numbers, which large ones become.
        if new.pool::<Place>().as_slice().x.iter().all(|x| x.is_finite()) {
            let again = read(known, &text(&new), &Limits::default()).unwrap();
            assert_eq!(text(&again), text(&new));
        }
        is_exact(known, &new);
    });
}

pub fn text_seeds() -> Vec<Vec<u8>> {
    let text = |seed| {
        let mut world = small(seed);
        let all: Vec<Entity> = world.entities().collect();
        world.despawn_batch(all.get(12..).unwrap_or(&[]));
        world.pool_mut::<Deep>().iter_mut().for_each(|(_, deep)| deep.0 = None);
        if seed % 3 < 2 {
            brew(&mut world, seed % 3 == 0);
        }
        serde_json::to_vec(&world.save().leave_out::<Shelf>()).unwrap()
    };
    (0..20).map(text).filter(|text| text.len() < 4_000).collect()
}

/// A world, its copy to which deltas are applied, its bytes, and a delta that applies to it.
struct DeltaCase {
    old: World,
    world: World,
    before: Vec<u8>,
    delta: Vec<u8>,
}

thread_local! {
    static DELTAS: RefCell<Vec<DeltaCase>> = {
        let case = |seed| {
            let mut old = small(seed);
            know(&mut old);
            let is_later = seed % 3 == 0;
            brew(&mut old, is_later);
            let mut new = old.try_clone().unwrap();
            edit(&mut new, &mut Random(seed), 3);
            brew(&mut new, is_later);
            let delta = between(&old, &new);
            if seed % 3 == 1 {
                // The delta is of an earlier version than the world.
                potion(&mut old, true);
            }
            let world = old.try_clone().unwrap();
            DeltaCase { before: saved(&old), delta, old, world }
        };
        let is_short = |case: &DeltaCase| case.before.len().max(case.delta.len()) < 3_000;
        RefCell::new((0..60).map(case).filter(is_short).take(16).collect())
    };
}

/// Applies deltas, to the world that the first byte selects. A world that refuses one is unchanged, and gets the next.
pub fn deltas(bytes: &[u8]) {
    let [case, bytes @ ..] = bytes else { return };
    DELTAS.with_borrow_mut(|cases| {
        let case = usize::from(*case) % cases.len();
        let DeltaCase { old, world, before, .. } = &mut cases[case];
        let allowed = 32 * bytes.len() + 300 * (bytes.len() + before.len()) + 200_000;
        let limits = Limits::default().memory(allowed);
        let done = outcome(0, bytes, allowed + SLACK, || world.apply_delta(bytes, &limits));
        if let Some(()) = done {
            is_exact(world, world);
            *world = old.try_clone().unwrap();
        } else {
            world.check_invariants();
            assert!(saved(world) == *before, "a delta that was refused changed the world");
        }
    });
}

pub fn delta_seeds() -> Vec<Vec<u8>> {
    let seed = |(case, it): (u8, &DeltaCase)| [&[case], &it.delta[..]].concat();
    DELTAS.with_borrow(|cases| (0..).zip(cases).map(seed).collect())
}

/// A world that follows another one, its copy to which sets are applied, its bytes, and the next set of changes.
struct SetCase {
    client: (World, Follower),
    copy: (World, Follower),
    before: Vec<u8>,
    set: Vec<u8>,
}

/// Returns a world that follows, in which the fields of a component without a type are the later ones, or not.
fn following(is_later: bool) -> World {
    let mut world = changes::knowing();
    potion(&mut world, is_later);
    world
}

thread_local! {
    static KNOWING: World = following(true);
    static SETS: RefCell<Vec<SetCase>> = {
        let case = |seed| {
            let mut random = Random(seed);
            let is_later = seed % 2 == 0;
            let (mut server, mut client) = (following(is_later), following(true));
            client.spawn_batch((0..5).map(changes::Score));
            let (mut sent, mut known) = (server.change_sets(), Follower::default());
            (0..20).for_each(|_| changes::edit(&mut server, &mut random));
            brew(&mut server, is_later);
            let first = sent.drain(&mut server).unwrap();
            let applied =
                client.apply_change_set(first.as_bytes(), &mut known, &Limits::default());
            assert_eq!(applied.unwrap(), Received::Applied);
            (0..6).for_each(|_| changes::edit(&mut server, &mut random));
            brew(&mut server, is_later);
            let set = sent.drain(&mut server).unwrap().into_bytes();
            let copy = (client.try_clone().unwrap(), known.clone());
            SetCase { before: changes::saved(&client), client: (client, known), copy, set }
        };
        RefCell::new((0..16).map(case).collect())
    };
}

/// Applies sets of changes, to the world that the first byte selects. A world that refuses one is unchanged, and gets the
/// next.
pub fn change_sets(bytes: &[u8]) {
    let [case, bytes @ ..] = bytes else { return };
    SETS.with_borrow_mut(|cases| {
        let case = usize::from(*case) % cases.len();
        let SetCase { client, copy: (world, known), before, .. } = &mut cases[case];
        let allowed = 32 * bytes.len() + 300 * (bytes.len() + before.len()) + 200_000;
        let limits = Limits::default().memory(allowed);
        let apply = || world.apply_change_set(bytes, known, &limits);
        let done = outcome(0, bytes, allowed + SLACK, apply);
        world.check_invariants();
        let after = changes::saved(world);
        if done.is_some() {
            KNOWING.with(|reader| {
                let (again, _) = reader.read(&after, &Limits::default()).unwrap();
                assert!(changes::saved(&again) == after, "the world is saved as other bytes");
            });
            (*world, *known) = (client.0.try_clone().unwrap(), client.1.clone());
        } else {
            let is_same = after == *before && changes::pairs(known) == changes::pairs(&client.1);
            assert!(is_same, "a set that was refused changed the world");
        }
    });
}

pub fn set_seeds() -> Vec<Vec<u8>> {
    let seed = |(case, it): (u8, &SetCase)| [&[case], &it.set[..]].concat();
    SETS.with_borrow(|cases| (0..).zip(cases).map(seed).collect())
}

thread_local! {
    static QUERIED: RefCell<World> = {
        let mut world = small(3);
        let all = (Number(3), Text("text".into()), Tag, Place::default(), Friends::default());
        let parent = world.spawn(all).id();
        world.spawn((ChildOf(parent), Name::new("Bob"), Number(4)));
        brew(&mut world, true);
        RefCell::new(world)
    };
}

/// Reads queries as texts. Each way to find the matches of one has the same entities, and a mistake has a place.
pub fn queries(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    QUERIED.with_borrow_mut(|world| {
        let query = match world.kinds_query(&text) {
            Ok(query) => query,
            Err(error) => {
                assert!(text.get(error.range()).is_some() && !error.reason().is_empty());
                assert!(error.to_string().ends_with('^') && error.to_string().lines().count() > 2);
                return;
            }
        };
        assert_eq!(format!("{query:?}"), format!("{:?}", world.kinds_query(&text).unwrap()));
        let rows = world.kind_rows_from(&query, 0).unwrap();
        let expected: Vec<Entity> = rows.map(|row| row.entity()).collect();
        let mut found: Vec<Entity> =
            world.kind_rows(&query).unwrap().map(|row| row.entity()).collect();
        found.sort_unstable();
        assert_eq!(found, expected, "{text}");
        if let Ok(chunks) = query.chunks(world) {
            let mut found: Vec<Entity> =
                chunks.flat_map(|chunk| chunk.entities().iter().copied()).collect();
            found.sort_unstable();
            assert_eq!(found, expected, "{text}");
        }
        let mut found = Vec::new();
        world.for_each_row(&query, |row| found.push(row.entity())).unwrap();
        found.sort_unstable();
        assert_eq!(found, expected, "{text}");
    });
}

pub fn query_seeds() -> Vec<Vec<u8>> {
    let texts = [
        "Number, ?Place, !Tag",
        "Number | !Text, (Tag, Number.0 <= 5)",
        "ChildOf(*), Sources(ChildOf), ChildOf(0v1)",
        "Place.x != -1.5e3, Place.label == \"a\\n\", `Friends`.0.0 == 3v1",
        "!(Name == 'Bob' | ecs::Name < 'c') | !!Text == 'text'",
        "Potion, Potion.x >= -0.5, !(Potion.dose < 3), ?Number",
        "Potion.at.y == -7 | Potion.label != 'a', (Potion.all.0.to == 3v1 | Potion.all.1.urgency < 2)",
    ];
    texts.map(|text| text.as_bytes().to_vec()).into()
}

#[test]
fn the_corpus_of_queries_does_no_harm() {
    replay("queries", queries);
    query_seeds().iter().for_each(|bytes| queries(bytes));
}

/// Words and signs of queries in any order: each text is a query that finds the same by each way, or has a mistake with
/// a place.
#[test]
fn random_texts_of_queries_do_no_harm() {
    const PARTS: [&str; 48] = [
        "Number",
        "Potion",
        "Potion.x",
        "Potion.dose",
        "Potion.at.y",
        "Potion.all.0.to",
        "Potion.all",
        "Potion.at",
        "Place.x",
        "Name",
        "Friends.0.1",
        "ChildOf",
        "Sources",
        "Nobody",
        "`Tag`",
        "`",
        "(",
        ")",
        "(*)",
        "(0v1)",
        ",",
        ",",
        "|",
        "!",
        "?",
        ".",
        "::",
        "<",
        "<=",
        "==",
        "!=",
        "=",
        ">",
        "3",
        "-1.5e3",
        "1e",
        "1e+",
        "-",
        "3v1",
        "true",
        "'a'",
        "\"a\\n\"",
        "'",
        "\\",
        "ß",
        "🦀",
        "\u{2028}\n",
        "\0",
    ];
    let mut random = Random(crate::worlds::asked("ECS_SEED", 0));
    let mut count = 0;
    for _ in 0..crate::worlds::asked("ECS_TEXTS", 4_000) {
        let mut text = String::new();
        for _ in 0..random.below(9) {
            text.push_str(PARTS[random.below(PARTS.len())]);
            text.push_str(["", " "][random.below(2)]);
        }
        queries(text.as_bytes());
        count += usize::from(QUERIED.with_borrow(|world| world.kinds_query(&text).is_ok()));
        let bytes: Vec<u8> =
            (0..random.below(20)).map(|_| random.next().to_le_bytes()[0]).collect();
        queries(&bytes);
    }
    assert!(count > 100, "{count} are queries");
}

#[test]
fn the_corpus_of_files_does_no_harm() {
    replay("files", files);
    file_seeds().iter().for_each(|bytes| files(bytes));
}

#[test]
fn the_corpus_of_texts_does_no_harm() {
    replay("texts", texts);
    text_seeds().iter().for_each(|bytes| texts(bytes));
}

#[test]
fn the_corpus_of_deltas_does_no_harm() {
    replay("deltas", deltas);
    delta_seeds().iter().for_each(|bytes| deltas(bytes));
}

#[test]
fn the_corpus_of_change_sets_does_no_harm() {
    replay("change_sets", change_sets);
    set_seeds().iter().for_each(|bytes| change_sets(bytes));
}
