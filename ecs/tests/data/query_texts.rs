//! Queries as texts: each production of the grammar, each mistake, and random texts beside a naive evaluation.

use crate::worlds::{Friends, Generic, Number, Place, Random, Tag, Text, random, seeds};
use ecs::by_name::{FieldType, FieldValue, Fields, Kind, KindChunk, KindQuery, QueryTextError};
use ecs::{ChildOf, Component, Entity, Name, World};
use std::cmp::Ordering;

#[derive(Component)]
#[component(layout = "soa")]
struct Types {
    pub byte: i8,
    pub short: u16,
    pub wide: i64,
    pub widest: u128,
    pub single: f32,
    pub double: f64,
    pub is_on: bool,
    pub letter: char,
    pub word: &'static str,
    pub text: String,
    pub target: Entity,
    hidden: u32,
    list: [u8; 2],
}

fn types(target: Entity) -> Types {
    Types {
        byte: -3,
        short: 7,
        wide: i64::MIN,
        widest: u128::MAX,
        single: 0.1,
        double: 2.5,
        is_on: true,
        letter: 'ß',
        word: "it's",
        text: "a \"b\"\n".into(),
        target,
        hidden: 4,
        list: [1, 2],
    }
}

fn found(world: &World, text: &str) -> Vec<Entity> {
    let query = world.kinds_query(text).unwrap_or_else(|error| panic!("{error}"));
    let mut found: Vec<Entity> = world.kind_rows(&query).unwrap().map(|row| row.entity()).collect();
    found.sort_unstable();
    found
}

fn error(world: &World, text: &str) -> QueryTextError {
    world.kinds_query(text).expect_err(text)
}

/// Two entities: `0v1` has all components, and `1v1` is its child.
fn family() -> (World, Entity, Entity) {
    let mut world = World::new();
    let parent = world.spawn_empty().id();
    world.entity_mut(parent).insert((Number(5), Text("five".into()), Tag, types(parent)));
    world.entity_mut(parent).insert((Name::new("Ann"), Friends(vec![parent]), Generic(1_u8)));
    let place = Place { x: 1.5, label: Some("here".into()), y: 3 };
    let child = world.spawn((Number(6), ChildOf(parent), place)).id();
    world.spawn_empty();
    (world, parent, child)
}

#[test]
fn each_production_finds_its_entities() {
    let (world, parent, child) = family();
    let (both, none) = ([parent, child], []);
    let generic = format!("`{}`", std::any::type_name::<Generic<u8>>());
    let full = std::any::type_name::<Number>();
    for (text, expected) in [
        ("Number", &both[..]),
        (" \n\tNumber ,\u{a0}Tag , ", &both[..1]),
        ("Number, !Tag", &both[1..]),
        ("!Tag, Number, !!Number", &both[1..]),
        ("Number, ?Tag", &both),
        ("Number, (Tag)", &both[..1]),
        ("Tag | Place", &both),
        ("Number, Tag | !Number", &both[..1]),
        ("Tag | Text, Number | Tag", &both[..1]),
        ("Number, !(Tag, Text)", &both[1..]),
        ("Number, !(Place | ChildOf)", &both[..1]),
        ("(Tag, Number) | (Place, Number)", &both),
        (full, &both),
        ("`Number`", &both),
        (&generic, &both[..1]),
        ("Generic", &both[..1]),
        ("ChildOf", &both[1..]),
        ("ChildOf(*)", &both[1..]),
        ("ChildOf(0v1)", &both[1..]),
        ("ChildOf( 0v1 )", &both[1..]),
        ("ChildOf(1v1)", &none),
        ("Number, !ChildOf(0v1)", &both[..1]),
        ("Sources(ChildOf)", &both[..1]),
        ("Number, !Sources( ChildOf )", &both[1..]),
        ("Name == \"Ann\"", &both[..1]),
        ("Name == 'Bob'", &none),
        ("Name < 'B'", &both[..1]),
        ("Number, !(Name == 'Ann')", &both[1..]),
        ("Types.byte == -3", &both[..1]),
        ("Types.byte<-2, Types.byte>=-3", &both[..1]),
        ("Types.short != 7", &none),
        ("Types.short > 6.5", &both[..1]),
        ("Types.wide <= -9223372036854775808", &both[..1]),
        ("Types.widest > 1e30", &both[..1]),
        ("Types.single == 0.1", &both[..1]),
        ("Types.single < 1", &both[..1]),
        ("Types.double == 2.5e0", &both[..1]),
        ("Types.double == 25E-1", &both[..1]),
        ("Types.double < 3", &both[..1]),
        ("Types.is_on == true", &both[..1]),
        ("Types.is_on != true", &none),
        ("Types.is_on == false", &none),
        ("Types.letter == 'ß'", &both[..1]),
        ("Types.word == 'it\\'s'", &both[..1]),
        ("Types.word == \"it's\"", &both[..1]),
        ("Types.text == 'a \"b\"\\n'", &both[..1]),
        ("Types.text == \"a \\\"b\\\"\\n\"", &both[..1]),
        ("Types.target == 0v1", &both[..1]),
        ("Types.target != 0v1", &none),
        ("Types.hidden == 4", &both[..1]),
        ("Place.x > 1, Place.y <= 3", &both[1..]),
    ] {
        assert_eq!(found(&world, text), expected, "{text}");
    }
    assert_eq!(found(&world, "").len(), 3);
    assert_eq!(found(&world, "!Number").len(), 1);
}

/// Components that are stored as a whole are compared as they are saved.
#[cfg(feature = "serde")]
#[test]
fn saved_values_are_compared_at_any_depth() {
    use serde::{Deserialize, Serialize};
    use std::collections::BTreeMap;

    #[derive(Clone, Default, Serialize, Deserialize)]
    struct Inner {
        near: f32,
        far: Option<f64>,
    }
    #[derive(Component, Clone, Serialize, Deserialize)]
    #[component(save = "deep")]
    struct Deep {
        inner: Inner,
        list: Vec<i16>,
        pair: (bool, char),
        #[serde(rename = "named")]
        map: BTreeMap<String, u128>,
        target: Option<Entity>,
    }
    #[derive(Component, Clone, Serialize, Deserialize)]
    #[component(save = "order")]
    enum Order {
        Wait,
        Count(u32),
        Go { to: i128 },
    }

    let (mut world, parent, child) = family();
    let map = BTreeMap::from([("a".to_owned(), 7), ("b".to_owned(), u128::MAX)]);
    let inner = Inner { near: 0.1, far: Some(0.1) };
    let target = Some(parent);
    let deep = Deep { inner, list: vec![1, -2], pair: (true, 'x'), map, target };
    world.entity_mut(parent).insert((deep, Order::Go { to: -1 }));
    world.entity_mut(child).insert(Order::Count(4));
    let waits = world.spawn(Order::Wait).id();
    for (text, expected) in [
        ("Number < 6", &[parent][..]),
        ("Number.0 >= 6", &[child]),
        ("number == 5", &[parent]),
        ("Text == 'five'", &[parent]),
        ("Place.label == 'here'", &[child]),
        ("Friends.0.0 == 0v1", &[parent]),
        ("Friends.0.1 == 0v1", &[]),
        ("Deep.inner.near == 0.1", &[parent]),
        ("Deep.inner.far == 0.1", &[parent]),
        ("Deep.inner.far > 0.1", &[]),
        ("Deep.inner.near != 'far'", &[]), // a number is no text
        ("Deep.inner == 0.1", &[]),
        ("Deep.inner.none == 0.1", &[]),
        ("Deep.list.1 == -2", &[parent]),
        ("Deep.list.2 == -2", &[]),
        ("Deep.pair.0 == true, Deep.pair.1 == 'x'", &[parent]),
        ("Deep.named.a == 7", &[parent]),
        ("Deep.named.b > 7", &[parent]),
        ("Deep.named.c != 7", &[]),
        ("Deep.target == 0v1", &[parent]),
        ("Deep.target == 5v1", &[]),
        ("Order == 'Wait'", &[waits]),
        ("Order.Count >= 4", &[child]),
        ("Order.Go.to < 0", &[parent]),
        ("Order, !(Order.Go.to < 0)", &[child, waits]),
        ("Order != 'Go'", &[waits]), // others are no text
    ] {
        assert_eq!(found(&world, text), expected, "{text}");
    }
    for (text, range, reason) in [
        (
            "Deep.iner == 1",
            0..9,
            "`Deep` has no `iner` (the nearest is `inner`): it has `inner`, `list`, `pair`, `named`, `target`",
        ),
        ("Order.Run == 1", 0..9, "`Order` has no `Run`: it has `Wait`, `Count`, `Go`"),
        (
            "Deep == 1",
            0..4,
            "`Deep` is not compared as a whole: compare a field of it, such as `Deep.inner`",
        ),
        ("Tag == 1", 0..3, "`Tag` has no value that is compared"),
        ("Tag.x == 1", 0..5, "`Tag` has no value that is compared"),
        ("Text.0 == 1", 10..11, "`Text.0` is a text, and this is a number"),
        ("Number.1 == 1", 0..8, "`Number` has no `1`: it has `0`"),
    ] {
        let error = error(&world, text);
        assert_eq!((error.range(), error.reason()), (range, reason), "{text}");
    }
}

#[test]
fn a_nan_is_not_equal_to_anything() {
    let mut world = World::new();
    let entity = world.spawn(Types { single: f32::NAN, ..types(Entity::PLACEHOLDER) }).id();
    for operator in ["<", "<=", "==", ">=", ">"] {
        assert_eq!(found(&world, &format!("Types.single {operator} 1")), [], "{operator}");
    }
    assert_eq!(found(&world, "Types.single != 1"), [entity]);
}

#[test]
fn each_mistake_is_named_at_its_place() {
    let (world, ..) = family();
    let known = "the world knows no component `Numbr` (the nearest is `Number`): it knows components that it has a pool of";
    let place = r"`Types` has no `shirt` (the nearest is `short`): it has `byte`, `short`, `wide`, `widest`, `single`, `double`, `is_on`, `letter`, `word`, `text`, `target`, `hidden`, `list`";
    let not_compared = "`Types.list` is not compared: add `#[component(save = \"name\")]` to `Types`, with the feature `serde`, or `layout = \"soa\"`; then its numbers, texts, booleans and entities are";
    let escapes = r#"known escapes are `\\`, `\"`, `\'`, `\n`, `\r` and `\t`"#;
    let value = "a value is missing here: a number, a text in quotes, `true`, `false` or an entity";
    let optional =
        "`?` reads a component where it is, and tests nothing: leave the `?` out, or write a name";
    let nested = "more than 16 parentheses and `!` are within each other: use fewer";
    let deep = format!("{}Tag", "!(".repeat(9));
    for (text, range, reason) in [
        ("Tag, Numbr", 5..10, known),
        (",", 0..1, "the name of a component is missing here"),
        ("Tag,,", 4..5, "the name of a component is missing here"),
        ("Tag Number", 4..10, "a `,` or `|` is missing here"),
        ("Tag |", 5..5, "the name of a component is missing here"),
        ("!", 1..1, "the name of a component is missing here"),
        ("(Tag", 4..4, "a `,`, `|` or `)` is missing here"),
        ("(Tag Number)", 5..11, "a `,`, `|` or `)` is missing here"),
        ("Tag)", 3..4, "a `,` or `|` is missing here"),
        ("()", 1..2, "the name of a component is missing here"),
        ("?", 1..1, "the name of a component after `?` is missing here"),
        ("?!Tag", 1..2, "the name of a component after `?` is missing here"),
        ("?Tag | Number", 1..13, optional),
        ("?ChildOf(*)", 1..11, optional),
        ("Tag, Number, Tag", 13..16, "`Tag` is named before: name it once"),
        ("Tag, ?Tag", 6..9, "`Tag` is named before: name it once"),
        ("`Tag", 0..4, "this name has no \"`\" at its end"),
        ("Tag(*)", 0..3, "`Tag` is no relation: write it without parentheses"),
        ("Sources(Tag)", 8..11, "`Tag` is no relation: write it without parentheses"),
        ("Sources(*)", 8..9, "the name of a component is missing here"),
        ("ChildOf()", 8..9, "a relation points to an entity, such as `3v1`, or to any by `*`"),
        ("ChildOf(Tag)", 8..11, "a relation points to an entity, such as `3v1`, or to any by `*`"),
        ("ChildOf(3v1", 11..11, "a `)` is missing here"),
        ("Types.short", 11..11, "a comparison, such as `Types.short < 10`, is missing here"),
        ("Types. == 1", 6..6, "the name of a field is missing here"),
        ("Types.short = 1", 12..13, "values are compared by `==`"),
        ("Types.short ==", 14..14, value),
        ("Types.short == Tag", 15..18, value),
        ("Types.short == 1x", 15..17, value),
        ("Types.short == -", 15..16, value),
        ("Types.text == 'a", 14..16, "this text has no quote at its end"),
        ("Types.text == 'a\\x'", 16..18, escapes),
        ("Types.text == 'a\\", 16..17, escapes),
        ("Types.is_on < true", 14..18, "`true` or `false` is compared by `==` and `!=`"),
        ("Types.target > 0v1", 15..18, "an entity is compared by `==` and `!=`"),
        ("Types.short == 'a'", 15..18, "`Types.short` is a number, and this is a text"),
        ("Types.text == 1", 14..15, "`Types.text` is a text, and this is a number"),
        ("Name == 0v1", 8..11, "`Name` is a text, and this is an entity"),
        ("Types.is_on == 1", 15..16, "`Types.is_on` is `true` or `false`, and this is a number"),
        ("Types.shirt == 1", 0..11, place),
        ("Types.list == 1", 0..10, not_compared),
        (
            "Types == 1",
            0..5,
            "`Types` is not compared as a whole: compare a field of it, such as `Types.byte`",
        ),
        (&deep, 16..17, nested),
    ] {
        let error = error(&world, text);
        assert_eq!((error.range(), error.reason()), (range, reason), "{text}");
    }
    let ambiguous = format!("{}, Tag", "x".repeat(5_000));
    let error = error(&world, &ambiguous);
    assert_eq!(
        (error.range(), error.reason()),
        (4096..4096, "the text has 5005 bytes: the most are 4096")
    );
    let within_a_letter = error_of(&world, &format!("{}ßß", "x".repeat(4_095)));
    assert_eq!(within_a_letter.range(), 4_095..4_095);
}

fn error_of(world: &World, text: &str) -> QueryTextError {
    error(world, text)
}

#[test]
fn as_many_parentheses_as_allowed_are_read() {
    let (world, parent, _) = family();
    let text = format!("{}Tag{}", "!(".repeat(8), ")".repeat(8));
    assert_eq!(found(&world, &text), [parent]);
    let text = ["(Tag)"; 40].join(" | ");
    assert_eq!(found(&world, &text), [parent]);
}

#[test]
fn an_error_shows_the_line_and_a_mark() {
    let (world, ..) = family();
    let shown = error(&world, "Number,\n\tßß, !Tg,\nTag").to_string();
    assert!(shown.starts_with("the world knows no component `ßß`"), "{shown}");
    assert!(shown.ends_with("\n  \tßß, !Tg,\n  \t^^"), "{shown}");
    let end = error(&world, "Number, Tag |").to_string();
    assert!(end.ends_with("\n  Number, Tag |\n               ^"), "{end}");
    let long = format!("{} Nmber", "Tag | ".repeat(100));
    let shown = error(&world, &long).to_string();
    let lines: Vec<&str> = shown.lines().collect();
    assert_eq!(lines.len(), 3, "{shown}");
    assert!(lines[1].ends_with(" | Tag |  Nmber") && lines[1].chars().count() < 80, "{shown}");
    assert_eq!(lines[1].chars().count(), lines[2].chars().count());
}

#[test]
fn a_query_reads_what_it_names_and_writes_it_where_the_world_is_lent() {
    let (mut world, parent, child) = family();
    let query =
        world.kinds_query("Number, ?Tag, (Text | Place), Types.short > 0 | ChildOf").unwrap();
    assert!(query.kinds().eq([Kind::of::<Number>(), Kind::of::<Tag>()]));
    let values = |row: ecs::by_name::Row<'_>| row.values().count();
    assert!(world.kind_rows(&query).unwrap().map(values).eq([2, 1]));
    world
        .for_each_row(&query, |row| {
            row.get_mut::<Number>().unwrap().0 += 10;
            assert!(row.get_mut::<Text>().is_none());
        })
        .unwrap();
    assert_eq!(world.get::<Number>(parent), Some(&Number(15)));
    assert_eq!(world.get::<Number>(child), Some(&Number(16)));
    let relation = world.kinds_query("ChildOf").unwrap();
    world.for_each_row(&relation, |row| assert!(row.get_mut::<Number>().is_none())).unwrap();
    // More is asked for by the methods of the query.
    let more = relation.with(Kind::of::<Place>()).without(Kind::of::<Tag>());
    assert!(world.kind_rows(&more).unwrap().map(|row| row.entity()).eq([child]));
}

#[test]
fn a_query_is_used_in_other_worlds() {
    let (world, ..) = family();
    let query = world.kinds_query("Number, Types.short > 6, Sources(ChildOf), !Friends").unwrap();
    let mut other = World::new();
    assert_eq!(other.kind_rows(&query).unwrap().count(), 0);
    assert!(query.chunks(&other).unwrap().next().is_none());
    assert!(query.chunks_mut(&mut other).unwrap().next_chunk().is_none());
    let entity = other.spawn((Number(1), types(Entity::PLACEHOLDER))).id();
    assert_eq!(other.kind_rows(&query).unwrap().count(), 0);
    other.spawn(ChildOf(entity));
    assert_eq!(other.kind_rows(&query).unwrap().count(), 1);
}

type Has = fn(&World, Entity) -> bool;

/// A test of random texts, and its naive evaluation.
enum Naive {
    Has(&'static str, Has),
    Child(Entity),
    Value(&'static str, &'static str, f64, fn(&World, Entity) -> Option<f64>),
    /// A field of the component without a type, which is within a record or list or not.
    Field(&'static str, &'static str, FieldValue),
    Not(Box<Self>),
    All(Vec<Self>),
    Any(Vec<Self>),
}

impl Naive {
    fn random(random: &mut Random, entities: &[Entity], depth: usize) -> Self {
        let kinds: [(&'static str, Has); 7] = [
            ("Brew", |world, it| world.kind_value(brew(world), it).is_some()),
            ("Number", |world, it| world.has::<Number>(it)),
            ("Text", |world, it| world.has::<Text>(it)),
            ("Tag", |world, it| world.has::<Tag>(it)),
            ("Place", |world, it| world.has::<&Place>(it)),
            ("ChildOf(*)", |world, it| world.parent(it).is_some()),
            ("Sources(ChildOf)", |world, it| world.children(it).next().is_some()),
        ];
        let some = |random: &mut Random| {
            (0..=random.below(3)).map(|_| Self::random(random, entities, depth - 1)).collect()
        };
        match random.below(if depth == 0 { 10 } else { 15 }) {
            12.. => Self::random_field(random, entities),
            7..10 if depth == 0 => Self::random_field(random, entities),
            0..4 => {
                let (name, has) = kinds[random.below(kinds.len())];
                Self::Has(name, has)
            }
            4 if !entities.is_empty() => {
                let all: Vec<Entity> = entities.to_vec();
                Self::Child(all[random.below(all.len())])
            }
            4..7 => {
                let operator = ["<", "<=", "==", "!=", ">=", ">"][random.below(6)];
                let literal = f64::from(u16::try_from(random.below(700)).unwrap());
                if cfg!(feature = "serde") && random.below(2) == 0 {
                    #[expect(clippy::cast_precision_loss, reason = "numbers are small")]
                    return Self::Value("Number", operator, literal, |world, it| {
                        world.get::<Number>(it).map(|number| number.0 as f64)
                    });
                }
                Self::Value("Place.x", operator, literal, |world, it| {
                    world.get::<Place>(it).map(|place| f64::from(*place.x))
                })
            }
            7 | 8 => Self::Not(Box::new(Self::random(random, entities, depth - 1))),
            9 => Self::All(some(random)),
            _ => Self::Any(some(random)),
        }
    }

    fn random_field(random: &mut Random, entities: &[Entity]) -> Self {
        let path = ["strength", "by", "label", "is_ready", "at.x", "at.name", "doses.1"]
            [random.below(if cfg!(feature = "serde") { 7 } else { 6 })];
        let literal = brew_values(random, entities, path);
        let signs = match literal {
            FieldValue::Entity(_) | FieldValue::Bool(_) => 2,
            _ => 6,
        };
        Self::Field(path, ["==", "!=", "<", "<=", ">=", ">"][random.below(signs)], literal)
    }

    fn text(&self) -> String {
        let join = |all: &[Self], sign: &str| {
            let all: Vec<String> = all.iter().map(Self::text).collect();
            format!("({})", all.join(sign))
        };
        match self {
            Self::Has(name, _) => (*name).to_owned(),
            Self::Child(parent) => format!("ChildOf({parent})"),
            Self::Value(name, operator, literal, _) => format!("{name} {operator} {literal}"),
            Self::Field(path, operator, FieldValue::Entity(Some(entity))) => {
                format!("Brew.{path} {operator} {entity}")
            }
            Self::Field(path, operator, literal) => format!("Brew.{path} {operator} {literal:?}"),
            Self::Not(inner) => format!("!{}", inner.text()),
            Self::All(all) => join(all, ", "),
            Self::Any(all) => join(all, " | "),
        }
    }

    #[expect(clippy::float_cmp, reason = "the numbers are whole")]
    fn passes(&self, world: &World, entity: Entity) -> bool {
        match self {
            Self::Has(_, has) => has(world, entity),
            Self::Child(parent) => world.parent(entity) == Some(*parent),
            Self::Value(_, operator, literal, value) => {
                value(world, entity).is_some_and(|value| match *operator {
                    "<" => value < *literal,
                    "<=" => value <= *literal,
                    "==" => value == *literal,
                    "!=" => value != *literal,
                    ">=" => value >= *literal,
                    _ => value > *literal,
                })
            }
            Self::Field(path, operator, literal) => {
                let order = brew_field(world, entity, path).map(|value| order_of(&value, literal));
                order.is_some_and(|order| match *operator {
                    "<" => order.is_some_and(Ordering::is_lt),
                    "<=" => order.is_some_and(Ordering::is_le),
                    "==" => order.is_some_and(Ordering::is_eq),
                    "!=" => order.is_none_or(Ordering::is_ne),
                    ">=" => order.is_some_and(Ordering::is_ge),
                    _ => order.is_some_and(Ordering::is_gt),
                })
            }
            Self::Not(inner) => !inner.passes(world, entity),
            Self::All(all) => all.iter().all(|inner| inner.passes(world, entity)),
            Self::Any(all) => all.iter().any(|inner| inner.passes(world, entity)),
        }
    }
}

fn brew(world: &World) -> Kind {
    world.kind("Brew").unwrap()
}

/// Defines a component without a type, and gives it to a third of the entities.
fn brew_some(world: &mut World, random: &mut Random) {
    let at = Fields::new().i16("x").text("name");
    let fields = Fields::new().f32("strength").entity("by").text("label").bool("is_ready");
    let fields = fields.record("at", at).list("doses", FieldType::U8);
    let kind = world.define("Brew", fields).unwrap();
    let entities: Vec<Entity> = world.entities().collect();
    for entity in &entities {
        if random.below(3) > 0 {
            continue;
        }
        let mut value = |path| brew_values(random, &entities, path);
        let [strength, by, label, is_ready, x, name, dose] =
            ["strength", "by", "label", "is_ready", "at.x", "at.name", "doses.1"].map(&mut value);
        let strength = if entity.index() % 7 == 0 { f32::NAN.into() } else { strength };
        let by = if entity.index() % 5 == 0 { None::<Entity>.into() } else { by };
        let doses = FieldValue::List(vec![dose; random.below(4)]);
        let values = [strength, by, label, is_ready, FieldValue::Record(vec![x, name]), doses];
        world.insert_fields(kind, *entity, &values).unwrap();
    }
}

/// Returns one of a few values of a field, so that some are equal.
fn brew_values(random: &mut Random, entities: &[Entity], path: &str) -> FieldValue {
    let number = u8::try_from(random.below(4)).unwrap();
    match path {
        "strength" => (f32::from(number) / 2.0).into(),
        "by" => entities[random.below(entities.len())].into(),
        "is_ready" => (number % 2 == 0).into(),
        "at.x" => (i16::from(number) - 2).into(),
        "doses.1" => number.into(),
        _ => ["", "ä", "b'\n", "\"\\"][usize::from(number)].into(),
    }
}

/// Returns a value that is compared, as the component has it.
fn brew_field(world: &World, entity: Entity, path: &str) -> Option<FieldValue> {
    let value = world.kind_value(brew(world), entity)?;
    let value = match value.field(path.trim_end_matches(".1"))? {
        FieldValue::List(all) => all.get(1)?.clone(),
        other => other,
    };
    (value != FieldValue::Entity(None)).then_some(value)
}

fn order_of(value: &FieldValue, literal: &FieldValue) -> Option<Ordering> {
    match (value, literal) {
        (FieldValue::F32(a), FieldValue::F32(b)) => a.partial_cmp(b),
        (FieldValue::I16(a), FieldValue::I16(b)) => Some(a.cmp(b)),
        (FieldValue::U8(a), FieldValue::U8(b)) => Some(a.cmp(b)),
        (FieldValue::Bool(a), FieldValue::Bool(b)) => Some(a.cmp(b)),
        (FieldValue::Text(a), FieldValue::Text(b)) => Some(a.cmp(b)),
        (FieldValue::Entity(a), FieldValue::Entity(b)) => Some(a.cmp(b)),
        _ => panic!("{value:?} and {literal:?} are of two types"),
    }
}

/// Compares the columns of a chunk with the fields of its entities; none have the component if there are no columns.
fn check_columns_of_brew(world: &World, chunk: &KindChunk<'_>) {
    let strengths = chunk.column::<f32>("Brew.strength").ok();
    let names = chunk.column::<String>("Brew.at.name").ok();
    for (at, entity) in chunk.entities().iter().enumerate() {
        let field = |path| Some(world.kind_value(brew(world), *entity)?.field(path).unwrap());
        let strength = strengths.map(|it| it[at].to_bits());
        let expected = field("strength").map(|value| match value {
            FieldValue::F32(strength) => strength.to_bits(),
            other => panic!("{other:?} is no number"),
        });
        assert_eq!(strength, expected);
        assert_eq!(names.map(|it| it[at].clone().into()), field("at.name"));
    }
}

/// The entities of all chunks, whose columns are compared with the components.
fn of_chunks(world: &World, query: &KindQuery) -> Option<Vec<Entity>> {
    let mut found = Vec::new();
    for chunk in query.chunks(world).ok()? {
        assert!(!chunk.entities().is_empty());
        for (at, entity) in chunk.entities().iter().enumerate() {
            if query.kinds().any(|kind| kind == Kind::of::<Number>()) {
                let numbers = chunk.column::<Number>("Number").ok();
                assert_eq!(numbers.map(|numbers| &numbers[at]), world.get::<Number>(*entity));
                assert!(numbers.is_none_or(|it| it.len() == chunk.entities().len()));
            }
            if query.kinds().any(|kind| kind == Kind::of::<Place>()) {
                let places = chunk.column::<f32>("Place.x").ok();
                let place = world.get::<Place>(*entity);
                assert_eq!(places.map(|it| it[at].to_bits()), place.map(|it| it.x.to_bits()));
            }
        }
        if query.kinds().any(|kind| kind.name() == "Brew") {
            check_columns_of_brew(world, &chunk);
        }
        found.extend(chunk.entities());
    }
    Some(found)
}

#[test]
fn random_texts_find_the_entities_of_a_naive_evaluation() {
    let mut counts = [0; 3];
    for seed in seeds(30) {
        let (mut world, mut random_of) = (random(seed), Random(seed));
        if random_of.below(2) == 0 {
            world.order_pools();
        }
        let pools = (Number(0), Text::default(), Tag, Place::default(), Friends::default());
        let last = world.spawn(pools).id();
        world.spawn(ChildOf(last));
        brew_some(&mut world, &mut random_of);
        let entities: Vec<Entity> = world.entities().collect();
        for _ in 0..30 {
            let tests: Vec<Naive> = (0..random_of.below(4))
                .map(|_| Naive::random(&mut random_of, &entities, 3))
                .collect();
            let mut parts: Vec<String> = tests.iter().map(Naive::text).collect();
            parts
                .iter_mut()
                .filter(|part| part.starts_with("Number") || part.starts_with("Place"))
                .for_each(|part| *part = format!("({part})"));
            parts.extend(
                ["Number", "?Number", "?Place", "?Tag"]
                    .map(str::to_owned)
                    .into_iter()
                    .take(random_of.below(2)),
            );
            if random_of.below(2) == 0 {
                parts.push("?Place".into());
            }
            if random_of.below(2) == 0 {
                parts.push(["Brew", "?Brew"][random_of.below(2)].into());
            }
            let needs_brew = parts.iter().any(|part| part == "Brew");
            let needs_number = parts.iter().any(|part| part == "Number");
            let names = parts.iter().filter(|part| !part.contains(['(', ' ', '!']));
            let names: Vec<&str> = names.map(|part| part.trim_start_matches('?')).collect();
            let is_twice = names.iter().enumerate().any(|(at, name)| names[..at].contains(name));
            let text = parts.join(", ");
            let Ok(query) = world.kinds_query(&text) else {
                assert!(is_twice, "{text}: {}", world.kinds_query(&text).unwrap_err());
                continue;
            };
            let passes = |entity: &Entity| {
                (!needs_number || world.has::<Number>(*entity))
                    && (!needs_brew || world.kind_value(brew(&world), *entity).is_some())
                    && tests.iter().all(|test| test.passes(&world, *entity))
            };
            let mut expected: Vec<Entity> = world.entities().filter(passes).collect();
            expected.sort_unstable();
            assert_eq!(found(&world, &text), expected, "{seed}: {text}");
            let from = world.kind_rows_from(&query, 0).unwrap();
            assert!(from.map(|row| row.entity()).eq(expected.iter().copied()), "{seed}: {text}");
            let candidates = world.kind_rows_from(&query, 0).unwrap().candidates();
            let matches = candidates.filter(|(_, is_match)| *is_match).map(|(entity, _)| entity);
            assert!(matches.eq(expected.iter().copied()), "{seed}: {text}");
            if let Some(mut entities) = of_chunks(&world, &query) {
                entities.sort_unstable();
                assert_eq!(entities, expected, "{seed}: {text}");
                counts[1] += 1;
            }
            let mut lent = Vec::new();
            world.for_each_row(&query, |row| lent.push(row.entity())).unwrap();
            lent.sort_unstable();
            assert_eq!(lent, expected, "{seed}: {text}");
            if let Ok(mut chunks) = query.chunks_mut(&mut world) {
                let mut lent: Vec<Entity> = Vec::new();
                while let Some(chunk) = chunks.next_chunk() {
                    lent.extend(chunk.entities());
                }
                lent.sort_unstable();
                assert_eq!(lent, expected, "{seed}: {text}");
            }
            counts[0] += 1;
            counts[2] += usize::from(!expected.is_empty());
        }
    }
    let [all, in_chunks, with_matches] = counts;
    assert!(in_chunks * 4 > all && with_matches * 4 > all, "{counts:?}");
}
