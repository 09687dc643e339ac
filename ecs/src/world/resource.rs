//! Resources: a world has at most one value of each type.

use crate::resource::{NamedResource, Resource, Scope};
use crate::world::World;

/// # Resources
impl World {
    /// Inserts a resource, and returns the one of this type that the world had. O(1).
    ///
    /// # Panics
    /// Panics within a [`resource_scope`](Self::resource_scope) of this type, which has the value: write it there.
    ///
    /// ```
    /// # use ecs::{Resource, World};
    /// # #[derive(Resource, Debug, PartialEq)] struct Score(u32);
    /// let mut world = World::new();
    /// assert_eq!(world.insert_resource(Score(3)), None);
    /// assert_eq!(world.insert_resource(Score(4)), Some(Score(3)));
    /// ```
    #[track_caller]
    pub fn insert_resource<T: Resource>(&mut self, resource: T) -> Option<T> {
        self.resources.insert(resource)
    }

    /// Returns the resource of type `T`. O(1).
    ///
    /// # Panics
    /// Panics if there is none; [`get_resource`](Self::get_resource) returns `None` instead.
    ///
    /// ```
    /// # use ecs::{Resource, World};
    /// # #[derive(Resource)] struct Score(u32);
    /// let mut world = World::new();
    /// world.insert_resource(Score(3));
    /// assert_eq!(world.resource::<Score>().0, 3);
    /// ```
    #[must_use]
    #[inline]
    #[track_caller]
    pub fn resource<T: Resource>(&self) -> &T {
        match self.resources.get() {
            Some(resource) => resource,
            None => self.resources.missing::<T>(),
        }
    }

    /// Returns the resource of type `T`, to be changed. O(1). To borrow it beside views or another resource, use
    /// [`split_mut`](Self::split_mut).
    ///
    /// # Panics
    /// Panics if there is none; [`get_resource_mut`](Self::get_resource_mut) returns `None` instead.
    ///
    /// ```
    /// # use ecs::{Resource, World};
    /// # #[derive(Resource)] struct Score(u32);
    /// let mut world = World::new();
    /// world.insert_resource(Score(3));
    /// world.resource_mut::<Score>().0 += 1;
    /// assert_eq!(world.resource::<Score>().0, 4);
    /// ```
    #[must_use]
    #[inline]
    #[track_caller]
    pub fn resource_mut<T: Resource>(&mut self) -> &mut T {
        if self.resources.get::<T>().is_none() {
            self.resources.missing::<T>();
        }
        self.resources.get_mut().expect("it is there")
    }

    /// Returns the resource of type `T`, if there is one. O(1).
    ///
    /// ```
    /// # use ecs::{Resource, World};
    /// # #[derive(Resource, Debug, PartialEq)] struct Score(u32);
    /// let mut world = World::new();
    /// assert_eq!(world.get_resource::<Score>(), None);
    /// world.insert_resource(Score(3));
    /// assert_eq!(world.get_resource::<Score>(), Some(&Score(3)));
    /// ```
    #[doc(alias = "contains_resource")]
    #[must_use]
    #[inline]
    pub fn get_resource<T: Resource>(&self) -> Option<&T> {
        self.resources.get()
    }

    /// Returns the resource of type `T`, if there is one, to be changed. O(1).
    ///
    /// ```
    /// # use ecs::{Resource, World};
    /// # #[derive(Resource)] struct Score(u32);
    /// let mut world = World::new();
    /// if let Some(score) = world.get_resource_mut::<Score>() {
    ///     score.0 += 1;
    /// }
    /// # assert!(world.get_resource::<Score>().is_none());
    /// ```
    #[must_use]
    #[inline]
    pub fn get_resource_mut<T: Resource>(&mut self) -> Option<&mut T> {
        self.resources.get_mut()
    }

    /// Returns the resource of type `T`, to be changed. If there was none, inserts the result of `make`. O(1).
    ///
    /// # Panics
    /// Panics like [`insert_resource`](Self::insert_resource).
    ///
    /// ```
    /// # use ecs::{Resource, World};
    /// #[derive(Resource, Default)]
    /// struct Score(u32);
    ///
    /// let mut world = World::new();
    /// world.resource_or_insert_with(Score::default).0 += 1;
    /// world.resource_or_insert_with(Score::default).0 += 1;
    /// assert_eq!(world.resource::<Score>().0, 2);
    /// ```
    #[doc(alias = "init_resource")]
    #[track_caller]
    pub fn resource_or_insert_with<T: Resource>(&mut self, make: impl FnOnce() -> T) -> &mut T {
        if self.resources.get::<T>().is_none() {
            self.resources.insert(make());
        }
        self.resource_mut()
    }

    /// Removes the resource of type `T` and returns it. O(1).
    ///
    /// # Panics
    /// Panics within a [`resource_scope`](Self::resource_scope) of this type, which has the value.
    ///
    /// ```
    /// # use ecs::{Resource, World};
    /// # #[derive(Resource, Debug, PartialEq)] struct Score(u32);
    /// let mut world = World::new();
    /// world.insert_resource(Score(3));
    /// assert_eq!(world.remove_resource(), Some(Score(3)));
    /// assert_eq!(world.remove_resource::<Score>(), None);
    /// ```
    #[track_caller]
    pub fn remove_resource<T: Resource>(&mut self) -> Option<T> {
        self.resources.remove()
    }

    /// Returns the version of the resource of type `T`, which increases when it is inserted, removed, or lent to be
    /// changed. O(1).
    ///
    /// Compare two versions to find out whether the resource may have changed. They only grow, also while the resource
    /// is replaced, removed and given again; 0 says that there never was one. Whatever lends a `&mut T` counts, written
    /// or not: [`resource_mut`](Self::resource_mut), a split, a system, a
    /// [`resource_scope`](Self::resource_scope) when it ends, a [copy](Self::copy_from). Systems use
    /// [`HasChanged`](crate::HasChanged). Versions of different worlds differ, unless neither world ever had one.
    ///
    /// ```
    /// # use ecs::{Resource, World};
    /// # #[derive(Resource)] struct Config { volume: u8 }
    /// let mut world = World::new();
    /// world.insert_resource(Config { volume: 7 });
    /// let seen = world.resource_version::<Config>();
    ///
    /// assert_eq!(world.resource::<Config>().volume, 7);
    /// assert_eq!(world.resource_version::<Config>(), seen);
    /// world.resource_mut::<Config>().volume = 9;
    /// assert_ne!(world.resource_version::<Config>(), seen); // read it again
    /// ```
    #[must_use]
    #[inline]
    pub fn resource_version<T: Resource>(&self) -> u64 {
        self.resources.version::<T>()
    }

    /// Calls `scope` with the world and its resource of type `T`: for edits of both. O(1).
    ///
    /// Meanwhile the world has no such resource: `get_resource` returns `None`. To insert another, to remove it, or to
    /// enter a scope of this type panics. When `scope` ends, also by a panic, the resource is put back. If `scope` put
    /// another world in the place of this one, the resource goes into that world, unless it has one of its own. The
    /// world that was taken away has none then, and may be given one.
    ///
    /// # Panics
    /// Panics if there is no such resource.
    ///
    /// ```
    /// # use ecs::{Component, Resource, World};
    /// # #[derive(Component)] struct Orc;
    /// #[derive(Resource)]
    /// struct Waves(Vec<usize>);
    ///
    /// let mut world = World::new();
    /// world.insert_resource(Waves(vec![3, 5]));
    /// world.resource_scope::<Waves, _>(|world, waves| {
    ///     if let Some(count) = waves.0.pop() {
    ///         world.spawn_batch((0..count).map(|_| Orc));
    ///     }
    /// });
    /// assert_eq!((world.len(), world.resource::<Waves>().0.len()), (5, 1));
    /// ```
    #[track_caller]
    pub fn resource_scope<T: Resource, R>(
        &mut self,
        scope: impl FnOnce(&mut Self, &mut T) -> R,
    ) -> R {
        let (number, taken, lasts) = self.resources.take::<T>();
        let mut taken = TakenResource { world: self, number, resource: Some(taken), _lasts: lasts };
        let resource = taken.resource.as_mut().and_then(NamedResource::get_mut);
        scope(&mut *taken.world, resource.expect("it was taken as such"))
    }
}

/// A resource that is out of its world, and goes back when this is dropped.
struct TakenResource<'w> {
    world: &'w mut World,
    number: u32,
    resource: Option<NamedResource>,
    _lasts: Scope,
}

impl Drop for TakenResource<'_> {
    fn drop(&mut self) {
        if let Some(resource) = self.resource.take() {
            drop(self.world.resources.put_back(self.number, resource)); // where it is not needed
        }
    }
}
