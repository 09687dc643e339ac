#![doc = include_str!("../../guide/rules.md")]
//!
//! [defined]: super::by_name#rules-and-indexes-by-name
//! [required]: crate::Component#required-components
//! [`try_insert`]: crate::World::try_insert
//! [`RelateError::Rule`]: crate::RelateError::Rule
//! [`ComponentRule`]: crate::ComponentRule
//! [`Applied::refused`]: crate::Applied::refused
//! [`try_remove`]: crate::World::try_remove
//! [`remove_except`]: crate::World::remove_except
//! [`RemoveError::Rule`]: crate::RemoveError::Rule
//! [`take`]: crate::World::take
//! [relation]: crate::Relation
//! [`DespawnError::Rule`]: crate::DespawnError::Rule
//! [`split_mut`]: crate::World::split_mut
//! [`WithAny`]: crate::WithAny
//! [by name]: super::by_name
//! [`EntityOf<Player>`]: crate::EntityOf
//! [`EntityOf::needed`]: crate::EntityOf::needed
//! [`World::get_needed`]: crate::World::get_needed
//! [`EntityOf<Ship>`]: crate::EntityOf
//! [`RelateError::WrongTarget`]: crate::RelateError::WrongTarget
//! [`ComponentRule::PointsTo`]: crate::ComponentRule::PointsTo
