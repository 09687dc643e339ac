//! Changes: what became of a component since somebody looked last.
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
//! /// What a client is sent: who is new, who moved, who is gone.
//! #[derive(Default)]
//! struct Message {
//!     new: Vec<(Entity, char)>,
//!     moved: Vec<(Entity, Position)>,
//!     gone: Vec<Entity>,
//! }
//!
//! let mut world = World::new();
//! let mut moves = world.changes::<Position>(); // from now on
//! world.spawn((Position(0.0, 0.0), Sprite('o'))); // it rests
//! let ship = world.spawn((Position(0.0, 0.0), Velocity(1.0, 0.0), Sprite('>'))).id();
//!
//! let mut tick = |world: &mut World| {
//!     for (_, mut position, velocity) in world.view_mut::<(Mut<Position>, &Velocity)>() {
//!         position.0 += velocity.0; // marks this one
//!         position.1 += velocity.1;
//!     }
//!     world.advance(&mut moves); // what happened since the last tick
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
//! A component opts in by `#[component(track)]`. Who wants to know what happens to it makes a reader,
//! [`World::changes`], and keeps it. [`World::advance`] brings the reader up to date: from then on it shows what
//! happened since it was brought up to date before. Any number of readers go on at their own pace, and none misses
//! anything, however long it waits: there is no clock that wraps around. A reader that is dropped costs nothing
//! more; without readers, a tracked component costs what another one does.
//!
//! The sets that a reader shows narrow any view, derived queries included: [`View::among`]. Where nothing
//! changed among a thousand neighbouring indices, such a view looks no further.
//!
//! # What counts as a change
//!
//! Whatever lends a `&mut T` counts, as nobody knows whether it will be written; [`Changes`] has the
//! table. A loop with `&mut T` marks all that it is to match when it begins. That costs next to nothing, and is
//! right for what does change all of them, as physics does. A loop that looks at many and changes few asks for
//! [`Mut<T>`](crate::Mut) instead, which marks an entity when it is written through; [`Mut::set_if_neq`] only writes what
//! differs, and [`Mut::bypass`] leaves no mark.
//!
//! # Changes or observers?
//!
//! Observers are called within the edit, for each entity, with the whole world at hand
//! ([lifecycle](super::lifecycle)): for what must be right at once. They hear nothing of what a loop writes.
//! Changes are collected, and looked at by a loop of one's own when it suits: for what is sent, drawn or computed
//! anew once a frame. An entity that changed ten times is there once.
//!
//! [`World::changes`]: crate::World::changes
//! [`World::advance`]: crate::World::advance
//! [`View::among`]: crate::View::among
//! [`Changes`]: crate::Changes
//! [`Mut::set_if_neq`]: crate::Mut::set_if_neq
//! [`Mut::bypass`]: crate::Mut::bypass
