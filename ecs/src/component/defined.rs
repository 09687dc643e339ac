//! Components that are defined while a program runs: their fields, the values of these, and definitions.
//!
//! ```text
//! Fields ──> Definition   checked, and kept as long as the process
//!              │
//!              ├─ tree    { damage: f32, at: { x: f32, y: f32 }, source: String }    as values are written and read
//!              └─ leaves  damage        at.x    at.y    source                       a column for each
//! ```

use crate::component::handles::HandleField;
use crate::component::rules::RuleKind;
use crate::component::same::Same;
use crate::entity::Entity;
#[cfg(feature = "serde")]
use crate::format::shape::{FNV_32, fnv_32};
use crate::text::Nearest;
use alloc::borrow::ToOwned;
use alloc::boxed::Box;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::error::Error;
use core::fmt::{self, Write};

/// Calls a macro with the types of fields that have no parts: for each the variant, the type of its values, and its name
/// in Rust.
macro_rules! for_each_plain {
    ($call:ident) => {
        $call! {
            I8: i8 = "i8";
            I16: i16 = "i16";
            I32: i32 = "i32";
            I64: i64 = "i64";
            U8: u8 = "u8";
            U16: u16 = "u16";
            U32: u32 = "u32";
            U64: u64 = "u64";
            F32: f32 = "f32";
            F64: f64 = "f64";
            Bool: bool = "bool";
            Entity: Option<Entity> = "Option<Entity>";
            Text: String = "String";
        }
    };
}
pub(crate) use for_each_plain;

macro_rules! field_types {
    ($($variant:ident: $ty:ty = $name:literal;)+) => {
        /// The type of a field of a component that is [defined](crate::World::define) while a program runs.
        ///
        /// It prints like the type in Rust that is written to files in the same way.
        ///
        /// ```
        /// use ecs::by_name::{FieldType, Fields};
        ///
        /// let numbers = FieldType::List(Box::new(FieldType::F32));
        /// assert_eq!(numbers.to_string(), "Vec<f32>");
        /// let place = FieldType::Record(Fields::new().f32("x").f32("y"));
        /// assert_eq!(place.to_string(), "{x:f32;y:f32;}");
        /// ```
        #[derive(Clone, Debug, PartialEq, Eq)]
        #[non_exhaustive]
        pub enum FieldType {
            $(#[doc = concat!("`", $name, "`.")] $variant,)+
            /// A list of values of this type.
            List(Box<Self>),
            /// Values with names. Each is stored in a column of its own, unless the record is within a list.
            Record(Fields),
        }

        /// The value of a field of a component that is [defined](crate::World::define) while a program runs.
        ///
        /// ```
        /// use ecs::Entity;
        /// use ecs::by_name::FieldValue;
        ///
        /// let values: [FieldValue; 3] = [2.5_f32.into(), None::<Entity>.into(), "snake".into()];
        /// assert_eq!(values[0], FieldValue::F32(2.5));
        /// assert_eq!(values[2], FieldValue::Text("snake".to_owned()));
        /// ```
        #[derive(Clone, PartialEq)]
        #[non_exhaustive]
        pub enum FieldValue {
            $(#[doc = concat!("A value of the type `", $name, "`.")] $variant($ty),)+
            /// The values of a list, of one type.
            List(Vec<Self>),
            /// The values of a record, in the order of its fields.
            Record(Vec<Self>),
        }

        $(impl From<$ty> for FieldValue {
            #[inline]
            fn from(value: $ty) -> Self {
                Self::$variant(value)
            }
        })+

        impl fmt::Debug for FieldValue {
            #[inline]
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                match self {
                    $(Self::$variant(value) => value.fmt(f),)+
                    Self::List(values) | Self::Record(values) => values.fmt(f),
                }
            }
        }

        /// The types without parts, by their places: comparing two takes one instruction.
        #[derive(Clone, Copy, PartialEq)]
        enum FieldPlace {
            $($variant,)+
        }

        impl FieldValue {
            #[inline(always)]
            fn place(&self) -> Option<FieldPlace> {
                match self {
                    $(Self::$variant(_) => Some(FieldPlace::$variant),)+
                    Self::List(_) | Self::Record(_) => None,
                }
            }

            /// Returns the name of its type.
            #[inline]
            fn type_name(&self) -> &'static str {
                match self {
                    $(Self::$variant(_) => $name,)+
                    Self::List(_) => "list",
                    Self::Record(_) => "record",
                }
            }
        }

        impl Same for FieldValue {
            #[inline]
            fn same(&self, other: &Self) -> bool {
                match (self, other) {
                    $((Self::$variant(a), Self::$variant(b)) => a.same(b),)+
                    (Self::List(a), Self::List(b)) | (Self::Record(a), Self::Record(b)) => a.same(b),
                    _ => false,
                }
            }
        }

        impl FieldType {
            /// Returns the type without parts that has this name in Rust.
            #[cfg(any(feature = "serde", test))]
            fn plain(name: &str) -> Option<Self> {
                match name {
                    $($name => Some(Self::$variant),)+
                    _ => None,
                }
            }

            /// Returns the name of a type without parts, and the number of bytes of its values.
            #[inline]
            pub(crate) fn name_and_size(&self) -> (&'static str, usize) {
                match self {
                    $(Self::$variant => ($name, size_of::<$ty>()),)+
                    Self::List(_) => ("list", size_of::<Vec<FieldValue>>()),
                    Self::Record(_) => ("record", 0),
                }
            }

            /// Returns `true` if a value is of this type without parts.
            #[inline(always)]
            fn is_of(&self, value: &FieldValue) -> bool {
                let place = match self {
                    $(Self::$variant => FieldPlace::$variant,)+
                    Self::List(_) | Self::Record(_) => return false,
                };
                value.place() == Some(place)
            }

            /// Returns the default: zero, `false`, no entity, an empty text or list, or a record of defaults.
            ///
            /// ```
            /// # use ecs::by_name::{FieldType, FieldValue};
            /// assert_eq!(FieldType::F32.default_value(), FieldValue::F32(0.0));
            /// ```
            #[must_use]
            #[inline]
            pub fn default_value(&self) -> FieldValue {
                match self {
                    $(Self::$variant => FieldValue::$variant(<$ty>::default()),)+
                    Self::List(_) => FieldValue::List(Vec::new()),
                    Self::Record(fields) => {
                        let all = fields.list.iter().map(|(_, ty)| ty.default_value());
                        FieldValue::Record(all.collect())
                    }
                }
            }
        }
    };
}
for_each_plain!(field_types);

impl From<&str> for FieldValue {
    #[inline]
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}
impl From<Entity> for FieldValue {
    #[inline]
    fn from(entity: Entity) -> Self {
        Self::Entity(Some(entity))
    }
}
impl<T: Into<Self>> From<Vec<T>> for FieldValue {
    fn from(values: Vec<T>) -> Self {
        Self::List(values.into_iter().map(Into::into).collect())
    }
}

impl FieldValue {
    /// Calls `visit` with each handle in this value.
    #[cfg(feature = "serde")]
    #[inline]
    pub(crate) fn visit(&self, visit: &mut dyn FnMut(Entity)) {
        match self {
            Self::Entity(Some(entity)) => visit(*entity),
            Self::List(values) | Self::Record(values) => {
                values.iter().for_each(|value| value.visit(visit));
            }
            _ => {}
        }
    }
}

/// The fields of a component that is [defined](crate::World::define) while a program runs: their names and types, in
/// order. Without fields, the component is a tag.
///
/// A name is written like one in Rust: letters, digits and `_`. The wrong ones are errors of the definition.
///
/// ```
/// use ecs::World;
/// use ecs::by_name::{FieldType, Fields};
///
/// let place = Fields::new().f32("x").f32("y");
/// let fields = Fields::new().f32("damage").record("at", place).list("tags", FieldType::Text);
/// assert_eq!(fields.to_string(), "{damage:f32;at:{x:f32;y:f32;};tags:Vec<String>;}");
/// let kind = World::new().define("Hit", fields).unwrap();
/// assert_eq!(kind.name(), "Hit");
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[must_use = "nothing is defined before `World::define`"]
pub struct Fields {
    /// The name of the type in Rust that has these fields, or none.
    type_name: String,
    /// The number of versions before this one.
    earlier: u32,
    list: FieldList,
    /// The rules about other components, and the requirements, with the names of these.
    rules: Vec<(RuleKind, String)>,
    /// The indexes, with the paths of their fields. A component has one at most.
    indexes: Vec<(FieldIndexSort, String)>,
}

/// The sorts of indexes of a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FieldIndexSort {
    /// Finds equal values.
    Hashed,
    /// Finds ranges.
    Ordered,
    /// Finds equal values; no two entities have equal ones.
    Unique,
}

/// Fields with their names.
type FieldList = Vec<(String, FieldType)>;

impl Fields {
    /// Returns no fields.
    #[inline]
    pub const fn new() -> Self {
        Self {
            type_name: String::new(),
            earlier: 0,
            list: Vec::new(),
            rules: Vec::new(),
            indexes: Vec::new(),
        }
    }

    /// Returns no fields of a record, whose type has this name in Rust. A component that has the record is then the same in
    /// files as the one that is written in Rust.
    ///
    /// ```
    /// # use ecs::by_name::Fields;
    /// let place = Fields::of_type("Place").f32("x").f32("y"); // struct Place { x: f32, y: f32 }
    /// assert_eq!(place.to_string(), "Place{x:f32;y:f32;}");
    /// ```
    #[inline]
    pub fn of_type(name: &str) -> Self {
        Self { type_name: name.to_owned(), ..Self::new() }
    }

    /// Sets the version under which these fields are saved, which is 1 by default. It counts for a component, and not for
    /// a record in one. A definition that replaces a type in Rust has the version of that.
    ///
    /// ```
    /// # use ecs::World;
    /// # use ecs::by_name::Fields;
    /// let kind = World::new().define("Place", Fields::new().f32("x").version(3)).unwrap();
    /// # let _ = kind;
    /// ```
    #[inline]
    pub const fn version(mut self, version: u32) -> Self {
        self.earlier = version.saturating_sub(1);
        self
    }

    /// Returns the version under which the fields are saved.
    pub(crate) const fn saved_version(&self) -> u32 {
        self.earlier.saturating_add(1)
    }

    /// Adds a field of any type.
    ///
    /// ```
    /// # use ecs::by_name::{FieldType, Fields};
    /// assert_eq!(Fields::new().field("x", FieldType::F32), Fields::new().f32("x"));
    /// ```
    #[inline]
    pub fn field(mut self, name: &str, ty: FieldType) -> Self {
        self.list.push((name.to_owned(), ty));
        self
    }

    /// Adds a field with a list of values of one type.
    #[inline]
    pub fn list(self, name: &str, of: FieldType) -> Self {
        self.field(name, FieldType::List(Box::new(of)))
    }

    /// Adds a field that has fields itself.
    #[inline]
    pub fn record(self, name: &str, fields: Self) -> Self {
        self.field(name, FieldType::Record(fields))
    }

    /// Returns the names and types, in order.
    ///
    /// ```
    /// # use ecs::by_name::{FieldType, Fields};
    /// let fields = Fields::new().f32("damage").entity("by");
    /// assert!(fields.iter().eq([("damage", &FieldType::F32), ("by", &FieldType::Entity)]));
    /// ```
    #[inline]
    pub fn iter(&self) -> impl Iterator<Item = (&str, &FieldType)> {
        self.list.iter().map(|(name, ty)| (&**name, ty))
    }

    /// Returns the fields of the record at this path, which is empty for all, and its places, one within the other.
    #[inline]
    pub(crate) fn record_mut(&mut self, path: &str) -> Option<(&mut FieldList, Vec<usize>)> {
        let (mut list, mut places) = (&mut self.list, Vec::new());
        for name in path.split('.').filter(|name| !name.is_empty()) {
            let at = list.iter().position(|(own, _)| own == name)?;
            places.push(at);
            let FieldType::Record(fields) = &mut list[at].1 else { return None };
            list = &mut fields.list;
        }
        Some((list, places))
    }

    /// Returns the fields among which the one at this path is, and its places, one within the other.
    #[inline]
    pub(crate) fn list_with(&mut self, path: &str) -> Option<(&mut FieldList, Vec<usize>)> {
        let (record, name) = path.rsplit_once('.').unwrap_or(("", path));
        let (list, mut places) = self.record_mut(record)?;
        places.push(list.iter().position(|(own, _)| own == name)?);
        Some((list, places))
    }

    /// Returns an error if a name is wrong or is there twice, or the fields are too many, too long or too deep. Adds to
    /// the number of fields and the bytes of their paths.
    #[inline]
    fn check(
        &self,
        path: &str,
        depth: usize,
        (count, bytes): (&mut usize, &mut usize),
    ) -> Result<(), DefineError> {
        if depth > DEEPEST {
            return Err(DefineError::TooDeep(path.to_owned()));
        }
        if !self.type_name.is_empty() && !is_word(&self.type_name) {
            return Err(DefineError::WrongName(self.type_name.clone()));
        }
        if depth > 0 && !(self.rules.is_empty() && self.indexes.is_empty()) {
            return Err(DefineError::RuledRecord(path.to_owned()));
        }
        for (at, (name, ty)) in self.list.iter().enumerate() {
            let path = if path.is_empty() { name.clone() } else { format!("{path}.{name}") };
            if !is_word(name) {
                return Err(DefineError::WrongName(name.clone()));
            }
            if self.list[..at].iter().any(|(other, _)| other == name) {
                return Err(DefineError::Repeated(path));
            }
            *count += 1;
            if *count > MOST_FIELDS {
                return Err(DefineError::TooMany(path));
            }
            *bytes += path.len();
            if *bytes > MOST_BYTES {
                return Err(DefineError::TooLong(path));
            }
            let (mut inner, mut depth) = (ty, depth);
            while let FieldType::List(of) = inner {
                (inner, depth) = (&**of, depth + 1);
                if depth > DEEPEST {
                    return Err(DefineError::TooDeep(path));
                }
            }
            if let FieldType::Record(fields) = inner {
                if fields.list.is_empty() {
                    return Err(DefineError::NoFields(path));
                }
                *bytes += fields.type_name.len();
                fields.check(&path, depth + 1, (&mut *count, &mut *bytes))?;
            }
        }
        Ok(())
    }
}

/// # Fields without parts
///
/// ```
/// # use ecs::by_name::Fields;
/// let signed = Fields::new().i8("a").i16("b").i32("c").i64("d");
/// let unsigned = signed.u8("e").u16("f").u32("g").u64("h");
/// let all = unsigned.f32("i").f64("j").bool("k").entity("l").text("m");
/// assert_eq!(all.iter().count(), 13);
/// ```
impl Fields {
    /// Adds a field of the type `i8`.
    #[inline]
    pub fn i8(self, name: &str) -> Self {
        self.field(name, FieldType::I8)
    }

    /// Adds a field of the type `i16`.
    #[inline]
    pub fn i16(self, name: &str) -> Self {
        self.field(name, FieldType::I16)
    }

    /// Adds a field of the type `i32`.
    #[inline]
    pub fn i32(self, name: &str) -> Self {
        self.field(name, FieldType::I32)
    }

    /// Adds a field of the type `i64`.
    #[inline]
    pub fn i64(self, name: &str) -> Self {
        self.field(name, FieldType::I64)
    }

    /// Adds a field of the type `u8`.
    #[inline]
    pub fn u8(self, name: &str) -> Self {
        self.field(name, FieldType::U8)
    }

    /// Adds a field of the type `u16`.
    #[inline]
    pub fn u16(self, name: &str) -> Self {
        self.field(name, FieldType::U16)
    }

    /// Adds a field of the type `u32`.
    #[inline]
    pub fn u32(self, name: &str) -> Self {
        self.field(name, FieldType::U32)
    }

    /// Adds a field of the type `u64`.
    #[inline]
    pub fn u64(self, name: &str) -> Self {
        self.field(name, FieldType::U64)
    }

    /// Adds a field of the type `f32`.
    #[inline]
    pub fn f32(self, name: &str) -> Self {
        self.field(name, FieldType::F32)
    }

    /// Adds a field of the type `f64`.
    #[inline]
    pub fn f64(self, name: &str) -> Self {
        self.field(name, FieldType::F64)
    }

    /// Adds a field that is `true` or `false`.
    #[inline]
    pub fn bool(self, name: &str) -> Self {
        self.field(name, FieldType::Bool)
    }

    /// Adds a field with the handle of an entity, or none.
    #[inline]
    pub fn entity(self, name: &str) -> Self {
        self.field(name, FieldType::Entity)
    }

    /// Adds a field with a text.
    #[inline]
    pub fn text(self, name: &str) -> Self {
        self.field(name, FieldType::Text)
    }
}

/// # Rules about other components
///
/// The words of the [attribute](crate::Component#attributes) of a type. Each method names another component as
/// [`World::kind`](crate::World::kind) does: one with a type in Rust, or one that is defined before or
/// [together](crate::World::define_all) with this one. A name that the world does not know is an error of the definition,
/// and so are rules that contradict each other. Rules are of a component, and not of a record in one.
///
/// ```
/// use ecs::by_name::{Fields, Kind};
/// use ecs::{Component, World};
///
/// #[derive(Component, Default, Debug, PartialEq)]
/// #[component(default)]
/// struct Health(u32);
/// #[derive(Component)]
/// struct Immune;
///
/// let mut world = World::new();
/// world.pool_mut::<Health>();
/// world.pool_mut::<Immune>();
/// let fields = Fields::new().f32("damage").requires("Health").needs("Health").excludes("Immune");
/// let poison = world.define("Poison", fields)?;
///
/// let hero = world.spawn_empty().id();
/// world.insert_kind_default(poison, hero)?;
/// assert_eq!(world.get::<Health>(hero), Some(&Health(0)));
/// let error = world.remove_kind(Kind::of::<Health>(), hero).unwrap_err();
/// assert!(error.to_string().starts_with("entity 0v1 keeps its `Health`: `Poison` needs `Health`"));
/// let error = world.try_insert(hero, Immune).unwrap_err();
/// assert!(error.to_string().starts_with("entity 0v1 would have both `Poison` and `Immune`"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
impl Fields {
    /// Requires another component: it is inserted by default with this one, into an entity that lacks it. It may be
    /// removed again. See [required components](crate::Component#required-components).
    ///
    /// The other component is a defined one, or says `#[component(default)]`. It is no relation, and is not unique.
    #[inline]
    pub fn requires(self, component: &str) -> Self {
        self.with_rule(RuleKind::Requires, component)
    }

    /// States that an entity with this component always has another one: see the [guide](crate::guide::rules).
    #[inline]
    pub fn needs(self, component: &str) -> Self {
        self.with_rule(RuleKind::Needs, component)
    }

    /// States that no entity has both this component and another one: see the [guide](crate::guide::rules).
    #[inline]
    pub fn excludes(self, component: &str) -> Self {
        self.with_rule(RuleKind::Excludes, component)
    }

    /// States that an insertion of this component takes another one away: see the [guide](crate::guide::rules).
    #[inline]
    pub fn replaces(self, component: &str) -> Self {
        self.with_rule(RuleKind::Replaces, component)
    }

    #[inline]
    fn with_rule(mut self, rule: RuleKind, component: &str) -> Self {
        self.rules.push((rule, component.to_owned()));
        self
    }

    /// Returns the sort of the index, if there is one.
    #[inline]
    pub(crate) fn index_sort(&self) -> Option<FieldIndexSort> {
        self.indexes.first().map(|(sort, _)| *sort)
    }

    /// Renames a field in the path of the index.
    #[inline]
    pub(crate) fn rename_indexed(&mut self, old: &str, name: &str) {
        let new = match old.rsplit_once('.') {
            Some((above, _)) => format!("{above}.{name}"),
            None => name.to_owned(),
        };
        for (_, path) in &mut self.indexes {
            let rest = path.strip_prefix(old).filter(|it| it.is_empty() || it.starts_with('.'));
            if let Some(rest) = rest {
                *path = format!("{new}{rest}");
            }
        }
    }

    /// Returns an error if there are several indexes, or the field of one has no keys.
    #[inline]
    fn check_indexes(&self) -> Result<(), DefineError> {
        let (_, path) = match &self.indexes[..] {
            [] => return Ok(()),
            [index] => index,
            [_, (_, path), ..] => {
                return Err(DefineError::WrongIndex(format!(
                    "`{path}` has a second index, and a component has one at most: leave one out"
                )));
            }
        };
        let mut field = None;
        let mut fields = Some(self);
        for name in path.split('.') {
            let ty = fields.and_then(|it| it.list.iter().find(|(own, _)| own == name));
            field = ty.map(|(_, ty)| ty);
            fields = match field {
                Some(FieldType::Record(fields)) => Some(fields),
                _ => None,
            };
        }
        match field {
            None => Err(DefineError::WrongIndex(format!(
                "an index is of `{path}`, and there is no such field: name one of the fields"
            ))),
            Some(
                ty @ (FieldType::F32 | FieldType::F64 | FieldType::List(_) | FieldType::Record(_)),
            ) => Err(DefineError::WrongIndex(format!(
                "`{path}` is a `{ty}`, which is no key of an index: integers, booleans, handles and texts are keys"
            ))),
            Some(_) => Ok(()),
        }
    }

    /// Returns the rules and requirements, with the names of the other components.
    pub(crate) fn rules(&self) -> &[(RuleKind, String)] {
        &self.rules
    }
}

/// # Indexes
///
/// A component has at most one index, of one field: an integer, a boolean, a handle or a text. A field of a record is named
/// behind it: `at.x`. [`World::kind_index`](crate::World::kind_index) asks it.
///
/// ```
/// use ecs::World;
/// use ecs::by_name::{FieldValue, Fields};
///
/// let mut world = World::new();
/// let team = world.define("Team", Fields::new().u8("number").index("number"))?;
/// let score = world.define("Score", Fields::new().u32("points").ordered_index("points"))?;
/// let badge = world.define("Badge", Fields::new().text("name").unique("name"))?;
///
/// let [ann, bob] = [(); 2].map(|()| world.spawn_empty().id());
/// for (entity, name, points) in [(ann, "Ann", 30_u32), (bob, "Bob", 20)] {
///     world.insert_fields(team, entity, &[3_u8.into()])?;
///     world.insert_fields(score, entity, &[points.into()])?;
///     world.insert_fields(badge, entity, &[name.into()])?;
/// }
/// assert!(world.kind_index(team)?.get(3_u8)?.eq([ann, bob]));
/// assert!(world.kind_index(score)?.range(FieldValue::U32(25)..)?.eq([ann]));
/// assert_eq!(world.kind_index(badge)?.find("Bob")?, Some(bob));
///
/// let error = world.insert_fields(badge, ann, &["Bob".into()]).unwrap_err();
/// assert_eq!(error.to_string(), "`Badge` is unique, and entity 1v1 has an equal one");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
impl Fields {
    /// Finds entities by equal values of a field: see the [guide](crate::guide::indexes).
    #[inline]
    pub fn index(self, path: &str) -> Self {
        self.with_index(FieldIndexSort::Hashed, path)
    }

    /// Finds entities by ranges of a field, in its order, too.
    #[inline]
    pub fn ordered_index(self, path: &str) -> Self {
        self.with_index(FieldIndexSort::Ordered, path)
    }

    /// Finds entities like [`index`](Self::index), and refuses equal values of two entities. Such a component is not lent to
    /// be written: another value is inserted, or [set](crate::World::set_field).
    #[inline]
    pub fn unique(self, path: &str) -> Self {
        self.with_index(FieldIndexSort::Unique, path)
    }

    #[inline]
    fn with_index(mut self, sort: FieldIndexSort, path: &str) -> Self {
        self.indexes.push((sort, path.to_owned()));
        self
    }
}

/// The greatest depth of lists and records, the greatest number of fields of a component, and the most bytes of their
/// paths, such as `at.x`. A definition keeps these as long as the process.
const DEEPEST: usize = 16;
const MOST_FIELDS: usize = 1_000;
const MOST_BYTES: usize = 1 << 16;

/// Returns `true` if a field may have this name in Rust.
#[inline]
fn is_word(name: &str) -> bool {
    let is_part = |letter: char| letter.is_alphanumeric() || letter == '_';
    name.chars().all(is_part) && name.chars().next().is_some_and(|first| !first.is_numeric())
}

impl FieldType {
    /// Returns an error unless a value is of this type.
    #[inline]
    pub(crate) fn check(&self, value: &FieldValue) -> Result<(), String> {
        match (self, value) {
            (Self::List(of), FieldValue::List(values)) => {
                values.iter().try_for_each(|value| of.check(value))
            }
            (Self::Record(fields), FieldValue::Record(values))
                if fields.list.len() == values.len() =>
            {
                fields.list.iter().zip(values).try_for_each(|((_, ty), value)| ty.check(value))
            }
            (Self::Record(fields), FieldValue::Record(values)) => {
                Err(wrong_count(fields.list.len(), values.len()))
            }
            (plain, value) if plain.is_of(value) => Ok(()),
            (ty, value) => Err(wrong_type(ty.name_and_size().0, value)),
        }
    }
}

#[cold]
#[inline]
fn wrong_count(fields: usize, values: usize) -> String {
    format!("it has {fields} fields, and {values} values are given")
}

#[cold]
#[inline]
fn wrong_type(expected: &str, value: &FieldValue) -> String {
    format!("expected a value of the type `{expected}`, not `{}`", value.type_name())
}

impl fmt::Display for FieldType {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::List(of) => write!(f, "Vec<{of}>"),
            Self::Record(fields) => fields.fmt(f),
            plain => f.write_str(plain.name_and_size().0),
        }
    }
}

impl fmt::Display for Fields {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{{", self.type_name)?;
        self.list.iter().try_for_each(|(name, ty)| write!(f, "{name}:{ty};"))?;
        f.write_str("}")
    }
}

/// The reason why a component cannot be defined.
///
/// ```
/// # use ecs::World;
/// # use ecs::by_name::{DefineError, Fields};
/// let mut world = World::new();
/// let error = world.define("Poison", Fields::new().f32("damage").u8("damage")).unwrap_err();
/// assert_eq!(error, DefineError::Repeated("damage".to_owned()));
/// assert_eq!(error.to_string(), "the field `damage` is there twice: give each a name of its own");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum DefineError {
    /// This is no name of a component, a type or a field.
    WrongName(String),
    /// Two fields have this name.
    Repeated(String),
    /// The record at this field has no fields.
    NoFields(String),
    /// Lists and records are nested too deep in this field.
    TooDeep(String),
    /// This field is one too many.
    TooMany(String),
    /// The names up to this field are too long.
    TooLong(String),
    /// Another component of the world has this name, whose type has the full name that comes next.
    Taken(String, &'static str),
    /// The world has the component of this name with other fields, other rules or another index.
    Differs(String),
    /// The record at this field has rules or an index, as only components may.
    RuledRecord(String),
    /// A rule names a component that the world does not know: the name, and the nearest one that it knows.
    UnknownComponent(String, Option<&'static str>),
    /// A rule names a component by a name that several have: the name, and their full names.
    AmbiguousComponent(String, Vec<&'static str>),
    /// The rules cannot hold, for this reason: they lead in a circle, contradict each other, or require a component that is
    /// not inserted by default.
    WrongRules(String),
    /// There cannot be such an index, for this reason.
    WrongIndex(String),
    /// The component of this name has a type in Rust, whose fields are not changed while the program runs.
    NotDefined(&'static str),
    /// The component has no field with this path.
    NoField(String),
    /// No value of the field with this path is made, for this reason.
    WrongValue(String, String),
    /// The value that this entity has in the field with this path cannot be converted, for this reason.
    NotConverted(Entity, String, String),
}

impl fmt::Display for DefineError {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::WrongName(name) => write!(
                f,
                "`{name}` is no name: write letters, digits and `_`, and a letter first; a component may have several such \
                 words, with `::` between them"
            ),
            Self::Repeated(path) => {
                write!(f, "the field `{path}` is there twice: give each a name of its own")
            }
            Self::NoFields(path) => {
                write!(f, "the record `{path}` has no fields: name some, or leave it out")
            }
            Self::TooDeep(path) => write!(
                f,
                "the lists and records of `{path}` are nested deeper than {DEEPEST}: put them side by side"
            ),
            Self::TooMany(path) => write!(
                f,
                "`{path}` is one field too many, as a component has at most {MOST_FIELDS}: define several components"
            ),
            Self::TooLong(path) => write!(
                f,
                "the names of fields up to `{path:.60}` have more than {MOST_BYTES} bytes, each with its records: choose \
                 shorter ones"
            ),
            Self::Taken(name, type_name) => write!(
                f,
                "the world has another component `{name}`, of the type `{type_name}`: choose another name"
            ),
            Self::Differs(name) => {
                write!(
                    f,
                    "the world has a `{name}` with other fields, rules or another index: define the same ones, or change the fields by \
                     `World::redefine`"
                )
            }
            Self::RuledRecord(path) => {
                write!(
                    f,
                    "the record `{path}` has rules or an index: state them of the component that has it"
                )
            }
            Self::UnknownComponent(name, nearest) => write!(
                f,
                "a rule names `{name}`, and the world knows no such component{}: make its pool by `World::pool_mut` or \
                 `World::register`, or define both by `World::define_all`",
                Nearest(*nearest)
            ),
            Self::AmbiguousComponent(name, all) => {
                write!(
                    f,
                    "a rule names `{name}`, as several components are called; name one in full:"
                )?;
                all.iter().try_for_each(|name| write!(f, " `{name}`"))
            }
            Self::WrongRules(what) | Self::WrongIndex(what) => f.write_str(what),
            Self::NotDefined(name) => write!(
                f,
                "`{name}` has a type in Rust: change that, and read its old values by `#[component(from(..))]`"
            ),
            Self::NoField(path) => {
                write!(f, "there is no field `{path}`: name one of the fields before the change")
            }
            Self::WrongValue(path, what) => write!(f, "`{path}` cannot be changed: {what}"),
            Self::NotConverted(entity, path, what) => {
                write!(f, "`{path}` of {entity} cannot be converted: {what}")
            }
        }
    }
}

impl Error for DefineError {}

/// The definition of a component. It lasts as long as the process.
#[derive(Debug)]
pub(crate) struct Definition {
    pub(crate) name: &'static str,
    pub(crate) fields: &'static Fields,
    pub(crate) tree: FieldTree,
    /// The fields that have a column each, in order.
    pub(crate) leaves: Vec<LeafField>,
    pub(crate) handles: Vec<HandleField>,
    /// Its description for tools: see [`Shape::read`](crate::component::shape::Shape::read).
    pub(crate) shape: String,
    /// The number of bytes of a value, without memory that it owns.
    pub(crate) size: usize,
    /// The field by whose values entities are found, if there is one.
    pub(crate) index: Option<IndexedField>,
}

/// A field by whose values entities are found: its sort of index, its path, its type, and the number of its leaf.
#[derive(Debug)]
pub(crate) struct IndexedField {
    pub(crate) sort: FieldIndexSort,
    pub(crate) path: &'static str,
    pub(crate) ty: &'static FieldType,
    pub(crate) leaf: usize,
}

/// A field with a column: its path, like `at.x`, and its type.
#[derive(Debug)]
pub(crate) struct LeafField {
    pub(crate) path: String,
    pub(crate) ty: &'static FieldType,
}

/// The fields of a component or a record.
#[derive(Debug)]
pub(crate) struct FieldTree {
    /// The name of the component, or of the record's type.
    pub(crate) name: &'static str,
    pub(crate) names: Vec<&'static str>,
    /// The types of the fields, and the number of the first leaf of each.
    pub(crate) nodes: Vec<(FieldNode, usize)>,
}

/// The type of a field.
#[derive(Debug)]
pub(crate) enum FieldNode {
    /// A type without parts.
    Plain(&'static FieldType),
    List(Box<FieldNode>),
    Record(FieldTree),
}

impl FieldNode {
    #[inline]
    fn new(ty: &'static FieldType, leaf: &mut usize) -> Self {
        match ty {
            FieldType::List(of) => Self::List(Box::new(Self::new(of, &mut 0))),
            FieldType::Record(fields) => {
                Self::Record(FieldTree::new(&fields.type_name, fields, leaf))
            }
            plain => Self::Plain(plain),
        }
    }

    /// Returns an error unless a value is of this type.
    #[inline]
    pub(crate) fn check(&self, value: &FieldValue) -> Result<(), String> {
        match (self, value) {
            (Self::List(of), FieldValue::List(values)) => {
                values.iter().try_for_each(|value| of.check(value))
            }
            (Self::Record(tree), FieldValue::Record(values)) => tree.check(values),
            (Self::Plain(ty), value) if ty.is_of(value) => Ok(()),
            (ty, value) => Err(wrong_type(ty.name(), value)),
        }
    }

    #[inline]
    fn name(&self) -> &'static str {
        match self {
            Self::Plain(ty) => ty.name_and_size().0,
            Self::List(_) => "list",
            Self::Record(_) => "record",
        }
    }
}

impl FieldTree {
    #[inline]
    fn new(name: &'static str, fields: &'static Fields, leaf: &mut usize) -> Self {
        let node = |(_, ty): &'static (String, FieldType)| {
            let first = *leaf;
            let node = FieldNode::new(ty, leaf);
            if !matches!(node, FieldNode::Record(_)) {
                *leaf = first + 1;
            }
            (node, first)
        };
        let nodes = fields.list.iter().map(node).collect();
        Self { name, names: fields.list.iter().map(|(name, _)| &**name).collect(), nodes }
    }

    /// Returns the field with this path, and the number of its first leaf.
    #[inline]
    pub(crate) fn find(&self, path: &str) -> Option<&(FieldNode, usize)> {
        let (name, rest) =
            path.split_once('.').map_or((path, None), |(name, rest)| (name, Some(rest)));
        let found = &self.nodes[self.names.iter().position(|own| *own == name)?];
        match (rest, &found.0) {
            (None, _) => Some(found),
            (Some(rest), FieldNode::Record(tree)) => tree.find(rest),
            (Some(_), _) => None,
        }
    }

    /// Returns an error unless these are values of the fields, in order.
    #[inline]
    pub(crate) fn check(&self, values: &[FieldValue]) -> Result<(), String> {
        let is_plain = |((node, _), value): (&(FieldNode, usize), &FieldValue)| matches!(node, FieldNode::Plain(ty) if ty.is_of(value));
        if values.len() == self.nodes.len() && self.nodes.iter().zip(values).all(is_plain) {
            return Ok(());
        }
        self.check_each(values)
    }

    /// Checks values like [`check`](Self::check), also such with parts.
    #[inline]
    fn check_each(&self, values: &[FieldValue]) -> Result<(), String> {
        if values.len() != self.nodes.len() {
            return Err(wrong_count(self.nodes.len(), values.len()));
        }
        for ((name, (node, _)), value) in self.names.iter().zip(&self.nodes).zip(values) {
            node.check(value).map_err(|what| format!("`{name}`: {what}"))?;
        }
        Ok(())
    }
}

impl Definition {
    /// Checks the name and the fields of a component.
    #[inline]
    pub(crate) fn check(name: &str, fields: &Fields) -> Result<(), DefineError> {
        if !name.split("::").all(is_word) {
            return Err(DefineError::WrongName(name.to_owned()));
        }
        fields.check("", 0, (&mut 0, &mut name.len()))?;
        fields.check_indexes()
    }

    /// Returns the definition of a component, which was [checked](Self::check), and is kept.
    #[inline]
    pub(crate) fn kept(name: &'static str, fields: Fields) -> &'static Self {
        let fields: &'static Fields = Box::leak(Box::new(fields));
        let (mut leaves, mut handles) = (Vec::new(), Vec::new());
        add_leaves(fields, "", &mut leaves, &mut handles);
        let tree = FieldTree::new(name, fields, &mut 0);
        let size = leaves.iter().map(|leaf| leaf.ty.name_and_size().1).sum();
        let mut shape = String::new();
        for (at, (name, ty)) in fields.iter().enumerate() {
            let mark = if holds_entities(ty) { "*" } else { "" };
            let before = if at == 0 { "{\n" } else { "\n" };
            let _ = write!(shape, "{before}{mark}{name}:{ty}");
        }
        let index = fields.indexes.first().and_then(|(sort, path)| {
            let leaf = leaves.iter().position(|leaf| leaf.path == *path)?;
            Some(IndexedField { sort: *sort, path, ty: leaves[leaf].ty, leaf })
        });
        Box::leak(Box::new(Self { name, fields, tree, leaves, handles, shape, size, index }))
    }

    /// Returns the version of the fields in files.
    pub(crate) const fn version(&self) -> u32 {
        self.fields.saved_version()
    }

    /// Returns the hash of the fields: see [`fingerprint_of_fields`].
    #[cfg(feature = "serde")]
    #[inline]
    pub(crate) fn fingerprint(&self) -> u32 {
        fingerprint_of_fields(self.fields)
    }
}

/// Returns the hash of fields: the one of a type in Rust that has these fields. The names of types within count, and their
/// fields do not.
#[cfg(feature = "serde")]
#[inline]
pub(crate) fn fingerprint_of_fields(fields: &Fields) -> u32 {
    if fields.list.is_empty() {
        return FNV_32; // a unit struct
    }
    let mut text = String::from("{");
    for (name, ty) in fields.iter() {
        let _ = write!(text, "{name}:{};", in_short(ty));
    }
    text.push('}');
    text.bytes().fold(FNV_32, fnv_32).max(1)
}

/// Returns a type as it is spelled in Rust.
#[cfg(feature = "serde")]
#[inline]
fn in_short(ty: &FieldType) -> String {
    match ty {
        FieldType::List(of) => format!("Vec<{}>", in_short(of)),
        FieldType::Record(fields) if !fields.type_name.is_empty() => fields.type_name.clone(),
        other => other.to_string(),
    }
}

#[inline]
fn holds_entities(ty: &FieldType) -> bool {
    match ty {
        FieldType::Entity => true,
        FieldType::List(of) => holds_entities(of),
        FieldType::Record(fields) => fields.list.iter().any(|(_, ty)| holds_entities(ty)),
        _ => false,
    }
}

#[inline]
fn add_leaves(
    fields: &'static Fields,
    above: &str,
    leaves: &mut Vec<LeafField>,
    handles: &mut Vec<HandleField>,
) {
    for (name, ty) in fields.iter() {
        let path = if above.is_empty() { name.to_owned() } else { format!("{above}.{name}") };
        if let FieldType::Record(fields) = ty {
            add_leaves(fields, &path, leaves, handles);
            continue;
        }
        if holds_entities(ty) {
            handles.push(HandleField::mapped(path.clone().leak(), ty.to_string().leak()));
        }
        leaves.push(LeafField { path, ty });
    }
}

/// Reads fields from the text that they print.
#[cfg(any(feature = "serde", test))]
pub(crate) fn read_fields(text: &str) -> Option<Fields> {
    let mut rest = text;
    match read_type(&mut rest, 0)? {
        FieldType::Record(fields) if rest.is_empty() => Some(fields),
        _ => None,
    }
}

#[cfg(any(feature = "serde", test))]
fn read_type(rest: &mut &str, depth: usize) -> Option<FieldType> {
    if depth > DEEPEST + 1 {
        return None;
    }
    if let Some(inner) = rest.strip_prefix("Vec<") {
        *rest = inner;
        let of = read_type(rest, depth + 1)?;
        *rest = rest.strip_prefix('>')?;
        return Some(FieldType::List(Box::new(of)));
    }
    let end = rest.find([';', '{', '}']).unwrap_or(rest.len());
    let (name, behind) = rest.split_at(end);
    let Some(mut inner) = behind.strip_prefix('{') else {
        // A `>` behind the name ends a list; the only name that has one is `Option<Entity>`.
        let closing = name.len() - name.trim_end_matches('>').len();
        let own = usize::from(name.starts_with("Option<")).min(closing);
        let name = &name[..name.len() - (closing - own)];
        *rest = &rest[name.len()..];
        return FieldType::plain(name);
    };
    let mut fields = Fields::of_type(name);
    while let Some((name, ty)) = inner.split_once(':').filter(|_| !inner.starts_with('}')) {
        inner = ty;
        let ty = read_type(&mut inner, depth + 1)?;
        inner = inner.strip_prefix(';')?;
        fields = fields.field(name, ty);
        if fields.list.len() > MOST_FIELDS {
            return None;
        }
    }
    *rest = inner.strip_prefix('}')?;
    Some(FieldType::Record(fields))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_read_as_they_are_printed() {
        let inner = Fields::of_type("Place")
            .f32("x")
            .list("all", FieldType::List(Box::new(FieldType::Entity)));
        let fields = Fields::new()
            .i8("a")
            .entity("b")
            .text("c")
            .record("d", inner.clone())
            .list("e", FieldType::Record(inner))
            .record("f", Fields::new().bool("g"));
        assert_eq!(read_fields(&fields.to_string()), Some(fields));
        assert_eq!(read_fields("{}"), Some(Fields::new()));
        for wrong in [
            "",
            "{",
            "u8",
            "{a:u8}",
            "{a:u9;}",
            "{a:u8;}}",
            "{a:Vec<u8;}",
            "{a:u8>;}",
            "{a:;}",
            "{:u8;",
        ] {
            assert_eq!(read_fields(wrong), None, "{wrong}");
        }
        let deep = "{a:".repeat(100_000);
        assert_eq!(read_fields(&deep), None);
    }

    #[test]
    fn leaves_are_numbered_through_records() {
        let fields = Fields::new().u8("a").record("b", Fields::new().u8("c").text("d")).f64("e");
        let definition = Definition::kept("Test", fields);
        let paths: Vec<&str> = definition.leaves.iter().map(|leaf| &*leaf.path).collect();
        assert_eq!(paths, ["a", "b.c", "b.d", "e"]);
        let firsts: Vec<usize> = definition.tree.nodes.iter().map(|node| node.1).collect();
        assert_eq!(firsts, [0, 1, 3]);
        let FieldNode::Record(inner) = &definition.tree.nodes[1].0 else { panic!() };
        assert_eq!(inner.nodes.iter().map(|node| node.1).collect::<Vec<_>>(), [1, 2]);
        assert_eq!(definition.size, 1 + 1 + size_of::<String>() + 8);
    }
}
