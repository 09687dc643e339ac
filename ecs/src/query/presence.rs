//! Whether an entity has components: as a value, and as what a query filters by.

use core::fmt;
use core::marker::PhantomData;

/// A term that tells whether an entity has a `T`, and asks nothing of it.
///
/// The value derefs to `bool`.
///
/// ```
/// # use ecs::{Component, Has, World};
/// #[derive(Component, Default)]
/// struct Audio(f32);
/// #[derive(Component, Default)]
/// struct Muted;
///
/// let mut world = World::new();
/// world.spawn().add::<Audio>();
/// world.spawn().add::<Audio>().add::<Muted>();
/// let muted: Vec<bool> =
///     world.view::<(&Audio, Has<Muted>)>().into_iter().map(|(_, _, muted)| *muted).collect();
/// assert_eq!(muted, [false, true]);
/// ```
pub struct Has<T> {
    present: bool,
    of: PhantomData<fn() -> T>,
}

impl<T> Has<T> {
    #[inline]
    pub(crate) const fn new(present: bool) -> Self {
        Self { present, of: PhantomData }
    }

    /// Whether the entity has it.
    ///
    /// ```
    /// # use ecs::{Component, Has, World};
    /// # #[derive(Component)] struct Audio(f32);
    /// # #[derive(Component)] struct Muted;
    /// # let mut world = World::new();
    /// world.spawn_with((Audio(1.0), Muted));
    /// let (_, _, muted) = world.view::<(&Audio, Has<Muted>)>().single().unwrap();
    /// assert!(muted.get());
    /// ```
    #[must_use]
    pub const fn get(self) -> bool {
        self.present
    }
}

impl<T> Clone for Has<T> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<T> Copy for Has<T> {}
impl<T> core::ops::Deref for Has<T> {
    type Target = bool;
    fn deref(&self) -> &bool {
        &self.present
    }
}
impl<T> fmt::Debug for Has<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.present.fmt(f)
    }
}

macro_rules! filter {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        pub struct $name<L>(PhantomData<fn() -> L>);

        impl<L> $name<L> {
            #[inline(always)]
            pub(crate) const fn new() -> Self {
                Self(PhantomData)
            }
        }
        impl<L> Clone for $name<L> {
            fn clone(&self) -> Self {
                *self
            }
        }
        impl<L> Copy for $name<L> {}
        impl<L> fmt::Debug for $name<L> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(stringify!($name))
            }
        }
    };
}

filter! {
    /// A filter and a term: entities that have all of `L`, a component or a tuple of components.
    ///
    /// As a term it yields itself, and borrows nothing: another view may write what it asks for.
    ///
    /// ```
    /// # use ecs::{Component, With, World};
    /// # #[derive(Component)] struct Health(u32);
    /// # #[derive(Component)] struct Player;
    /// # let mut world = World::new();
    /// world.spawn_with((Health(3), Player));
    /// world.spawn_with(Health(7));
    /// let (_, health, _) = world.view::<(&Health, With<Player>)>().single().unwrap();
    /// assert_eq!(health.0, 3);
    /// ```
    With
}
filter! {
    /// A filter and a term: entities that have none of `L`, a component or a tuple of components.
    ///
    /// ```
    /// # use ecs::{Component, Without, World};
    /// # #[derive(Component)] struct Asleep;
    /// # #[derive(Component)] struct Dead;
    /// # let mut world = World::new();
    /// world.spawn_with(Dead);
    /// let awake = world.spawn().id();
    /// let (entity, _) = world.view::<Without<(Asleep, Dead)>>().single().unwrap();
    /// assert_eq!(entity, awake);
    /// ```
    Without
}
filter! {
    /// A filter and a term: entities that have at least one of `L`, a tuple of components.
    ///
    /// ```
    /// # use ecs::{Component, WithAny, World};
    /// # #[derive(Component)] struct Audio(f32);
    /// # #[derive(Component)] struct Near;
    /// # #[derive(Component)] struct Loud;
    /// # let mut world = World::new();
    /// let entity = world.spawn_with((Audio(1.0), Loud)).id();
    /// assert!(world.has::<(&Audio, WithAny<(Near, Loud)>)>(entity));
    /// assert!(!world.has::<WithAny<(Near,)>>(entity));
    /// ```
    WithAny
}
