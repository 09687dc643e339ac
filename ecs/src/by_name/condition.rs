//! Tests of a query that components alone do not answer: targets of relations, and values.

use crate::entity::Entity;
#[cfg(feature = "serde")]
use crate::format::tree::ValueTree;
use crate::pool::kind::Kind;
use crate::pool::pools::Pools;
use crate::storage::values::{AnyColumn, EachColumn};
use crate::world::name::Name;
use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;
use core::cmp::Ordering;

/// A test of one entity.
#[derive(Clone, Debug)]
pub(super) enum Condition {
    /// It has the component with this number.
    Has(u32),
    /// It points to this entity by the relation with this number.
    PointsTo(u32, Entity),
    Value(ValueTest),
    Not(Box<Self>),
    All(Vec<Self>),
    Any(Vec<Self>),
}

impl Condition {
    #[inline]
    pub(super) fn passes(&self, pools: &Pools, entity: Entity) -> bool {
        match self {
            Self::Has(number) => pools.has(*number, entity),
            Self::PointsTo(number, target) => {
                let ends = pools.relations.get(*number);
                ends.and_then(|ends| ends.target(entity)) == Some(*target)
            }
            Self::Value(test) => test.passes(pools, entity) == Some(true),
            Self::Not(inner) => !inner.passes(pools, entity),
            Self::All(all) => all.iter().all(|inner| inner.passes(pools, entity)),
            Self::Any(all) => all.iter().any(|inner| inner.passes(pools, entity)),
        }
    }

    /// Returns the number of the component and `true` if the test is that an entity lacks it; `None` of another test.
    #[inline]
    pub(super) fn as_component(&self) -> Option<(u32, bool)> {
        match self {
            Self::Has(number) => Some((*number, false)),
            Self::Not(inner) => inner.as_component().map(|(number, lacks)| (number, !lacks)),
            _ => None,
        }
    }
}

/// A comparison of a component's value, or of a part of it.
#[derive(Clone, Debug)]
pub(super) struct ValueTest {
    pub(super) kind: Kind,
    pub(super) place: ValuePlace,
    pub(super) operator: Operator,
    pub(super) literal: Literal,
}

/// The way to a value that is compared.
#[derive(Clone, Debug)]
pub(super) enum ValuePlace {
    /// In the column at this position, where this function reads it.
    Column(usize, ReadScalar),
    /// In the saved form of the component, at these fields.
    #[cfg(feature = "serde")]
    Saved(Vec<String>),
}

impl ValueTest {
    /// Returns `true` if the entity has the component, and the value passes.
    #[inline]
    fn passes(&self, pools: &Pools, entity: Entity) -> Option<bool> {
        let pool = pools.of_kind(self.kind)?;
        let at = pool.raw_keys().find(entity)?;
        let test = |scalar: &Scalar<'_>| scalar.meets(self.operator, &self.literal);
        match &self.place {
            ValuePlace::Column(column, read) => {
                let (_, values) = nth_column(*column, |each| pool.values().each_column(each))?;
                Some(test(&read(values, at)?))
            }
            #[cfg(feature = "serde")]
            ValuePlace::Saved(path) => {
                let mut passes = false;
                let pool = pool.saved()?;
                pool.show(at, &mut |value| {
                    // A value that cannot be written passes no test.
                    let tree = ValueTree::of(value, true).ok();
                    passes =
                        tree.and_then(|tree| Some(test(&scalar_at(&tree, path)?))) == Some(true);
                });
                Some(passes)
            }
        }
    }
}

/// Returns the column at this position, and the name of the type of its values. `visit` calls a function with each column.
#[inline]
pub(super) fn nth_column<'a>(
    nth: usize,
    visit: impl FnOnce(EachColumn<'_, 'a>),
) -> Option<(&'static str, &'a AnyColumn)> {
    let (mut found, mut at) = (None, 0);
    visit(&mut |name, column| {
        if at == nth {
            found = Some((name, column));
        }
        at += 1;
    });
    found
}

/// Reads the value of a column at a position.
pub(super) type ReadScalar = for<'a> fn(&'a AnyColumn, usize) -> Option<Scalar<'a>>;

/// A value that is compared as a whole.
#[derive(Clone, Debug)]
pub(super) enum Scalar<'a> {
    Integer(i128),
    Single(f32),
    Double(f64),
    Bool(bool),
    Letter(char),
    Text(&'a str),
    Entity(Entity),
}

/// A value in a text.
#[derive(Clone, Debug)]
pub(super) enum Literal {
    Integer(i128),
    /// The nearest number of each precision.
    Float(f32, f64),
    Bool(bool),
    Text(String),
    Entity(Entity),
}

/// The values that are compared with each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ValueSort {
    Number,
    Bool,
    Text,
    Entity,
}

impl ValueSort {
    #[inline]
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Number => "a number",
            Self::Bool => "`true` or `false`",
            Self::Text => "a text",
            Self::Entity => "an entity",
        }
    }

    /// Returns the sort of values of a type as it is written in a struct, if it is known.
    #[cfg(feature = "serde")]
    #[inline]
    pub(super) fn of_type(name: &str) -> Option<Self> {
        match name {
            "u8" | "u16" | "u32" | "u64" | "u128" | "usize" | "i8" | "i16" | "i32" | "i64"
            | "i128" | "isize" | "f32" | "f64" => Some(Self::Number),
            "bool" => Some(Self::Bool),
            "String" | "char" | "&'static str" | "Box<str>" => Some(Self::Text),
            "Entity" => Some(Self::Entity),
            _ => None,
        }
    }
}

impl Literal {
    #[inline]
    pub(super) const fn sort(&self) -> ValueSort {
        match self {
            Self::Integer(_) | Self::Float(..) => ValueSort::Number,
            Self::Bool(_) => ValueSort::Bool,
            Self::Text(_) => ValueSort::Text,
            Self::Entity(_) => ValueSort::Entity,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Operator {
    Less,
    LessOrEqual,
    Equal,
    NotEqual,
    GreaterOrEqual,
    Greater,
}

impl Operator {
    /// Returns `true` if the operator asks which of two values is greater.
    #[inline]
    pub(super) const fn is_order(self) -> bool {
        !matches!(self, Self::Equal | Self::NotEqual)
    }

    /// Returns the answer for values in this order; a NaN is in none, and differs from all.
    #[inline]
    fn holds(self, order: Option<Ordering>) -> bool {
        match self {
            Self::Less => order == Some(Ordering::Less),
            Self::LessOrEqual => matches!(order, Some(Ordering::Less | Ordering::Equal)),
            Self::Equal => order == Some(Ordering::Equal),
            Self::NotEqual => order != Some(Ordering::Equal),
            Self::GreaterOrEqual => matches!(order, Some(Ordering::Greater | Ordering::Equal)),
            Self::Greater => order == Some(Ordering::Greater),
        }
    }
}

impl Scalar<'_> {
    /// Returns `true` if the comparison holds; `false` of values that are not compared with each other.
    #[inline]
    #[expect(
        clippy::cast_precision_loss,
        reason = "a number is compared in the type of the field, like a constant in code"
    )]
    fn meets(&self, operator: Operator, literal: &Literal) -> bool {
        let order = match (self, literal) {
            (Self::Integer(value), Literal::Integer(other)) => Some(value.cmp(other)),
            (Self::Integer(value), Literal::Float(_, other)) => (*value as f64).partial_cmp(other),
            (Self::Single(value), Literal::Integer(other)) => value.partial_cmp(&(*other as f32)),
            (Self::Single(value), Literal::Float(other, _)) => value.partial_cmp(other),
            (Self::Double(value), Literal::Integer(other)) => value.partial_cmp(&(*other as f64)),
            (Self::Double(value), Literal::Float(_, other)) => value.partial_cmp(other),
            (Self::Bool(value), Literal::Bool(other)) => Some(value.cmp(other)),
            (Self::Text(value), Literal::Text(other)) => Some((*value).cmp(other)),
            (Self::Letter(value), Literal::Text(other)) => {
                let mut bytes = [0; 4];
                Some((*value.encode_utf8(&mut bytes)).cmp(other.as_str()))
            }
            (Self::Entity(value), Literal::Entity(other)) => Some(value.cmp(other)),
            // A text is the form in which entities are saved for people.
            (Self::Text(value), Literal::Entity(other)) => match value.parse::<Entity>() {
                Ok(value) => Some(value.cmp(other)),
                Err(_) => return false,
            },
            _ => return false,
        };
        operator.holds(order)
    }
}

/// Returns the function that reads values of a column, and their sort, if they are compared as a whole.
#[inline]
pub(super) fn scalars_of(column: &AnyColumn) -> Option<(ReadScalar, ValueSort)> {
    macro_rules! readers {
        ($($ty:ty: $sort:ident $value:ident => $scalar:expr;)+) => {
            $(if column.is::<Vec<$ty>>() {
                let read: ReadScalar = |column, at| {
                    let $value = column.downcast_ref::<Vec<$ty>>()?.get(at)?;
                    Some($scalar)
                };
                return Some((read, ValueSort::$sort));
            })+
        };
    }
    readers! {
        f32: Number it => Scalar::Single(*it);
        f64: Number it => Scalar::Double(*it);
        i8: Number it => Scalar::Integer(i128::from(*it));
        i16: Number it => Scalar::Integer(i128::from(*it));
        i32: Number it => Scalar::Integer(i128::from(*it));
        i64: Number it => Scalar::Integer(i128::from(*it));
        i128: Number it => Scalar::Integer(*it);
        u8: Number it => Scalar::Integer(i128::from(*it));
        u16: Number it => Scalar::Integer(i128::from(*it));
        u32: Number it => Scalar::Integer(i128::from(*it));
        u64: Number it => Scalar::Integer(i128::from(*it));
        u128: Number it => Scalar::Integer(i128::try_from(*it).unwrap_or(i128::MAX));
        isize: Number it => Scalar::Integer(*it as i128);
        usize: Number it => Scalar::Integer(*it as i128);
        bool: Bool it => Scalar::Bool(*it);
        char: Text it => Scalar::Letter(*it);
        String: Text it => Scalar::Text(it);
        &'static str: Text it => Scalar::Text(it);
        Entity: Entity it => Scalar::Entity(*it);
        Option<Entity>: Entity it => Scalar::Entity((*it)?);
        Name: Text it => Scalar::Text(it.as_str());
    }
    None
}

/// Returns the part of a saved value at these fields, if it is compared as a whole.
#[cfg(feature = "serde")]
#[inline]
fn scalar_at<'t>(tree: &'t ValueTree, path: &[String]) -> Option<Scalar<'t>> {
    match (tree, path) {
        // The only field is the value itself, and `0` as well.
        (ValueTree::Newtype(inner), [step, rest @ ..]) if step == "0" => scalar_at(inner, rest),
        (ValueTree::Newtype(inner) | ValueTree::Some(inner), _) => scalar_at(inner, path),
        (ValueTree::Struct(fields), [step, rest @ ..]) => {
            let (_, field) = fields.iter().find(|(name, _)| name == step)?;
            scalar_at(field, rest)
        }
        (ValueTree::List(list), [step, rest @ ..]) => {
            scalar_at(list.get(step.parse::<usize>().ok()?)?, rest)
        }
        (ValueTree::Map(entries), [step, rest @ ..]) => {
            let is_it = |key: &ValueTree| matches!(key, ValueTree::Text(key) if key == step);
            let (_, value) = entries.iter().find(|(key, _)| is_it(key))?;
            scalar_at(value, rest)
        }
        (ValueTree::Variant(name, content), [step, rest @ ..]) if name == step => {
            scalar_at(content, rest)
        }
        (ValueTree::Variant(name, content), []) if matches!(**content, ValueTree::Unit) => {
            Some(Scalar::Text(name))
        }
        (ValueTree::Bool(it), []) => Some(Scalar::Bool(*it)),
        (ValueTree::I64(it), []) => Some(Scalar::Integer(i128::from(*it))),
        (ValueTree::I128(it), []) => Some(Scalar::Integer(*it)),
        (ValueTree::U64(it), []) => Some(Scalar::Integer(i128::from(*it))),
        (ValueTree::U128(it), []) => {
            Some(Scalar::Integer(i128::try_from(*it).unwrap_or(i128::MAX)))
        }
        (ValueTree::F32(it), []) => Some(Scalar::Single(*it)),
        (ValueTree::F64(it), []) => Some(Scalar::Double(*it)),
        (ValueTree::Char(it), []) => Some(Scalar::Letter(*it)),
        (ValueTree::Text(it), []) => Some(Scalar::Text(it)),
        _ => None,
    }
}
