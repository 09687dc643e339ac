//! Texts that were edited, by mistake or to do harm.

use crate::counting::most_bytes;
use crate::hostile::{Deep, SLACK, knowing, small, within};
use crate::worlds::{Number, Random, asked};
use ecs::save::{Limits, Loaded, WorldSeed};
use ecs::{Entity, World};
use serde::de::{Deserialize, DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor};
use std::fmt::{self, Display};

fn read(text: &str) -> Result<(World, Loaded), serde_json::Error> {
    knowing().read_from(&mut serde_json::Deserializer::from_str(text))
}

/// Checks that a text is refused with these words.
#[track_caller]
fn refused(text: &str, words: &str) {
    let error = read(text).expect_err("it is refused").to_string();
    assert!(error.starts_with(words), "{error}");
}

#[test]
fn a_second_list_of_free_handles_is_refused() {
    // Entities were made anew by it, and pools stayed: so dead handles had components.
    let text = r#"{"entities":["0v1"],"free":[],
        "components":{"number":{"version":1,"values":[["0v1",7]]}},"free":["1v1"]}"#;
    refused(text, "`free` comes behind `components`: the keys are `entities`, `retired`, `free`");
}

#[test]
fn each_key_comes_once_and_in_order() {
    let number = r#""number":{"version":1,"values":[["0v1",7]]}"#;
    let score = r#""score":{"version":1,"value":3}"#;
    let child = r#""ecs::ChildOf":{"version":1,"values":[["1v1","0v1"]],"order":[["1v1"]]}"#;
    let [entities, retired, free] =
        [r#""entities":["0v1","1v1"]"#, r#""retired":[3]"#, r#""free":["2v1"]"#];
    let components = format!(r#""components":{{{child},{number}}}"#);
    let resources = format!(r#""resources":{{{score}}}"#);
    let keys = [entities, retired, free, &components, &resources];
    let text = |keys: &[&str]| format!("{{{}}}", keys.join(","));
    let (world, _) = read(&text(&keys)).unwrap();
    assert_eq!(world.pool::<Number>().as_slice(), [Number(7)]);
    for at in 0..keys.len() {
        // Each again, behind each: it is refused.
        for behind in 0..keys.len() {
            let mut with = keys.to_vec();
            with.insert(behind + 1, keys[at]);
            assert!(read(&text(&with)).is_err(), "{}", text(&with));
        }
        // Without it, if it must be there; with each other in its place.
        let mut without = keys.to_vec();
        without.remove(at);
        assert_eq!(read(&text(&without)).is_ok(), at == 1 || at == 4, "without {}", keys[at]);
        for other in 0..keys.len() {
            let mut turned = keys.to_vec();
            turned.swap(at, other);
            assert_eq!(read(&text(&turned)).is_ok(), at == other, "{}", text(&turned));
        }
    }
    let of = |components: &str| format!(r#"{{{entities},{free},"components":{{{components}}}}}"#);
    read(&of(number)).unwrap();
    refused(&of(&format!("{number},{number}")), "`number`: it is there twice");
    let empty = r#""tag":{"version":1,"values":[]}"#;
    refused(&of(&format!("{empty},{empty}")), "`tag`: it is there twice");
    let unknown = r#""mood":{"any":[{}]}"#;
    refused(&of(unknown), "`mood`: the world has no such component or resource");
    let within = |limits: &Limits, text: &str| {
        let knowing = knowing();
        let mut from = serde_json::Deserializer::from_str(text);
        WorldSeed::new(&knowing, limits).deserialize(&mut from).map_err(|error| error.to_string())
    };
    let skipping = Limits::default().skip_unknown();
    assert_eq!(within(&skipping, &of(unknown)).unwrap().1.unknown()[0].name(), "mood");
    let twice = within(&skipping, &of(&format!("{unknown},{unknown}"))).unwrap_err();
    assert!(twice.starts_with("`mood`: it is there twice"), "{twice}");
    let later = of(r#""number":{"version":2,"values":{"of":["any","form"]},"order":7}"#);
    refused(&later, "`number`: it is of version 2, and this program has version 1");
    let (read_without, told) = within(&skipping, &later).unwrap();
    assert_eq!((told.unknown()[0].name(), told.unknown()[0].version()), ("number", 2));
    assert!(read_without.pool::<Number>().is_empty());
    let kept = within(&Limits::default().keep_unknown(), &of(unknown)).unwrap_err();
    let words = "`mood`: the world has no such component or resource, and cannot keep it from a format for people";
    assert!(kept.starts_with(words), "{kept}");
    let values = r#""values":[["0v1",7]]"#;
    let [others, none] = [r#""values":[["1v1",7]]"#, r#""values":[]"#];
    for again in [values, others, none] {
        let twice = format!(r#""number":{{"version":1,{values},{again}}}"#);
        refused(&of(&twice), "`number`: `values` is there twice");
    }
    let twice = format!(r#""number":{{"version":1,"version":1,{values}}}"#);
    refused(&of(&twice), "`number`: `version` is there twice");
    let late = format!(r#""number":{{"version":1,{values},"version":1}}"#);
    refused(&of(&late), "`number`: `version` comes behind `values`");
    let twice = child.replace(r#""order":"#, r#""order":[["1v1"]],"order":"#);
    refused(&of(&twice), "`ecs::ChildOf`: `order` is there twice");
    let other = child.replace(r#"[["1v1"]]"#, r#"[["0v1"]]"#);
    let words = "`ecs::ChildOf`: 0v1 is listed in `order`, and has no such relation";
    refused(&of(&other), words);
    refused(&of(r#""number":{"version":1}"#), "`number`: `values` is missing");
}

#[test]
fn each_index_is_listed_once() {
    let with = |entities: &str| format!(r#"{{{entities},"components":{{}}}}"#);
    read(&with(r#""entities":["1v1"],"retired":[2],"free":["0v3"]"#)).unwrap();
    let missing = "indices are missing: 2 are listed, up to 2; list each once, in `entities`";
    refused(&with(r#""entities":["2v1"],"free":["0v1"]"#), missing);
    let missing = "indices are missing: 1 are listed, up to 4294967294";
    refused(&with(r#""entities":["4294967294v1"],"free":[]"#), missing);
    refused(&with(r#""entities":[],"retired":[4294967295],"free":[]"#), "indices are missing");
    refused(&with(r#""entities":["0v1","0v2"],"free":[]"#), "two entities have one index, 0");
    refused(&with(r#""entities":[],"retired":[0,0],"free":[]"#), "index 0 is retired twice");
    refused(&with(r#""entities":[],"free":["0v1","0v2"]"#), "a free handle is alive");
    let both = r#""entities":["0v1"],"retired":[0],"free":[]"#;
    refused(&with(both), "0v1 is alive or free, and its index is retired");
}

#[test]
fn a_text_takes_no_more_memory_than_its_entities_do() {
    // One in a thousand indices had an entity: the others took a record each, and were saved as bytes.
    let entities: Vec<String> = (0..7_000).map(|it| format!("\"{}v1\"", it * 1_000)).collect();
    let text = format!(r#"{{"entities":[{}],"free":[],"components":{{}}}}"#, entities.join(","));
    let most = most_bytes(|| refused(&text, "indices are missing"));
    assert!(most < 3 * text.len(), "{most} bytes for {}", text.len());
}

/// A document of JSON, in which a key may come twice, and in any order.
#[derive(Clone)]
enum Json {
    Object(Vec<(String, Json)>),
    Array(Vec<Json>),
    Leaf(serde_json::Value),
}

impl<'de> Deserialize<'de> for Json {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Any;
        macro_rules! leaves {
            ($($visit:ident($($value:ident: $ty:ty)?) $leaf:expr;)+) => {
                $(fn $visit<E>(self $(, $value: $ty)?) -> Result<Json, E> {
                    Ok(Json::Leaf(serde_json::json!($leaf)))
                })+
            };
        }
        impl<'de> Visitor<'de> for Any {
            type Value = Json;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("anything")
            }
            leaves! {
                visit_bool(value: bool) value;
                visit_u64(value: u64) value;
                visit_i64(value: i64) value;
                visit_f64(value: f64) value;
                visit_str(value: &str) value;
                visit_unit() ();
            }
            fn visit_seq<A: SeqAccess<'de>>(self, mut all: A) -> Result<Json, A::Error> {
                let mut array = Vec::new();
                while let Some(item) = all.next_element()? {
                    array.push(item);
                }
                Ok(Json::Array(array))
            }
            fn visit_map<A: MapAccess<'de>>(self, mut all: A) -> Result<Json, A::Error> {
                let mut object = Vec::new();
                while let Some(entry) = all.next_entry()? {
                    object.push(entry);
                }
                Ok(Json::Object(object))
            }
        }
        deserializer.deserialize_any(Any)
    }
}

impl Display for Json {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let comma = |at: usize| if at > 0 { "," } else { "" };
        match self {
            Self::Leaf(leaf) => leaf.fmt(f),
            Self::Array(all) => {
                f.write_str("[")?;
                let mut all = all.iter().enumerate();
                all.try_for_each(|(at, it)| write!(f, "{}{it}", comma(at)))?;
                f.write_str("]")
            }
            Self::Object(all) => {
                f.write_str("{")?;
                let mut all = all.iter().enumerate();
                all.try_for_each(|(at, (key, it))| write!(f, "{}{key:?}:{it}", comma(at)))?;
                f.write_str("}")
            }
        }
    }
}

/// Repeats, leaves out or exchanges items.
fn shuffle<T: Clone>(all: &mut Vec<T>, random: &mut Random) {
    let [a, b] = [0; 2].map(|_| random.below(all.len()));
    match random.below(4) {
        0 => all.insert(b, all[a].clone()),
        1 => drop(all.remove(a)),
        2 => all.push(all[a].clone()),
        _ => all.swap(a, b),
    }
}

impl Json {
    /// Changes something within: `others` are leaves and keys to be put in the place of some.
    fn mutate(&mut self, others: &[Json], random: &mut Random) {
        let stays = random.below(4) == 0;
        match self {
            Self::Object(all) if !all.is_empty() => {
                let at = random.below(all.len());
                match (stays, random.below(6)) {
                    (true, 0) => {
                        all[at].0 = others[random.below(others.len())].to_string().replace('"', "");
                    }
                    (true, _) => shuffle(all, random),
                    (false, _) => all[at].1.mutate(others, random),
                }
            }
            Self::Array(all) if !all.is_empty() && stays => shuffle(all, random),
            Self::Array(all) if !all.is_empty() => {
                let at = random.below(all.len());
                all[at].mutate(others, random);
            }
            _ => *self = others[random.below(others.len())].clone(),
        }
    }

    fn leaves(&self, to: &mut Vec<Json>) {
        match self {
            Self::Object(all) => {
                for (key, it) in all {
                    to.push(Self::Leaf(key.clone().into()));
                    it.leaves(to);
                }
            }
            Self::Array(all) => all.iter().for_each(|it| it.leaves(to)),
            Self::Leaf(_) => to.push(self.clone()),
        }
    }
}

/// Checks that dead handles match nothing, those at the living's indices among them.
fn assert_that_the_dead_match_nothing(world: &World) {
    for kind in world.kinds() {
        let entities = world.kind_entities(kind);
        assert!(entities.iter().all(|it| world.is_alive(*it)), "{} of the dead", kind.name());
        for entity in world.entities() {
            for bits in [entity.to_bits() + (1 << 32), entity.to_bits().wrapping_sub(1 << 32)] {
                let Some(dead) = Entity::from_bits(bits) else { continue };
                assert!(!world.is_alive(dead) && world.kind_value(kind, dead).is_none());
            }
        }
    }
    assert!(world.view::<&Number>().iter().all(|(entity, _)| world.is_alive(entity)));
}

/// Mutates texts, by keys, items and values: `ECS_MUTATIONS` says how many times.
#[test]
fn mutated_texts_do_no_harm() {
    let texts = (0..8).map(|seed| {
        let mut world = small(seed);
        let all: Vec<Entity> = world.entities().collect();
        world.despawn_batch(all.get(12..).unwrap_or(&[]));
        world.pool_mut::<Deep>().iter_mut().for_each(|(_, deep)| deep.0 = None); // JSON has no `Some(None)`
        serde_json::to_string(&world.save()).unwrap()
    });
    let texts: Vec<Json> = texts.map(|text| serde_json::from_str(&text).unwrap()).collect();
    let mut leaves = Vec::new();
    for text in &texts {
        text.leaves(&mut leaves);
    }
    leaves.extend([Json::Array(Vec::new()), Json::Object(Vec::new()), Json::Leaf(().into())]);
    let world = knowing();
    let mut random = Random(asked("ECS_SEED", 0));
    let (mut loaded, all) = (0, asked("ECS_MUTATIONS", 1_000));
    for _ in 0..all {
        let mut json = texts[random.below(texts.len())].clone();
        for _ in 0..=random.below(3) {
            json.mutate(&leaves, &mut random);
        }
        let text = json.to_string();
        let memory = [20_000, 200_000, 1 << 30][random.below(3)];
        let limits = Limits::default().memory(memory);
        let mut read = None;
        within(memory.saturating_add(SLACK), || {
            let mut from = serde_json::Deserializer::from_str(&text);
            read = WorldSeed::new(&world, &limits).deserialize(&mut from).ok();
        });
        let Some((mut new, _)) = read else { continue };
        loaded += 1;
        new.check_invariants();
        assert_that_the_dead_match_nothing(&new);
        // It is saved, read again as the same, and goes on.
        let again = serde_json::to_string(&new.save()).unwrap();
        let (read, _) = self::read(&again).unwrap();
        assert_eq!(serde_json::to_string(&read.save()).unwrap(), again);
        let bytes = crate::saves::bytes_of(&new);
        world.read(&bytes, &Limits::default()).unwrap().0.check_invariants();
        let all: Vec<Entity> = new.entities().collect();
        new.despawn_batch(&all[..all.len() / 2]);
        new.spawn(Number(1));
        new.check_invariants();
        assert_that_the_dead_match_nothing(&new);
    }
    println!("{loaded} of {all} are still worlds");
    assert!(loaded > all / 100 && loaded < all * 9 / 10, "{loaded} of {all} are still worlds");
}
