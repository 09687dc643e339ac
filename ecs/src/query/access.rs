//! What a query touches, as a constant: for the checks that no query aliases itself.

use crate::component::Component;
use crate::component::id::ComponentId;

/// What a query touches: a tree of terms, so that queries combine at compile time.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub enum Access {
    /// No component.
    Nothing,
    /// One component, by one term.
    Term(Term),
    /// What these touch together.
    All(&'static [Self]),
}

/// One component, touched by one term.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub struct Term {
    id: ComponentId,
    /// The component's number in this process, where ids cannot tell.
    index: fn() -> u32,
    name: &'static str,
    mode: Mode,
}

/// How a term touches its component.
#[doc(hidden)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// Reads values.
    Read,
    /// Reads and writes values.
    Write,
}

impl Mode {
    const fn conflicts(self, other: Self) -> bool {
        matches!(self, Self::Write) || matches!(other, Self::Write)
    }

    const fn verb(self) -> &'static str {
        match self {
            Self::Read => "reads",
            Self::Write => "writes",
        }
    }
}

/// What two terms have to do with each other.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Verdict {
    /// They may live together.
    Disjoint,
    /// Their types may be the same: only the numbers in the running process tell.
    Unknown,
}

impl Access {
    /// The access of a term that touches the values of `T`.
    pub(crate) const fn of<T: Component>(mode: Mode) -> Self {
        Self::Term(Term { id: T::ID, index: || T::index().get(), name: T::NAME, mode })
    }

    /// Whether there is no term at all.
    pub(crate) const fn is_nothing(&self) -> bool {
        match self {
            Self::Nothing => true,
            Self::Term(_) => false,
            Self::All(parts) => {
                let mut at = 0;
                while at < parts.len() {
                    if !parts[at].is_nothing() {
                        return false;
                    }
                    at += 1;
                }
                true
            }
        }
    }

    /// Whether no two terms touch one component with one of them writing, proved by ids alone.
    pub(crate) const fn is_disjoint(&self) -> bool {
        match self {
            Self::Nothing | Self::Term(_) => true,
            Self::All(parts) => {
                let mut a = 0;
                while a < parts.len() {
                    if !parts[a].is_disjoint() {
                        return false;
                    }
                    let mut b = 0;
                    while b < a {
                        if !matches!(parts[a].against(&parts[b]), Verdict::Disjoint) {
                            return false;
                        }
                        b += 1;
                    }
                    a += 1;
                }
                true
            }
        }
    }

    /// Whether the terms here and those of `other` may live together, by ids alone.
    const fn against(&self, other: &Self) -> Verdict {
        match (self, other) {
            (Self::Nothing, _) | (_, Self::Nothing) => Verdict::Disjoint,
            (Self::Term(a), Self::Term(b)) => {
                if a.id.same(b.id) && a.mode.conflicts(b.mode) {
                    Verdict::Unknown
                } else {
                    Verdict::Disjoint
                }
            }
            (Self::All(parts), one) | (one, Self::All(parts)) => {
                let mut at = 0;
                while at < parts.len() {
                    if matches!(parts[at].against(one), Verdict::Unknown) {
                        return Verdict::Unknown;
                    }
                    at += 1;
                }
                Verdict::Disjoint
            }
        }
    }

    /// Calls `f` with every term.
    fn for_each_term(&self, f: &mut dyn FnMut(&Term)) {
        match self {
            Self::Nothing => {}
            Self::Term(term) => f(term),
            Self::All(parts) => parts.iter().for_each(|part| part.for_each_term(f)),
        }
    }

    /// Panics when two terms touch one component and one of them writes it, judged by the types
    /// themselves.
    #[cold]
    #[track_caller]
    pub(crate) fn assert_disjoint(&self, query: &str) {
        let mut terms = alloc::vec::Vec::new();
        self.for_each_term(&mut |term| terms.push(*term));
        for (at, b) in terms.iter().enumerate() {
            for a in &terms[..at] {
                assert!(
                    (a.index)() != (b.index)() || !a.mode.conflicts(b.mode),
                    "query `{query}` {} `{}`, which another of its terms {}: ask for it once",
                    b.mode.verb(),
                    b.name,
                    a.mode.verb(),
                );
            }
        }
    }
}
