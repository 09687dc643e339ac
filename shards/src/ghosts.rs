use crate::identity::Index;
use crate::message::Kind;
use crate::{Identity, ShardError, Shards, Transport};
use ecs::save::{ChangeSets, Follower, Received, SavedList};
use ecs::{ComponentList, Entity, EntityRef, Resource, World};

/// The ghosts of a rank: read-only copies of entities of other ranks, in a world of their own. A resource of the rank's
/// world, so that systems read it. It stays when that world is copied, saved or loaded.
///
/// Each ghost has its [`Identity`] and the components that [`Shards::show_ghosts`] names. Their handles are of this world,
/// and the order in which it is walked depends on the number of ranks.
#[derive(Resource)]
#[resource(clone = skip, save = skip)]
pub struct Ghosts {
    world: World,
    index: Index,
}

impl Ghosts {
    /// Returns the world of the ghosts.
    #[must_use]
    pub const fn world(&self) -> &World {
        &self.world
    }

    /// Returns the ghost with this identity, if it is shown to this rank. O(1).
    #[must_use]
    pub fn get(&self, identity: Identity) -> Option<EntityRef<'_>> {
        self.index.entity(&self.world, identity)
    }
}

impl std::fmt::Debug for Ghosts {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Ghosts").field("world", &self.world).finish_non_exhaustive()
    }
}

/// A neighbour that sees entities of this rank, and whose entities this rank sees.
pub(crate) struct Audience {
    sets: ChangeSets,
    /// The neighbour's entities, each as its ghost here.
    follower: Follower,
}

/// The entities that each neighbour is to see: for [`Shards::refresh`].
#[derive(Debug)]
pub struct Shown<'s> {
    neighbours: &'s [usize],
    entities: Vec<Vec<Entity>>,
}

impl Shown<'_> {
    /// Shows an entity to a neighbour. To show it twice is to show it once.
    ///
    /// # Panics
    /// Panics if `rank` is no neighbour.
    pub fn show(&mut self, entity: Entity, rank: usize) {
        let Ok(at) = self.neighbours.binary_search(&rank) else {
            panic!("cannot show {entity} to rank {rank}, which is no neighbour");
        };
        self.entities[at].push(entity);
    }
}

impl<T: Transport> Shards<T> {
    /// Begins to keep ghosts, with these components, which are tracked and saved; adds the resource [`Ghosts`]. All ranks
    /// name the same components.
    ///
    /// # Panics
    /// Panics if one of the components is not tracked.
    pub fn show_ghosts<L: ComponentList + SavedList>(&mut self, world: &mut World) {
        let audience = |_: &usize| {
            let sets = ChangeSets::default().only::<Identity>().only::<L>();
            Audience { sets, follower: Follower::default() }
        };
        self.audiences = self.neighbours.iter().map(audience).collect();
        let mut ghosts = World::new();
        ghosts.register::<Identity>();
        ghosts.register::<L>();
        if let Some(kind) = ghosts.kinds().find(|kind| !kind.is_tracked()) {
            panic!(
                "ghosts are sent the changes of `{}`: track it by `#[component(track)]`, or declare it by \
                 `by_name::Declaration`",
                kind.name()
            );
        }
        let index = Index::empty(&mut ghosts);
        world.insert_resource(Ghosts { world: ghosts, index });
    }

    /// Brings the ghosts of all ranks up to date. `show` names the entities that each neighbour is to see from now on.
    /// Only changes are sent of entities that it saw before; others come with all components of ghosts. Ghosts that are
    /// shown no more end. Collective; O(entities shown, and pages of their components).
    ///
    /// # Errors
    /// When a value cannot be written, an identity is shown by two ranks, a rank ended or a message is not right.
    ///
    /// # Panics
    /// Panics if [`show_ghosts`](Self::show_ghosts) was not called.
    pub fn refresh(
        &mut self,
        world: &mut World,
        show: impl FnOnce(&World, &mut Shown<'_>),
    ) -> Result<(), ShardError> {
        assert_eq!(
            self.audiences.len(),
            self.neighbours.len(),
            "ghosts have no components: call `show_ghosts` before `refresh`"
        );
        let entities = vec![Vec::new(); self.neighbours.len()];
        let mut shown = Shown { neighbours: &self.neighbours, entities };
        show(world, &mut shown);
        let entities = shown.entities;
        let mut sets = Vec::with_capacity(entities.len());
        for ((&to, audience), entities) in
            self.neighbours.iter().zip(&mut self.audiences).zip(&entities)
        {
            self.traffic.shown += entities.len() as u64;
            let set = audience.sets.drain_among(world, entities)?;
            sets.push((to, if set.is_empty() { Vec::new() } else { set.into_bytes() }));
        }
        self.begin();
        let from = self.neighbours.clone();
        let (received, sent) = self.exchange::<_, Vec<u8>>(Kind::Refresh, &sets, &from)?;
        self.traffic.shown_bytes += sent;
        let Ghosts { world: ghosts, index } = world.resource_mut::<Ghosts>();
        for ((from, audience), set) in from.into_iter().zip(&mut self.audiences).zip(&received) {
            if !set.is_empty() {
                let malformed = |what| ShardError::Malformed { from, what };
                let applied = ghosts.apply_change_set(set, &mut audience.follower, &self.limits);
                if applied.map_err(|error| malformed(error.to_string()))? != Received::Applied {
                    return Err(malformed("its ghosts do not follow on the last ones".to_owned()));
                }
            }
        }
        let [appeared, ended] = index.update(ghosts)?;
        self.traffic.appeared += appeared as u64;
        self.traffic.ended += ended as u64;
        Ok(())
    }
}
