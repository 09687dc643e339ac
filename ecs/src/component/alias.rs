//! The checks that no query aliases itself or another.
//!
//! Ids are compared at compile time. Two terms with different ids are of different types: that is
//! a proof. Two terms with the same exact id are of the same type, but for a collision of hashes:
//! that is a compile error where they alias. What rests on ids being the same, and on types that
//! share an id, is looked up again when the view is built, by the types' numbers in the process.

use crate::component::access::{Access, Mode, Sort, TermAccess};
use crate::component::refuse_writing;
use crate::text::Text;

/// What is known at compile time of two accesses that are to live together.
#[derive(Clone, Copy)]
pub(super) enum Verdict {
    /// Different ids: they never alias.
    Disjoint,
    /// These two terms have the same id and would alias; whether they are of one type shows in the
    /// running process.
    Unknown,
    /// These two terms are of one type and alias.
    Alias(TermAccess, TermAccess),
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

impl TermAccess {
    /// Whether both touch some values, if they are of one type.
    const fn aliases(self, other: Self) -> bool {
        self.mode.aliases(other.mode)
            && self.is_resource == other.is_resource
            && (self.column == 0 || other.column == 0 || self.column == other.column)
    }
}

impl Mode {
    /// Whether values touched both ways would alias.
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
    /// The terms here against those of `other`.
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
            (Self::Optional(part), _) => part.against(other),
            (_, Self::Optional(part)) => self.against(part),
            (Self::All(parts) | Self::Fields(_, parts), _) => {
                let mut verdict = Verdict::Disjoint;
                let mut at = 0;
                while at < parts.len() {
                    verdict = verdict.and(parts[at].against(other));
                    at += 1;
                }
                verdict
            }
            (_, Self::All(parts) | Self::Fields(_, parts)) => {
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

    /// What is borrowed here against what is borrowed by `other` at one time. Those that are apart by ids are
    /// unknown: numbers repeat the proof.
    pub(super) const fn beside(&self, other: &Self) -> Verdict {
        match (self, other) {
            (Self::Fields(_, parts), _) => {
                let (mut verdict, mut at) = (Verdict::Disjoint, 0);
                while at < parts.len() {
                    verdict = verdict.and(parts[at].beside(other));
                    at += 1;
                }
                verdict
            }
            (_, Self::Fields(_, parts)) => {
                let (mut verdict, mut at) = (Verdict::Disjoint, 0);
                while at < parts.len() {
                    verdict = verdict.and(self.beside(&parts[at]));
                    at += 1;
                }
                verdict
            }
            _ => match self.against(other) {
                Verdict::Alias(..) if is_apart(self, other) => Verdict::Unknown,
                verdict => verdict,
            },
        }
    }

    /// The terms here against each other.
    const fn within(&self) -> Verdict {
        match self {
            Self::Nothing | Self::Everything | Self::Term(_) | Self::Any(_) | Self::World(_) => {
                Verdict::Disjoint
            }
            Self::Optional(part) => part.within(),
            Self::Fields(_, parts) if split_needs_check(parts) => Verdict::Unknown,
            Self::Fields(..) => Verdict::Disjoint,
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
            Self::Nothing
            | Self::Everything
            | Self::Optional(_)
            | Self::Any(_)
            | Self::World(_)
            | Self::Fields(..) => false,
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

/// Refuses to write a relation, and guards of what nobody can read the changes of.
///
/// # Panics
/// When these are terms of it. In a constant, that is a compile error.
#[track_caller]
const fn refuse_writes(access: &Access) {
    if let Some(name) = access.find(Sort::WrittenRelation) {
        refuse_writing(name);
    }
    if let Some(name) = access.find(Sort::UntrackedGuard) {
        let text = Text::new().push("`Mut<").push(name).push(">` marks changes, but those of `");
        let text = text.push(name).push("` are not tracked: add `#[component(track)]`, or ask for");
        text.push(" `&mut ").push(name).push("`").panic()
    }
}

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
    refuse_writes(access);
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
    refuse_writes(&field);
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

/// How many resources there are in a split.
pub(crate) const fn count_resources(members: &[Access]) -> usize {
    let (mut count, mut at) = (0, 0);
    while at < members.len() {
        count += match members[at] {
            Access::Term(TermAccess { is_resource: true, .. }) => 1,
            Access::Fields(_, parts) => count_resources(parts),
            _ => 0,
        };
        at += 1;
    }
    count
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
            if !matches!(views[before].beside(&views[at]), Verdict::Disjoint) {
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
        match &views[at] {
            Access::Fields(names, parts) => refuse_alias_among(names, parts, false),
            Access::World(Mode::Write) if views.len() > 1 || !of_system => {
                let text = Text::new().push(if of_system { "parameter `" } else { "field `" });
                let text = text.push(names[at]).push("` takes the whole world, so nothing stands");
                text.push(" beside it: ask the world for the rest, or borrow it as `&World`")
                    .panic()
            }
            view => refuse_alias(view),
        }
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
    if let Verdict::Alias(first, second) = a.1.beside(b.1) {
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
        match view {
            Access::Fields(names, parts) => check_split(names, parts),
            view => check(view, names[at]),
        }
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
    if let Some((x, y)) = clash_by_number(a.1, b.1) {
        let (noun, advice) = words(&x);
        panic!(
            "{noun}{}` of the split {} `{}`, which {noun}{}` {}{advice}",
            b.0,
            y.mode.verb(),
            y.name,
            a.0,
            x.mode.verb(),
        );
    }
}

/// The terms by which two accesses alias, by the types' numbers in the process: they touch one component, one of
/// them writes it, and neither access requires what the other excludes.
#[cold]
pub(super) fn clash_by_number(a: &Access, b: &Access) -> Option<(TermAccess, TermAccess)> {
    if let Access::Fields(_, parts) = a {
        return parts.iter().find_map(|part| clash_by_number(part, b));
    }
    if let Access::Fields(_, parts) = b {
        return parts.iter().find_map(|part| clash_by_number(a, part));
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
    pairs.into_iter().find(|(x, y)| x.aliases(*y) && (x.index)() == (y.index)())
}

/// Appends a query as a user would write it.
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
        Access::Optional(Access::Term(TermAccess { mode: Mode::With, name, .. })) => {
            text.push("Has<").push(name).push(">")
        }
        Access::Optional(Access::Term(TermAccess { is_elsewhere: true, name, .. })) => {
            text.push("Up<_, &").push(name).push(">")
        }
        Access::Optional(part) => push_query(text.push("Option<"), part).push(">"),
        Access::All(parts) | Access::Fields(_, parts) => {
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
        Access::Term(TermAccess::plain(id, || 0, name, mode))
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
