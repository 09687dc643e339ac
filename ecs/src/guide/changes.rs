#![doc = include_str!("../../guide/changes.md")]
//!
//! [`World::changes`]: crate::World::changes
//! [`World::advance`]: crate::World::advance
//! [`View::among`]: crate::View::among
//! [`Changes`]: crate::Changes
//! [`Mut::set_if_neq`]: crate::Mut::set_if_neq
//! [`Mut::bypass`]: crate::Mut::bypass
//! [`Declaration`]: crate::by_name::Declaration
//! [`KindChanges`]: crate::by_name::KindChanges
//! [`Mut<T>`]: crate::Mut
//! [lifecycle]: super::lifecycle
