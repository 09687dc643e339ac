//! Finding by value: entities by equal values, by ranges, or by an index of your own.
//!
//! ```
//! use ecs::{Component, Entity, Index, View, World};
//!
//! #[derive(Component, Clone, PartialEq, Eq, Hash)]
//! #[component(index)]
//! struct Team(u8);
//! #[derive(Component)]
//! #[component(index(ordered, by = points))]
//! struct Score { points: u32 }
//! #[derive(Component)]
//! struct Health(u32);
//!
//! fn heal_team_three(teams: Index<Team>, mut healths: View<&mut Health>) {
//!     healths.for_each_many(teams.get(&Team(3)), |(_, health)| health.0 += 10);
//! }
//!
//! let mut world = World::new();
//! let players = world.spawn_batch(
//!     (0..40_u32).map(|n| (Team((n % 4) as u8), Score { points: n }, Health(100))),
//! );
//! assert_eq!(world.index::<Team>().get(&Team(3)).count(), 10);
//! assert_eq!(world.find(&Team(3)), Some(players[3])); // the first by index
//!
//! let middle: Vec<Entity> = world.index::<Score>().range(10..20).collect();
//! assert_eq!(middle, players[10..20]);
//! let best = world.index::<Score>().range(..).next_back();
//! assert_eq!(best, Some(players[39]));
//!
//! // Any write is seen, also one through a reference.
//! for (_, score) in world.view_mut::<&mut Score>() {
//!     score.points /= 2;
//! }
//! assert_eq!(world.index::<Score>().range(10..20).count(), 20);
//!
//! for (_, health) in world.view::<&Health>().iter_many(world.index::<Team>().get(&Team(3))) {
//!     assert_eq!(health.0, 100);
//! }
//! world.run(heal_team_three);
//! assert_eq!(world.get::<Health>(players[7]).unwrap().0, 110);
//! ```
//!
//! # Which index
//!
//! A component opts in by its attribute, and has one index:
//!
//! | attribute | key | questions |
//! |---|---|---|
//! | `index` | the component: `Clone + Eq + Hash` | [`Hashed::get`](crate::Hashed::get), [`World::find`](crate::World::find) |
//! | `index(by = field)` | a field | the same; a `String` is found by a `&str` |
//! | `index(ordered)`, `index(ordered, by = field)` | the component or a field: `Clone + Ord` | [`Ordered::range`](crate::Ordered::range), [`get`](crate::Ordered::get) |
//! | `by = path, key = Type` | the result of a `fn(&Self) -> Type` | either |
//! | `kind = Type` | the kind's | methods of yours; [places](#places) |
//! | `unique`, `unique(by = field)` | as of `index` | as of `index` |
//!
//! A key is a function of the value alone. A function that reads a clock, a `static` or an atomic in the component files an
//! entity where it is not found later. Floats are no keys: `NaN` equals nothing, and 0.0 equals -0.0. A number that is
//! rounded to the grid of your questions is one, and so are the bits of a float.
//!
//! An index of a relation is not needed: [`World::related`](crate::World::related) returns the entities that point to one.
//!
//! # When it is right
//!
//! Always when it is asked, after any history: edits, batches, commands, loops, loads, deltas, copies, undo. Edits and loops
//! mark the entities that they may have changed, as for [readers of changes](super::changes). The first question after
//! that compares the key of each marked entity with its place in the index, and files those anew that moved. So
//! a loop that writes all values and changes few keys costs a comparison for each.
//!
//! A system's [`Index`](crate::Index) shows the values that earlier systems wrote. Commands that it records itself are not applied
//! yet. It cannot be combined with a view that writes the component.
//!
//! A veto of an indexed component is a `fn(&Self) -> bool`, and [`Mut::bypass`](crate::Mut::bypass) marks the entity for
//! the index. So nothing changes a key unseen.
//!
//! If a key's `Hash`, `Eq`, `Ord` or function panics, the index is built anew when it is asked next.
//!
//! # Unique values
//!
//! No two entities have equal keys of a `unique` component.
//!
//! ```
//! use ecs::{Component, World};
//!
//! #[derive(Component, Clone, PartialEq, Eq, Hash, Debug)]
//! #[component(unique)]
//! struct Callsign(String);
//!
//! let mut world = World::new();
//! let flight = world.spawn(Callsign("AFR69CR".into())).id();
//! assert_eq!(world.find(&Callsign("AFR69CR".into())), Some(flight));
//! world.insert(flight, Callsign("AFR70CR".into())).unwrap(); // another one
//! assert_eq!(world.find(&Callsign("AFR69CR".into())), None);
//! ```
//!
//! It is checked before anything changes, in each way in which a value can come. A spawn, an insertion or a batch panics,
//! like one that closes a circle of relations, and names the holder: ask [`World::find`](crate::World::find) before. A batch inserts none.
//! Commands are [counted as refused](crate::Applied::refused). Loads, deltas, change sets, merges, copies, undo and values by
//! name return an error. An entity that ends or gets another value in the same delta or change set does not count as a holder,
//! unless its veto keeps the value. A unique component that is required is checked like any other.
//!
//! Like a relation it is not lent to be written: `&mut Callsign` does not compile in a query, nor does `get_mut`. Insert
//! another value instead. A copy of an entity cannot have it, so it says `clone = skip` where entities are copied; a copy of
//! the world has it if it says `clone`.
//!
//! # Order
//!
//! The entities of one key come in the order of their indices. That depends on nothing but the content of the world, so a
//! copy, or a world that was loaded, answers alike.
//!
//! # Cost
//!
//! A lookup costs about as much as in a hash map, or in a search tree. An edit sets a bit. The next question takes about as
//! long for each key that moved as the upkeep of a map by hand. Memory is 8 bytes for each entity, 16 for its
//! place in pages of 1,024 indices, and the keys, each once. Components without an index pay nothing.
//!
//! A group is the better choice for a property that a component alone states: `With<Enemy>` needs no index.
//!
//! # An index of your own
//!
//! [`IndexKind`](crate::IndexKind) has three methods: to file an entity, to take it out, and to say if it is filed where its
//! key belongs. One more is called before each question, for indexes that restore an order once. Its example is a grid of
//! points that is asked for rectangles.
//!
//! # Places
//!
//! The crate `ecs_space`, beside this one, has such an index of points in two and three dimensions: `Grid`. It finds the
//! entities near a point, nearest to a point, and inside a box. It is made for points that all move in each frame.
//!
//! ```text
//! #[derive(Component)]
//! #[component(index(kind = Grid<2>, by = 0))]
//! struct Position([f32; 2]);
//!
//! fn explode(positions: Index<Position>, mut healths: View<&mut Health>) {
//!     healths.for_each_many(positions.near([3.0, 0.0], 1.5), |(_, health)| health.0 -= 10);
//! }
//! ```
//!
//! # Parts of a query
//!
//! The answer of an index limits a query in two ways. [`View::iter_many`](crate::View::iter_many) and
//! [`for_each_many`](crate::View::for_each_many) look each entity of the answer up, in the order of the answer.
//! [`World::entity_set`](crate::World::entity_set) makes a set of the answer, and [`View::among`](crate::View::among)
//! combines it with the other conditions of the query, page by page. Take a set if it is used by several queries, or
//! with `&`, `|` and `-`:
//!
//! ```
//! # use ecs::{Component, World};
//! #[derive(Component, Clone, PartialEq, Eq, Hash)]
//! #[component(index)]
//! struct Team(u8);
//! #[derive(Component)]
//! #[component(index(ordered, by = 0))]
//! struct Score(u32);
//! # #[derive(Component)]
//! # struct Health(u32);
//!
//! let mut world = World::new();
//! world.spawn_batch((0..40_u32).map(|n| (Team((n % 4) as u8), Score(n), Health(100))));
//! let team = world.entity_set(world.index::<Team>().get(&Team(3)));
//! let best = world.entity_set(world.index::<Score>().range(30..));
//! for (_, health) in world.view_mut::<&mut Health>().among(&(&team & &best)) {
//!     health.0 += 10;
//! }
//! let healths = world.view::<&Health>();
//! assert_eq!(healths.iter().filter(|(_, health)| health.0 == 110).count(), 3);
//! assert_eq!(healths.among(&best).explain().among, Some(10)); // the set is used
//! ```
