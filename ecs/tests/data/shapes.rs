//! The shapes of components whose types are not named.

use ecs::by_name::{FieldShape, Kind, Shape};
use ecs::{AnyComponent, ChildOf, Component, Entity};

/// Spells a shape: `{x: f32}`, with `*` at fields that hold entities.
fn spelled(shape: &Shape) -> String {
    let field = |it: &FieldShape| {
        let mark = if it.holds_entities { "*" } else { "" };
        format!("{mark}{}: {}", it.name, it.type_text)
    };
    let list = |fields: &[FieldShape]| fields.iter().map(field).collect::<Vec<_>>().join(", ");
    match shape {
        Shape::Unit => "unit".to_owned(),
        Shape::Tuple(fields) => format!("({})", list(fields)),
        Shape::Struct(fields) => format!("{{{}}}", list(fields)),
        Shape::Enum(variants) => {
            let all = variants.iter().map(|(name, shape)| format!("{name} {}", spelled(shape)));
            all.collect::<Vec<_>>().join(" | ")
        }
        _ => "?".to_owned(),
    }
}

fn shape_of<T: AnyComponent>() -> String {
    spelled(&Kind::of::<T>().shape())
}

#[derive(Component)]
struct Tag;

#[derive(Component)]
struct Empty {}

#[derive(Component)]
struct Body {
    r#type: u8,
    été: [f32; 3],
    friends: Vec<Entity>,
}

#[derive(Component)]
#[component(layout = "soa")]
struct Place {
    x: f32,
    y: f32,
}

#[derive(Component, Clone)]
#[component(clone)]
enum Order {
    Wait,
    Follow(#[component(entities)] Entity, f32),
    Hunt {
        #[component(entities)]
        prey: Option<Entity>,
        #[component(entities = ignore)]
        seen: Vec<Entity>,
    },
}

#[test]
fn a_shape_lists_fields_in_order_with_their_types() {
    assert_eq!(shape_of::<Tag>(), "unit");
    assert_eq!(shape_of::<Empty>(), "{}");
    assert_eq!(shape_of::<Body>(), "{type: u8, été: [f32; 3], *friends: Vec<Entity>}");
    assert_eq!(shape_of::<Place>(), "{x: f32, y: f32}");
}

#[test]
fn a_shape_lists_variants_and_marks_fields_whose_handles_are_replaced() {
    let order =
        "Wait unit | Follow (*0: Entity, 1: f32) | Hunt {*prey: Option<Entity>, seen: Vec<Entity>}";
    assert_eq!(shape_of::<Order>(), order);
    assert_eq!(shape_of::<ChildOf>(), "(*0: Entity)");
}

mod goods {
    pub(super) struct T;
}

#[derive(Component)]
struct Stock<T, U, const N: usize> {
    all: [Option<T>; N],
    other: (U, goods::T),
    both: Box<dyn Fn(&T) -> U + Send + Sync>,
    part: Vec<TU>,
}

struct TU;

#[test]
fn arguments_of_a_generic_component_are_in_the_places_of_its_parameters() {
    let text = "{all: [Option<(u8, u16)>; 2], other: (fn(i8) -> i16, goods::T), \
                both: Box<dyn Fn(&(u8, u16))->fn(i8) -> i16 + Send + Sync>, part: Vec<TU>}";
    assert_eq!(shape_of::<Stock<(u8, u16), fn(i8) -> i16, 2>>(), text);
}

#[cfg(feature = "serde")]
mod saved {
    use super::{Entity, Kind, Shape, shape_of};
    use ecs::{Component, World};
    use serde::{Deserialize, Serialize};

    #[derive(Component, Serialize, Deserialize, Clone)]
    #[component(save = "plan")]
    #[serde(rename_all = "camelCase")]
    struct Plan {
        max_speed: f32,
        #[serde(rename = "to")]
        #[component(entities)]
        target: Entity,
        #[serde(skip)]
        cached: u32,
        #[serde(with = "as_text")]
        height: u32,
    }

    mod as_text {
        use serde::{Deserialize, Deserializer, Serializer};

        #[expect(clippy::trivially_copy_pass_by_ref, reason = "serde calls it so")]
        pub(super) fn serialize<S: Serializer>(it: &u32, to: S) -> Result<S::Ok, S::Error> {
            to.collect_str(it)
        }
        pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<u32, D::Error> {
            String::deserialize(from)?.parse().map_err(serde::de::Error::custom)
        }
    }

    #[derive(Component, Serialize, Deserialize)]
    #[component(save = "mood")]
    #[serde(rename_all = "kebab-case", rename_all_fields = "UPPERCASE")]
    enum Mood {
        VeryGlad,
        Angry {
            at_whom: String,
        },
        #[serde(rename = "so-so")]
        Other(#[serde(skip)] u8, u16),
    }

    #[derive(Component, Serialize, Deserialize)]
    #[component(save = "wrapped")]
    #[serde(transparent)]
    struct Wrapped {
        inner: u16,
    }

    #[derive(Component, Serialize, Deserialize)]
    #[component(save = "tagged")]
    #[serde(tag = "type")]
    enum Tagged {
        A { x: u8 },
    }

    /// Not saved, so that serde has no say.
    #[derive(Component, Serialize)]
    struct Shown {
        #[serde(rename = "y")]
        x: u8,
    }

    #[test]
    fn names_of_a_saved_component_are_those_in_its_saved_form() {
        assert_eq!(shape_of::<Plan>(), "{maxSpeed: f32, *to: Entity, height: _}");
        let mood = "very-glad unit | angry {AT_WHOM: String} | so-so (0: u16)";
        assert_eq!(shape_of::<Mood>(), mood);
        assert_eq!(shape_of::<Wrapped>(), "(0: u16)");
        assert_eq!(shape_of::<Tagged>(), "?");
        assert_eq!(shape_of::<Shown>(), "{x: u8}");
    }

    #[test]
    fn a_shape_names_the_keys_that_serde_writes() {
        let mut world = World::new();
        let target = world.spawn_empty().id();
        let plan = Plan { max_speed: 1.0, target, cached: 3, height: 7 };
        let entity = world.spawn(plan).id();
        let value = world.kind_value(Kind::of::<Plan>(), entity).unwrap();
        let json = serde_json::to_value(value.as_serialize().unwrap()).unwrap();
        let Shape::Struct(fields) = Kind::of::<Plan>().shape() else { panic!("it is a struct") };
        assert_eq!(json.as_object().unwrap().len(), fields.len());
        assert!(fields.iter().all(|field| json.get(field.name).is_some()));
    }
}

#[test]
fn ranges_and_units_are_listed_beside_their_fields() {
    #[derive(Component)]
    enum Engine {
        Off,
        On {
            #[component(range = 0.0..=1.0)]
            power: f32,
            #[component(range = -40.., unit = "°C")]
            heat: i16,
            name: String,
        },
        Idle(#[component(range = ..100, unit = "%")] u8),
    }
    #[derive(Component)]
    #[component(range = 0..=18_446_744_073_709_551_615, unit = "ns")]
    struct Age(u64);

    let texts = |fields: &[FieldShape]| -> Vec<(Option<String>, Option<&str>)> {
        fields.iter().map(|it| (it.range.map(|range| range.to_string()), it.unit)).collect()
    };
    let Shape::Enum(variants) = Kind::of::<Engine>().shape() else { panic!("it is an enum") };
    let Shape::Struct(on) = &variants[1].1 else { panic!("its fields have names") };
    assert_eq!(
        texts(on),
        [
            (Some("0.0..=1.0".to_owned()), None),
            (Some("-40..".to_owned()), Some("°C")),
            (None, None)
        ]
    );
    let power = on[0].range.unwrap();
    assert_eq!((power.from, power.to, power.includes_end), (Some("0.0"), Some("1.0"), true));
    let Shape::Tuple(idle) = &variants[2].1 else { panic!("its field has no name") };
    let range = idle[0].range.unwrap();
    assert_eq!((range.from, range.to, range.includes_end), (None, Some("100"), false));
    let Shape::Tuple(age) = Kind::of::<Age>().shape() else { panic!("its field has no name") };
    assert_eq!(texts(&age), [(Some("0..=18446744073709551615".to_owned()), Some("ns"))]);
}
