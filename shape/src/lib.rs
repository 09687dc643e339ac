//! The shapes of values, for tools that show, edit or store them without their types.
//!
//! [`Shape::of`] finds the form in which serde saves a type, nested types included: it reads the type by its `Deserialize`
//! from samples. [`Shape::of_kind`] returns the shape of a component, from its samples if it is saved, and from the
//! [list of its derive](ecs::by_name::Kind::shape) where there is no sample.

#![forbid(unsafe_code)]

mod dropped;
mod trace;
mod written;

use dropped::Dropped;
use ecs::World;
use ecs::by_name::{Kind, ResourceKind, Values};
use serde::de::DeserializeOwned;
use std::error::Error;
use std::fmt;

/// The shape of a value, in the form in which serde writes it for people.
///
/// ```
/// use ecs_shape::{Number, Shape};
/// use serde::Deserialize;
///
/// #[derive(Deserialize)]
/// struct Track { name: String, legs: Vec<Leg> }
/// #[derive(Deserialize)]
/// enum Leg { Wait, Fly(f32) }
///
/// let leg = Shape::Enum("Leg", vec![
///     ("Wait", Shape::Unit),
///     ("Fly", Shape::Newtype("Fly", Box::new(Shape::Number(Number::F32)))),
/// ]);
/// let fields = vec![("name", Shape::Text(ecs_shape::Text::Any)), ("legs", Shape::List(Box::new(leg)))];
/// assert_eq!(Shape::of::<Track>()?, Shape::Struct("Track", fields));
/// # Ok::<(), ecs_shape::NoShape>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Shape {
    /// A type that was not found out: as it is written in the source, where that is known.
    Unknown(Option<String>),
    /// No data: `()`, a struct or a variant without fields.
    Unit,
    /// `true` or `false`.
    Bool,
    /// A number.
    Number(Number),
    /// A character.
    Char,
    /// A text.
    Text(Text),
    /// Bytes, as `serde_bytes` writes them.
    Bytes,
    /// A [`SystemTime`](std::time::SystemTime), which is a struct of seconds and nanoseconds.
    Time,
    /// A handle of an entity.
    Entity,
    /// A value that may be missing.
    Option(Box<Self>),
    /// Any number of values.
    List(Box<Self>),
    /// Any number of entries: the key and the value.
    Map(Box<(Self, Self)>),
    /// A struct or a variant with one field without a name, which is written like the field.
    Newtype(&'static str, Box<Self>),
    /// A fixed number of values.
    Tuple(Vec<Self>),
    /// The name of a struct or a variant, and its fields.
    Struct(&'static str, Vec<(&'static str, Self)>),
    /// The name of an enum, and its variants.
    Enum(&'static str, Vec<(&'static str, Self)>),
    /// The name of a type that the value is part of.
    Within(&'static str),
}

/// The type of a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "called like the types")]
pub enum Number {
    I8,
    I16,
    I32,
    I64,
    I128,
    U8,
    U16,
    U32,
    U64,
    U128,
    F32,
    F64,
}

impl Number {
    const ALL: [(&'static str, Self); 12] = [
        ("i8", Self::I8),
        ("i16", Self::I16),
        ("i32", Self::I32),
        ("i64", Self::I64),
        ("i128", Self::I128),
        ("u8", Self::U8),
        ("u16", Self::U16),
        ("u32", Self::U32),
        ("u64", Self::U64),
        ("u128", Self::U128),
        ("f32", Self::F32),
        ("f64", Self::F64),
    ];

    /// Returns the name of the type.
    ///
    /// ```
    /// assert_eq!(ecs_shape::Number::F32.name(), "f32");
    /// ```
    #[must_use]
    pub fn name(self) -> &'static str {
        Self::ALL.iter().find(|(_, number)| *number == self).map_or("", |(name, _)| name)
    }

    fn named(name: &str) -> Option<Self> {
        Self::ALL.iter().find(|(own, _)| *own == name).map(|(_, number)| *number)
    }
}

/// The content of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Text {
    /// Any text, or one that has rules of its own.
    Any,
    /// A time with a zone, such as `1970-01-01T00:00:00Z`.
    Instant,
    /// A time without a zone, such as `1970-01-01T00:00:00`.
    LocalTime,
    /// A date, such as `1970-01-01`.
    Date,
}

/// The error of a type that has no shape.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum NoShape {
    /// The type is read from any form, as with `flatten`, `untagged` and `tag` of serde.
    AnyForm,
    /// Types without names hold each other.
    TooDeep,
    /// The type has more variants than are read.
    TooLarge,
    /// The type refuses all samples, the last one for this reason.
    Refused(String),
}

impl fmt::Display for NoShape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::AnyForm => f.write_str(
                "the type does not list its parts (it uses `flatten`, `untagged` or `tag` of serde)",
            ),
            Self::TooDeep => f.write_str("the type holds itself"),
            Self::TooLarge => f.write_str("the type has too many variants"),
            Self::Refused(why) => f.write_str(why),
        }
    }
}

impl Error for NoShape {}

impl Shape {
    /// Returns the shape of a type. O(variants) readings.
    ///
    /// # Errors
    /// Returns an error if the type does not list its parts, or refuses all samples.
    ///
    /// ```
    /// use ecs_shape::{NoShape, Shape};
    /// use serde::Deserialize;
    ///
    /// #[derive(Deserialize)]
    /// #[serde(untagged)]
    /// enum Any { Number(u8), Text(String) }
    ///
    /// assert_eq!(Shape::of::<Any>(), Err(NoShape::AnyForm));
    /// ```
    pub fn of<T: DeserializeOwned>() -> Result<Self, NoShape> {
        let (shape, error) = trace::trace(|tracer| T::deserialize(tracer).map(drop));
        error.map_or(Ok(shape), Err)
    }

    /// Returns the shape of a component; parts that are not found out are [`Unknown`](Self::Unknown).
    ///
    /// Samples of a component that is saved are read into a pool of the world, and dropped.
    ///
    /// ```
    /// use ecs::by_name::Kind;
    /// use ecs::{ChildOf, Component, World};
    /// use ecs_shape::{Number, Shape};
    ///
    /// #[derive(Component)]
    /// struct Socket { number: u16, file: std::fs::File } // which is not saved
    ///
    /// let mut world = World::new();
    /// let file = Shape::Unknown(Some("std::fs::File".to_owned()));
    /// let fields = vec![("number", Shape::Number(Number::U16)), ("file", file)];
    /// assert_eq!(Shape::of_kind(&mut world, Kind::of::<Socket>()), Shape::Struct("Socket", fields));
    /// assert_eq!(Shape::of_kind(&mut world, Kind::of::<ChildOf>()), Shape::Entity); // as it is saved
    /// ```
    pub fn of_kind(world: &mut World, kind: Kind) -> Self {
        let declared = Self::declared(kind.name(), kind.shape());
        if kind.saved_as().is_none() {
            return declared;
        }
        let (mut shape, _) = trace::trace(|tracer| Values::new().read(world, kind, tracer));
        shape.complete(&declared);
        shape
    }

    /// Returns the shape of a resource; [`Unknown`](Self::Unknown) if it is not saved, or is lent by
    /// [`World::resource_scope`].
    ///
    /// Samples are read and dropped; the world stays as it is.
    ///
    /// ```
    /// use ecs::{Resource, World};
    /// use ecs_shape::{Number, Shape};
    /// use serde::{Deserialize, Serialize};
    ///
    /// #[derive(Resource, Serialize, Deserialize)]
    /// #[resource(save = "clock")]
    /// struct Clock { frames: u64, runs: bool }
    ///
    /// let mut world = World::new();
    /// world.insert_resource(Clock { frames: 7, runs: true });
    /// let fields = vec![("frames", Shape::Number(Number::U64)), ("runs", Shape::Bool)];
    /// let clock = world.resource_kind("clock")?;
    /// assert_eq!(Shape::of_resource(&mut world, clock), Shape::Struct("Clock", fields));
    /// assert_eq!(world.resource::<Clock>().frames, 7);
    /// # Ok::<(), ecs::by_name::ResourceKindError>(())
    /// ```
    pub fn of_resource(world: &mut World, kind: ResourceKind) -> Self {
        let (shape, _) = trace::trace(|tracer| {
            let mut is_read = false;
            let sample = Dropped { inner: tracer, is_read: &mut is_read };
            let read = world.insert_resource_kind(kind, sample);
            if is_read { Ok(()) } else { read }
        });
        shape
    }

    /// Returns the shape within all newtypes around it: they are written like their content.
    ///
    /// ```
    /// # use ecs_shape::Shape;
    /// let shape = Shape::Newtype("Outer", Box::new(Shape::Newtype("Inner", Box::new(Shape::Bool))));
    /// assert_eq!(shape.bare(), &Shape::Bool);
    /// ```
    #[must_use]
    pub fn bare(&self) -> &Self {
        match self {
            Self::Newtype(_, of) => of.bare(),
            other => other,
        }
    }

    /// Puts parts of another shape in the places of unknown ones, where both have the same fields.
    fn complete(&mut self, other: &Self) {
        match (self, other) {
            (Self::Struct(_, own), Self::Struct(_, others))
            | (Self::Enum(_, own), Self::Enum(_, others)) => {
                for (name, part) in own {
                    if let Some((_, other)) = others.iter().find(|(other, _)| other == name) {
                        part.adopt(other);
                    }
                }
            }
            (Self::Tuple(own), Self::Tuple(others)) if own.len() == others.len() => {
                own.iter_mut().zip(others).for_each(|(part, other)| part.adopt(other));
            }
            (Self::Newtype(_, own), Self::Newtype(_, other)) => own.adopt(other),
            _ => {}
        }
    }

    fn adopt(&mut self, other: &Self) {
        match self {
            Self::Unknown(_) => *self = other.clone(),
            _ => self.complete(other),
        }
    }
}
