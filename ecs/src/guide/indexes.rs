#![doc = include_str!("../../guide/indexes.md")]
//!
//! [defined]: super::by_name#rules-and-indexes-by-name
//! [`Hashed::get`]: crate::Hashed::get
//! [`World::find`]: crate::World::find
//! [`World::kind_index`]: crate::World::kind_index
//! [`Ordered::range`]: crate::Ordered::range
//! [`get`]: crate::Ordered::get
//! [`World::related`]: crate::World::related
//! [readers of changes]: super::changes
//! [`Index`]: crate::Index
//! [`Mut::bypass`]: crate::Mut::bypass
//! [counted as refused]: crate::Applied::refused
//! [`IndexKind`]: crate::IndexKind
//! [`View::iter_many`]: crate::View::iter_many
//! [`for_each_many`]: crate::View::for_each_many
//! [`World::entity_set`]: crate::World::entity_set
//! [`View::among`]: crate::View::among
//! [`explain`]: crate::View::explain
