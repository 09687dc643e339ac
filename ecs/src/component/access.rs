//! What a query touches, as a constant: for the checks that no query aliases itself or another.
//!
//! Ids are compared at compile time. Two terms with different ids are of different types: that is
//! a proof. Two terms with the same exact id are of the same type, but for a collision of hashes:
//! that is a compile error where they alias. What rests on ids being the same, and on types that
//! share an id, is looked up again when the view is built, by the types' numbers in the process.

use crate::component::id::ComponentId;
use crate::component::{Component, index_of, refuse_writing};
use crate::signature::Signature;
use crate::text::Text;
use alloc::vec::Vec;

/// How many fields of a derived query stand in one tuple.
const NEST: usize = 12;

/// What a query touches: a tree of terms, so that queries combine at compile time.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub enum Access {
    /// No component.
    Nothing,
    /// All that an entity has, whatever that is: in a query that only reads.
    Everything,
    /// One component, by one term.
    Term(TermAccess),
    /// These, where they match.
    Optional(&'static Self),
    /// These together.
    All(&'static [Self]),
    /// Presence of at least one of these.
    Any(&'static [Self]),
}

/// One component or one of its columns, touched by one term; or a resource.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "each is asked by a check of its own")]
pub struct TermAccess {
    id: ComponentId,
    /// The component's number in this process.
    index: fn() -> u32,
    bit: Signature,
    /// The column's number, 0 for all of them.
    column: u64,
    name: &'static str,
    mode: Mode,
    /// Whether a loop marks its matches as changed.
    marks: bool,
    /// Whether it is a resource. Such a term stands alone, and neither asks nor matches entities.
    is_resource: bool,
    /// Whether it is a relation, which nobody writes.
    is_relation: bool,
    /// Whether it is of any entity, not of the one that matches.
    is_elsewhere: bool,
}

impl TermAccess {
    /// Touches all columns, of nothing that has a bit.
    const fn plain(id: ComponentId, index: fn() -> u32, name: &'static str, mode: Mode) -> Self {
        Self {
            id,
            index,
            bit: Signature::EMPTY,
            column: 0,
            name,
            mode,
            marks: false,
            is_resource: false,
            is_relation: false,
            is_elsewhere: false,
        }
    }

    /// Whether both touch some values, if they are of one type.
    const fn aliases(self, other: Self) -> bool {
        self.mode.aliases(other.mode)
            && self.is_resource == other.is_resource
            && (self.column == 0 || other.column == 0 || self.column == other.column)
    }
}

/// How a term touches its component.
#[doc(hidden)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// Reads values.
    Read,
    /// Reads and writes values.
    Write,
    /// The same, by a guard that marks a value when it is written.
    Guard,
    /// Asks for presence only.
    With,
    /// Asks for absence only.
    Without,
}

impl Mode {
    const fn touches(self) -> bool {
        matches!(self, Self::Read | Self::Write | Self::Guard)
    }

    const fn is_write(self) -> bool {
        matches!(self, Self::Write | Self::Guard)
    }

    /// Whether values touched both ways would alias.
    const fn aliases(self, other: Self) -> bool {
        self.touches() && other.touches() && (self.is_write() || other.is_write())
    }

    const fn verb(self) -> &'static str {
        match self {
            Self::Read => "reads",
            Self::Write | Self::Guard => "writes",
            Self::With => "requires",
            Self::Without => "excludes",
        }
    }
}

/// A sort of parts of an access.
#[derive(Clone, Copy)]
enum Sort {
    /// What reads whole entities.
    Everything,
    /// Terms that mark what they match.
    Marking,
    /// Terms that write by guards.
    Guarded,
    /// Relations that are written, which nobody may do.
    WrittenRelation,
    /// Terms of any entity, not of the one that matches.
    Elsewhere,
    /// What each match must not have, with this id.
    Excluded(ComponentId),
}

impl TermAccess {
    const fn is(self, sort: Sort) -> bool {
        match sort {
            Sort::Everything => false,
            Sort::Marking => self.marks,
            Sort::Guarded => matches!(self.mode, Mode::Guard),
            Sort::WrittenRelation => self.is_relation && self.mode.is_write(),
            Sort::Elsewhere => self.is_elsewhere,
            Sort::Excluded(id) => self.is_exclusion() && self.id.same(id),
        }
    }

    /// The component's number in this process.
    pub(crate) fn number(&self) -> u32 {
        (self.index)()
    }

    pub(crate) const fn name(&self) -> &'static str {
        self.name
    }

    /// Whether it asks for absence.
    pub(crate) const fn is_exclusion(&self) -> bool {
        matches!(self.mode, Mode::Without)
    }

    /// Whether a loop marks its matches as changed.
    pub(crate) const fn marks(&self) -> bool {
        self.marks
    }
}

/// What is known at compile time of two accesses that are to live together.
#[derive(Clone, Copy)]
enum Verdict {
    /// Different ids: they never alias.
    Disjoint,
    /// These two terms have the same id and would alias; whether they are of one type shows in the
    /// running process.
    Unknown,
    /// These two terms are of one type and alias.
    Alias(TermAccess, TermAccess),
}

impl Access {
    /// The access of a term to `T`.
    pub(crate) const fn of<T: Component>(mode: Mode) -> Self {
        Self::of_column::<T>(mode, 0, T::NAME)
    }

    /// The access of a term to the column of `T` with this number and name, or by 0 to all.
    pub(crate) const fn of_column<T: Component>(
        mode: Mode,
        column: u64,
        name: &'static str,
    ) -> Self {
        let index = || index_of::<T>().get();
        let marks = T::TRACKED && matches!(mode, Mode::Write);
        let is_relation = T::RELATION.is_some();
        let term = TermAccess { marks, is_relation, ..TermAccess::plain(T::ID, index, name, mode) };
        Self::Term(TermAccess { bit: T::BIT, column, ..term })
    }

    /// The access to the resource with this id, number and name.
    pub(crate) const fn of_resource(
        id: ComponentId,
        index: fn() -> u32,
        name: &'static str,
        mode: Mode,
    ) -> Self {
        Self::Term(TermAccess { is_resource: true, ..TermAccess::plain(id, index, name, mode) })
    }

    /// The number of the resource that it is, and whether that is written.
    pub(crate) fn resource(&self) -> Option<(u32, bool)> {
        let Self::Term(term) = self else { return None };
        term.is_resource.then(|| (term.number(), term.mode.is_write()))
    }

    /// The access of a term that reads the `T` of any entity.
    pub(crate) const fn elsewhere<T: Component>() -> Self {
        let Self::Term(term) = Self::of::<T>(Mode::Read) else { return Self::Nothing };
        Self::Term(TermAccess { is_elsewhere: true, ..term })
    }

    /// Whether it names components that a match has, lacks or may have.
    const fn is_named(&self) -> bool {
        !matches!(self, Self::Nothing | Self::Any(_))
    }

    /// The name of the first part of it that is such.
    const fn find(&self, sort: Sort) -> Option<&'static str> {
        match self {
            Self::Everything if matches!(sort, Sort::Everything) => Some("EntityRef"),
            Self::Term(term) if term.is(sort) => Some(term.name),
            Self::Optional(part) if !matches!(sort, Sort::Excluded(_)) => part.find(sort),
            Self::All(parts) => {
                let (mut found, mut at) = (None, 0);
                while at < parts.len() && found.is_none() {
                    found = parts[at].find(sort);
                    at += 1;
                }
                found
            }
            _ => None,
        }
    }

    /// Whether any part of it is such.
    const fn has(&self, sort: Sort) -> bool {
        self.find(sort).is_some()
    }

    /// Whether a loop marks its matches as changed.
    pub(crate) const fn marks(&self) -> bool {
        self.has(Sort::Marking)
    }

    /// Refuses slices of what is written by guards.
    pub(crate) const fn refuse_guards(&self) {
        assert!(
            !self.has(Sort::Guarded),
            "`Mut` marks each value that is written, and slices cannot: ask for `&mut T`, which marks all matches"
        );
    }

    /// How many components a match must have, and their bits; or must not have.
    pub(crate) const fn asked(&self, excluded: bool) -> (usize, Signature) {
        match self {
            Self::Nothing | Self::Everything | Self::Optional(_) | Self::Any(_) => {
                (0, Signature::EMPTY)
            }
            Self::Term(term) => {
                let is_meant = matches!(term.mode, Mode::Without) == excluded;
                if is_meant { (1, term.bit) } else { (0, Signature::EMPTY) }
            }
            Self::All(parts) => {
                let (mut count, mut bits, mut at) = (0, Signature::EMPTY, 0);
                while at < parts.len() {
                    let (more, others) = parts[at].asked(excluded);
                    (count, bits) = (count + more, bits.union(others));
                    at += 1;
                }
                (count, bits)
            }
        }
    }

    /// How many components a match must have.
    pub(crate) const fn required(&self) -> usize {
        self.asked(false).0
    }

    /// Whether a match is all that has what is required, and its item reads just that.
    pub(crate) const fn is_plain(&self) -> bool {
        self.is_required_only(false)
    }

    /// Whether it is nothing but components that a match must have, all of which are read or written.
    pub(crate) const fn is_all_values(&self) -> bool {
        self.is_required_only(true)
    }

    /// Whether it is nothing but components that a match must have, and that are `touched`, if so it is
    /// asked.
    const fn is_required_only(&self, touched: bool) -> bool {
        match self {
            Self::Nothing | Self::Everything => true,
            Self::Term(term) if touched => term.mode.touches(),
            Self::Term(term) => !term.is_exclusion(),
            Self::Optional(_) | Self::Any(_) => false,
            Self::All(parts) => {
                let mut at = 0;
                while at < parts.len() {
                    if !parts[at].is_required_only(touched) {
                        return false;
                    }
                    at += 1;
                }
                true
            }
        }
    }

    /// The terms here against those of `other`.
    const fn against(&self, other: &Self) -> Verdict {
        match (self, other) {
            (Self::Nothing | Self::Everything | Self::Any(_), _)
            | (_, Self::Nothing | Self::Everything | Self::Any(_)) => Verdict::Disjoint,
            (Self::Term(a), Self::Term(b)) => match a.id.same(b.id) && a.aliases(*b) {
                false => Verdict::Disjoint,
                true if a.id.is_exact() && b.id.is_exact() => Verdict::Alias(*a, *b),
                true => Verdict::Unknown,
            },
            (Self::Optional(part), _) => part.against(other),
            (_, Self::Optional(part)) => self.against(part),
            (Self::All(parts), _) => {
                let mut verdict = Verdict::Disjoint;
                let mut at = 0;
                while at < parts.len() {
                    verdict = verdict.and(parts[at].against(other));
                    at += 1;
                }
                verdict
            }
            (_, Self::All(parts)) => {
                let mut verdict = Verdict::Disjoint;
                let mut at = 0;
                while at < parts.len() {
                    verdict = verdict.and(self.against(&parts[at]));
                    at += 1;
                }
                verdict
            }
        }
    }

    /// The terms here against each other.
    const fn within(&self) -> Verdict {
        match self {
            Self::Nothing | Self::Everything | Self::Term(_) | Self::Any(_) => Verdict::Disjoint,
            Self::Optional(part) => part.within(),
            Self::All(parts) => {
                let mut verdict = Verdict::Disjoint;
                let mut at = 0;
                while at < parts.len() {
                    verdict = verdict.and(parts[at].within());
                    let mut before = 0;
                    while before < at {
                        verdict = verdict.and(parts[before].against(&parts[at]));
                        before += 1;
                    }
                    at += 1;
                }
                verdict
            }
        }
    }

    /// Whether every match here has, and no match of `other` has, some component: by ids, which the types'
    /// numbers in the process are to confirm.
    const fn is_separate(&self, other: &Self) -> bool {
        match self {
            Self::Nothing | Self::Everything | Self::Optional(_) | Self::Any(_) => false,
            Self::Term(term) => {
                !matches!(term.mode, Mode::Without) && other.has(Sort::Excluded(term.id))
            }
            Self::All(parts) => {
                let mut at = 0;
                while at < parts.len() {
                    if parts[at].is_separate(other) {
                        return true;
                    }
                    at += 1;
                }
                false
            }
        }
    }

    /// The parts of a tuple of `len` fields, which nests beyond twelve: the one at `at`.
    pub(crate) const fn field(&self, at: usize, len: usize) -> Self {
        let Self::All(parts) = self else { return Self::Nothing };
        if len <= NEST {
            return parts[at];
        }
        let mut span = NEST; // of a part
        while span * NEST < len {
            span *= NEST;
        }
        parts[at / span].field(at % span, span)
    }

    /// Calls `f` with every term; `optional` tells whether it is one that need not match.
    fn for_each_term(&self, optional: bool, f: &mut dyn FnMut(&TermAccess, bool)) {
        match self {
            Self::Nothing | Self::Everything | Self::Any(_) => {}
            Self::Term(term) => f(term, optional),
            Self::Optional(part) => part.for_each_term(true, f),
            Self::All(parts) => parts.iter().for_each(|part| part.for_each_term(optional, f)),
        }
    }

    /// Calls `f` with the number of each component that a loop marks as changed, and with what asks for it: the
    /// query itself, 0, or the part with this number, of all that are optional, counted as they are asked.
    pub(crate) fn for_each_mark(
        &self,
        part: usize,
        parts: &mut usize,
        f: &mut dyn FnMut(u32, usize),
    ) {
        match self {
            Self::Term(term) if term.marks => f(term.number(), part),
            Self::Nothing | Self::Everything | Self::Any(_) | Self::Term(_) => {}
            Self::Optional(inner) => {
                *parts += 1;
                inner.for_each_mark(*parts, parts, f);
            }
            Self::All(all) => all.iter().for_each(|inner| inner.for_each_mark(part, parts, f)),
        }
    }

    /// Calls `f` with every term that decides whether an entity matches.
    pub(crate) fn for_each_test(&self, f: &mut dyn FnMut(&TermAccess)) {
        self.for_each_term(false, &mut |term, optional| {
            if !optional {
                f(term);
            }
        });
    }

    fn terms(&self) -> Vec<(TermAccess, bool)> {
        let mut terms = Vec::new();
        self.for_each_term(false, &mut |term, optional| terms.push((*term, optional)));
        terms
    }
}

impl Verdict {
    /// The worse of both.
    const fn and(self, other: Self) -> Self {
        match (self, other) {
            (Self::Alias(..), _) => self,
            (_, Self::Alias(..)) => other,
            (Self::Unknown, _) => self,
            _ => other,
        }
    }
}

/// Whether a query must be compared with itself by the types' numbers in the process.
pub(crate) const fn needs_check(access: &Access) -> bool {
    !matches!(access.within(), Verdict::Disjoint)
}

/// Adds what the later of two terms does, and the earlier one: "reads `X`, which .. writes".
const fn push_clash(text: Text, terms: (TermAccess, TermAccess), earlier: [&str; 3]) -> Text {
    let (first, second) = terms;
    text.push(second.mode.verb())
        .push(" `")
        .push(second.name)
        .push("`, which ")
        .push(earlier[0])
        .push(earlier[1])
        .push(earlier[2])
        .push(" ")
        .push(first.mode.verb())
}

/// How a term of the same query is called.
const ANOTHER_TERM: [&str; 3] = ["another of its terms", "", ""];

/// Checks a query against itself at compile time.
///
/// # Panics
/// When two terms alias. In a constant, that is a compile error.
#[track_caller]
pub(crate) const fn refuse_alias(access: &Access) {
    if access.has(Sort::Everything) {
        push_query(Text::new().push("query `"), access)
            .push("` reads whole entities, while none may be written: use `World::view` for `EntityRef`")
            .panic()
    }
    if let Some(name) = access.find(Sort::WrittenRelation) {
        refuse_writing(name);
    }
    if let Verdict::Alias(a, b) = access.within() {
        let query = push_query(Text::new().push("query `"), access).push("` ");
        push_clash(query, (a, b), ANOTHER_TERM).push(": ask for each component once").panic()
    }
}

/// Checks the field at `at` of a derived query against those before it.
///
/// # Panics
/// When they alias. In a constant, that is a compile error.
#[track_caller]
pub(crate) const fn check_field(query: &str, fields: &[&str], access: &Access, at: usize) {
    let field = access.field(at, fields.len());
    let named = Text::new().push("query `").push(query).push("`: field `").push(fields[at]);
    let named = named.push("` ");
    if let Some(name) = field.find(Sort::WrittenRelation) {
        refuse_writing(name);
    }
    if let Verdict::Alias(a, b) = field.within() {
        push_clash(named, (a, b), ANOTHER_TERM).panic()
    }
    let mut before = 0;
    while before < at {
        if let Verdict::Alias(a, b) = access.field(before, fields.len()).against(&field) {
            push_clash(named, (a, b), ["field `", fields[before], "`"]).panic()
        }
        before += 1;
    }
}

/// Checks a list of components: none is named twice.
///
/// # Panics
/// When one is. In a constant, that is a compile error.
#[track_caller]
pub(crate) const fn refuse_repetition(terms: &[Access], list: &str) {
    if let Some((name, true)) = repeated(terms) {
        Text::new().push("`").push(name).push("` is named twice in ").push(list).panic()
    }
}

/// Whether a component may be named twice in a list, which only the types' numbers can tell.
pub(crate) const fn may_repeat(terms: &[Access]) -> bool {
    repeated(terms).is_some()
}

/// A component that is named twice, by ids: its name, and whether that is certain; a certain one, if there
/// is such.
const fn repeated(terms: &[Access]) -> Option<(&'static str, bool)> {
    let mut found = None;
    let mut at = 0;
    while at < terms.len() {
        let mut before = 0;
        while before < at {
            if let (Access::Term(a), Access::Term(b)) = (&terms[before], &terms[at])
                && a.id.same(b.id)
            {
                found = Some((a.name, a.id.is_exact()));
                if a.id.is_exact() {
                    return found;
                }
            }
            before += 1;
        }
        at += 1;
    }
    found
}

/// Whether there is a resource in a split.
pub(crate) const fn has_resource(members: &[Access]) -> bool {
    let mut at = 0;
    while at < members.len() {
        if let Access::Term(TermAccess { is_resource: true, .. }) = members[at] {
            return true;
        }
        at += 1;
    }
    false
}

/// Whether the views of a split must be compared by the types' numbers in the process.
pub(crate) const fn split_needs_check(views: &[Access]) -> bool {
    let mut at = 0;
    while at < views.len() {
        if needs_check(&views[at]) {
            return true;
        }
        let mut before = 0;
        while before < at {
            // That two views are separate rests on ids being the same: numbers repeat the proof.
            if !matches!(views[before].against(&views[at]), Verdict::Disjoint) {
                return true;
            }
            before += 1;
        }
        at += 1;
    }
    false
}

/// Checks the views of a split at compile time.
///
/// # Panics
/// When one aliases itself or another. In a constant, that is a compile error.
#[track_caller]
pub(crate) const fn refuse_split_alias(names: &[&str], views: &[Access]) {
    refuse_alias_among(names, views, false);
}

/// Checks the parameters of a system at compile time, each of which has a name.
///
/// # Panics
/// When one aliases itself or another. In a constant, that is a compile error.
#[track_caller]
pub(crate) const fn refuse_param_alias(names: &[&str], params: &[Access]) {
    refuse_alias_among(names, params, true);
}

#[track_caller]
const fn refuse_alias_among(names: &[&str], views: &[Access], of_system: bool) {
    let mut at = 0;
    while at < views.len() {
        refuse_alias(&views[at]);
        let mut before = 0;
        while before < at {
            let (a, b) = ((names[before], &views[before]), (names[at], &views[at]));
            refuse_alias_between(a, b, of_system);
            before += 1;
        }
        at += 1;
    }
}

/// Whether the views of a split have no entity in common, and look at no other.
const fn is_apart(a: &Access, b: &Access) -> bool {
    !a.has(Sort::Elsewhere) && !b.has(Sort::Elsewhere) && (a.is_separate(b) || b.is_separate(a))
}

/// Checks one view of a split, or one parameter of a system, against another at compile time.
///
/// # Panics
/// When they alias. In a constant, that is a compile error.
#[track_caller]
const fn refuse_alias_between(a: (&str, &Access), b: (&str, &Access), of_system: bool) {
    if is_apart(a.1, b.1) {
        return;
    }
    if let Verdict::Alias(first, second) = a.1.against(b.1) {
        let also = if first.mode.is_write() && second.mode.is_write() { "` also" } else { "`" };
        let (noun, advice) = words(&first);
        let noun = if of_system { "parameter `" } else { noun };
        let whole = if of_system { "` of the system " } else { "` of the split " };
        let member = Text::new().push(noun).push(b.0).push(whole);
        push_clash(member, (first, second), [noun, a.0, also]).push(advice).panic()
    }
}

/// What the members of a split are called of which one is this term, and what to do if two alias.
const fn words(term: &TermAccess) -> (&'static str, &'static str) {
    if term.is_resource {
        ("resource `", ": ask for each resource once")
    } else {
        ("view `", ": let one require what the other excludes, or borrow one after the other")
    }
}

/// Checks the views of a split by the types' numbers in the process.
///
/// # Panics
/// When one aliases itself or another.
#[cold]
#[track_caller]
pub(crate) fn check_split(names: &[&str], views: &[Access]) {
    for (at, view) in views.iter().enumerate() {
        check(view, names[at]);
        for (before, other) in views[..at].iter().enumerate() {
            check_between((names[before], other), (names[at], view));
        }
    }
}

/// Checks a query against itself by the types' numbers in the process.
///
/// # Panics
/// When two terms touch one component and one of them writes it.
#[cold]
#[track_caller]
pub(crate) fn check(access: &Access, query: &str) {
    let terms = access.terms();
    for (at, (b, _)) in terms.iter().enumerate() {
        for (a, _) in &terms[..at] {
            assert!(
                (a.index)() != (b.index)() || !a.aliases(*b),
                "query `{query}` {} `{}`, which another of its terms {}: ask for each component once",
                b.mode.verb(),
                b.name,
                a.mode.verb(),
            );
        }
    }
}

/// Checks one view of a split against another by the types' numbers in the process.
///
/// # Panics
/// When they touch one component, one of them writes it, and none requires what the other excludes.
#[cold]
#[track_caller]
fn check_between(a: (&str, &Access), b: (&str, &Access)) {
    let (first, second) = (a.1.terms(), b.1.terms());
    let separate = |requiring: &[(TermAccess, bool)], excluding: &[(TermAccess, bool)]| {
        requiring.iter().any(|(term, optional)| {
            !optional
                && term.mode != Mode::Without
                && excluding.iter().any(|(other, optional)| {
                    !optional && other.mode == Mode::Without && (other.index)() == (term.index)()
                })
        })
    };
    let is_elsewhere = a.1.has(Sort::Elsewhere) || b.1.has(Sort::Elsewhere);
    if !is_elsewhere && (separate(&first, &second) || separate(&second, &first)) {
        return;
    }
    for (x, _) in &first {
        for (y, _) in &second {
            let (noun, advice) = words(x);
            assert!(
                (x.index)() != (y.index)() || !x.aliases(*y),
                "{noun}{}` of the split {} `{}`, which {noun}{}` {}{advice}",
                b.0,
                y.mode.verb(),
                y.name,
                a.0,
                x.mode.verb(),
            );
        }
    }
}

/// Appends a query as a user would write it.
const fn push_query(text: Text, access: &Access) -> Text {
    match access {
        Access::Nothing | Access::Any(_) => text.push("_"),
        Access::Everything => text.push("EntityRef"),
        Access::Term(term) => match term.mode {
            Mode::Read => text.push("&").push(term.name),
            Mode::Write => text.push("&mut ").push(term.name),
            Mode::Guard => text.push("Mut<").push(term.name).push(">"),
            Mode::With => text.push("With<").push(term.name).push(">"),
            Mode::Without => text.push("Without<").push(term.name).push(">"),
        },
        Access::Optional(Access::Term(TermAccess { mode: Mode::With, name, .. })) => {
            text.push("Has<").push(name).push(">")
        }
        Access::Optional(Access::Term(TermAccess { is_elsewhere: true, name, .. })) => {
            text.push("Up<_, &").push(name).push(">")
        }
        Access::Optional(part) => push_query(text.push("Option<"), part).push(">"),
        Access::All(parts) => {
            // The entity, and what touches nothing, is not worth a word, nor is a list of one.
            let (mut at, mut shown) = (0, 0);
            while at < parts.len() {
                shown += parts[at].is_named() as usize;
                at += 1;
            }
            let mut text = if shown == 1 { text } else { text.push("(") };
            let (mut at, mut written) = (0, 0);
            while at < parts.len() {
                if parts[at].is_named() {
                    if written > 0 {
                        text = text.push(", ");
                    }
                    text = push_query(text, &parts[at]);
                    written += 1;
                }
                at += 1;
            }
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
        let term = TermAccess::plain(id, || 0, name, mode);
        Access::Term(TermAccess { bit: id.bit(), ..term })
    }

    const READ: Access = term("A", 1, Mode::Read);
    const WRITE: Access = term("A", 1, Mode::Write);
    const OTHER: Access = term("B", 2, Mode::Write);

    const WITH: Access = term("C", 3, Mode::With);
    const WITHOUT: Access = term("C", 3, Mode::Without);

    #[test]
    fn fields_are_found_in_nested_tuples() {
        const TWELVE: Access = Access::All(&[READ; 12]);
        const LAST: Access = Access::All(&[READ, OTHER]);
        const GROSS: Access = Access::All(&[TWELVE; 12]);
        let writes = |access: &Access, at, len| {
            matches!(access.field(at, len), Access::Term(TermAccess { name: "B", .. }))
        };
        for (access, len) in [
            (LAST, 2),
            (Access::All(&[TWELVE, LAST]), 14),
            (Access::All(&[GROSS, Access::All(&[LAST])]), 146),
            (Access::All(&[GROSS, GROSS, Access::All(&[TWELVE, LAST])]), 302),
        ] {
            assert!((0..len).all(|at| writes(&access, at, len) == (at + 1 == len)), "{len}");
        }
    }

    #[test]
    fn only_shared_writes_alias() {
        const PRESENCE: Access = term("A", 1, Mode::With);
        assert!(!needs_check(&Access::All(&[READ, READ, OTHER])));
        assert!(!needs_check(&Access::All(&[PRESENCE, WRITE])));
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
        expected = "view `2` of the split writes `A`, which view `1` reads: let one require what \
                    the other excludes, or borrow one after the other"
    )]
    fn views_are_named() {
        refuse_split_alias(&["1", "2"], &[READ, Access::All(&[OTHER, WRITE])]);
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
