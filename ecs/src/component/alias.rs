//! The checks that no query aliases itself or another.
//!
//! Ids are compared at compile time. Terms with different ids have different types: that is a proof. Terms with equal
//! exact ids have one type, unless hashes collide; if they alias, that is a compile error. Proofs that depend on
//! equal ids, or on types that share an id, are repeated when the view is built, by the types' numbers in the
//! process.

use crate::component::access::{Access, Mode, Sort, TermAccess};
use crate::component::{refuse_writing, refuse_writing_unique};
use crate::text::{Text, short_name};
use crate::tuples::each;
use alloc::vec::Vec;
use core::panic::Location;

/// An owner: it borrows several things at one time, which messages name.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Owner<'a> {
    /// A split, whose members have these names.
    Split(&'a [&'a str]),
    /// A system and its name, or an empty name if that is unknown. Its parameters have numbers.
    System(&'a str),
    /// A condition and its name, or an empty name if that is unknown. Its parameters have numbers.
    Condition(&'a str),
}

/// The numbers of parameters as users count them.
pub(crate) const ORDINALS: [&str; 12] =
    ["1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12"];

/// The borrower of a resource, for the message that the resource is missing.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub struct Borrower<'a> {
    owner: Owner<'a>,
    /// The place at which the schedule of the system is run.
    caller: Option<&'static Location<'static>>,
    /// The number of the member.
    member: usize,
    /// The names of the member's fields, and the number of the one that borrows.
    field: (&'a [&'a str], usize),
}

impl<'a> Borrower<'a> {
    /// Returns the first member of this owner. `caller` is the place at which the schedule of a system is run, if
    /// there is one.
    #[inline]
    pub(crate) const fn new(owner: Owner<'a>, caller: Option<&'static Location<'static>>) -> Self {
        Self { owner, caller, member: 0, field: (&[], 0) }
    }

    pub(crate) const fn owner(self) -> Owner<'a> {
        self.owner
    }

    /// Returns the first of these fields of the member.
    #[inline]
    pub(crate) const fn of_fields(self, names: &'a [&'a str]) -> Self {
        Self { field: (names, 0), ..self }
    }

    /// Returns the field with this number, or, if the member has no fields, the member with this number.
    #[inline]
    pub(crate) const fn part(self, at: usize) -> Self {
        match self.field.0 {
            [] => Self { member: at, ..self },
            names => Self { field: (names, at), ..self },
        }
    }

    /// Appends " for field `score` of parameter `1` of system `count`".
    #[inline]
    pub(crate) fn push(self, text: Text) -> Text {
        let Self { owner, member, field: (fields, field), .. } = self;
        let text = text.push(" for ");
        let text = match fields {
            [] => text,
            names => text.push("field `").push(names[field]).push("` of "),
        };
        let text = match owner {
            Owner::Split(names) => text.push("member `").push(names[member]).push("`"),
            Owner::System(_) | Owner::Condition(_) => {
                text.push("parameter `").push(ORDINALS[member]).push("`")
            }
        };
        owner.shortened().push(text)
    }

    /// Returns the place at which the schedule of the system is run.
    pub(crate) const fn caller(self) -> Option<&'static Location<'static>> {
        self.caller
    }
}

impl Owner<'_> {
    /// Returns the owner with the name of a function in the place of its path.
    #[inline]
    fn shortened(self) -> Self {
        match self {
            Self::Split(_) => self,
            Self::System(name) => Self::System(short_name(name)),
            Self::Condition(name) => Self::Condition(short_name(name)),
        }
    }

    const fn is_split(self) -> bool {
        matches!(self, Self::Split(_))
    }

    /// Appends a member: "view `1`", "resource `1`" or "parameter `1`".
    #[inline]
    const fn push_member(self, text: Text, at: usize, term: &TermAccess) -> Text {
        match self {
            Self::Split(names) => {
                let noun = if term.is_resource { "resource `" } else { "view `" };
                text.push(noun).push(names[at]).push("`")
            }
            Self::System(_) | Self::Condition(_) => {
                text.push("parameter `").push(ORDINALS[at]).push("`")
            }
        }
    }

    /// Appends the owner: " of system `heal`".
    #[inline]
    const fn push(self, text: Text) -> Text {
        let (what, name) = match self {
            Self::Split(_) => ("split", ""),
            Self::System(name) => ("system", name),
            Self::Condition(name) => ("condition", name),
        };
        if name.is_empty() {
            return text.push(" of the ").push(what);
        }
        text.push(" of ").push(what).push(" `").push(name).push("`")
    }

    /// Returns the name of a parameter: "parameter `1` of system `heal`".
    #[inline]
    const fn say_parameter(self, at: usize) -> Text {
        self.push(Text::new().push("parameter `").push(ORDINALS[at]).push("`"))
    }

    /// Returns the text before a message about a member's query. A split adds none.
    #[inline]
    const fn say_whose(self, at: usize) -> Text {
        if self.is_split() { Text::new() } else { self.say_parameter(at).push(": ") }
    }
}

/// The result of comparing two accesses at compile time.
#[derive(Clone, Copy)]
#[expect(clippy::large_enum_variant, reason = "a constant, or looked at once when a view is built")]
pub(super) enum Verdict {
    /// They never alias: their ids differ, or neither writes a type that the other touches.
    Disjoint,
    /// Only the types' numbers in the running process decide whether they alias.
    Unknown,
    /// These two terms have one type and alias.
    Alias(TermAccess, TermAccess),
}

impl Verdict {
    /// Returns the worse of both.
    const fn and(self, other: Self) -> Self {
        match (self, other) {
            (Self::Alias(..), _) => self,
            (_, Self::Alias(..)) => other,
            (Self::Unknown, _) => self,
            _ => other,
        }
    }
}

impl TermAccess {
    /// Returns `true` if the terms would alias if they had one type.
    const fn aliases(self, other: Self) -> bool {
        self.mode.aliases(other.mode)
            && self.is_resource == other.is_resource
            && (self.column == 0 || other.column == 0 || self.column == other.column)
    }
}

impl Text {
    /// Appends the name of the type that a term touches. The name of an instance of a generic type loses its modules.
    #[inline]
    pub(super) const fn push_name(self, term: &TermAccess) -> Self {
        let is_generic = matches!(term.name.as_bytes().last(), Some(b'>'));
        if is_generic { self.push_type(term.name) } else { self.push(term.name) }
    }
}

impl Mode {
    /// Returns `true` if references to one value, touched in both ways, would alias.
    const fn aliases(self, other: Self) -> bool {
        self.touches() && other.touches() && (self.is_write() || other.is_write())
    }

    pub(super) const fn verb(self) -> &'static str {
        match self {
            Self::Read => "reads",
            Self::Write | Self::Guard => "writes",
            Self::With => "requires",
            Self::Without => "excludes",
        }
    }
}

impl Access {
    /// Compares the terms of this access with the terms of `other`.
    #[inline]
    pub(super) const fn against(&self, other: &Self) -> Verdict {
        match (self, other) {
            (Self::World(Mode::Read), _) => match other.written_term() {
                Some((read, written)) => Verdict::Alias(read, written),
                None => Verdict::Disjoint,
            },
            (_, Self::World(Mode::Read)) => match self.written_term() {
                Some((read, written)) => Verdict::Alias(written, read),
                None => Verdict::Disjoint,
            },
            (Self::Nothing | Self::Everything | Self::Any(_) | Self::World(_), _)
            | (_, Self::Nothing | Self::Everything | Self::Any(_) | Self::World(_)) => {
                Verdict::Disjoint
            }
            (Self::Term(a), Self::Term(b)) => match a.id.same(b.id) && a.aliases(*b) {
                false => Verdict::Disjoint,
                true if a.id.is_exact() && b.id.is_exact() => Verdict::Alias(*a, *b),
                true => Verdict::Unknown,
            },
            (Self::Optional(part) | Self::Elsewhere(_, part), _) => part.against(other),
            (_, Self::Optional(part) | Self::Elsewhere(_, part)) => self.against(part),
            (Self::All(parts) | Self::Fields(_, parts), _) => {
                let mut verdict = Verdict::Disjoint;
                each!(parts, |part| verdict = verdict.and(part.against(other)));
                verdict
            }
            (_, Self::All(parts) | Self::Fields(_, parts)) => {
                let mut verdict = Verdict::Disjoint;
                each!(parts, |part| verdict = verdict.and(self.against(part)));
                verdict
            }
        }
    }

    /// Compares this access with `other`, which is borrowed at the same time. If only ids prove that they have no
    /// entity in common, the verdict is unknown, and numbers repeat the proof.
    #[inline]
    pub(super) const fn beside(&self, other: &Self) -> Verdict {
        match (self, other) {
            (Self::Fields(_, parts), _) => {
                let mut verdict = Verdict::Disjoint;
                each!(parts, |part| verdict = verdict.and(part.beside(other)));
                verdict
            }
            (_, Self::Fields(_, parts)) => {
                let mut verdict = Verdict::Disjoint;
                each!(parts, |part| verdict = verdict.and(self.beside(part)));
                verdict
            }
            _ => match self.against(other) {
                Verdict::Alias(..) if is_apart(self, other) => Verdict::Unknown,
                verdict => verdict,
            },
        }
    }

    /// Compares the terms of this access with each other.
    #[inline]
    const fn within(&self) -> Verdict {
        match self {
            Self::Nothing | Self::Everything | Self::Term(_) | Self::Any(_) | Self::World(_) => {
                Verdict::Disjoint
            }
            Self::Optional(part) | Self::Elsewhere(_, part) => part.within(),
            Self::Fields(_, parts) if split_needs_check(parts) => Verdict::Unknown,
            Self::Fields(..) => Verdict::Disjoint,
            Self::All(parts) => {
                let mut verdict = Verdict::Disjoint;
                each!(parts, |at, part| {
                    verdict = verdict.and(part.within());
                    each!(parts.split_at(at).0, |other| verdict = verdict.and(other.against(part)));
                });
                verdict
            }
        }
    }

    /// Returns `true` if every match of this access has a component that no match of `other` has. Ids are compared,
    /// so the types' numbers in the process must confirm it.
    #[inline]
    const fn is_separate(&self, other: &Self) -> bool {
        match self {
            Self::Nothing
            | Self::Everything
            | Self::Optional(_)
            | Self::Elsewhere(..)
            | Self::Any(_)
            | Self::World(_)
            | Self::Fields(..) => false,
            Self::Term(term) => {
                !matches!(term.mode, Mode::Without) && other.has(Sort::Excluded(term.id))
            }
            Self::All(parts) => {
                each!(parts, |part| if part.is_separate(other) {
                    return true;
                });
                false
            }
        }
    }
}

/// Returns `true` if a query that may write must be compared with itself by the types' numbers in the process, or reads whole
/// entities.
#[inline]
pub(crate) const fn needs_check(access: &Access) -> bool {
    access.has(Sort::Everything) || !matches!(access.within(), Verdict::Disjoint)
}

/// Appends the way in which the later of two terms clashes with the earlier one: "reads `X`, which .. writes".
#[inline]
const fn push_clash(text: Text, terms: (TermAccess, TermAccess), earlier: [&str; 3]) -> Text {
    let (first, second) = terms;
    text.push(second.mode.verb())
        .push(" `")
        .push_name(&second)
        .push("`, which ")
        .push(earlier[0])
        .push(earlier[1])
        .push(earlier[2])
        .push(" ")
        .push(first.mode.verb())
}

/// The name of another term of one query in messages.
const ANOTHER_TERM: [&str; 3] = ["another of its terms", "", ""];

/// Checks a query against itself at compile time.
///
/// # Panics
/// When two terms alias. In a constant, that is a compile error.
#[track_caller]
#[inline]
pub(crate) const fn refuse_alias(access: &Access) {
    refuse_alias_of(Text::new(), access);
}

/// Checks a query against itself at compile time; `text` begins the message with the owner of the query.
#[track_caller]
#[inline]
const fn refuse_alias_of(text: Text, access: &Access) {
    let text = refuse_whole_entities(text, access);
    refuse_what_is_never_written(access);
    let text = refuse_never(text, access);
    if let Verdict::Alias(a, b) = access.within() {
        say_alias_within(text, access, (a, b)).panic()
    }
}

/// Refuses to read whole entities, whose components others may write. Returns the text if the query does not.
#[track_caller]
#[inline]
const fn refuse_whole_entities(text: Text, access: &Access) -> Text {
    if !access.has(Sort::Everything) {
        return text;
    }
    push_query(text.push("query `"), access)
        .push(
            "` reads whole entities, while none may be written: use `World::view` for `EntityRef`",
        )
        .panic()
}

/// Appends the message that these terms of a query alias.
#[inline]
const fn say_alias_within(text: Text, access: &Access, terms: (TermAccess, TermAccess)) -> Text {
    let query = push_query(text.push("query `"), access).push("` ");
    push_clash(query, terms, ANOTHER_TERM).push(": ask for each component once")
}

/// Refuses to write relations and unique components, and guards of components that are not tracked, whose marks would have no reader.
#[track_caller]
#[inline]
const fn refuse_what_is_never_written(access: &Access) {
    if let Some(name) = access.find(Sort::WrittenRelation) {
        refuse_writing(name);
    }
    if let Some(name) = access.find(Sort::WrittenUnique) {
        refuse_writing_unique(name);
    }
    if let Some(name) = access.find(Sort::GuardedInVain) {
        let text = Text::new().push("`Mut<").push(name).push(">` marks changes, but those of `");
        let text =
            text.push(name).push("` are not tracked: add `#[component(track)]`, or ask for `&mut ");
        text.push(name).push("`").panic()
    }
}

/// Checks the field at `at` of a derived query against those before it.
///
/// # Panics
/// When they alias. In a constant, that is a compile error.
#[track_caller]
#[inline]
pub(crate) const fn check_field(query: &str, fields: &[&str], access: &Access, at: usize) {
    let field = access.field(at, fields.len());
    let named = Text::new().push("query `").push(query).push("`: field `").push(fields[at]);
    let named = named.push("` ");
    refuse_what_is_never_written(&field);
    if let Verdict::Alias(a, b) = field.within() {
        push_clash(named, (a, b), ANOTHER_TERM).panic()
    }
    let mut before = 0;
    while before < at {
        let earlier = access.field(before, fields.len());
        let rule = match earlier.parted_from(&field, false) {
            None => field.parted_from(&earlier, false),
            found => found,
        };
        if let Some((of, verb, other)) = rule {
            let text = Text::new().push("query `").push(query).push("` never matches: fields `");
            let text = text.push(fields[before]).push("` and `").push(fields[at]).push("`: `");
            text.push(of).push("` ").push(verb).push(" `").push(other).push("`").panic()
        }
        if let Verdict::Alias(a, b) = earlier.against(&field) {
            push_clash(named, (a, b), ["field `", fields[before], "`"]).panic()
        }
        before += 1;
    }
}

/// Checks that no component is named twice in a list.
///
/// # Panics
/// When one is. In a constant, that is a compile error.
#[track_caller]
#[inline]
pub(crate) const fn refuse_repetition(terms: &[Access], list: &str) {
    if let Some((name, true)) = repeated(terms) {
        Text::new().push("`").push(name).push("` is named twice in ").push(list).panic()
    }
}

/// Returns `true` if a component may be named twice in a list. Only the types' numbers decide that.
#[inline]
pub(crate) const fn may_repeat(terms: &[Access]) -> bool {
    repeated(terms).is_some()
}

/// Returns the name of a component that is named twice, by ids, and `true` if that is certain. A certain one takes
/// precedence.
#[inline]
const fn repeated(terms: &[Access]) -> Option<(&'static str, bool)> {
    let mut found = None;
    each!(terms, |at, term| each!(terms.split_at(at).0, |other| {
        if let (Access::Term(a), Access::Term(b)) = (other, term)
            && a.id.same(b.id)
        {
            found = Some((a.name, a.id.is_exact()));
            if a.id.is_exact() {
                return found;
            }
        }
    }));
    found
}

/// Returns the number of resources in a split.
#[inline]
pub(crate) const fn count_resources(members: &[Access]) -> usize {
    let mut count = 0;
    each!(members, |member| match member {
        Access::Term(TermAccess { is_resource: true, .. }) => count += 1,
        Access::Fields(_, parts) => count += count_resources(parts),
        _ => {}
    });
    count
}

/// Returns `true` if the views of a split must be compared by the types' numbers in the process.
#[inline]
pub(crate) const fn split_needs_check(views: &[Access]) -> bool {
    each!(views, |at, view| {
        if needs_check(view) {
            return true;
        }
        each!(views.split_at(at).0, |other| match other.beside(view) {
            Verdict::Disjoint => {}
            _ => return true,
        });
    });
    false
}

/// Checks the accesses that are borrowed at one time, at compile time.
///
/// # Panics
/// When a member aliases itself or another one. In a constant, that is a compile error.
#[track_caller]
#[inline]
pub(crate) const fn refuse_alias_among(owner: Owner<'_>, members: &[Access]) {
    each!(members, |at, member| {
        match member {
            Access::Fields(names, parts) => refuse_alias_among(Owner::Split(names), parts),
            Access::World(Mode::Write) if members.len() > 1 || owner.is_split() => {
                refuse_beside_world(owner, at);
            }
            member => refuse_alias_of(owner.say_whose(at), member),
        }
        each!(members.split_at(at).0, |before, other| {
            if let Verdict::Alias(a, b) = other.beside(member) {
                push_alias(owner, (before, &a), (at, &b)).panic()
            }
        });
    });
}

/// Panics with the message that a member takes the whole world and is not alone.
#[track_caller]
#[inline]
const fn refuse_beside_world(owner: Owner<'_>, at: usize) -> ! {
    let text = match owner {
        Owner::Split(names) => Text::new().push("field `").push(names[at]).push("`"),
        Owner::System(_) | Owner::Condition(_) => owner.say_parameter(at),
    };
    text.push(" takes the whole world, so nothing stands beside it: ask the world for the rest, ")
        .push("or borrow it as `&World`")
        .panic()
}

/// Returns the message that two members alias by these terms.
#[inline]
const fn push_alias(
    owner: Owner<'_>,
    first: (usize, &TermAccess),
    second: (usize, &TermAccess),
) -> Text {
    let ((a, x), (b, y)) = (first, second);
    let text = owner.push(owner.push_member(Text::new(), b, y)).push(" ");
    let text = text.push(y.mode.verb()).push(" `").push_name(y).push("`, which ");
    let also = if x.mode.is_write() && y.mode.is_write() { " also " } else { " " };
    let text = owner.push_member(text, a, x).push(also).push(x.mode.verb());
    text.push(if x.is_resource {
        ": ask for each resource once"
    } else {
        ": let one require a component that the other excludes, or borrow one after the other"
    })
}

/// Returns `true` if ids prove that the views of a split have no entity in common, and neither reads other entities.
#[inline]
const fn is_apart(a: &Access, b: &Access) -> bool {
    !a.has(Sort::Elsewhere)
        && !b.has(Sort::Elsewhere)
        && (a.is_separate(b) || b.is_separate(a) || a.parted_from(b, true).is_some())
}

/// Refuses a query that no entity matches, by a rule between components. Returns the text if there is no such rule.
#[track_caller]
#[inline]
pub(crate) const fn refuse_never(text: Text, access: &Access) -> Text {
    if let Some((of, verb, other)) = access.parted_from(access, false) {
        let text = push_query(text.push("query `"), access).push("` never matches: `");
        text.push(of).push("` ").push(verb).push(" `").push(other).push("`").panic()
    }
    text
}

/// The numbers of two components that no entity has both of, by a rule. A claim on this ground checks that the
/// pools have no member in common.
pub(crate) type ApartByRule = (u32, u32);

/// Checks the accesses that are borrowed at one time, by the types' numbers in the process. Adds the pairs of components
/// that must be apart.
///
/// # Panics
/// When a member aliases itself or another one.
#[cold]
#[track_caller]
#[inline]
pub(crate) fn check_among(owner: Owner<'_>, members: &[Access], apart: &mut Vec<ApartByRule>) {
    let owner = owner.shortened();
    for (at, member) in members.iter().enumerate() {
        if let Access::Fields(names, parts) = member {
            check_among(Owner::Split(names), parts, apart);
        } else {
            let text = refuse_whole_entities(owner.say_whose(at), member);
            if let Some(terms) = alias_by_number(member) {
                say_alias_within(text, member, terms).panic();
            }
        }
        for (before, other) in members[..at].iter().enumerate() {
            if let Some((x, y)) = clash_by_number(other, member, apart) {
                push_alias(owner, (before, &x), (at, &y)).panic();
            }
        }
    }
}

/// Checks a query that may write against itself by the types' numbers in the process.
///
/// # Panics
/// When two terms touch one component and one of them writes it, or it reads whole entities.
#[cold]
#[track_caller]
#[inline]
pub(crate) fn check(access: &Access, query: &str) {
    let _ = refuse_whole_entities(Text::new(), access);
    if let Some((a, b)) = alias_by_number(access) {
        let text = Text::new().push("query `").push(query).push("` ");
        push_clash(text, (a, b), ANOTHER_TERM).push(": ask for each component once").panic();
    }
}

/// Returns the terms by which a query aliases itself, by the types' numbers in the process.
#[inline]
fn alias_by_number(access: &Access) -> Option<(TermAccess, TermAccess)> {
    let terms = access.terms();
    let pairs = (0..terms.len()).flat_map(|b| (0..b).map(move |a| (a, b)));
    let mut pairs = pairs.map(|(a, b)| (terms[a].0, terms[b].0));
    let found = pairs.find(|(a, b)| a.aliases(*b) && (a.index)() == (b.index)());
    found.map(|(a, b)| (a.in_full(), b.in_full()))
}

/// Returns the terms by which two accesses alias, by the types' numbers in the process. Such terms touch one
/// component, and one of them writes it. Accesses do not alias if one requires a component that the other excludes, or
/// if a rule parts two required components: then these are added to `apart`.
#[cold]
#[inline]
pub(super) fn clash_by_number(
    a: &Access,
    b: &Access,
    apart: &mut Vec<ApartByRule>,
) -> Option<(TermAccess, TermAccess)> {
    if let Access::Fields(_, parts) = a {
        return parts.iter().find_map(|part| clash_by_number(part, b, apart));
    }
    if let Access::Fields(_, parts) = b {
        return parts.iter().find_map(|part| clash_by_number(a, part, apart));
    }
    let (first, second) = (a.terms(), b.terms());
    let separate = |requiring: &[(TermAccess, bool)], excluding: &[(TermAccess, bool)]| {
        requiring.iter().any(|(term, optional)| {
            !optional
                && term.mode != Mode::Without
                && excluding.iter().any(|(other, optional)| {
                    !optional && other.mode == Mode::Without && (other.index)() == (term.index)()
                })
        })
    };
    let is_elsewhere = a.has(Sort::Elsewhere) || b.has(Sort::Elsewhere);
    if !is_elsewhere && (separate(&first, &second) || separate(&second, &first)) {
        return None;
    }
    let pairs = first.iter().flat_map(|(x, _)| second.iter().map(move |(y, _)| (*x, *y)));
    let (x, y) = pairs.into_iter().find(|(x, y)| x.aliases(*y) && (x.index)() == (y.index)())?;
    if !is_elsewhere && let Some(pair) = apart_by_rule(&first, &second) {
        apart.push(pair);
        return None;
    }
    Some((x.in_full(), y.in_full()))
}

/// Returns two components that a rule parts, one required by each of two accesses.
#[inline]
fn apart_by_rule(
    first: &[(TermAccess, bool)],
    second: &[(TermAccess, bool)],
) -> Option<ApartByRule> {
    let is_required = |(term, optional): &&(TermAccess, bool)| {
        !optional && !term.is_resource && term.mode != Mode::Without
    };
    let required = || second.iter().filter(is_required);
    let pairs =
        first.iter().filter(is_required).flat_map(|(a, _)| required().map(move |(b, _)| (a, b)));
    let found = pairs.into_iter().find(|(a, b)| a.is_parted_by_number(b));
    found.map(|(a, b)| (a.number(), b.number()))
}

/// Appends a query as a user would write it.
#[inline]
const fn push_query(text: Text, access: &Access) -> Text {
    match access {
        Access::Nothing | Access::Any(_) | Access::World(_) => text.push("_"),
        Access::Everything => text.push("EntityRef"),
        Access::Term(term) => match term.mode {
            Mode::Read => text.push("&").push(term.name),
            Mode::Write => text.push("&mut ").push(term.name),
            Mode::Guard => text.push("Mut<").push(term.name).push(">"),
            Mode::With => text.push("With<").push(term.name).push(">"),
            Mode::Without => text.push("Without<").push(term.name).push(">"),
        },
        Access::Optional(Access::All(
            [Access::Term(TermAccess { mode: Mode::With, name, .. })],
        )) => text.push("Has<").push(name).push(">"),
        Access::Elsewhere(name, part) => push_query(text.push(name).push("<_, "), part).push(">"),
        Access::Optional(part) => push_query(text.push("Option<"), part).push(">"),
        Access::All(parts) | Access::Fields(_, parts) => {
            // Terms that name no component are left out, and a list of one has no brackets.
            let mut shown = 0;
            each!(parts, |part| shown += part.is_named() as usize);
            let mut text = if shown == 1 { text } else { text.push("(") };
            let mut separator = "";
            each!(parts, |part| if part.is_named() {
                text = push_query(text.push(separator), part);
                separator = ", ";
            });
            if shown == 1 { text } else { text.push(")") }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::component::id::ComponentId;

    const fn term(name: &'static str, line: u32, mode: Mode) -> Access {
        let id = ComponentId::of(None, None, "m", name, line, 1);
        Access::Term(TermAccess::plain(id, || 0, (name, || ""), mode))
    }

    const READ: Access = term("A", 1, Mode::Read);
    const WRITE: Access = term("A", 1, Mode::Write);
    const OTHER: Access = term("B", 2, Mode::Write);

    const WITH: Access = term("C", 3, Mode::With);
    const WITHOUT: Access = term("C", 3, Mode::Without);

    #[test]
    fn only_shared_writes_alias() {
        const PRESENCE: Access = term("A", 1, Mode::With);
        assert!(!needs_check(&Access::All(&[READ, READ, OTHER])));
        assert!(!needs_check(&Access::All(&[PRESENCE, WRITE])));
    }

    #[test]
    #[should_panic(expected = "reads whole entities, while none may be written")]
    fn whole_entities_are_not_read_beside_writers() {
        const MIXED: Access = Access::All(&[Access::Everything, WRITE]);
        assert!(needs_check(&MIXED));
        check(&MIXED, "(EntityRef, &mut A)");
    }

    #[test]
    #[should_panic(expected = "query `(Option<&mut A>, (&mut B, &A))` reads `A`, which another \
                               of its terms writes: ask for each component once")]
    fn an_alias_is_found_at_any_depth() {
        refuse_alias(&Access::All(&[
            Access::Optional(&WRITE),
            Access::All(&[OTHER, Access::Nothing, READ]),
        ]));
    }

    #[test]
    #[should_panic(expected = "query `Steer`: field `b` reads `A`, which field `a` writes")]
    fn fields_are_named() {
        check_field("Steer", &["a", "x", "b"], &Access::All(&[WRITE, OTHER, READ]), 2);
    }

    #[test]
    #[should_panic(
        expected = "view `2` of the split writes `A`, which view `1` reads: let one require a component that the \
         other excludes, or borrow one after the other"
    )]
    fn views_are_named() {
        refuse_alias_among(Owner::Split(&["1", "2"]), &[READ, Access::All(&[OTHER, WRITE])]);
    }

    #[test]
    #[should_panic(
        expected = "parameter `2` of system `heal` writes `A`, which parameter `1` reads: let one require"
    )]
    fn systems_are_named() {
        refuse_alias_among(Owner::System("heal"), &[READ, Access::All(&[OTHER, WRITE])]);
    }

    #[test]
    #[should_panic(
        expected = "parameter `1` of condition `is_low`: query `(&mut A, &A)` reads `A`, which another"
    )]
    fn errors_name_the_query_that_contains_another() {
        refuse_alias_among(Owner::Condition("is_low"), &[Access::All(&[WRITE, READ])]);
    }

    #[test]
    fn views_that_cannot_share_an_entity_are_separate() {
        const REQUIRES: Access = Access::All(&[WRITE, WITH]);
        const EXCLUDES: Access = Access::All(&[WRITE, WITHOUT]);
        assert!(split_needs_check(&[REQUIRES, EXCLUDES]));
        assert!(split_needs_check(&[EXCLUDES, REQUIRES]));
        // A component that a match need not have proves nothing.
        assert!(!Access::Optional(&WITH).is_separate(&EXCLUDES));
    }
}
