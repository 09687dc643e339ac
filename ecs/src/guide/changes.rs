//! Changes: components that were inserted, changed or removed since a reader looked last.
//!
//! ```
//! use ecs::{Component, Entity, Mut, World};
//!
//! #[derive(Component, Clone, Copy)]
//! #[component(track)]
//! struct Position(f32, f32);
//! #[derive(Component)]
//! struct Velocity(f32, f32);
//! #[derive(Component)]
//! struct Sprite(char);
//!
//! /// A message to a client: the new, the moved and the removed entities.
//! #[derive(Default)]
//! struct Message {
//!     new: Vec<(Entity, char)>,
//!     moved: Vec<(Entity, Position)>,
//!     gone: Vec<Entity>,
//! }
//!
//! let mut world = World::new();
//! let mut moves = world.changes::<Position>(); // from now on
//! world.spawn((Position(0.0, 0.0), Sprite('o'))); // has no velocity
//! let ship = world.spawn((Position(0.0, 0.0), Velocity(1.0, 0.0), Sprite('>'))).id();
//!
//! let mut tick = |world: &mut World| {
//!     for (_, mut position, velocity) in world.view_mut::<(Mut<Position>, &Velocity)>() {
//!         position.0 += velocity.0; // marks this one
//!         position.1 += velocity.1;
//!     }
//!     world.advance(&mut moves); // changes since the last tick
//!     let mut message = Message::default();
//!     for (entity, sprite) in world.view::<&Sprite>().among(moves.inserted()) {
//!         message.new.push((entity, sprite.0));
//!     }
//!     for (entity, position) in world.view::<&Position>().among(moves.changed()) {
//!         message.moved.push((entity, *position));
//!     }
//!     message.gone.extend(moves.removed());
//!     message
//! };
//! let first = tick(&mut world);
//! assert_eq!((first.new.len(), first.moved.len(), first.gone.len()), (2, 2, 0));
//! let second = tick(&mut world);
//! assert_eq!((second.new.len(), second.moved.len(), second.gone.len()), (0, 1, 0));
//! world.despawn(ship).unwrap();
//! let third = tick(&mut world);
//! assert_eq!((third.moved.len(), third.gone), (0, vec![ship]));
//! ```
//!
//! # Readers
//!
//! A component opts in by `#[component(track)]`. [`World::changes`] returns a reader, which the program keeps.
//! [`World::advance`] brings the reader up to date: from then on it shows the changes since it was brought up
//! to date before. Any number of readers advance at their own pace, and none misses a change, however long it
//! waits: there is no clock that wraps around. A dropped reader costs nothing more; without readers, a tracked
//! component costs as much as an untracked one.
//!
//! The sets that a reader shows narrow any view, derived queries included: [`View::among`]. Such a view skips a
//! thousand neighbouring indices at once if none of them changed.
//!
//! A component of another crate, whose derive does not say `track`, is declared to be tracked
//! ([`Declaration`](crate::by_name::Declaration)), if it is saved. Its changes are found by comparing its values
//! when [`KindChanges`](crate::by_name::KindChanges) or change sets read them.
//!
//! # Definition of a change
//!
//! Each lent `&mut T` counts as a change, because the library cannot see whether it is written; [`Changes`] has the
//! table. A loop with `&mut T` marks all its matches when it begins. That costs next to nothing, and is right if all
//! of them change, as in physics. A loop that looks at many and changes few uses [`Mut<T>`](crate::Mut) instead, which
//! marks an entity when it is written through. [`Mut::set_if_neq`] writes only different values, and [`Mut::bypass`]
//! leaves no mark. In an enum, a loop also marks the components that a variant would write, of entities that yield an
//! earlier variant.
//!
//! # Changes or observers?
//!
//! Observers are called within the edit, for each entity, with the whole world at hand
//! ([lifecycle](super::lifecycle)): for state that must be right at once. They are not notified of writes by a
//! loop. Changes are collected, and read by a loop of the program when it suits: for values that are sent,
//! drawn or computed anew once a frame. An entity that changed ten times is listed once.
//!
//! [`World::changes`]: crate::World::changes
//! [`World::advance`]: crate::World::advance
//! [`View::among`]: crate::View::among
//! [`Changes`]: crate::Changes
//! [`Mut::set_if_neq`]: crate::Mut::set_if_neq
//! [`Mut::bypass`]: crate::Mut::bypass
