//! Shapes of types as they are written in the source.

use crate::{Number, Shape, Text};
use ecs::by_name::{self, FieldShape};

impl Shape {
    /// Returns the shape that a derive lists of a type with this name.
    pub(crate) fn declared(name: &'static str, shape: by_name::Shape) -> Self {
        let part = |field: &FieldShape| Self::written(&field.type_text);
        match shape {
            by_name::Shape::Unit => Self::Unit,
            by_name::Shape::Tuple(fields) => match &fields[..] {
                [only] => Self::Newtype(name, Box::new(part(only))),
                all => Self::Tuple(all.iter().map(part).collect()),
            },
            by_name::Shape::Struct(fields) => {
                Self::Struct(name, fields.iter().map(|it| (it.name, part(it))).collect())
            }
            by_name::Shape::Enum(variants) => {
                let all =
                    variants.into_iter().map(|(own, shape)| (own, Self::declared(own, shape)));
                Self::Enum(name, all.collect())
            }
            _ => Self::Unknown(None),
        }
    }

    /// Returns the shape of a type of the standard library, or of an entity; others are unknown.
    fn written(ty: &str) -> Self {
        let (path, arguments) = match ty.split_once('<') {
            Some((path, rest)) => (path, rest.strip_suffix('>').map(split).unwrap_or_default()),
            None => (ty, Vec::new()),
        };
        let boxed = |ty: &&str| Box::new(Self::written(ty));
        let name = path.rsplit("::").next().unwrap_or(path);
        if arguments.is_empty()
            && let Some(number) = Number::named(name)
        {
            return Self::Number(number);
        }
        match (name, &arguments[..]) {
            ("bool", []) => Self::Bool,
            ("char", []) => Self::Char,
            ("usize", []) => Self::Number(Number::U64),
            ("isize", []) => Self::Number(Number::I64),
            ("String" | "&'static str", []) => Self::Text(Text::Any),
            ("Entity", []) => Self::Entity,
            ("Box" | "Arc" | "Rc", [of]) => Self::written(of),
            ("Option", [of]) => Self::Option(boxed(of)),
            ("Vec" | "VecDeque" | "BTreeSet" | "HashSet", [of]) => Self::List(boxed(of)),
            ("BTreeMap" | "HashMap", [key, value]) => {
                Self::Map(Box::new((Self::written(key), Self::written(value))))
            }
            _ => {
                Self::list(ty).unwrap_or_else(|| Self::Unknown((ty != "_").then(|| ty.to_owned())))
            }
        }
    }

    /// Returns the shape of a tuple or an array.
    fn list(ty: &str) -> Option<Self> {
        if let Some(parts) = ty.strip_prefix('(').and_then(|it| it.strip_suffix(')')) {
            let parts = split(parts);
            let parts = parts.iter().map(|part| Self::written(part)).collect::<Vec<_>>();
            return Some(if parts.is_empty() { Self::Unit } else { Self::Tuple(parts) });
        }
        let array = ty.strip_prefix('[')?.strip_suffix(']')?;
        let (of, count) = array.rsplit_once("; ")?;
        let count = count.parse::<usize>().ok().filter(|count| *count <= LONGEST)?;
        Some(Self::Tuple(vec![Self::written(of); count]))
    }
}

/// The longest array whose items are listed one by one.
const LONGEST: usize = 64;

/// Splits at commas that are in no brackets.
fn split(list: &str) -> Vec<&str> {
    let mut depth = 0_usize;
    let is_between = move |letter: char| {
        match letter {
            '<' | '(' | '[' => depth += 1,
            '>' | ')' | ']' => depth = depth.saturating_sub(1),
            _ => {}
        }
        letter == ',' && depth == 0
    };
    list.split(is_between).map(str::trim).filter(|part| !part.is_empty()).collect()
}
