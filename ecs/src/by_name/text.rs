//! Queries as texts: the grammar of [`World::kinds_query`], read once and bound to the components of a world.
//!
//! ```text
//! "Poison, Health, !Boss, Health.value < 10"
//!    │       │       │      └─ number.required, and a condition
//!    │       │       └─ numbers.excluded
//!    └───────┴─ terms, and numbers.required             all of a KindQuery: no other query is made
//! ```

use crate::by_name::condition::{
    Condition, Literal, Operator, ReadScalar, ValuePlace, ValueSort, ValueTest, nth_column,
    scalars_of,
};
use crate::by_name::rows::{KindAccess, KindQuery};
#[cfg(feature = "serde")]
use crate::component::shape::Shape;
use crate::entity::Entity;
use crate::pool::field_columns::FieldColumns;
use crate::pool::kind::Kind;
use crate::storage::values::Container;
use crate::text::{Nearest, nearest};
use crate::world::World;
use alloc::borrow::ToOwned;
use alloc::boxed::Box;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::error::Error;
use core::fmt;
use core::ops::Range;

/// The most bytes of a text.
const MOST_BYTES: usize = 4_096;
/// The most parentheses and `!` within each other.
const MOST_NESTED: usize = 16;
/// The most letters of a line that a message shows before the place of the mistake, and from there on.
const MOST_SHOWN: usize = 60;

/// The error of a query as a text: a mistake, and its place.
///
/// It is displayed with the line of the text, and a mark below the place.
///
/// ```
/// # use ecs::{Component, World};
/// # #[derive(Component)] struct Health(u32);
/// let mut world = World::new();
/// world.spawn(Health(3));
/// let error = world.kinds_query("!Healht, Health").unwrap_err();
/// assert_eq!(error.range(), 1..7);
/// assert!(error.reason().starts_with("the world knows no component `Healht` (the nearest is `Health`)"));
/// assert!(error.to_string().ends_with("\n  !Healht, Health\n   ^^^^^^"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QueryTextError {
    text: String,
    range: Range<usize>,
    reason: String,
}

impl QueryTextError {
    /// Returns the bytes of the text that are wrong; an empty range where something is missing.
    #[must_use]
    #[inline]
    pub fn range(&self) -> Range<usize> {
        self.range.clone()
    }

    /// Returns the mistake, without its place.
    #[must_use]
    pub fn reason(&self) -> &str {
        &self.reason
    }
}

impl fmt::Display for QueryTextError {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (before, rest) = self.text.split_at(self.range.start);
        let before = &before[before.rfind('\n').map_or(0, |at| at + 1)..];
        let skipped = before.chars().count().saturating_sub(MOST_SHOWN);
        let line = |letter: &char| *letter != '\n';
        let len = self.text[self.range.clone()].chars().take_while(line).count();
        let dots = if skipped > 0 { ["…", " "] } else { ["", ""] };
        writeln!(f, "{}", self.reason)?;
        let before = before.chars().skip(skipped);
        let shown = before.clone().chain(rest.chars().take_while(line).take(MOST_SHOWN));
        writeln!(f, "  {}{}", dots[0], shown.collect::<String>().trim_end())?;
        // A tab stays a tab, so that the mark stands below its letter.
        let blank = before.map(|letter| if letter == '\t' { '\t' } else { ' ' });
        let mark = "^".repeat(len.clamp(1, MOST_SHOWN));
        write!(f, "  {}{}{mark}", dots[1], blank.collect::<String>())
    }
}

impl Error for QueryTextError {}

/// A mistake, and the bytes where it is.
struct Mistake {
    range: Range<usize>,
    reason: String,
}

type Result<T, E = Mistake> = core::result::Result<T, E>;

#[inline]
fn mistake<T>(range: Range<usize>, reason: impl Into<String>) -> Result<T> {
    Err(Mistake { range, reason: reason.into() })
}

/// Reads a text from the left to the right.
struct Parser<'t, 'w> {
    world: &'w World,
    text: &'t str,
    at: usize,
    nested: usize,
    /// The components whose values are compared.
    compared: Vec<Kind>,
}

impl<'t> Parser<'t, '_> {
    /// Returns the text that is left, from the next sign on.
    #[inline]
    fn rest(&mut self) -> &'t str {
        let rest = &self.text[self.at..];
        let rest = rest.trim_start();
        self.at = self.text.len() - rest.len();
        rest
    }

    /// Reads this sign, if it is next.
    #[inline]
    fn take(&mut self, sign: &str) -> bool {
        let is_next = self.rest().starts_with(sign);
        if is_next {
            self.at += sign.len();
        }
        is_next
    }

    /// Returns the range of the next sign: of a word, or of a letter.
    #[inline]
    fn next_range(&mut self) -> Range<usize> {
        let rest = self.rest();
        let word = rest.find(|letter| !is_of_word(letter)).unwrap_or(rest.len());
        let letter = rest.chars().next().map_or(0, char::len_utf8);
        self.at..self.at + word.max(letter)
    }

    #[inline]
    fn expected<T>(&mut self, what: &str) -> Result<T> {
        let range = self.next_range();
        mistake(range, format!("{what} is missing here"))
    }

    /// `query = [ item { "," item } [ "," ] ]`
    #[inline]
    fn query(&mut self) -> Result<KindQuery> {
        let mut query = KindQuery::new();
        while !self.rest().is_empty() {
            query = self.item(query)?;
            if !self.take(",") && !self.rest().is_empty() {
                return self.expected("a `,` or `|`");
            }
        }
        Ok(self.compared.drain(..).fold(query, KindQuery::note_defined))
    }

    /// `item = "?" name | name | any`
    #[inline]
    fn item(&mut self, query: KindQuery) -> Result<KindQuery> {
        let is_optional = self.take("?");
        self.rest();
        let (start, is_name) = (self.at, self.begins_name());
        if is_optional && !is_name {
            return self.expected("the name of a component after `?`");
        }
        let test = self.any()?;
        let range = start..self.at;
        let Some(kind) = test.named.filter(|_| is_name) else {
            if is_optional {
                let reason = "`?` reads a component where it is, and tests nothing: leave the `?` out, or write a name";
                return mistake(range, reason);
            }
            return Ok(add(query, test.condition));
        };
        if query.kinds().any(|other| other == kind) {
            let reason = format!("`{}` is named before: name it once", kind.name());
            return mistake(range, reason);
        }
        // A relation is written by inserting it anew, and so is a unique component.
        let is_read = kind.is_relation() || kind.is_unique();
        let access = if is_read { KindAccess::Read } else { KindAccess::Lent };
        let query = query.see(kind, access, is_optional);
        Ok(if is_optional { query } else { query.with(kind) })
    }

    #[inline]
    fn begins_name(&mut self) -> bool {
        self.rest()
            .starts_with(|letter: char| letter == '`' || letter == '_' || letter.is_alphabetic())
    }

    /// `any = test { "|" test }`
    #[inline]
    fn any(&mut self) -> Result<Test> {
        let first = self.test()?;
        if !self.rest().starts_with('|') {
            return Ok(first);
        }
        let mut all = Vec::from([first.condition]);
        while self.take("|") {
            all.push(self.test()?.condition);
        }
        Ok(Condition::Any(all).into())
    }

    /// `test = "!" test | "(" any { "," any } ")" | name | relation | comparison`
    #[inline]
    fn test(&mut self) -> Result<Test> {
        self.rest();
        let start = self.at;
        let is_not = self.take("!");
        if !is_not && !self.take("(") {
            return self.named();
        }
        self.nested += 1;
        if self.nested > MOST_NESTED {
            let reason = format!(
                "more than {MOST_NESTED} parentheses and `!` are within each other: use fewer"
            );
            return mistake(start..self.at, reason);
        }
        let condition = if is_not {
            Condition::Not(Box::new(self.test()?.condition))
        } else {
            let mut all = Vec::from([self.any()?.condition]);
            while self.take(",") {
                all.push(self.any()?.condition);
            }
            if !self.take(")") {
                return self.expected("a `,`, `|` or `)`");
            }
            match all.pop() {
                Some(only) if all.is_empty() => only,
                last => {
                    all.extend(last);
                    Condition::All(all)
                }
            }
        };
        self.nested -= 1;
        Ok(condition.into())
    }

    /// A test that begins with a name: of a component, a relation or a value.
    #[inline]
    fn named(&mut self) -> Result<Test> {
        let (name, range, is_quoted) = self.name()?;
        let is_relation = self.text[self.at..].starts_with('(');
        if is_relation && name == "Sources" && !is_quoted {
            self.take("(");
            let (name, range, _) = self.name()?;
            let kind = self.relation(name, range)?;
            self.close()?;
            let pool = self.world.pools.of_kind(kind);
            let number = pool.and_then(|pool| pool.kind().targets_number()).unwrap_or(u32::MAX);
            return Ok(Condition::Has(number).into());
        }
        if is_relation {
            let kind = self.relation(name, range)?;
            self.take("(");
            let has = Condition::Has(kind.number);
            let condition = match self.target()? {
                None => has,
                Some(target) => {
                    Condition::All(Vec::from([has, Condition::PointsTo(kind.number, target)]))
                }
            };
            self.close()?;
            return Ok(condition.into());
        }
        let kind = self.kind(name, range.clone())?;
        let mut path = Vec::new();
        while self.text[self.at..].starts_with('.') {
            self.at += 1;
            path.push(self.field()?);
        }
        let whole = range.start..self.at;
        let Some(operator) = self.operator()? else {
            if path.is_empty() {
                return Ok(Test { condition: Condition::Has(kind.number), named: Some(kind) });
            }
            let name = &self.text[whole];
            return self.expected(&format!("a comparison, such as `{name} < 10`,"));
        };
        self.rest();
        let start = self.at;
        let literal = self.literal()?;
        let literal_range = start..self.at;
        if operator.is_order() && matches!(literal, Literal::Bool(_) | Literal::Entity(_)) {
            let reason = format!("{} is compared by `==` and `!=`", literal.sort().name());
            return mistake(literal_range, reason);
        }
        let place = self.place(kind, path, whole, &literal, literal_range)?;
        self.compared.push(kind);
        let has = Condition::Has(kind.number);
        let value = Condition::Value(ValueTest { kind, place, operator, literal });
        Ok(Condition::All(Vec::from([has, value])).into())
    }

    /// Reads a name: a word with its modules, or any text in backticks.
    #[inline]
    fn name(&mut self) -> Result<(&'t str, Range<usize>, bool)> {
        if !self.begins_name() {
            return self.expected("the name of a component");
        }
        let start = self.at;
        let rest = self.rest();
        if let Some(quoted) = rest.strip_prefix('`') {
            let Some((name, _)) = quoted.split_once('`') else {
                return mistake(start..self.text.len(), "this name has no \"`\" at its end");
            };
            self.at += name.len() + 2;
            return Ok((name, start..self.at, true));
        }
        let mut len = 0;
        loop {
            let word = &rest[len..];
            len += word.find(|letter| !is_of_word(letter)).unwrap_or(word.len());
            if !rest[len..].starts_with("::") {
                break;
            }
            len += 2;
        }
        self.at += len;
        Ok((&rest[..len], start..self.at, false))
    }

    #[inline]
    fn kind(&self, name: &str, range: Range<usize>) -> Result<Kind> {
        self.world.kind(name).map_err(|error| Mistake { range, reason: error.to_string() })
    }

    #[inline]
    fn relation(&self, name: &str, range: Range<usize>) -> Result<Kind> {
        let kind = self.kind(name, range.clone())?;
        if kind.is_relation() {
            return Ok(kind);
        }
        let relations = self.world.kinds().filter(|kind| kind.is_relation()).map(Kind::name);
        let near = Nearest(nearest(name, relations));
        let reason = format!("`{name}` is no relation{near}: write it without parentheses");
        mistake(range, reason)
    }

    /// The target of a relation: an entity, or `*`.
    #[inline]
    fn target(&mut self) -> Result<Option<Entity>> {
        if self.take("*") {
            return Ok(None);
        }
        let range = self.next_range();
        let Ok(entity) = self.text[range.clone()].parse() else {
            return mistake(
                range,
                "a relation points to an entity, such as `3v1`, or to any by `*`",
            );
        };
        self.at = range.end;
        Ok(Some(entity))
    }

    #[inline]
    fn close(&mut self) -> Result<()> {
        if self.take(")") { Ok(()) } else { self.expected("a `)`") }
    }

    /// The name of a field, or its position.
    #[inline]
    fn field(&mut self) -> Result<String> {
        let rest = &self.text[self.at..];
        let len = rest.find(|letter| !is_of_word(letter)).unwrap_or(rest.len());
        if len == 0 {
            return mistake(self.at..self.at, "the name of a field is missing here");
        }
        self.at += len;
        Ok(rest[..len].to_owned())
    }

    #[inline]
    fn operator(&mut self) -> Result<Option<Operator>> {
        const SIGNS: [(&str, Operator); 6] = [
            ("<=", Operator::LessOrEqual),
            ("<", Operator::Less),
            (">=", Operator::GreaterOrEqual),
            (">", Operator::Greater),
            ("==", Operator::Equal),
            ("!=", Operator::NotEqual),
        ];
        if let Some((_, operator)) = SIGNS.iter().find(|(sign, _)| self.take(sign)) {
            return Ok(Some(*operator));
        }
        if self.rest().starts_with('=') {
            return mistake(self.at..self.at + 1, "values are compared by `==`");
        }
        Ok(None)
    }

    /// A number, a text in quotes, `true`, `false` or an entity.
    #[inline]
    fn literal(&mut self) -> Result<Literal> {
        let rest = self.rest();
        if let Some(quote @ ('"' | '\'')) = rest.chars().next() {
            return self.quoted(quote).map(Literal::Text);
        }
        let start = self.at;
        let sign = usize::from(rest.starts_with('-'));
        let len = sign + number_len(&rest[sign..]);
        let word = &rest[..len];
        self.at += len;
        let literal = match word {
            "true" => Some(Literal::Bool(true)),
            "false" => Some(Literal::Bool(false)),
            _ if !word[sign..].starts_with(|digit: char| digit.is_ascii_digit()) => None,
            _ => word
                .parse()
                .map(Literal::Integer)
                .or_else(|_| word.parse().map(Literal::Entity))
                .ok()
                .or_else(|| Some(Literal::Float(word.parse().ok()?, word.parse().ok()?))),
        };
        let range = if len == 0 { self.next_range() } else { start..self.at };
        literal.map_or_else(
            || mistake(range, "a value is missing here: a number, a text in quotes, `true`, `false` or an entity"),
            Ok,
        )
    }

    /// A text in quotes, with the escapes `\\`, `\"`, `\'`, `\n`, `\r` and `\t`.
    #[inline]
    fn quoted(&mut self, quote: char) -> Result<String> {
        let (start, mut text) = (self.at, String::new());
        let mut letters = self.text[start + 1..].char_indices();
        while let Some((at, letter)) = letters.next() {
            if letter == quote {
                self.at = start + 1 + at + 1;
                return Ok(text);
            }
            if letter != '\\' {
                text.push(letter);
                continue;
            }
            let escaped = letters.next();
            text.push(match escaped {
                Some((_, 'n')) => '\n',
                Some((_, 'r')) => '\r',
                Some((_, 't')) => '\t',
                Some((_, letter @ ('\\' | '"' | '\''))) => letter,
                _ => {
                    let len = escaped.map_or(0, |(_, letter)| letter.len_utf8());
                    let at = start + 1 + at;
                    let reason = r#"known escapes are `\\`, `\"`, `\'`, `\n`, `\r` and `\t`"#;
                    return mistake(at..at + 1 + len, reason);
                }
            });
        }
        mistake(start..self.text.len(), "this text has no quote at its end")
    }

    /// Returns the function that reads a column, and the sort of its values, if they are compared as a whole.
    #[inline]
    fn scalars(&self, kind: Kind, nth: usize) -> Option<(ReadScalar, ValueSort)> {
        if let Some(definition) = kind.definition() {
            let columns = FieldColumns::new(definition); // the ones of the world are made with the first value
            let (_, column) = nth_column(nth, |each| Container::each_column(&columns, each))?;
            return scalars_of(column);
        }
        let pool = self.world.pools.of_kind(kind)?;
        let (_, column) = nth_column(nth, |each| pool.values().each_column(each))?;
        scalars_of(column)
    }

    /// Returns the place of a value that may be compared with the literal.
    #[inline]
    #[cfg_attr(
        not(feature = "serde"),
        expect(clippy::needless_pass_by_value, reason = "saved values keep it")
    )]
    fn place(
        &self,
        kind: Kind,
        path: Vec<String>,
        range: Range<usize>,
        literal: &Literal,
        literal_range: Range<usize>,
    ) -> Result<ValuePlace> {
        let nth = match &*path.join(".") {
            "" => (!kind.is_in_columns()).then_some(0),
            path => kind.fields().position(|(name, _)| name == path),
        };
        let column = nth.and_then(|nth| Some((nth, self.scalars(kind, nth)?)));
        let what = &self.text[range.clone()];
        if let Some((nth, (read, sort))) = column {
            if sort != literal.sort() {
                let reason =
                    format!("`{what}` is {}, and this is {}", sort.name(), literal.sort().name());
                return mistake(literal_range, reason);
            }
            return Ok(ValuePlace::Column(nth, read));
        }
        #[cfg(feature = "serde")]
        if kind.saving().is_some() {
            if let Some(sort) = check_shape(kind, &path, &range)?
                && sort != literal.sort()
            {
                let reason =
                    format!("`{what}` is {}, and this is {}", sort.name(), literal.sort().name());
                return mistake(literal_range, reason);
            }
            return Ok(ValuePlace::Saved(path));
        }
        let fields = kind.fields().map(|(name, _)| name);
        if let (Some(field), true) = (path.first(), kind.is_in_columns())
            && fields.clone().all(|name| name != field)
        {
            return mistake(range, no_field(kind, field, fields));
        }
        let name = kind.name();
        let reason = if path.is_empty()
            && let Some(first) = fields.clone().next()
        {
            format!(
                "`{name}` is not compared as a whole: compare a field of it, such as `{name}.{first}`"
            )
        } else {
            format!(
                "`{what}` is not compared: add `#[component(save = \"name\")]` to `{name}`, with the feature `serde`, or \
                 `layout = \"soa\"`; then its numbers, texts, booleans and entities are"
            )
        };
        mistake(range, reason)
    }
}

/// Checks that a saved component has the first step of a path. Returns the sort of the value, if its type shows it.
#[cfg(feature = "serde")]
#[inline]
fn check_shape(kind: Kind, path: &[String], range: &Range<usize>) -> Result<Option<ValueSort>> {
    let (fields, step) = match (kind.shape(), path) {
        (Shape::Opaque, _) | (Shape::Enum(_) | Shape::Tuple(_), []) => return Ok(None),
        (Shape::Enum(variants), [step, ..]) => {
            if variants.iter().all(|(name, _)| name != step) {
                let names = variants.iter().map(|(name, _)| *name);
                return mistake(range.clone(), no_field(kind, step, names));
            }
            return Ok(None);
        }
        (Shape::Struct(fields) | Shape::Tuple(fields), [step, ..]) => (fields, step),
        (Shape::Struct(fields), []) => {
            let name = kind.name();
            let first = fields.first().map_or("..", |field| field.name);
            let reason = format!(
                "`{name}` is not compared as a whole: compare a field of it, such as `{name}.{first}`"
            );
            return mistake(range.clone(), reason);
        }
        (Shape::Unit, _) => {
            let reason = format!("`{}` has no value that is compared", kind.name());
            return mistake(range.clone(), reason);
        }
    };
    let Some(field) = fields.iter().find(|field| field.name == step) else {
        let names = fields.iter().map(|field| field.name);
        return mistake(range.clone(), no_field(kind, step, names));
    };
    Ok(if path.len() == 1 { ValueSort::of_type(&field.type_text) } else { None })
}

/// Returns the reason that a component has no field of this name, with the names that it has.
#[inline]
fn no_field<'n>(kind: Kind, field: &str, names: impl Iterator<Item = &'n str> + Clone) -> String {
    let mut reason = format!(
        "`{}` has no `{field}`{}: it has",
        kind.name(),
        Nearest(nearest(field, names.clone()))
    );
    for (at, name) in names.enumerate() {
        reason.push_str(if at == 0 { " `" } else { ", `" });
        reason.push_str(name);
        reason.push('`');
    }
    reason
}

/// A test, and its component if it is a name alone.
struct Test {
    condition: Condition,
    named: Option<Kind>,
}

impl From<Condition> for Test {
    #[inline]
    fn from(condition: Condition) -> Self {
        Self { condition, named: None }
    }
}

/// Adds a test to a query: to its components, as far as they answer it.
#[inline]
fn add(mut query: KindQuery, condition: Condition) -> KindQuery {
    if let Some((number, lacks)) = condition.as_component() {
        let numbers = &mut query.numbers;
        if lacks { &mut numbers.excluded } else { &mut numbers.required }.push(number);
        return query;
    }
    match condition {
        Condition::All(all) => return IntoIterator::into_iter(all).fold(query, add),
        Condition::Any(all) => {
            let components: Option<_> = all.iter().map(Condition::as_component).collect();
            match components {
                Some(components) => query.numbers.any.push(components),
                None => query.conditions.push(Condition::Any(all)),
            }
        }
        other => query.conditions.push(other),
    }
    query
}

#[inline]
fn is_of_word(letter: char) -> bool {
    letter == '_' || letter.is_alphanumeric()
}

/// Returns the length of the number, entity or word at the start of a text.
#[inline]
fn number_len(text: &str) -> usize {
    let is_number = text.starts_with(|letter: char| letter.is_ascii_digit());
    let mut before = ' ';
    let is_end = |letter: char| {
        let is_exponent = is_number && matches!(before, 'e' | 'E') && matches!(letter, '+' | '-');
        before = letter;
        !(is_of_word(letter) || is_number && letter == '.' || is_exponent)
    };
    text.find(is_end).unwrap_or(text.len())
}

/// # Queries as texts
impl World {
    /// Reads a query from a text, and binds its names to the components of this world. The query is used again and
    /// again, and also in other worlds; nothing is read from the text later. O(bytes + names × pools).
    ///
    /// The [guide](crate::guide::by_name#queries-as-texts) has the grammar. A component that is named alone may be written where the world is lent to be
    /// written: by [`for_each_row`](Self::for_each_row) and [`chunks_mut`](KindQuery::chunks_mut).
    ///
    /// # Errors
    /// Returns an error with its place in the text, if the text is no query, the world has no pool of a component, or a
    /// value cannot be compared. A text has at most 4,096 bytes.
    ///
    /// ```
    /// use ecs::{ChildOf, Component, Entity, Name, World};
    ///
    /// #[derive(Component)]
    /// #[component(layout = "soa")]
    /// struct Health { pub value: f32 }
    /// #[derive(Component)]
    /// struct Boss;
    ///
    /// let mut world = World::new();
    /// let ann = world.spawn((Name::new("Ann"), Health { value: 3.0 })).id();
    /// let rat = world.spawn((Name::new("rat"), Health { value: 12.5 }, ChildOf(ann))).id();
    /// let king = world.spawn((Boss, Health { value: 50.0 })).id();
    ///
    /// let find = |text: &str| -> Vec<Entity> {
    ///     let query = world.kinds_query(text).unwrap();
    ///     world.kind_rows(&query).unwrap().map(|row| row.entity()).collect()
    /// };
    /// assert_eq!(find("Health, !Boss"), [ann, rat]);
    /// assert_eq!(find("Health, ?Name, Health.value > 10"), [rat, king]);
    /// assert_eq!(find("ChildOf(0v1)"), [rat]);
    /// assert_eq!(find("Boss | Name == 'Ann'"), [ann, king]);
    /// ```
    #[inline]
    pub fn kinds_query(&self, text: &str) -> Result<KindQuery, QueryTextError> {
        let mut parser = Parser { world: self, text, at: 0, nested: 0, compared: Vec::new() };
        let query = if text.len() > MOST_BYTES {
            let mut at = MOST_BYTES;
            while !text.is_char_boundary(at) {
                at -= 1;
            }
            let reason = format!("the text has {} bytes: the most are {MOST_BYTES}", text.len());
            mistake(at..at, reason)
        } else {
            parser.query()
        };
        query.map_err(|Mistake { range, reason }| {
            let text = text.get(..MOST_BYTES.min(text.len())).unwrap_or(&text[..range.end]);
            QueryTextError { text: text.to_owned(), range, reason }
        })
    }
}
