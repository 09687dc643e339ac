#![doc = include_str!("../../guide/testing.md")]
//!
//! [`World::get`]: crate::World::get
//! [`World::len`]: crate::World::len
//! [`World::split_mut`]: crate::World::split_mut
//! [`ViewSet`]: crate::ViewSet
//! [`Filter`]: crate::Filter
//! [`PlanKind`]: crate::PlanKind
//! [parameters of systems]: crate::Param
//! [`World::run`]: crate::World::run
//! [schedule]: super::systems
//! [chosen]: crate::View::in_order_of
//! [group]: super::groups
//! [`World::register`]: crate::World::register
//! [`check_query!`]: crate::check_query
