#![doc = include_str!("../../guide/edits_during_loops.md")]
//!
//! [`Commands`]: crate::Commands
//! [`Commands::spawn_with`]: crate::Commands::spawn_with
//! [`SpawnCommands`]: crate::SpawnCommands
//! [`World::spawn_with`]: crate::World::spawn_with
//! [`Commands::apply`]: crate::Commands::apply
//! [`Commands::spawn`]: crate::Commands::spawn
//! [`View::allocator`]: crate::View::allocator
//! [`World::view_mut`]: crate::World::view_mut
//! [`World::split_mut`]: crate::World::split_mut
//! [`World::reserve_entity`]: crate::World::reserve_entity
//! [`World::despawn_batch`]: crate::World::despawn_batch
//! [`World::remove_batch`]: crate::World::remove_batch
//! [`World::insert_batch`]: crate::World::insert_batch
//! [`World::spawn_batch`]: crate::World::spawn_batch
//! [`PoolMut::retain`]: crate::PoolMut::retain
//! [`PoolMut::drain`]: crate::PoolMut::drain
//! [`PoolMut::clear`]: crate::PoolMut::clear
//! [Observers]: super::lifecycle
//! [`Applied::into_result`]: crate::Applied::into_result
//! [strict schedule]: super::systems#when-commands-are-applied
//! [relation]: super::relations_and_events
//! [resource]: super::resources
//! [system]: super::systems#when-commands-are-applied
//! [Queries]: super::queries#several-views-at-once
