//! Handles that threads reserve.

use crate::entities::Entities;
use crate::entity::Entity;

/// The entities of a world that has room for eight.
pub struct Handles(Entities<7, 7>);

impl Handles {
    /// Returns handles, `alive` living and `ended` dead ones, with free indices to reuse.
    ///
    /// # Panics
    /// When that are more than there is room for.
    #[must_use]
    pub fn new(alive: usize, ended: usize) -> Self {
        let mut entities = Entities::new();
        let all: Vec<Entity> = (0..alive + ended).map(|_| entities.spawn()).collect();
        all[alive..].iter().for_each(|entity| entities.free(*entity));
        let this = Self(entities);
        this.begin();
        this
    }

    /// The atomic that threads will share is made by this thread.
    fn begin(&self) {
        assert_eq!(self.0.len(), self.0.alive(), "nothing is reserved");
    }

    /// Reserves one, as any thread may: its index, and its generation.
    ///
    /// # Panics
    /// When there is no room.
    #[must_use]
    pub fn reserve(&self) -> (u32, u32) {
        let entity = self.0.reserve();
        assert!(self.0.contains(entity), "who has it knows it");
        (entity.index(), entity.generation().get())
    }

    /// Returns the number of entities, reserved ones included.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Returns `true` if there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the indices and generations that a reader of the world sees.
    #[must_use]
    pub fn all(&self) -> Vec<(u32, u32)> {
        self.0.iter_all().map(|entity| (entity.index(), entity.generation().get())).collect()
    }

    /// Makes the reserved handles alive. Returns all living ones.
    ///
    /// # Panics
    /// When anything is amiss then.
    pub fn wake(&mut self) -> Vec<(u32, u32)> {
        self.0.flush();
        self.0.check().expect("it is whole");
        self.begin();
        self.all()
    }
}
