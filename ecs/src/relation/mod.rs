//! Relations: components that point to another entity, followed in both directions.
//!
//! A relation is stored at both ends: as the component of its source, and in the list of its target. Both change in one
//! edit.
//!
//! ```text
//! relate(a, ChildOf(p))   insert(a, ChildOf(p))   attach(a, p)         despawn(p)
//!           │                                                              │
//!           v                                                              v
//! relate       is p alive? Would a circle be closed?               edit/despawn    a ends too, or
//!           v                                                              │       loses the relation
//! edit/commit  <───────────────────────────────────────────────────────────┘
//!           │
//!           ├──> pool of ChildOf    a: p               target_of, ancestors_of     towards the root
//!           └──> ends               p: [ a b c ]       related, descendants_of     towards the leaves
//! ```
//!
//! * `relate`: relations of any type: edits, walks, and the order of sources.
//! * `hierarchy`: the relation `ChildOf` and its methods, such as `attach` and `children`.
//!
//! * `ends`: the target of each source, and the list of each target. It is below all edits.
//!
//! Terms that follow relations are in `query/up` and
//! `query/sources`.

// In the order in which the documentation of `World` shows their methods. Blank lines keep it.
pub(crate) mod hierarchy;

pub(crate) mod relate;

pub(crate) mod ends;
