//! The fields and variants of a component, where its type is not named.

use crate::component::handles::HandleField;
use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

/// The fields of a component in their order, or the variants of an enum: from [`Kind::shape`](crate::by_name::Kind::shape).
///
/// The derive lists them. If a component is saved, the names are the ones in serde's output: `rename`, `rename_all`
/// and `skip` are applied, and a `transparent` struct is a tuple of one field. If `Serialize` is implemented by hand,
/// the saved form may be another one.
///
/// ```
/// use ecs::by_name::{Kind, Shape};
/// use ecs::{Component, Entity};
///
/// #[derive(Component)]
/// enum Order<T> {
///     Wait,
///     Follow { leader: Entity, at: Option<T> },
/// }
///
/// let Shape::Enum(variants) = Kind::of::<Order<f32>>().shape() else { panic!("it is an enum") };
/// assert_eq!(variants[0], ("Wait", Shape::Unit));
/// let ("Follow", Shape::Struct(fields)) = &variants[1] else { panic!("it has fields with names") };
/// assert_eq!((fields[0].name, &*fields[0].type_text), ("leader", "Entity"));
/// assert_eq!((fields[1].name, &*fields[1].type_text), ("at", "Option<f32>"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Shape {
    /// No fields.
    Unit,
    /// Fields without names. Their positions `0`, `1` and so on stand for names.
    Tuple(Vec<FieldShape>),
    /// Fields with names.
    Struct(Vec<FieldShape>),
    /// The variants of an enum, by their names.
    Enum(Vec<(&'static str, Self)>),
    /// A form that its fields do not determine, as with `flatten`, `untagged`, `tag`, `from` and `into` of serde, or of a
    /// component without a derive.
    Opaque,
}

/// A field of a component, in its [`Shape`].
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct FieldShape {
    /// The name of the field, or its position in a tuple.
    pub name: &'static str,
    /// The type as written, with the arguments of a generic component in the places of its parameters; `_` if a function
    /// named by `with` of serde determines the saved form.
    pub type_text: Cow<'static, str>,
    /// `true` if the field may have handles of entities, which are replaced where the component comes into another
    /// world: see [`MapEntities`](crate::MapEntities).
    pub holds_entities: bool,
    /// The numbers that tools should offer, as `#[component(range = ..)]` declares them. Nothing else refuses other
    /// numbers.
    pub range: Option<FieldRange>,
    /// The unit of the field's numbers, as `#[component(unit = "m")]` declares it.
    pub unit: Option<&'static str>,
}

/// The declared range of a field's numbers, in its [`FieldShape`]. The numbers are texts, so that they are exact.
///
/// ```
/// use ecs::Component;
/// use ecs::by_name::{Kind, Shape};
///
/// #[derive(Component)]
/// struct Lamp {
///     #[component(range = 0.0..=1.0)]
///     power: f32,
///     #[component(range = -90.., unit = "°")]
///     angle: i16,
/// }
///
/// let Shape::Struct(fields) = Kind::of::<Lamp>().shape() else { panic!("its fields have names") };
/// let power = fields[0].range.unwrap();
/// assert_eq!((power.from, power.to, power.includes_end), (Some("0.0"), Some("1.0"), true));
/// assert_eq!((fields[1].range.unwrap().to_string(), fields[1].unit), ("-90..".to_owned(), Some("°")));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct FieldRange {
    /// The least number, if there is one.
    pub from: Option<&'static str>,
    /// The greatest number, if there is one; or the number that all others are less than.
    pub to: Option<&'static str>,
    /// `true` if `to` is in the range.
    pub includes_end: bool,
}

impl FieldRange {
    #[inline]
    fn read(text: &'static str) -> Option<Self> {
        let (from, rest) = text.split_once("..")?;
        let (to, includes_end) = rest.strip_prefix('=').map_or((rest, false), |to| (to, true));
        let number = |text: &'static str| (!text.is_empty()).then_some(text);
        Some(Self { from: number(from), to: number(to), includes_end })
    }
}

/// Writes the range as in Rust, such as `0.0..=1.0`.
impl fmt::Display for FieldRange {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.includes_end { "..=" } else { ".." };
        write!(f, "{}{sign}{}", self.from.unwrap_or_default(), self.to.unwrap_or_default())
    }
}

impl Shape {
    /// Reads the lines that the derive writes (`ecs_derive/src/shape.rs`), of a type with this full name.
    /// `fields` are the fields that may hold handles.
    #[inline]
    pub(crate) fn read(
        text: &'static str,
        type_name: &'static str,
        fields: &[HandleField],
    ) -> Self {
        let mut arguments = arguments(type_name).into_iter();
        let mut given = Vec::new();
        let mut shape = Self::Unit;
        for line in text.lines() {
            let innermost = match &mut shape {
                Self::Enum(variants) => variants.last_mut().map(|it| &mut it.1),
                other => Some(other),
            };
            match (line.split_at_checked(1).unwrap_or((line, "")), innermost) {
                (("?", _), _) => return Self::Opaque,
                (("<", name), _) => given.extend(arguments.next().map(|it| (name, it))),
                (("|", name), _) => match &mut shape {
                    Self::Enum(variants) => variants.push((name, Self::Unit)),
                    other => *other = Self::Enum(Vec::from([(name, Self::Unit)])),
                },
                (("(", _), Some(inner)) => *inner = Self::Tuple(Vec::new()),
                (("{", _), Some(inner)) => *inner = Self::Struct(Vec::new()),
                (("[" | "%", text), Some(Self::Tuple(all) | Self::Struct(all))) => {
                    let Some(field) = all.last_mut() else { continue };
                    if line.starts_with('[') {
                        field.range = FieldRange::read(text);
                    } else {
                        field.unit = Some(text);
                    }
                }
                (_, Some(Self::Tuple(all) | Self::Struct(all))) => {
                    all.extend(FieldShape::read(line, &given, fields));
                }
                _ => {}
            }
        }
        shape
    }
}

impl FieldShape {
    #[inline]
    fn read(line: &'static str, given: &[(&str, &str)], fields: &[HandleField]) -> Option<Self> {
        let (field, holds_entities) = if let Some(marked) = line.strip_prefix('*') {
            (marked, true)
        } else if let Some(probed) = line.strip_prefix('~') {
            let (place, field) = probed.split_once(' ')?;
            (field, fields.get(place.parse::<usize>().ok()?)?.is_mapped())
        } else {
            (line, false)
        };
        let (name, ty) = field.split_once(':')?;
        let type_text = replaced(ty, given);
        Some(Self { name, type_text, holds_entities, range: None, unit: None })
    }
}

/// Returns the arguments in the full name of a generic type.
#[inline]
fn arguments(type_name: &'static str) -> Vec<&'static str> {
    let Some((_, list)) = type_name.split_once('<') else { return Vec::new() };
    let list = list.strip_suffix('>').unwrap_or(list);
    let (mut all, mut start, mut depth, mut before) = (Vec::new(), 0, 0, ' ');
    for (at, letter) in list.char_indices() {
        match letter {
            '<' | '(' | '[' => depth += 1,
            '>' if before == '-' => {} // of the arrow of a function
            '>' | ')' | ']' => depth -= 1,
            ',' if depth == 0 => {
                all.push(list[start..at].trim());
                start = at + 1;
            }
            _ => {}
        }
        before = letter;
    }
    all.push(list[start..].trim());
    all
}

/// Puts arguments in the places of parameters in a type.
#[inline]
fn replaced(ty: &'static str, given: &[(&str, &str)]) -> Cow<'static, str> {
    let is_part = |letter: char| letter.is_alphanumeric() || letter == '_';
    let (mut text, mut rest, mut is_changed) = (String::new(), ty, false);
    while !rest.is_empty() {
        let end = rest.find(|letter| !is_part(letter)).unwrap_or(rest.len());
        let (word, others) = rest.split_at(end);
        let is_in_path = text.ends_with("::");
        match given.iter().find(|(name, _)| *name == word && !is_in_path) {
            Some((_, argument)) => {
                text.push_str(argument);
                is_changed = true;
            }
            None => text.push_str(word),
        }
        let next = others.find(is_part).unwrap_or(others.len());
        text.push_str(&others[..next]);
        rest = &others[next..];
    }
    if is_changed { Cow::Owned(text) } else { Cow::Borrowed(ty) }
}
