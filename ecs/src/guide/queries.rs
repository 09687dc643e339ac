#![doc = include_str!("../../guide/queries.md")]
//!
//! [`View::in_order_of`]: crate::View::in_order_of
//! [`GroupMut::sort_by`]: crate::GroupMut::sort_by
//! [`Entity`]: crate::Entity
//! [`ViewSet`]: crate::ViewSet
//! [`read_only`]: crate::View::read_only
//! [`World::has`]: crate::World::has
//! [`World::view_mut`]: crate::World::view_mut
//! [`World::split_mut`]: crate::World::split_mut
//! [`View::get`]: crate::View::get
//! [`View::get_mut`]: crate::View::get_mut
//! [`View::matches`]: crate::View::matches
//! [`View::for_each_many`]: crate::View::for_each_many
//! [`View::get_disjoint_mut`]: crate::View::get_disjoint_mut
//! [`View::single`]: crate::View::single
//! [`View::iter_many`]: crate::View::iter_many
//! [`View::get_many`]: crate::View::get_many
//! [`View::get_disjoint_vec_mut`]: crate::View::get_disjoint_vec_mut
//! [`View::for_each_pair`]: crate::View::for_each_pair
//! [`View::iter_combinations`]: crate::View::iter_combinations
//! [`View::sorted_by_key`]: crate::View::sorted_by_key
//! [`View::for_each_chunk`]: crate::View::for_each_chunk
//! [`View::as_slices`]: crate::View::as_slices
//! [`View::explain`]: crate::View::explain
//! [`PoolMut::sort_by_key`]: crate::PoolMut::sort_by_key
//! [`Has<A>`]: crate::Has
//! [`With<A>`]: crate::With
//! [`Without<A>`]: crate::Without
//! [`WithAny<(A, B)>`]: crate::WithAny
//! [columns]: super::columns
//! [`Up<R, &A>`]: crate::Up
//! [`Sources<R>`]: crate::Sources
//! [`EntityOf<A>`]: crate::EntityOf
//! [`Has`]: crate::Has
