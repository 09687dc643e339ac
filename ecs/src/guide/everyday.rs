#![doc = include_str!("../../guide/everyday.md")]
//!
//! [`Elapsed`]: crate::app::Elapsed
//! [`every`]: crate::app::every
//! [`Schedule::timeline`]: crate::Schedule::timeline
//! [`Schedule::time_stats`]: crate::Schedule::time_stats
//! [`World::merge`]: crate::World::merge
//! [`World::by_depth`]: crate::World::by_depth
//! [`World::patch`]: crate::World::patch
//! [`World::read`]: crate::World::read
//! [`World::run`]: crate::World::run
//! [`World::spawn_with`]: crate::World::spawn_with
//! [edits during loops]: super::edits_during_loops#lists
//! [relations]: super::relations_and_events#from-parents-to-children
//! [app]: super::apps
//! [`PoolMut::sort_by`]: crate::PoolMut::sort_by
//! [`View::in_order_of`]: crate::View::in_order_of
//! [changes]: super::changes
//! [lifecycle]: super::lifecycle
//! [saving]: super::saving#merging-worlds
//! [super::edits_during_loops]: super::edits_during_loops
//! [Systems]: super::systems#fixed-steps-and-states
//! [testing]: super::testing
