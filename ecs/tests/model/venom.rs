//! A component without a type: its fields in six versions, and its values as the model's numbers.
//!
//! A number has all that a value says: a small number, a word, and an entity or none. Each version writes them to other
//! fields, of other types. A world has one of the versions, and changes to the next one only, so files, deltas and change
//! sets of the versions before are read by its history.
//!
//! ```text
//! 1  number: u16   to: entity      word: text   all: [{ to: entity, n: u16 }]
//! 2  number: f32   to: entity      text: text   all: [{ to: entity, n: u16 }]   since: u8
//! 3  number: f32   target: entity  text: u32    all: [{ to: entity, n: u16 }]   since: u8   at: { x: f64, on: bool }
//! 4  number: text  target: entity  text: u32    all: [{ to: entity, n: u16 }]               at: { x: f64, on: bool }
//! 5  number: i64   target: entity  text: u32    all: [entity]                               at: { on: bool }
//! 6  count: i64    target: entity  text: u8     all: [entity]                               at: { on: text }
//! ```

use super::components::Comp;
use ecs::by_name::{FieldType, FieldValue, Fields, Kind, Redefinition, Value};
use ecs::{Entity, World};
use std::sync::LazyLock;

/// The number of versions.
pub const VERSIONS: usize = 6;

/// The kind of each version.
static KINDS: LazyLock<[Kind; VERSIONS]> = LazyLock::new(|| {
    let mut world = World::new();
    let mut kind = define(&mut world);
    std::array::from_fn(|version| {
        if version > 0 {
            kind = world.redefine(kind, &changes(version)).unwrap();
        }
        kind
    })
});

/// Returns the kind of a version, from 0 on.
pub fn kind(version: usize) -> Kind {
    KINDS[version]
}

/// Returns the version that a world has.
pub fn version_of(world: &World) -> usize {
    let kind = world.kind("Venom").unwrap();
    KINDS.iter().position(|it| *it == kind).expect("it is one of the versions")
}

fn record() -> Fields {
    Fields::new().entity("to").u16("n")
}

/// Defines the component with the first fields.
pub fn define(world: &mut World) -> Kind {
    let fields = Fields::new().u16("number").entity("to").text("word");
    world.define("Venom", fields.list("all", FieldType::Record(record()))).unwrap()
}

/// Returns the changes from the version before this one.
fn changes(version: usize) -> Redefinition {
    let changes = Redefinition::new();
    match version {
        1 => {
            let changes = changes.rename("word", "text").convert("number", FieldType::F32);
            changes.add("since", FieldType::U8, 9_u8)
        }
        2 => {
            let at = FieldValue::Record(vec![1.5_f64.into()]);
            changes
                .convert_by("text", FieldType::U32, |text| match text {
                    FieldValue::Text(text) if text.is_empty() => Ok(0_u32.into()),
                    FieldValue::Text(text) => Ok(text.parse::<u32>().unwrap().into()),
                    other => Err(format!("{other:?} is no text")),
                })
                .rename("to", "target")
                .add("at", FieldType::Record(Fields::new().f64("x")), at)
                .add("at.on", FieldType::Bool, true)
        }
        3 => changes.drop("since").convert("number", FieldType::Text),
        4 => {
            let entities = FieldType::List(Box::new(FieldType::Entity));
            let to = |value| match value {
                FieldValue::Record(mut values) => values.remove(0),
                other => other,
            };
            let changes = changes.convert_by("all", entities, move |all| match all {
                FieldValue::List(all) => Ok(FieldValue::List(all.into_iter().map(to).collect())),
                other => Err(format!("{other:?} is no list")),
            });
            changes.convert("number", FieldType::I64).drop("at.x")
        }
        _ => changes
            .convert("text", FieldType::U8)
            .convert("at.on", FieldType::Text)
            .rename("number", "count"),
    }
}

/// Changes a world to a version, step by step, unless it has a later one.
pub fn change_to(world: &mut World, version: usize) {
    for next in version_of(world) + 1..=version {
        assert_eq!(world.redefine(kind(next - 1), &changes(next)), Ok(kind(next)));
    }
}

/// An index that stands for no entity, and one for [`Entity::PLACEHOLDER`].
const NOBODY: u64 = 0xffff;
const PLACEHOLDER: u64 = 0xfffe;

fn packed(number: u64, word: u64, to: Option<Entity>) -> u64 {
    let to = match to {
        None => NOBODY,
        Some(Entity::PLACEHOLDER) => PLACEHOLDER,
        Some(to) => {
            assert!(to.index() < 0xf000, "{to}");
            to.to_bits()
        }
    };
    to | (number % 1_024) << 16 | (word % 64) << 26
}

/// Returns the value that is made of a number and an entity; some are of no entity.
pub fn made(number: u64, to: Entity) -> u64 {
    packed(number, number % 60, Some(to).filter(|_| !number.is_multiple_of(5)))
}

pub fn default() -> u64 {
    packed(0, 0, None)
}

pub const fn number(value: u64) -> u64 {
    value >> 16 & 0x3ff
}

pub const fn word(value: u64) -> u64 {
    value >> 26 & 0x3f
}

pub fn target(value: u64) -> Option<Entity> {
    match value & 0xffff {
        NOBODY => None,
        PLACEHOLDER => Some(Entity::PLACEHOLDER),
        index => Entity::from_bits(value >> 32 << 32 | index),
    }
}

pub fn with_target(value: u64, to: Entity) -> u64 {
    packed(number(value), word(value), target(value).map(|_| to))
}

/// Returns a value with the lowest bit of its number flipped.
pub const fn flipped(value: u64) -> u64 {
    value ^ 1 << 16
}

/// Returns `true` if the veto keeps a value.
pub const fn is_kept(value: u64) -> bool {
    number(value) % 16 == 15
}

/// A part of a value that is written alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    Number,
    Word,
    Target,
}

impl Part {
    /// Returns a value with a part of another one.
    pub fn replaced(self, value: u64, by: u64) -> u64 {
        match self {
            Self::Number => packed(number(by), word(value), target(value)),
            Self::Word => packed(number(value), word(by), target(value)),
            Self::Target => packed(number(value), word(value), target(by)),
        }
    }

    /// Returns the paths and positions of the fields that a part is written to.
    pub fn paths(self, version: usize) -> Vec<(&'static str, usize)> {
        match self {
            Self::Number => vec![(number_path(version), 0)],
            Self::Word => vec![(if version == 0 { "word" } else { "text" }, 2), ("all", 3)],
            Self::Target => vec![("all", 3), (target_path(version), 1)],
        }
    }
}

pub const fn number_path(version: usize) -> &'static str {
    if version == 5 { "count" } else { "number" }
}

pub const fn target_path(version: usize) -> &'static str {
    if version < 2 { "to" } else { "target" }
}

/// Returns the number as its field has it.
fn number_field(version: usize, number: u64) -> FieldValue {
    match version {
        0 => u16::try_from(number).unwrap().into(),
        1 | 2 => f32::from(u16::try_from(number).unwrap()).into(),
        3 => number.to_string().into(),
        _ => i64::try_from(number).unwrap().into(),
    }
}

/// Returns the fields of a value.
pub fn fields(version: usize, value: u64) -> Vec<FieldValue> {
    let (to, word) = (target(value), word(value));
    let text = match (version, word) {
        (0 | 1, 0) => "".into(),
        (0 | 1, word) => word.to_string().into(),
        (5, word) => u8::try_from(word).unwrap().into(),
        (_, word) => u32::try_from(word).unwrap().into(),
    };
    let listed = |n: u64| match version {
        0..4 => FieldValue::Record(vec![to.into(), u16::try_from(n).unwrap().into()]),
        _ => to.into(),
    };
    let all = FieldValue::List((0..word % 3).map(listed).collect());
    let mut fields = vec![number_field(version, number(value)), to.into(), text, all];
    if matches!(version, 1 | 2) {
        fields.push(9_u8.into());
    }
    let (x, on) = (1.5_f64.into(), true.into());
    match version {
        0 | 1 => {}
        2 | 3 => fields.push(FieldValue::Record(vec![x, on])),
        4 => fields.push(FieldValue::Record(vec![on])),
        _ => fields.push(FieldValue::Record(vec!["true".into()])),
    }
    fields
}

/// The names of the fields.
pub fn names(version: usize) -> Vec<&'static str> {
    let word = if version == 0 { "word" } else { "text" };
    let mut names = vec![number_path(version), target_path(version), word, "all"];
    names.extend(matches!(version, 1 | 2).then_some("since"));
    names.extend((version > 1).then_some("at"));
    names
}

/// Reads a value, all of whose fields must belong together.
pub fn read(value: Value<'_>) -> u64 {
    let version = KINDS.iter().position(|it| *it == value.kind()).expect("one of the versions");
    let names = names(version);
    let found: Vec<FieldValue> = names.iter().map(|name| value.field(name).unwrap()).collect();
    let number = match &found[0] {
        FieldValue::U16(number) => u64::from(*number),
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "it is whole")]
        FieldValue::F32(number) => *number as u64,
        FieldValue::Text(number) => number.parse().unwrap(),
        FieldValue::I64(number) => u64::try_from(*number).unwrap(),
        other => panic!("{other:?} is no number"),
    };
    let FieldValue::Entity(to) = found[1] else { panic!("{:?} is no entity", found[1]) };
    let word = match &found[2] {
        FieldValue::Text(text) if text.is_empty() => 0,
        FieldValue::Text(text) => text.parse().unwrap(),
        FieldValue::U8(word) => (*word).into(),
        FieldValue::U32(word) => (*word).into(),
        other => panic!("{other:?} is no word"),
    };
    let read = packed(number, word, to);
    assert_eq!(found, fields(version, read), "one value of version {version}");
    read
}

/// Returns the value of an entity.
pub fn of(world: &World, version: usize, entity: Entity) -> Option<u64> {
    world.kind_value(kind(version), entity).map(read)
}

/// Returns a text that compares the number with another one, and whether a value passes.
pub fn comparison(version: usize, sign: usize, than: u64) -> (String, impl Fn(u64) -> bool) {
    let (sign, holds): (_, fn(std::cmp::Ordering) -> bool) = [
        ("<", std::cmp::Ordering::is_lt as fn(std::cmp::Ordering) -> bool),
        ("<=", std::cmp::Ordering::is_le),
        ("==", std::cmp::Ordering::is_eq),
        ("!=", std::cmp::Ordering::is_ne),
        (">=", std::cmp::Ordering::is_ge),
        (">", std::cmp::Ordering::is_gt),
    ][sign % 6];
    let (path, is_text) = (number_path(version), version == 3);
    let than_text = if is_text { format!("'{than}'") } else { than.to_string() };
    let passes = move |value: u64| {
        let number = number(value);
        holds(if is_text { number.to_string().cmp(&than.to_string()) } else { number.cmp(&than) })
    };
    (format!("{}.{path} {sign} {than_text}", Comp::Venom.name()), passes)
}
