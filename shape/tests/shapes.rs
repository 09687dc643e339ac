//! Shapes of types and of components.
#![allow(dead_code, reason = "types are read, not used")]

use ecs::by_name::{FieldType, Fields, Kind};
use ecs::{Component, Entity, Name, World};
use ecs_shape::{NoShape, Number, Shape, Text};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::net::IpAddr;
use std::num::NonZeroU32;
use std::time::SystemTime;

const ANY: Shape = Shape::Text(Text::Any);
const U8: Shape = Shape::Number(Number::U8);

fn of<T: DeserializeOwned>() -> Shape {
    Shape::of::<T>().unwrap()
}

fn of_kind<T: Component>() -> Shape {
    let mut world = World::new();
    let shape = Shape::of_kind(&mut world, Kind::of::<T>());
    world.check_invariants();
    assert!(world.is_empty());
    shape
}

fn list(of: Shape) -> Shape {
    Shape::List(Box::new(of))
}

fn option(of: Shape) -> Shape {
    Shape::Option(Box::new(of))
}

#[test]
fn each_kind_of_value_has_a_shape_of_its_own() {
    #[derive(Deserialize)]
    struct All {
        a: i16,
        b: f32,
        c: u128,
        d: NonZeroU32,
        e: IpAddr,
        f: Entity,
        g: SystemTime,
        h: (char, bool),
        i: BTreeMap<String, Option<f64>>,
        j: usize,
    }
    let expected = vec![
        ("a", Shape::Number(Number::I16)),
        ("b", Shape::Number(Number::F32)),
        ("c", Shape::Number(Number::U128)),
        ("d", Shape::Number(Number::U32)),
        ("e", ANY),
        ("f", Shape::Entity),
        ("g", Shape::Time),
        ("h", Shape::Tuple(vec![Shape::Char, Shape::Bool])),
        ("i", Shape::Map(Box::new((ANY, option(Shape::Number(Number::F64)))))),
        ("j", Shape::Number(Number::U64)),
    ];
    assert_eq!(of::<All>(), Shape::Struct("All", expected));
}

#[derive(Deserialize)]
enum Tree {
    And(Box<Tree>, Box<Tree>),
    Not { tree: Box<Tree> },
    Is(u8),
}

#[derive(Deserialize)]
struct Node {
    children: Vec<Node>,
    next: Option<Box<Node>>,
    by_name: BTreeMap<String, Node>,
    kind: Kinds,
}

#[derive(Deserialize)]
enum Kinds {
    Again(Box<Node>),
    End(u8),
}

#[test]
fn a_type_within_itself_is_named_there() {
    let within = Shape::Within("Tree");
    let variants = vec![
        ("And", Shape::Tuple(vec![within.clone(), within.clone()])),
        ("Not", Shape::Struct("Not", vec![("tree", within)])),
        ("Is", Shape::Newtype("Is", Box::new(U8))),
    ];
    assert_eq!(of::<Tree>(), Shape::Enum("Tree", variants));
    let within = Shape::Within("Node");
    let kinds = vec![
        ("Again", Shape::Newtype("Again", Box::new(within.clone()))),
        ("End", Shape::Newtype("End", Box::new(U8))),
    ];
    let fields = vec![
        ("children", list(within.clone())),
        ("next", option(within.clone())),
        ("by_name", Shape::Map(Box::new((ANY, within)))),
        ("kind", Shape::Enum("Kinds", kinds)),
    ];
    assert_eq!(of::<Node>(), Shape::Struct("Node", fields));
}

#[test]
fn two_types_of_one_name_have_a_shape_each() {
    mod other {
        #[derive(serde::Deserialize)]
        pub(super) enum Point {
            At(u8),
        }
    }
    #[derive(Deserialize)]
    struct Point {
        x: u8,
    }
    let other = Shape::Enum("Point", vec![("At", Shape::Newtype("At", Box::new(U8)))]);
    let both = vec![Shape::Struct("Point", vec![("x", U8)]), other];
    assert_eq!(of::<(Point, other::Point)>(), Shape::Tuple(both));
}

#[test]
fn types_that_list_no_parts_or_refuse_samples_are_errors() {
    #[derive(Deserialize)]
    struct Flat {
        a: u8,
        #[serde(flatten)]
        more: BTreeMap<String, u8>,
    }
    #[derive(Deserialize)]
    #[serde(tag = "type")]
    enum Tagged {
        A { x: u8 },
    }
    #[derive(Deserialize, Debug)]
    #[serde(try_from = "u32")]
    struct Even;
    impl TryFrom<u32> for Even {
        type Error = String;
        fn try_from(value: u32) -> Result<Self, String> {
            Err(format!("{value} is never even enough"))
        }
    }
    struct Deep;
    impl<'de> Deserialize<'de> for Deep {
        fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
            <(Deep,)>::deserialize(from).map(|(deep,)| deep)
        }
    }
    assert_eq!(Shape::of::<Flat>(), Err(NoShape::AnyForm));
    assert_eq!(Shape::of::<Tagged>(), Err(NoShape::AnyForm));
    assert_eq!(Shape::of::<Even>(), Err(NoShape::Refused("1 is never even enough".into())));
    assert_eq!(Shape::of::<Deep>(), Err(NoShape::TooDeep));
    assert_eq!(NoShape::TooDeep.to_string(), "the type holds itself");
    let any = "the type does not list its parts (it uses `flatten`, `untagged` or `tag` of serde)";
    assert_eq!(NoShape::AnyForm.to_string(), any);
}

#[derive(Component, Serialize, Deserialize, Clone)]
#[component(save = "plan")]
enum Plan {
    Rest,
    Go {
        to: Point,
        #[component(entities)]
        by: Option<Entity>,
    },
}

#[derive(Serialize, Deserialize, Clone)]
struct Point {
    x: f32,
}

#[test]
fn a_saved_component_has_the_shapes_of_the_types_within_it() {
    let point = Shape::Struct("Point", vec![("x", Shape::Number(Number::F32))]);
    let go = Shape::Struct("Go", vec![("to", point), ("by", option(Shape::Entity))]);
    assert_eq!(of_kind::<Plan>(), Shape::Enum("Plan", vec![("Rest", Shape::Unit), ("Go", go)]));
    // Its `Serialize` is its own: it is saved as a text.
    assert_eq!(of_kind::<Name>(), ANY);
}

#[derive(Component)]
struct Shown {
    speed: f32,
    name: Option<String>,
    targets: Vec<(Entity, u8)>,
    place: [i32; 2],
    #[expect(clippy::vec_box, reason = "shapes are found behind boxes")]
    by_name: BTreeMap<String, Vec<Box<bool>>>,
    point: Point,
}

#[test]
fn a_component_that_is_not_saved_has_the_shape_its_derive_lists() {
    let number = Shape::Number(Number::I32);
    let fields = vec![
        ("speed", Shape::Number(Number::F32)),
        ("name", option(ANY)),
        ("targets", list(Shape::Tuple(vec![Shape::Entity, U8]))),
        ("place", Shape::Tuple(vec![number.clone(), number])),
        ("by_name", Shape::Map(Box::new((ANY, list(Shape::Bool))))),
        ("point", Shape::Unknown(Some("Point".into()))),
    ];
    assert_eq!(of_kind::<Shown>(), Shape::Struct("Shown", fields));
}

#[derive(Component, Serialize, Deserialize)]
#[component(save = "picky")]
struct Picky {
    first: u8,
    odd: Odd,
    after: Vec<u16>,
}

#[derive(Serialize, Deserialize)]
#[serde(try_from = "u8", into = "u8")]
#[derive(Clone)]
struct Odd;

impl TryFrom<u8> for Odd {
    type Error = String;
    fn try_from(_: u8) -> Result<Self, String> {
        Err("it is never odd enough".to_owned())
    }
}

impl From<Odd> for u8 {
    fn from(_: Odd) -> Self {
        0
    }
}

#[test]
fn fields_that_no_sample_reaches_have_the_shape_of_their_written_type() {
    let after = list(Shape::Number(Number::U16));
    let fields = vec![("first", U8), ("odd", U8), ("after", after)];
    assert_eq!(of_kind::<Picky>(), Shape::Struct("Picky", fields));
}

#[derive(Component, Serialize, Deserialize)]
#[component(save = "loose")]
struct Loose {
    value: Either,
    after: u8,
}

#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum Either {
    Number(u8),
    Nothing,
}

#[test]
fn a_field_of_any_form_is_unknown_and_those_after_it_are_found() {
    let fields = vec![("value", Shape::Unknown(Some("Either".into()))), ("after", U8)];
    assert_eq!(of_kind::<Loose>(), Shape::Struct("Loose", fields));
}

#[test]
fn a_component_without_a_type_has_the_shape_of_a_type_with_its_fields() {
    #[derive(Component, Serialize, Deserialize)]
    #[component(save = "Defined")]
    struct Defined {
        number: i16,
        #[component(entities)]
        by: Option<Entity>,
        at: Place,
        all: Vec<Place>,
        text: String,
    }
    #[derive(Serialize, Deserialize)]
    struct Place {
        x: f32,
    }
    let place = Fields::of_type("Place").f32("x");
    let fields = Fields::new().i16("number").entity("by").record("at", place.clone());
    let fields = fields.list("all", FieldType::Record(place)).text("text");
    let mut world = World::new();
    let kind = world.define("Defined", fields).unwrap();
    assert_eq!(Shape::of_kind(&mut world, kind), of::<Defined>());
    assert_eq!(Shape::of_kind(&mut World::new(), kind), of::<Defined>());
    // Records without a name are no types within themselves.
    let deep = Fields::new().record("a", Fields::new().record("a", Fields::new().bool("a")));
    let kind = world.define("Deep", deep).unwrap();
    let record = |of| Shape::Struct("", vec![("a", of)]);
    let expected = Shape::Struct("Deep", vec![("a", record(record(Shape::Bool)))]);
    assert_eq!(Shape::of_kind(&mut world, kind), expected);
}
