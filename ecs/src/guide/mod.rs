//! The guide: how to use the library, a chapter a task.
//!
//! Each chapter begins with a whole program, which is compiled and run as a test, and explains it afterwards.
//! The chapters can be read in any order; someone new reads the first three.
//!
//! 1. [First steps](first_steps): a world, its entities, their components, and loops over them.
//! 2. [Edits during loops](edits_during_loops): how to insert, remove, spawn and despawn what a loop found.
//! 3. [Queries](queries): what can be asked for, and what it yields.
//! 4. [Groups](groups): joins that are kept ready, and when they pay.
//! 5. [Columns](columns): components that are stored a field at a time, and when that pays.
//! 6. [Threads](threads): what can be shared, and how to split a loop.
//! 7. [Relations and events](relations_and_events): components that point to other entities, parents and
//!    children, and messages.
//! 8. [Lifecycle](lifecycle): hooks and observers of components that come, change and go, and events.
//! 9. [Changes](changes): what became of a component since somebody looked last.
//! 10. [Resources](resources): what there is one of, and queues of events for those who poll.
//! 11. [Systems](systems): functions that are given what they ask for, and lists of them.
//! 12. [Apps](apps): a world, its schedules and the plugins that fill both.
//! 13. [Saving](saving): writing a world to a file, and reading it under the same handles.
//! 14. [By name](by_name): components whose types a program does not name, for tools and scripts.
//! 15. [Testing](testing): functions as systems, and how to test them.
//! 16. [Everyday tasks](everyday): delete all with a component, the nearest, sort by y, pause, save the player, and ten
//!     others, in five lines each.
//! 17. [Coming from another library](coming_from): names in bevy_ecs, EnTT and hecs, and what they are called
//!     here.
//!
//! Each item of the library has an example as well; the [front page](crate) lists them by task.

pub mod apps;
pub mod by_name;
pub mod changes;
pub mod columns;
pub mod coming_from;
pub mod edits_during_loops;
#[cfg_attr(
    not(feature = "serde"),
    allow(rustdoc::broken_intra_doc_links, reason = "some of it is there with the feature only")
)]
pub mod everyday;
pub mod first_steps;
pub mod groups;
pub mod lifecycle;
pub mod queries;
pub mod relations_and_events;
pub mod resources;
#[cfg_attr(
    not(feature = "serde"),
    allow(rustdoc::broken_intra_doc_links, reason = "some of it is there with the feature only")
)]
pub mod saving;
pub mod systems;
pub mod testing;
pub mod threads;
