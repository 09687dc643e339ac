#![doc = include_str!("../../guide/order.md")]
//!
//! [`View::in_order_of`]: crate::View::in_order_of
//! [`World::order_pools`]: crate::World::order_pools
//! [`World::set_ordering`]: crate::World::set_ordering
//! [`PoolMut::set_ordering`]: crate::PoolMut::set_ordering
//! [saved]: super::saving
