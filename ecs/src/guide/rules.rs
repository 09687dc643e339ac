//! Rules: components that need, exclude or replace others.
//!
//! ```
//! use ecs::{Component, World};
//!
//! #[derive(Component)]
//! #[component(needs(Health))]
//! struct Player;
//! #[derive(Component, Debug, PartialEq)]
//! struct Health(u32);
//!
//! #[derive(Component)]
//! #[component(excludes(Enemy))]
//! struct Ally;
//! #[derive(Component)]
//! struct Enemy;
//!
//! #[derive(Component)]
//! #[component(replaces(Swimming))]
//! struct Walking;
//! #[derive(Component)]
//! #[component(replaces(Walking))]
//! struct Swimming;
//!
//! let mut world = World::new();
//! let player = world.spawn((Player, Health(3), Walking, Ally)).id();
//!
//! // A needed component stays as long as the component that needs it.
//! assert_eq!(world.remove::<Health>(player), None);
//! let error = world.try_remove::<Health>(player).unwrap_err();
//! assert!(error.to_string().starts_with("entity 0v1 keeps its `Health`: `Player` needs `Health`"));
//!
//! // The second of two components that exclude each other is refused.
//! let error = world.try_insert(player, Enemy).unwrap_err();
//! assert!(error.to_string().starts_with("entity 0v1 would have both `Ally` and `Enemy`"));
//!
//! // A component that replaces another one takes its place.
//! world.insert(player, Swimming).unwrap();
//! assert!(world.has::<Swimming>(player) && !world.has::<Walking>(player));
//! ```
//!
//! # The three rules
//!
//! | attribute of `A` | the rule | an edit that would break it |
//! |---|---|---|
//! | `needs(B)` | an entity with `A` has `B` | is refused: an insertion of `A` without `B`, a removal of `B` alone |
//! | `excludes(B)` | no entity has both | is refused: the insertion of the second one |
//! | `replaces(B)` | no entity has both | an insertion of `A` takes `B` away; an insertion of `B` beside `A` is refused |
//!
//! A rule names any number of components. `excludes` has one meaning on either side. For states that exclude each
//! other, each names the others by `replaces`. A value that replaces an equal component breaks no rule.
//!
//! A [required](crate::Component#required-components) component is inserted, and may be removed later; a needed one is not
//! inserted, and stays. `requires(Health), needs(Health)` does both: `spawn(Player)` then comes with its `Health`.
//!
//! Rules that contradict each other do not compile: components that need each other in a circle, that need or require
//! excluded ones, or that exclude a component which replaces them.
//!
//! # Insertions
//!
//! A bundle that breaks a rule within itself does not compile. Neither does a spawn of a bundle without a component that
//! it needs. Rules about generic components are checked when they are inserted.
//!
//! [`try_insert`](crate::World::try_insert) returns [`RelateError::Rule`](crate::RelateError::Rule) with the
//! [`BrokenRule`](crate::BrokenRule); the other insertions and spawns panic with its text, and nothing has changed then.
//! Commands that are refused are counted by [`Applied::refused`](crate::Applied::refused).
//!
//! A replacement is one edit. The vetoes of the replaced components are asked first: if one refuses, so does the insertion.
//! Then the listeners of their removals are called, while the entity still has all of them. Then all of them go, the new
//! one comes, and its listeners are called. No listener sees an entity with both, or with neither. If a listener of a
//! removal makes the insertion impossible, the replaced components are gone and the insertion is refused.
//!
//! # Removals
//!
//! A removal that a rule forbids behaves as if a veto had refused: `remove` returns `None`,
//! [`try_remove`](crate::World::try_remove) and [`remove_except`](crate::World::remove_except) return
//! [`RemoveError::Rule`](crate::RemoveError::Rule), batches pass the entity over.
//! [`take`](crate::World::take) of both takes both: the component first, then the one that it needs.
//!
//! Despawning an entity is always allowed by its own rules. If it would take a needed
//! [relation](crate::Relation) from another entity, it is refused with
//! [`DespawnError::Rule`](crate::DespawnError::Rule).
//!
//! In a listener of a removal, the removed component counts as gone for components that need it, and as present for
//! components that exclude it.
//!
//! # Queries
//!
//! A query that no entity can match does not compile: `view::<(&Ally, &Enemy)>()`, or a filter `Without<Health>` beside
//! `&Player`. Two views that write one component are accepted side by side if a rule parts them: one requires a component
//! that excludes or replaces a component which the other requires. That is so in
//! [`split_mut`](crate::World::split_mut), for the parameters of a system, and for systems that may overlap:
//!
//! ```
//! # use ecs::{Component, With, World};
//! # #[derive(Component)] #[component(excludes(Enemy))] struct Ally;
//! # #[derive(Component)] struct Enemy;
//! # #[derive(Component)] struct Place(f32);
//! # let mut world = World::new();
//! # world.spawn((Place(1.0), Ally));
//! # world.spawn((Place(3.0), Enemy));
//! let (allies, enemies) = world.split_mut::<((&mut Place, With<Ally>), (&mut Place, With<Enemy>))>();
//! for ((_, ally), (_, enemy)) in allies.into_iter().zip(enemies) {
//!     std::mem::swap(ally, enemy);
//! }
//! ```
//!
//! Each such borrow compares the two pools once more, 1,024 indices at a time, so that the memory stays safe whatever
//! happens to a rule. The compiler knows the rules of components that are not generic; `Option` and
//! [`WithAny`](crate::WithAny) require nothing.
//!
//! # Worlds from elsewhere
//!
//! A file, a text, a delta or a change set that would break a rule is refused as a whole, with an error that names the
//! rule. So is a copy that leaves out a component which others of the entity need. Edits [by name](super::by_name) and
//! restored entities are checked like typed ones.
//!
//! # Cost
//!
//! Rules cost components without rules nothing. A component with rules pays a lookup for each of its rules, at an
//! insertion and at a removal of a needed component. Batches of such insertions work entity by entity. Spawns check a bundle
//! once.
