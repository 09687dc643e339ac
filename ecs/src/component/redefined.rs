//! Changes of the fields of a defined component, and of its values.
//!
//! ```text
//! Redefinition   rename damage to harm, drop by, add armour = 1
//!      │ with the fields before
//!      v
//! ValueSteps     [ remove 1 ][ insert 1 at the end ]      the same for each value
//! ```

use crate::component::defined::{
    DefineError, Definition, FieldType, FieldValue, Fields, for_each_plain,
};
use crate::entity::Entity;
use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::fmt;

/// Changes of the fields of a defined component, one after the other, for [`World::redefine`](crate::World::redefine).
///
/// A field of a record is named behind it: `at.x`.
///
/// ```
/// use ecs::World;
/// use ecs::by_name::{FieldType, FieldValue, Fields, Redefinition};
///
/// let mut world = World::new();
/// let poison = world.define("Potion", Fields::new().f32("damage").text("strength").u8("age"))?;
/// let entity = world.spawn_empty().id();
/// world.insert_fields(poison, entity, &[2.5_f32.into(), "12".into(), 0_u8.into()])?;
///
/// let changes = Redefinition::new()
///     .add("colour", FieldType::Text, "green")
///     .rename("damage", "harm")
///     .drop("age")
///     .convert("strength", FieldType::I32);
/// let poison = world.redefine(poison, &changes)?;
/// let value = world.kind_value(poison, entity).unwrap();
/// assert_eq!(format!("{value:?}"), "Potion { harm: 2.5, strength: 12, colour: \"green\" }");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
#[must_use = "nothing is changed before `World::redefine`"]
pub struct Redefinition {
    changes: Vec<FieldChange>,
}

#[derive(Clone)]
enum FieldChange {
    Add(String, FieldType, FieldValue),
    Rename(String, String),
    Drop(String),
    Convert(String, FieldType, Option<Arc<Conversion>>),
}

/// Returns the new value of a field, or the reason why there is none.
type Conversion = dyn Fn(FieldValue) -> Result<FieldValue, String> + Send + Sync;

impl fmt::Debug for FieldChange {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Add(path, ty, value) => write!(f, "add {path}: {ty} = {value:?}"),
            Self::Rename(path, name) => write!(f, "rename {path} to {name}"),
            Self::Drop(path) => write!(f, "drop {path}"),
            Self::Convert(path, ty, _) => write!(f, "convert {path} to {ty}"),
        }
    }
}

impl Redefinition {
    /// Returns no changes.
    pub const fn new() -> Self {
        Self { changes: Vec::new() }
    }

    /// Adds a field of this type behind the others. Values that exist have this value in it.
    pub fn add(self, path: &str, ty: FieldType, value: impl Into<FieldValue>) -> Self {
        self.with(FieldChange::Add(path.to_owned(), ty, value.into()))
    }

    /// Renames a field, which keeps its place.
    #[inline]
    pub fn rename(self, path: &str, name: &str) -> Self {
        self.with(FieldChange::Rename(path.to_owned(), name.to_owned()))
    }

    /// Drops a field, with its values.
    #[inline]
    pub fn drop(self, path: &str) -> Self {
        self.with(FieldChange::Drop(path.to_owned()))
    }

    /// Changes the type of a field. A number, boolean or text becomes another one, and lists become lists, value by value.
    ///
    /// An integer must be in the range of the new type. A number becomes the nearest one with a fraction; the other way
    /// round it must be whole. A boolean is the number 0 or 1. A text is read as a number or boolean is written in Rust.
    #[inline]
    pub fn convert(self, path: &str, ty: FieldType) -> Self {
        self.with(FieldChange::Convert(path.to_owned(), ty, None))
    }

    /// Changes the type of a field by a function, which returns the new value for an old one. It is also called for the
    /// values of files that are loaded later.
    ///
    /// ```
    /// use ecs::World;
    /// use ecs::by_name::{FieldType, FieldValue, Fields, Redefinition};
    ///
    /// let mut world = World::new();
    /// let door = world.define("Door", Fields::new().bool("open"))?;
    /// let entity = world.spawn_empty().id();
    /// world.insert_kind_default(door, entity)?;
    /// let to_angle = |open| Ok(FieldValue::F32(if open == FieldValue::Bool(true) { 90.0 } else { 0.0 }));
    /// let changes = Redefinition::new().convert_by("open", FieldType::F32, to_angle).rename("open", "angle");
    /// let door = world.redefine(door, &changes)?;
    /// assert_eq!(world.kind_value(door, entity).unwrap().field("angle"), Some(FieldValue::F32(0.0)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn convert_by(
        self,
        path: &str,
        ty: FieldType,
        convert: impl Fn(FieldValue) -> Result<FieldValue, String> + Send + Sync + 'static,
    ) -> Self {
        self.with(FieldChange::Convert(path.to_owned(), ty, Some(Arc::new(convert))))
    }

    #[inline]
    fn with(mut self, change: FieldChange) -> Self {
        self.changes.push(change);
        self
    }

    /// Returns the fields that these become, and the steps for their values.
    ///
    /// # Errors
    /// Returns an error if a change names no field, or cannot be made.
    #[inline]
    pub(crate) fn applied(&self, fields: &Fields) -> Result<(Fields, Vec<ValueStep>), DefineError> {
        let (mut fields, mut steps) = (fields.clone(), Vec::new());
        for change in &self.changes {
            match change {
                FieldChange::Add(path, ty, value) => {
                    let (record, name) = path.rsplit_once('.').unwrap_or(("", path));
                    let (list, places) = fields.record_mut(record).ok_or_else(|| no_field(path))?;
                    list.push((name.to_owned(), ty.clone()));
                    ty.check(value).map_err(|what| DefineError::WrongValue(path.clone(), what))?;
                    steps.push(ValueStep { places, kind: ValueChange::Insert(value.clone()) });
                }
                FieldChange::Rename(path, name) => {
                    let (list, places) = fields.list_with(path).ok_or_else(|| no_field(path))?;
                    name.clone_into(&mut list[places[places.len() - 1]].0);
                    fields.rename_indexed(path, name);
                }
                FieldChange::Drop(path) => {
                    let (list, places) = fields.list_with(path).ok_or_else(|| no_field(path))?;
                    list.remove(places[places.len() - 1]);
                    if list.is_empty() && places.len() > 1 {
                        return Err(DefineError::NoFields(path.clone()));
                    }
                    steps.push(ValueStep { places, kind: ValueChange::Remove });
                }
                FieldChange::Convert(path, ty, by) => {
                    let (list, places) = fields.list_with(path).ok_or_else(|| no_field(path))?;
                    let field = &mut list[places[places.len() - 1]].1;
                    if by.is_none() && !becomes(field, ty) {
                        let what = format!("a `{field}` becomes no `{ty}`");
                        return Err(DefineError::WrongValue(path.clone(), what));
                    }
                    *field = ty.clone();
                    let path = path.clone();
                    let kind = ValueChange::Convert { path, ty: ty.clone(), by: by.clone() };
                    steps.push(ValueStep { places, kind });
                }
            }
        }
        Ok((fields, steps))
    }
}

#[inline]
fn no_field(path: &str) -> DefineError {
    DefineError::NoField(path.to_owned())
}

/// A change of a value: of the field at these places, one within the other.
#[derive(Clone)]
pub(crate) struct ValueStep {
    places: Vec<usize>,
    kind: ValueChange,
}

#[derive(Clone)]
enum ValueChange {
    /// Adds a field behind the others of the record at the places.
    Insert(FieldValue),
    Remove,
    Convert {
        path: String,
        ty: FieldType,
        by: Option<Arc<Conversion>>,
    },
}

impl ValueStep {
    /// Changes the values of fields.
    ///
    /// # Errors
    /// Returns the path of a field whose value cannot be converted, and the reason.
    #[inline]
    pub(crate) fn change(&self, values: &mut Vec<FieldValue>) -> Result<(), (String, String)> {
        let (last, above) = match &self.kind {
            ValueChange::Insert(_) => (0, &self.places[..]),
            _ => self.places.split_last().map_or((0, &[][..]), |(last, above)| (*last, above)),
        };
        let mut fields = values;
        for at in above {
            let Some(FieldValue::Record(inner)) = fields.get_mut(*at) else { return Ok(()) };
            fields = inner;
        }
        match &self.kind {
            ValueChange::Insert(value) => fields.push(value.clone()),
            ValueChange::Remove => drop(fields.remove(last)),
            ValueChange::Convert { path, ty, by } => {
                let old = core::mem::replace(&mut fields[last], FieldValue::Bool(false));
                let converted = match by {
                    Some(by) => by(old).and_then(|value| ty.check(&value).map(|()| value)),
                    None => converted(old, ty),
                };
                fields[last] = converted.map_err(|what| (path.clone(), what))?;
            }
        }
        Ok(())
    }
}

/// The steps from the values of a definition to the values of the next one of its name.
#[derive(Clone)]
pub(crate) struct Redefined {
    pub(crate) from: &'static Definition,
    pub(crate) steps: Vec<ValueStep>,
}

/// Returns `true` if values of a type may become values of another one.
#[inline]
fn becomes(from: &FieldType, to: &FieldType) -> bool {
    let is_number_or_text = |ty: &FieldType| {
        !matches!(ty, FieldType::Entity | FieldType::List(_) | FieldType::Record(_))
    };
    match (from, to) {
        (FieldType::List(from), FieldType::List(to)) => becomes(from, to),
        (from, to) => from == to || is_number_or_text(from) && is_number_or_text(to),
    }
}

macro_rules! conversions {
    ($($variant:ident: $ty:ty = $name:literal;)+) => {
        /// Returns a value as one of another type.
        #[inline]
        fn converted(value: FieldValue, to: &FieldType) -> Result<FieldValue, String> {
            match (value, to) {
                (FieldValue::List(values), FieldType::List(of)) => {
                    let all = IntoIterator::into_iter(values).map(|value| converted(value, of));
                    all.collect::<Result<_, _>>().map(FieldValue::List)
                }
                (value, to) if to.check(&value).is_ok() => Ok(value),
                $((FieldValue::$variant(value), to) => value.become_type(to),)+
                (FieldValue::List(_) | FieldValue::Record(_), to) => Err(refusal("a list or record", to)),
            }
        }
    };
}
for_each_plain!(conversions);

#[cold]
fn refusal(value: impl fmt::Display, to: &FieldType) -> String {
    format!("{value} becomes no `{to}`")
}

/// A value without parts that may become one of another type.
trait Becoming {
    fn become_type(self, to: &FieldType) -> Result<FieldValue, String>;
}

macro_rules! integers {
    ($($ty:ident),+) => {
        $(impl Becoming for $ty {
            #[inline]
            fn become_type(self, to: &FieldType) -> Result<FieldValue, String> {
                of_integer(self.into(), to)
            }
        })+
    };
}
integers!(i8, i16, i32, i64, u8, u16, u32, u64);

impl Becoming for f32 {
    #[inline]
    fn become_type(self, to: &FieldType) -> Result<FieldValue, String> {
        match to {
            FieldType::Text => Ok(FieldValue::Text(self.to_string())),
            _ => of_float(self.into(), to),
        }
    }
}
impl Becoming for f64 {
    #[inline]
    fn become_type(self, to: &FieldType) -> Result<FieldValue, String> {
        of_float(self, to)
    }
}
impl Becoming for bool {
    #[inline]
    fn become_type(self, to: &FieldType) -> Result<FieldValue, String> {
        match to {
            FieldType::Text => Ok(FieldValue::Text(self.to_string())),
            _ => of_integer(self.into(), to),
        }
    }
}
impl Becoming for Option<Entity> {
    #[inline]
    fn become_type(self, to: &FieldType) -> Result<FieldValue, String> {
        Err(refusal("a handle", to))
    }
}
impl Becoming for String {
    #[inline]
    fn become_type(self, to: &FieldType) -> Result<FieldValue, String> {
        macro_rules! parsed {
            ($($variant:ident),+) => {
                match to {
                    $(FieldType::$variant => self.parse().ok().map(FieldValue::$variant),)+
                    _ => None,
                }
            };
        }
        let value = parsed!(I8, I16, I32, I64, U8, U16, U32, U64, F32, F64, Bool);
        value.ok_or_else(|| refusal(format_args!("{self:?}"), to))
    }
}

#[expect(clippy::cast_precision_loss, reason = "the nearest number")]
#[inline]
fn of_integer(value: i128, to: &FieldType) -> Result<FieldValue, String> {
    macro_rules! narrowed {
        ($($variant:ident),+) => {
            match to {
                $(FieldType::$variant => value.try_into().ok().map(FieldValue::$variant),)+
                FieldType::F32 => Some(FieldValue::F32(value as f32)),
                FieldType::F64 => Some(FieldValue::F64(value as f64)),
                FieldType::Bool if value == 0 || value == 1 => Some(FieldValue::Bool(value == 1)),
                FieldType::Text => Some(FieldValue::Text(value.to_string())),
                _ => None,
            }
        };
    }
    let narrowed = narrowed!(I8, I16, I32, I64, U8, U16, U32, U64);
    narrowed.ok_or_else(|| refusal(value, to))
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    clippy::float_cmp,
    reason = "a number that is changed by the casts is refused"
)]
#[inline]
fn of_float(value: f64, to: &FieldType) -> Result<FieldValue, String> {
    let whole = value as i128;
    match to {
        FieldType::Text => Ok(FieldValue::Text(value.to_string())),
        FieldType::F64 => Ok(FieldValue::F64(value)),
        FieldType::F32 if !value.is_finite() || (value as f32).is_finite() => {
            Ok(FieldValue::F32(value as f32))
        }
        FieldType::F32 => Err(refusal(value, to)),
        to if whole as f64 == value => of_integer(whole, to),
        to => Err(refusal(value, to)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::boxed::Box;

    #[test]
    fn numbers_texts_and_booleans_become_each_other_where_nothing_is_lost() {
        use FieldType as T;
        let made = |value: FieldValue, to: T| converted(value, &to);
        assert_eq!(made(300_u16.into(), T::U8), Err("300 becomes no `u8`".into()));
        assert_eq!(made((-1_i8).into(), T::U64), Err("-1 becomes no `u64`".into()));
        assert_eq!(made(255_u64.into(), T::U8), Ok(255_u8.into()));
        assert_eq!(made(7_u8.into(), T::F32), Ok(7.0_f32.into()));
        assert_eq!(made(7.0_f64.into(), T::I8), Ok(7_i8.into()));
        assert_eq!(made(7.5_f64.into(), T::I8), Err("7.5 becomes no `i8`".into()));
        assert_eq!(made(f64::NAN.into(), T::I64), Err("NaN becomes no `i64`".into()));
        assert!(made(1e300_f64.into(), T::F32).is_err());
        assert_eq!(made(f64::INFINITY.into(), T::F32), Ok(f32::INFINITY.into()));
        assert_eq!(made(0.1_f32.into(), T::Text), Ok("0.1".into()));
        assert_eq!(made(true.into(), T::I16), Ok(1_i16.into()));
        assert_eq!(made(true.into(), T::Text), Ok("true".into()));
        assert_eq!(made(2_u8.into(), T::Bool), Err("2 becomes no `bool`".into()));
        assert_eq!(made("-12".into(), T::I32), Ok((-12_i32).into()));
        assert_eq!(made("x".into(), T::I32), Err("\"x\" becomes no `i32`".into()));
        let list = FieldValue::from(Vec::from([1_u8, 2]));
        let of = |of| T::List(Box::new(of));
        assert_eq!(made(list.clone(), of(T::Text)), Ok(Vec::from(["1", "2"]).into()));
        assert!(made(list, T::U8).is_err());
        assert!(becomes(&of(T::U8), &of(T::F32)) && !becomes(&of(T::U8), &T::U8));
        assert!(becomes(&T::Entity, &T::Entity) && !becomes(&T::Entity, &T::U64));
    }
}
