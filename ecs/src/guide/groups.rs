#![doc = include_str!("../../guide/groups.md")]
//!
//! [`View::explain`]: crate::View::explain
//! [`World::order_pools`]: crate::World::order_pools
//! [`GroupMut::sort_as`]: crate::GroupMut::sort_as
//! [`World::group_mut`]: crate::World::group_mut
//! [`World::groups`]: crate::World::groups
//! [`World::drop_group`]: crate::World::drop_group
//! [the chapter on order]: crate::guide::order
//! [Batches]: super::edits_during_loops
