//! Decides which systems may run at the same time, by comparing their accesses.
//!
//! Ids are compared at compile time, like the ids in the views of a split. Proofs that depend on equal ids are
//! repeated by the types' numbers in the process, before systems run.

use crate::component::access::{Access, TermAccess, all_touched};
use crate::component::alias::{ApartByRule, ORDINALS, Verdict, clash_by_number};
use crate::signature::Signature;
use crate::text::Text;
use crate::tuples::each;
use alloc::vec::Vec;

/// A component that two systems touch and one of them writes: the parameter of each, counted from 0, and its term.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Clash {
    first: (usize, TermAccess),
    second: (usize, TermAccess),
}

/// The result of comparing two systems at compile time.
#[expect(clippy::large_enum_variant, reason = "one is looked at while a schedule is planned")]
pub(crate) enum Meeting {
    /// They may run at the same time.
    Free,
    /// Only the running process can decide.
    Unknown,
    /// They may not run at the same time, because of this clash.
    Clash(Clash),
}

/// The bits of the types that the parameters of a system touch: most systems differ by these, and need no further
/// comparison.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Touched {
    touched: Signature,
    written: Signature,
}

impl Touched {
    #[inline]
    pub(crate) const fn by(params: &[Access]) -> Self {
        let (touched, written) = all_touched(params);
        Self { touched, written }
    }

    /// Returns `true` if both may touch a type that one of them writes.
    pub(crate) const fn may_clash(&self, other: &Self) -> bool {
        self.written.intersects(other.touched) || other.written.intersects(self.touched)
    }
}

/// Compares systems with these parameters at compile time.
#[inline]
pub(crate) const fn meet(first: &[Access], second: &[Access]) -> Meeting {
    let mut is_known = true;
    each!(first, |a, one| each!(second, |b, other| match one.beside(other) {
        Verdict::Disjoint => {}
        Verdict::Alias(x, y) => {
            return Meeting::Clash(Clash { first: (a, x), second: (b, y) });
        }
        Verdict::Unknown => is_known = false,
    }));
    if is_known { Meeting::Free } else { Meeting::Unknown }
}

/// Returns the clash of systems with these parameters, or `None` if they may run at the same time.
///
/// Adds the pairs of components that must be apart to `apart`.
pub(crate) fn find_clash(
    first: &[Access],
    second: &[Access],
    apart: &mut Vec<ApartByRule>,
) -> Option<Clash> {
    match meet(first, second) {
        Meeting::Free => None,
        Meeting::Clash(clash) => Some(clash),
        Meeting::Unknown => {
            let pairs = first
                .iter()
                .enumerate()
                .flat_map(|a| second.iter().enumerate().map(move |b| (a, b)));
            pairs.into_iter().find_map(|((a, first), (b, second))| {
                let (x, y) = clash_by_number(first, second, apart)?;
                Some(Clash { first: (a, x), second: (b, y) })
            })
        }
    }
}

/// Returns the name of the first component or resource that these parameters write.
#[inline]
pub(crate) const fn find_write(params: &[Access]) -> Option<&'static str> {
    each!(params, |param| if let Some(name) = param.written() {
        return Some(name);
    });
    None
}

impl Clash {
    /// Returns the name of the component.
    pub(crate) const fn component(&self) -> &'static str {
        self.first.1.name
    }

    /// Returns the message that these systems clash. A name with `true` names a condition.
    #[inline]
    pub(crate) const fn say(&self, first: (&str, bool), second: (&str, bool)) -> Text {
        let (a, b) = (self.first.1, self.second.1);
        let text = push_param(Text::new(), self.second.0, second).push(" ").push(b.mode.verb());
        let text = text.push(" `").push_name(&b).push("`, which ");
        let also = if a.mode.is_write() && b.mode.is_write() { " also " } else { " " };
        push_param(text, self.first.0, first).push(also).push(a.mode.verb())
    }
}

/// Appends a parameter of a system, or of a condition.
#[inline]
const fn push_param(text: Text, at: usize, (system, is_condition): (&str, bool)) -> Text {
    let whose = if is_condition { "` of condition `" } else { "` of system `" };
    text.push("parameter `").push(ORDINALS[at]).push(whose).push(system).push("`")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::component::access::Mode;
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
    fn readers_are_free_and_writers_clash() {
        assert!(matches!(meet(&[READ], &[OTHER, READ]), Meeting::Free));
        let Meeting::Clash(clash) = meet(&[OTHER, READ], &[WRITE]) else { panic!("they clash") };
        assert_eq!((clash.first.0, clash.second.0, clash.component()), (1, 0, "A"));
    }

    #[test]
    fn types_that_only_ids_distinguish_are_compared_at_run_time() {
        const REQUIRES: Access = Access::All(&[WRITE, WITH]);
        const EXCLUDES: Access = Access::All(&[WRITE, WITHOUT]);
        assert!(matches!(meet(&[REQUIRES], &[EXCLUDES]), Meeting::Unknown));
        assert!(find_clash(&[REQUIRES], &[EXCLUDES], &mut Vec::new()).is_none());
        assert!(find_clash(&[REQUIRES], &[WRITE], &mut Vec::new()).is_some());
    }

    #[test]
    #[should_panic(
        expected = "parameter `1` of condition `b` reads `A`, which parameter `2` of system `a` writes"
    )]
    fn words() {
        find_clash(&[OTHER, WRITE], &[READ], &mut Vec::new())
            .unwrap()
            .say(("a", false), ("b", true))
            .panic();
    }
}
