//! The guide: how to use the library, a chapter a task.
//!
//! Each chapter begins with a whole program, which is compiled and run as a test, and explains it afterwards.
//! The chapters can be read in any order; someone new reads the first three.
//!
//! 1. [First steps](first_steps): a world, its entities, their components, and loops over them.
//! 2. [Edits during loops](edits_during_loops): how to insert, remove, spawn and despawn during a loop.
//! 3. [Queries](queries): the terms of a query, and the items that it yields.
//! 4. [Groups](groups): joins that the world keeps ready, and when they pay.
//! 5. [Order](order): the order of views, when it changes, and why loops are fast without groups.
//! 6. [Columns](columns): components that are stored a field at a time, and when that pays.
//! 7. [Threads](threads): values that threads can share, and how to split a loop.
//! 8. [Relations and events](relations_and_events): components that point to other entities, parents and
//!    children, and messages.
//! 9. [Lifecycle](lifecycle): hooks and observers of components that are inserted, changed and removed, and
//!    events.
//! 10. [Rules](rules): components that need, exclude or replace others.
//! 11. [Changes](changes): components that were inserted, changed or removed since a reader looked last.
//! 12. [Finding by value](indexes): entities by equal values, by ranges, or by an index of your own.
//! 13. [Resources](resources): values that a world has once, and queues of events.
//! 14. [Systems](systems): functions whose parameters are parts of the world, and lists of them.
//! 15. [Apps](apps): a world, its schedules and the plugins that fill both.
//! 16. [Saving](saving): writing a world to a file, and reading it under the same handles.
//! 17. [By name](by_name): components whose types a program does not name, for tools and scripts.
//! 18. [Testing](testing): how to test systems and other functions on worlds.
//! 19. [Everyday tasks](everyday): fifteen tasks, such as to despawn in a loop, sort by y or save the player,
//!     in five lines each.
//! 20. [Coming from another library](coming_from): names in bevy_ecs, EnTT, hecs, shipyard, flecs and specs,
//!     and their counterparts here.
//!
//! Each item of the library has an example as well; the [front page](crate) lists them by task.

pub mod apps;
pub mod by_name;
pub mod changes;
pub mod columns;
pub mod coming_from;
pub mod edits_during_loops;
pub mod everyday;
pub mod first_steps;
pub mod groups;
pub mod indexes;
pub mod lifecycle;
pub mod order;
pub mod queries;
pub mod relations_and_events;
pub mod resources;
pub mod rules;
pub mod saving;
pub mod systems;
pub mod testing;
pub mod threads;
