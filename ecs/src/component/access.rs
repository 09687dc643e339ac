//! The access of a query, as a constant: the components that it touches, and how.

use crate::component::id::ComponentId;
use crate::component::rules::{DeclaredRule, PartingRule, RuledComponent};
use crate::component::{AnyComponent, index_of};
use crate::signature::Signature;
use crate::tuples::each;
use alloc::vec::Vec;
use core::any::type_name;

/// The number of fields of a derived query in one tuple.
const NEST: usize = 12;

/// The access of a query: a tree of terms, so that queries combine at compile time.
//
// For a new variant, the compiler names most matches. `find`, `parting`, `parted_from`, `written_term`, `choices` and
// `is_named` end in `_`: look at each. `Inputs::test` and `presence::passes` must agree about it.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub enum Access {
    /// No component.
    Nothing,
    /// All components of an entity, in a query that only reads.
    Everything,
    /// One component, by one term.
    Term(TermAccess),
    /// Terms that need not match.
    Optional(&'static Self),
    /// Terms on entities other than the match, which the term with this name looks up.
    Elsewhere(&'static str, &'static Self),
    /// All of these terms.
    All(&'static [Self]),
    /// The presence of at least one of these.
    Any(&'static [Self]),
    /// The whole world. If it is written, it is the only parameter.
    World(Mode),
    /// The names of a parameter's fields, and the access of each.
    Fields(&'static [&'static str], &'static [Self]),
}

/// One component or one of its columns, touched by one term; or a resource.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "each is asked by a check of its own")]
pub struct TermAccess {
    pub(super) id: ComponentId,
    /// Returns the component's number in this process.
    pub(super) index: fn() -> u32,
    bit: Signature,
    /// The column's number, 0 for all of them.
    pub(super) column: u64,
    pub(super) name: &'static str,
    /// Returns the name of the whole type, with its arguments.
    pub(super) type_name: fn() -> &'static str,
    pub(super) mode: Mode,
    /// `true` if a loop marks its matches as changed.
    marks: bool,
    /// `true` if the term is a guard of a component that is not tracked, so its marks would have no reader.
    marks_in_vain: bool,
    /// `true` if the term writes a component that has an index.
    spoils: bool,
    /// `true` if the term is a resource. Such a term stands alone and matches no entities.
    pub(super) is_resource: bool,
    /// `true` if the component is a relation, which cannot be written.
    is_relation: bool,
    /// `true` if the component is unique, and cannot be written either.
    is_unique: bool,
    /// The rules of the component about others.
    rules: &'static [DeclaredRule],
}

impl TermAccess {
    /// Returns the term with the name of the whole type, if other types share the short one.
    #[inline]
    pub(super) fn in_full(self) -> Self {
        let is_clear = self.id.is_exact() || self.column != 0;
        Self { name: if is_clear { self.name } else { (self.type_name)() }, ..self }
    }

    /// Returns a term that touches all columns of a type without a bit.
    pub(super) const fn plain(
        id: ComponentId,
        index: fn() -> u32,
        (name, type_name): (&'static str, fn() -> &'static str),
        mode: Mode,
    ) -> Self {
        Self {
            id,
            index,
            bit: Signature::EMPTY,
            column: 0,
            name,
            type_name,
            mode,
            marks: false,
            marks_in_vain: false,
            spoils: false,
            is_resource: false,
            is_relation: false,
            is_unique: false,
            rules: &[],
        }
    }
}

/// The way in which a term touches its component.
#[doc(hidden)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// Reads values.
    Read,
    /// Reads and writes values.
    Write,
    /// Reads and writes values by a guard, which marks a value when it is written.
    Guard,
    /// Requires the component, and does not read it.
    With,
    /// Excludes the component.
    Without,
}

impl Mode {
    pub(super) const fn touches(self) -> bool {
        matches!(self, Self::Read | Self::Write | Self::Guard)
    }

    pub(super) const fn is_write(self) -> bool {
        matches!(self, Self::Write | Self::Guard)
    }
}

/// A property of parts of an access, by which they are found.
#[derive(Clone, Copy)]
pub(super) enum Sort {
    /// Terms that read whole entities.
    Everything,
    /// Terms that mark their matches as changed.
    Marking,
    /// Terms that write components with an index.
    Spoiling,
    /// Terms that write.
    Writing,
    /// Terms that write by guards.
    Guarded,
    /// Terms that are guards of components which are not tracked.
    GuardedInVain,
    /// Terms that write relations, which is refused.
    WrittenRelation,
    /// Terms that write unique components, which is refused.
    WrittenUnique,
    /// Terms that read entities other than the match.
    Elsewhere,
    /// Terms that exclude the component with this id.
    Excluded(ComponentId),
}

impl TermAccess {
    const fn is(self, sort: Sort) -> bool {
        match sort {
            Sort::Everything | Sort::Elsewhere => false,
            Sort::Marking => self.marks,
            Sort::Spoiling => self.spoils,
            Sort::Writing => self.mode.is_write(),
            Sort::Guarded => matches!(self.mode, Mode::Guard),
            Sort::GuardedInVain => self.marks_in_vain,
            Sort::WrittenRelation => self.is_relation && self.mode.is_write(),
            Sort::WrittenUnique => self.is_unique && self.mode.is_write(),
            Sort::Excluded(id) => self.is_exclusion() && self.id.same(id),
        }
    }

    const fn component(&self) -> RuledComponent {
        RuledComponent { id: self.id, name: self.name, rules: self.rules }
    }

    /// Returns the rule by which no entity meets both terms, by ids.
    #[inline]
    const fn parted_from(&self, other: &Self) -> Option<PartingRule> {
        match (self.mode, other.mode) {
            (Mode::Without, _) => None,
            (_, Mode::Without) => self.component().needing(&other.component()),
            _ => self.component().parted_from(&other.component()),
        }
    }

    /// Returns `true` if a rule declared by either of two components parts them, by the types' numbers in the process.
    #[inline]
    pub(super) fn is_parted_by_number(&self, other: &Self) -> bool {
        let parts = |one: &Self, other: &Self| {
            let mut rules = one.rules.iter();
            rules.any(|rule| rule.kind.parts() && rule.number() == other.number())
        };
        parts(self, other) || parts(other, self)
    }

    /// Returns the component's number in this process.
    #[inline]
    pub(crate) fn number(&self) -> u32 {
        (self.index)()
    }

    pub(crate) const fn name(&self) -> &'static str {
        self.name
    }

    /// Returns `true` if the term excludes its component.
    pub(crate) const fn is_exclusion(&self) -> bool {
        matches!(self.mode, Mode::Without)
    }

    /// Returns `true` if the term reads or writes values.
    pub(crate) const fn is_read(&self) -> bool {
        self.mode.touches()
    }

    /// Returns `true` if a loop marks its matches as changed.
    pub(crate) const fn marks(&self) -> bool {
        self.marks
    }
}

impl Access {
    /// Returns the access of a term to `T`.
    pub(crate) const fn of<T: AnyComponent>(mode: Mode) -> Self {
        Self::of_column::<T>(mode, 0, T::NAME)
    }

    /// Returns the access of a term to the column of `T` with this number and name, or to all columns if the number
    /// is 0.
    pub(crate) const fn of_column<T: AnyComponent>(
        mode: Mode,
        column: u64,
        name: &'static str,
    ) -> Self {
        let index = || index_of::<T>().get();
        Self::Term(TermAccess {
            bit: T::BIT,
            column,
            marks: T::MARKED && matches!(mode, Mode::Write),
            marks_in_vain: !T::MARKED && matches!(mode, Mode::Guard),
            spoils: T::INDEX.is_some() && mode.is_write(),
            is_relation: T::RELATION.is_some(),
            is_unique: T::UNIQUE,
            rules: T::RULES,
            ..TermAccess::plain(T::ID, index, (name, type_name::<T>), mode)
        })
    }

    /// Returns the access to the resource with this id, number, name and type name.
    pub(crate) const fn of_resource(
        id: ComponentId,
        index: fn() -> u32,
        names: (&'static str, fn() -> &'static str),
        mode: Mode,
    ) -> Self {
        Self::Term(TermAccess { is_resource: true, ..TermAccess::plain(id, index, names, mode) })
    }

    /// Returns the number of the resource that is accessed, and whether it is written.
    #[inline]
    pub(crate) fn resource(&self) -> Option<(u32, bool)> {
        let Self::Term(term) = self else { return None };
        term.is_resource.then(|| (term.number(), term.mode.is_write()))
    }

    /// Calls `f` with the number of each resource in turn, and with whether it is written.
    pub(crate) fn for_each_resource(&self, f: &mut dyn FnMut((u32, bool))) {
        match self {
            Self::Fields(_, parts) => parts.iter().for_each(|part| part.for_each_resource(f)),
            _ => self.resource().into_iter().for_each(f),
        }
    }

    /// Calls `f` with the name of each component or resource that is read or written, and whether it is written.
    #[inline]
    pub(crate) fn for_each_touched(&self, f: &mut dyn FnMut(&'static str, bool)) {
        match self {
            Self::Term(term) if term.mode.touches() => f(term.name, term.mode.is_write()),
            Self::Optional(part) | Self::Elsewhere(_, part) => part.for_each_touched(f),
            Self::All(parts) | Self::Fields(_, parts) => {
                parts.iter().for_each(|part| part.for_each_touched(f));
            }
            Self::Nothing | Self::Everything | Self::Any(_) | Self::Term(_) | Self::World(_) => {}
        }
    }

    /// Returns `true` if the access names this component, to read it or as a filter.
    #[cfg(debug_assertions)]
    pub(crate) fn names(&self, id: ComponentId) -> bool {
        match self {
            Self::Term(term) => !term.is_resource && term.id.same(id),
            Self::Optional(part) | Self::Elsewhere(_, part) => part.names(id),
            Self::All(parts) | Self::Fields(_, parts) => parts.iter().any(|part| part.names(id)),
            Self::Nothing | Self::Everything | Self::Any(_) | Self::World(_) => false,
        }
    }

    /// Returns the id and the name of the component, if the access is one term.
    #[cfg(debug_assertions)]
    pub(crate) const fn id_and_name(&self) -> Option<(ComponentId, &'static str)> {
        if let Self::Term(term) = self { Some((term.id, term.name)) } else { None }
    }

    /// Returns the bits of the ids of all types that are touched, and of all that are written. Accesses without a bit
    /// in common have no type in common.
    #[inline]
    pub(super) const fn touched(&self) -> (Signature, Signature) {
        match self {
            Self::Term(term) if term.mode.is_write() => (term.id.bit(), term.id.bit()),
            Self::Term(term) if term.mode.touches() => (term.id.bit(), Signature::EMPTY),
            Self::Nothing | Self::Everything | Self::Any(_) | Self::Term(_) => {
                (Signature::EMPTY, Signature::EMPTY)
            }
            Self::World(_) => (Signature::ALL, Signature::EMPTY),
            Self::Optional(part) | Self::Elsewhere(_, part) => part.touched(),
            Self::All(parts) | Self::Fields(_, parts) => all_touched(parts),
        }
    }

    /// Returns `true` if the access names components that a match has, lacks or may have.
    #[inline]
    pub(super) const fn is_named(&self) -> bool {
        match self {
            Self::Nothing | Self::Any(_) => false,
            Self::Elsewhere(_, part) => part.is_named(),
            _ => true,
        }
    }

    /// Returns the name of the first part with this property.
    #[inline]
    pub(super) const fn find(&self, sort: Sort) -> Option<&'static str> {
        match self {
            Self::Everything if matches!(sort, Sort::Everything) => Some("EntityRef"),
            Self::Term(term) if term.is(sort) => Some(term.name),
            Self::Elsewhere(name, _) if matches!(sort, Sort::Elsewhere) => Some(name),
            Self::Optional(part) | Self::Elsewhere(_, part)
                if !matches!(sort, Sort::Excluded(_)) =>
            {
                part.find(sort)
            }
            Self::All(parts) | Self::Fields(_, parts) => {
                each!(parts, |part| if let found @ Some(_) = part.find(sort) {
                    return found;
                });
                None
            }
            _ => None,
        }
    }

    /// Returns the rule by which no match of the access meets this term. If it `parts` two accesses, excluded components
    /// count for nothing.
    #[inline]
    const fn parting(&self, one: &TermAccess, parts: bool) -> Option<PartingRule> {
        match self {
            Self::Term(term) if parts && matches!(term.mode, Mode::Without) => None,
            Self::Term(term) => one.parted_from(term),
            Self::All(all) => {
                each!(all, |part| if let found @ Some(_) = part.parting(one, parts) {
                    return found;
                });
                None
            }
            _ => None,
        }
    }

    /// Returns the rule by which no entity matches both accesses; or, if they are the same and not `parts`, none at all.
    #[inline]
    pub(super) const fn parted_from(&self, other: &Self, parts: bool) -> Option<PartingRule> {
        match self {
            Self::Term(term) => other.parting(term, parts),
            Self::All(all) => {
                each!(all, |part| if let found @ Some(_) = part.parted_from(other, parts) {
                    return found;
                });
                None
            }
            _ => None,
        }
    }

    /// Returns `true` if any part has this property.
    #[inline]
    pub(super) const fn has(&self, sort: Sort) -> bool {
        self.find(sort).is_some()
    }

    /// Returns `true` if a loop marks its matches as changed.
    pub(crate) const fn marks(&self) -> bool {
        self.has(Sort::Marking)
    }

    /// Returns `true` if writing may mark matches, or puts an index out of date.
    #[inline]
    pub(crate) const fn may_mark(&self) -> bool {
        self.has(Sort::Marking) || self.has(Sort::Spoiling)
    }

    /// Refuses slices of a query that requires no component, or that writes by guards, which slices could not mark.
    #[inline]
    pub(crate) const fn refuse_no_slices(&self) {
        assert!(self.required() > 0, "a query that requires no component has no slices");
        self.refuse_guards();
    }

    /// Returns the name of the first component or resource that is written.
    #[inline]
    pub(super) const fn written(&self) -> Option<&'static str> {
        self.find(Sort::Writing)
    }

    /// Returns the first term that writes: as it would be if it only read, and as it is.
    #[inline]
    pub(super) const fn written_term(&self) -> Option<(TermAccess, TermAccess)> {
        match self {
            Self::Term(term) if term.mode.is_write() => {
                Some((TermAccess { mode: Mode::Read, ..*term }, *term))
            }
            Self::Optional(part) => part.written_term(),
            Self::All(parts) | Self::Fields(_, parts) => {
                each!(parts, |part| if let found @ Some(_) = part.written_term() {
                    return found;
                });
                None
            }
            _ => None,
        }
    }

    /// Refuses slices of components that are written by guards.
    #[inline]
    pub(crate) const fn refuse_guards(&self) {
        assert!(
            !self.has(Sort::Guarded),
            "`Mut` marks each value that is written, and slices cannot: ask for `&mut T`, which marks all matches"
        );
    }

    /// Returns `true` if every entity matches.
    pub(crate) fn demands_nothing(&self) -> bool {
        match self {
            Self::Term(_) => false,
            Self::Any(parts) => parts.iter().any(Self::demands_nothing),
            Self::All(parts) | Self::Fields(_, parts) => parts.iter().all(Self::demands_nothing),
            Self::Nothing
            | Self::Everything
            | Self::Optional(_)
            | Self::Elsewhere(..)
            | Self::World(_) => true,
        }
    }

    /// Returns the number of ways to match the access: each of several alternatives is one.
    pub(crate) fn choices(&self) -> usize {
        match self {
            Self::Any(parts) => parts.iter().map(Self::choices).sum(),
            Self::All(parts) | Self::Fields(_, parts) => parts.iter().map(Self::choices).product(),
            _ => 1,
        }
    }

    /// Calls `f` with each term that an entity must meet to match in the way with this number.
    pub(crate) fn for_each_chosen(&self, mut choice: usize, f: &mut dyn FnMut(&TermAccess)) {
        match self {
            Self::Term(term) => f(term),
            Self::Any(parts) => {
                for part in *parts {
                    let choices = part.choices();
                    if choice < choices {
                        return part.for_each_chosen(choice, f);
                    }
                    choice -= choices;
                }
            }
            Self::All(parts) | Self::Fields(_, parts) => {
                for part in *parts {
                    let choices = part.choices();
                    part.for_each_chosen(choice % choices, f);
                    choice /= choices;
                }
            }
            Self::Nothing
            | Self::Everything
            | Self::Optional(_)
            | Self::Elsewhere(..)
            | Self::World(_) => {}
        }
    }

    /// Returns the number and the bits of the components that a match must have, or, if `excluded`, must not have.
    #[inline]
    pub(crate) const fn asked(&self, excluded: bool) -> (usize, Signature) {
        match self {
            Self::Nothing
            | Self::Everything
            | Self::Optional(_)
            | Self::Elsewhere(..)
            | Self::Any(_)
            | Self::World(_) => (0, Signature::EMPTY),
            Self::Term(term) => {
                let is_meant = matches!(term.mode, Mode::Without) == excluded;
                if is_meant { (1, term.bit) } else { (0, Signature::EMPTY) }
            }
            Self::All(parts) | Self::Fields(_, parts) => {
                let (mut count, mut bits) = (0, Signature::EMPTY);
                each!(parts, |part| {
                    let (more, others) = part.asked(excluded);
                    (count, bits) = (count + more, bits.union(others));
                });
                (count, bits)
            }
        }
    }

    /// Returns the number of components that a match must have.
    #[inline]
    pub(crate) const fn required(&self) -> usize {
        self.asked(false).0
    }

    /// Returns `true` if every entity with the required components matches, and an item reads nothing else.
    #[inline]
    pub(crate) const fn is_plain(&self) -> bool {
        self.is_required_only(false)
    }

    /// Returns `true` if the access consists of components that a match must have, and all of them are read or
    /// written.
    #[inline]
    pub(crate) const fn is_all_values(&self) -> bool {
        self.is_required_only(true)
    }

    /// Returns `true` if the access consists of components that a match must have; if `touched`, all must be read or
    /// written.
    #[inline]
    const fn is_required_only(&self, touched: bool) -> bool {
        match self {
            Self::Nothing | Self::Everything => true,
            Self::Term(term) if touched => term.mode.touches(),
            Self::Term(term) => !term.is_exclusion(),
            Self::Optional(_) | Self::Elsewhere(..) | Self::Any(_) | Self::World(_) => false,
            Self::All(parts) | Self::Fields(_, parts) => {
                each!(parts, |part| if !part.is_required_only(touched) {
                    return false;
                });
                true
            }
        }
    }

    /// Returns the field at `at` of a tuple of `len` fields. A tuple of more than twelve fields is nested.
    #[inline]
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

    /// Calls `f` with every term, and with `true` if it need not match.
    #[inline]
    fn for_each_term(&self, optional: bool, f: &mut dyn FnMut(&TermAccess, bool)) {
        match self {
            Self::Nothing | Self::Everything | Self::Any(_) | Self::World(_) => {}
            Self::Term(term) => f(term, optional),
            Self::Optional(part) | Self::Elsewhere(_, part) => part.for_each_term(true, f),
            Self::All(parts) | Self::Fields(_, parts) => {
                parts.iter().for_each(|part| part.for_each_term(optional, f));
            }
        }
    }

    /// Calls `f` with the number of each component that a loop marks as changed, and with the number of its part. The
    /// query itself is part 0; optional parts are counted in the order in which they are requested.
    pub(crate) fn for_each_mark(
        &self,
        part: usize,
        parts: &mut usize,
        f: &mut dyn FnMut(u32, usize),
    ) {
        match self {
            Self::Term(term) if term.marks => f(term.number(), part),
            Self::Nothing
            | Self::Everything
            | Self::Any(_)
            | Self::World(_)
            | Self::Term(_)
            | Self::Elsewhere(..) => {}
            Self::Optional(inner) => {
                *parts += 1;
                inner.for_each_mark(*parts, parts, f);
            }
            Self::All(all) | Self::Fields(_, all) => {
                all.iter().for_each(|inner| inner.for_each_mark(part, parts, f));
            }
        }
    }

    /// Calls `f` with every term that decides whether an entity matches.
    #[inline]
    pub(crate) fn for_each_test(&self, f: &mut dyn FnMut(&TermAccess)) {
        self.for_each_term(false, &mut |term, optional| {
            if !optional {
                f(term);
            }
        });
    }

    #[inline]
    pub(super) fn terms(&self) -> Vec<(TermAccess, bool)> {
        let mut terms = Vec::new();
        self.for_each_term(false, &mut |term, optional| terms.push((*term, optional)));
        terms
    }
}

/// Returns `true` if one of these reads the whole world.
#[inline]
pub(crate) const fn reads_world(parts: &[Access]) -> bool {
    each!(parts, |part| match part {
        Access::World(Mode::Read) => return true,
        Access::Fields(_, parts) if reads_world(parts) => return true,
        _ => {}
    });
    false
}

/// Returns `true` if one of these writes the whole world.
pub(crate) const fn is_exclusive(parts: &[Access]) -> bool {
    each!(parts, |part| if let Access::World(Mode::Write) = part {
        return true;
    });
    false
}

/// Returns the bits of the ids of all types that these touch, and of all that they write.
#[inline]
pub(super) const fn all_touched(parts: &[Access]) -> (Signature, Signature) {
    let (mut touched, mut written) = (Signature::EMPTY, Signature::EMPTY);
    each!(parts, |part| {
        let (more, also) = part.touched();
        (touched, written) = (touched.union(more), written.union(also));
    });
    (touched, written)
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn term(name: &'static str, line: u32, mode: Mode) -> Access {
        let id = ComponentId::of(None, None, "m", name, line, 1);
        Access::Term(TermAccess::plain(id, || 0, (name, || ""), mode))
    }

    const READ: Access = term("A", 1, Mode::Read);
    const OTHER: Access = term("B", 2, Mode::Write);

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
}
