//! Columns: components that are stored a field at a time, and when that pays.
//!
//! ```
//! use ecs::{Component, Query, World};
//!
//! #[derive(Component, Clone, Debug, PartialEq)]
//! #[component(layout = "soa")]
//! struct Particle { height: f32, speed: f32, age: u32, colour: [u8; 4] }
//!
//! // A query can borrow single fields. The module `particle` is made by the derive.
//! #[derive(Query)]
//! struct Falling<'w> {
//!     #[query(column = particle::height)]
//!     height: &'w mut f32,
//!     #[query(column = particle::speed)]
//!     speed: &'w f32,
//! }
//!
//! let mut world = World::new();
//! let entities = world.spawn_batch((0..1_000).map(|at| Particle {
//!     height: at as f32,
//!     speed: 2.0,
//!     age: 0,
//!     colour: [255; 4],
//! }));
//!
//! // This loop reads and writes two columns; ages and colours stay out of the caches.
//! for falling in world.view_mut::<Falling>() {
//!     *falling.height -= *falling.speed;
//! }
//!
//! // A column alone, as a term. In slices it is a plain `&mut [u32]`.
//! world.view_mut::<&mut particle::age>().for_each_chunk(|(_, ages)| {
//!     ages.iter_mut().for_each(|age| *age += 1);
//! });
//!
//! // A whole component is read as a struct of references: here a `ParticleRef`.
//! let particle = world.get::<Particle>(entities[10]).unwrap();
//! assert_eq!((*particle.height, *particle.age), (8.0, 1));
//! assert_eq!(particle.to_owned().colour, [255; 4]);
//! ```
//!
//! # The layout
//!
//! By default a pool is a `Vec` of values, so an entity's fields are neighbours in memory. With
//! `#[component(layout = "soa")]` there is a `Vec` a field, all in one order. Inserting, removing and looking
//! entities up work as before, and so do groups and batches.
//!
//! # When it pays
//!
//! Columns pay for a component with several fields, if loops over many entities use a few of them. Such a
//! loop moves less memory, and the compiler vectorises it like a loop over plain slices.
//!
//! They do not pay for a small component, or one that is read whole or mostly reached by handle. Each lookup or
//! insertion touches as many places in memory as there are fields. Often two components are the better answer:
//! split one whose parts are used by different systems.
//!
//! The attribute can be added later. Code that reads a field by a method, an operator or a format need not
//! change, because these look through references.
//!
//! # Changes in code
//!
//! There is no `&Particle` in memory to point to. The derive emits these types instead, with the struct's
//! visibility:
//!
//! | without | with `layout = "soa"` | from |
//! |---|---|---|
//! | `&Particle` | `ParticleRef<'_>`, a reference a field | `get`, `view::<Particle>()` |
//! | `&mut Particle` | `ParticleMut<'_>` | `get_mut`, `view_mut::<&mut Particle>()` |
//! | `&[Particle]` | `ParticleSlices<'_>`, a slice a field | [`PoolRef::as_slice`], chunks |
//! | `&mut [Particle]` | `ParticleSlicesMut<'_>` | [`PoolMut::as_mut_slice`], chunks |
//! | – | `particle::height` and so on | terms: `&particle::height` |
//!
//! * To copy, compare or assign a field, write `*`: `*particle.age += 1`.
//! * To copy the whole, `to_owned()`; to exchange it, `set` or `replace` of a `ParticleMut`.
//! * In a derived query, a whole component is a field of type `ParticleRef<'w>` or `ParticleMut<'w>`.
//! * It is an [`AnyComponent`](crate::AnyComponent) and no [`Component`](trait@crate::Component): functions over components in
//!   columns, too, name the one, and borrow by [`Ref`], [`RefMut`], [`Slice`] and [`SliceMut`].
//!
//! The struct has named fields, and no `Drop` of its own. [`Component`](crate::Component#layouts) lists all
//! rules, and how to rename the emitted types.
//!
//! # Aliasing, field by field
//!
//! Two terms of one query, and two views of a split, may write different fields of one component:
//!
//! ```
//! # use ecs::{Component, World};
//! # #[derive(Component)]
//! # #[component(layout = "soa")]
//! # struct Particle { height: f32, speed: f32 }
//! # let mut world = World::new();
//! # world.spawn(Particle { height: 1.0, speed: 2.0 });
//! let (heights, mut speeds) =
//!     world.split_mut::<(&mut particle::height, &mut particle::speed)>();
//! for (entity, height) in heights {
//!     let (_, speed) = speeds.get_mut(entity).unwrap();
//!     (*height, *speed) = (*height + *speed, *speed * 0.5);
//! }
//! ```
//!
//! To write one field twice, or to write a field beside the whole component, does not compile.
//!
//! [`PoolRef::as_slice`]: crate::PoolRef::as_slice
//! [`PoolMut::as_mut_slice`]: crate::PoolMut::as_mut_slice
//! [`Ref`]: crate::Ref
//! [`RefMut`]: crate::RefMut
//! [`Slice`]: crate::Slice
//! [`SliceMut`]: crate::SliceMut
