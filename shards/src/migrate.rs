use crate::identity::Index;
use crate::message::Kind;
use crate::{Identity, ShardError, Shards, StandIn, Transport};
use ecs::by_name;
use ecs::save::{ChangeSet, Follower, Received, SavedList};
use ecs::{AnyComponent, Entity, Ref, World};
use serde::{Deserialize, Serialize};

/// The number of stand-ins from which on unnamed ones are looked for, if they are also twice as
/// many as were named.
const STAND_INS: usize = 1_024;

/// The entities that move from one rank to another.
#[derive(Default, Serialize, Deserialize)]
struct Parcel {
    /// The entities that move, by their handles on the rank that they leave.
    moving: Vec<(Handle, Identity)>,
    /// The entities that the ones that move name.
    named: Vec<(Handle, Identity)>,
    /// The ones that move and are named by entities of other ranks, by their positions.
    abroad: Vec<u32>,
    /// The components of the ones that move.
    set: Vec<u8>,
}

/// An entity of another rank: its index and its generation.
#[derive(Clone, Copy, Serialize, Deserialize)]
struct Handle(u32, u32);

impl From<Entity> for Handle {
    fn from(entity: Entity) -> Self {
        Self(entity.index(), entity.generation().get())
    }
}

impl Handle {
    fn entity(self) -> Option<Entity> {
        Entity::from_bits(u64::from(self.1) << 32 | u64::from(self.0))
    }
}

/// The entities of a parcel in the world that they come to.
#[derive(Default)]
struct Arrivals {
    follower: Follower,
    /// Stand-ins whose entities came back.
    returned: Vec<Entity>,
    spawned: Vec<Entity>,
    /// All of them here, in the order of the parcel.
    here: Vec<Entity>,
}

impl Arrivals {
    /// Finds the entities of a parcel, or spawns them without their components.
    fn place(
        &mut self,
        world: &mut World,
        index: Option<&Index>,
        from: usize,
        parcel: &Parcel,
    ) -> Result<(), ShardError> {
        let malformed = |what: String| ShardError::Malformed { from, what };
        let moving = parcel.moving.iter().map(|pair| (pair, true));
        let named = parcel.named.iter().map(|pair| (pair, false));
        for ((handle, identity), moves) in moving.chain(named) {
            let Some(entity) = handle.entity() else {
                return Err(malformed(format!("invalid handle {}v{}", handle.0, handle.1)));
            };
            let here = match index.and_then(|index| index.get(*identity)) {
                Some(here) if !moves => here,
                Some(here) if world.pool::<StandIn>().contains(here) => {
                    self.returned.push(here);
                    here
                }
                Some(_) => return Err(ShardError::SameIdentity(*identity)),
                None => {
                    let mut entity = world.spawn(*identity);
                    if !moves {
                        entity.insert(StandIn);
                    }
                    self.spawned.push(entity.id());
                    entity.id()
                }
            };
            if self.follower.insert(entity, here).is_some() {
                return Err(malformed(format!("{entity} comes twice")));
            }
            self.here.push(here);
        }
        Ok(())
    }
}

impl<T: Transport> Shards<T> {
    /// Sends each entity whose component `C` belongs to another rank, as `owner` says, to that rank, and receives the
    /// ones that come here. Entities without a `C` follow the entity that they are [children](ecs::ChildOf) of. Returns the
    /// number of entities that came. Collective; O(components of type `C`, and components that move).
    ///
    /// An entity moves with all its components; components that say `#[component(save = skip)]` are dropped. Relations
    /// between entities that move together stay, with their order. A handle of an entity that stays, in a relation or in
    /// another place that [`MapEntities`](ecs::MapEntities) finds, becomes the handle of its [stand-in](StandIn) on the
    /// other rank. An entity that stays keeps its handle of one that moved; it names a stand-in then. All of these have
    /// an [`Identity`].
    ///
    /// Before entities move, ends cross borders. If a rank despawned an entity that others have stand-ins of, or a
    /// stand-in, the entity and its stand-ins end on all ranks. So do all that end with them, as in one world. This takes
    /// a [reduction](Self::reduce), and one more for each level of entities that end with others. It is left out if no
    /// component that names entities was registered when the shards were made.
    ///
    /// # Errors
    /// When an entity has no identity, has a component that is neither saved nor skipped, belongs to a rank that is no
    /// neighbour, or is kept by a veto. When an identity comes that another entity has here. When a component names
    /// entities and was not registered when the shards were made. When a rank ended or a message is not right.
    pub fn migrate<C: AnyComponent + SavedList>(
        &mut self,
        world: &mut World,
        owner: impl Fn(Ref<'_, C>) -> usize,
    ) -> Result<usize, ShardError> {
        world.register::<C>(); // does not compile if `C` is not saved
        let own = self.rank();
        self.settle(world)?;
        let all = world.pool::<C>().iter().map(|(entity, value)| (entity, owner(value)));
        let mut moving: Vec<(Entity, usize)> = all.filter(|(_, owner)| *owner != own).collect();
        let mut at = 0;
        while let Some(&(parent, owner)) = moving.get(at) {
            let children = world.children(parent);
            let follow = children.filter(|child| !world.pool::<C>().contains(*child));
            moving.extend(follow.map(|child| (child, owner)));
            at += 1;
        }
        self.send(world, &moving)
    }

    fn send(&mut self, world: &mut World, moving: &[(Entity, usize)]) -> Result<usize, ShardError> {
        let no_neighbour = |owner: &usize| self.neighbours.binary_search(owner).is_err();
        if let Some(&(entity, owner)) = moving.iter().find(|(_, owner)| no_neighbour(owner)) {
            return Err(ShardError::NotNeighbour { entity, owner });
        }
        if !moving.is_empty()
            && !self.settles
            && let Some(kind) = naming(world).find(|kind| !world.kind_entities(*kind).is_empty())
        {
            return Err(ShardError::Late(kind.name()));
        }
        let leaves_stand_ins = has_names(world);
        let mut named = Vec::new();
        let mut parcels = Vec::with_capacity(self.neighbours.len());
        for &to in &self.neighbours {
            let to_there = moving.iter().filter(|(_, owner)| *owner == to);
            let mut entities: Vec<Entity> = to_there.map(|(entity, _)| *entity).collect();
            entities.sort_unstable_by_key(|entity| entity.index());
            let mut parcel = pack(world, &entities)?;
            named.extend(parcel.named.iter().filter_map(|(handle, _)| handle.entity()));
            if self.settles {
                let all = (0..).zip(&entities);
                let abroad = all.filter(|(_, it)| leaves_stand_ins || self.abroad.contains(**it));
                parcel.abroad = abroad.map(|(at, _)| at).collect();
            }
            parcels.push((to, parcel));
        }
        let moving: Vec<Entity> = moving.iter().map(|(entity, _)| *entity).collect();
        self.send_abroad(world, named)?;
        self.abroad.forget(&moving);
        leave(world, &moving)?;
        if leaves_stand_ins {
            self.send_abroad(world, moving.iter().copied())?;
        }
        self.begin();
        let from = self.neighbours.clone();
        let (received, sent) = self.exchange::<_, Parcel>(Kind::Migrate, &parcels, &from)?;
        self.traffic.migrated += moving.len() as u64;
        self.traffic.migrated_bytes += sent;
        let mut came = 0;
        for (from, parcel) in from.into_iter().zip(received) {
            came += parcel.moving.len();
            self.unpack(world, from, &parcel)?;
        }
        self.sweep(world)?;
        Ok(came)
    }

    /// Adds the entities that came. A parcel that is refused leaves none of them.
    fn unpack(
        &mut self,
        world: &mut World,
        from: usize,
        parcel: &Parcel,
    ) -> Result<(), ShardError> {
        if parcel.moving.is_empty() {
            return Ok(());
        }
        let must_know = !parcel.named.is_empty() || !world.pool::<StandIn>().is_empty();
        if self.index.is_some() || must_know {
            self.update_index(world)?;
        }
        let malformed = |what: String| ShardError::Malformed { from, what };
        let mut arrivals = Arrivals::default();
        let unpacked = arrivals.place(world, self.index.as_ref(), from, parcel).and_then(|()| {
            match world.apply_change_set(&parcel.set, &mut arrivals.follower, &self.limits) {
                Ok(Received::Applied) => Ok(()),
                Ok(_) if arrivals.follower.needs_full() => {
                    let what = "its relations close a circle with others of this rank, or a unique component has \
                                a value that another entity has here";
                    Err(malformed(what.to_owned()))
                }
                Ok(_) => Err(malformed("its components follow on others".to_owned())),
                Err(error) => Err(malformed(error.to_string())),
            }
        });
        if let Err(error) = unpacked {
            world.despawn_batch(&arrivals.spawned);
            return Err(error);
        }
        world.remove_batch::<StandIn>(&arrivals.returned);
        let (moved, named) = arrivals.here.split_at(parcel.moving.len());
        let abroad = parcel.abroad.iter().filter_map(|at| moved.get(*at as usize));
        self.send_abroad(world, abroad.chain(named).copied())
    }

    /// Despawns the stand-ins that no saved component names, now and then.
    fn sweep(&mut self, world: &mut World) -> Result<(), ShardError> {
        let stand_ins = world.pool::<StandIn>();
        let has_names = has_names(world);
        if stand_ins.is_empty() || has_names && stand_ins.len() < self.sweep_at {
            return Ok(());
        }
        let named = world.save().leave_out_rest().named_entities()?;
        let is_named = |entity: &Entity| {
            named.binary_search_by_key(&entity.index(), |named| named.index()).is_ok()
        };
        let unnamed: Vec<Entity> =
            stand_ins.keys().iter().copied().filter(|entity| !is_named(entity)).collect();
        let named = stand_ins.len() - unnamed.len();
        self.abroad.forget(&unnamed);
        world.despawn_batch(&unnamed);
        self.sweep_at = 2 * named + STAND_INS;
        Ok(())
    }
}

/// Returns `true` if any component names an entity.
fn has_names(world: &World) -> bool {
    world.kinds().any(|kind| kind.holds_entities() && !world.kind_entities(kind).is_empty())
}

/// Returns the saved components that name entities.
pub(crate) fn naming(world: &World) -> impl Iterator<Item = by_name::Kind> {
    world.kinds().filter(|kind| kind.holds_entities() && kind.saved_name().is_some())
}

/// Returns these entities, which are in the order of their indices, as they are sent.
fn pack(world: &World, entities: &[Entity]) -> Result<Parcel, ShardError> {
    if entities.is_empty() {
        return Ok(Parcel::default());
    }
    let is_sent = |kind: by_name::Kind| {
        kind != by_name::Kind::of::<Identity>() && kind != by_name::Kind::of::<StandIn>()
    };
    let (set, named) = ChangeSet::of(world, entities, &is_sent)?;
    let identities = world.pool::<Identity>();
    let with_identity = |entity: &Entity| match identities.get(*entity) {
        Some(identity) => Ok((Handle::from(*entity), *identity)),
        None => Err(ShardError::NoIdentity(*entity)),
    };
    let moving = entities.iter().map(with_identity).collect::<Result<_, _>>()?;
    let named = named.iter().map(with_identity).collect::<Result<_, _>>()?;
    Ok(Parcel { moving, named, abroad: Vec::new(), set: set.into_bytes() })
}

/// Removes entities that were packed, but lets a stand-in stay where components may name one.
fn leave(world: &mut World, moving: &[Entity]) -> Result<(), ShardError> {
    if !has_names(world) {
        world.despawn_batch(moving);
        let vetoed = moving.iter().find(|entity| world.is_alive(**entity));
        return vetoed.map_or(Ok(()), |entity| Err(ShardError::Vetoed(*entity)));
    }
    for &entity in moving {
        // Or an observer has ended it.
        if world.is_alive(entity) && world.remove_except::<Identity>(entity).is_err() {
            return Err(ShardError::Vetoed(entity));
        }
    }
    let left: Vec<Entity> = moving.iter().copied().filter(|it| world.is_alive(*it)).collect();
    world.insert_batch(left.into_iter().map(|entity| (entity, StandIn))).expect("they are alive");
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Channels;

    /// Returns the error of a parcel from rank 3, and checks that nothing of it stays.
    fn refusal(parcel: &Parcel) -> String {
        let refused = Channels::run(1, |channels| {
            let mut world = World::new();
            let mut shards = Shards::new(channels, &mut world)?;
            let error = shards.unpack(&mut world, 3, parcel).unwrap_err();
            assert!(world.is_empty(), "{world:?}");
            Ok(error.to_string())
        });
        refused.unwrap().remove(0)
    }

    fn parcel(moving: &[Handle], named: &[Handle]) -> Parcel {
        let with_identity = |(at, handle): (u64, &Handle)| (*handle, Identity(at));
        let mut all = (0..).zip(moving.iter().chain(named)).map(with_identity);
        let moving = all.by_ref().take(moving.len()).collect();
        Parcel { moving, named: all.collect(), ..Parcel::default() }
    }

    #[test]
    fn a_parcel_with_an_invalid_handle_is_refused_whole() {
        let what = "refused a message from rank 3: invalid handle 7v0";
        assert_eq!(refusal(&parcel(&[Handle(1, 1), Handle(7, 0)], &[])), what);
        assert_eq!(refusal(&parcel(&[Handle(1, 1)], &[Handle(7, 0)])), what);
    }

    #[test]
    fn a_parcel_with_an_entity_twice_is_refused_whole() {
        let what = "refused a message from rank 3: 1v1 comes twice";
        assert_eq!(refusal(&parcel(&[Handle(1, 1), Handle(1, 1)], &[])), what);
        assert_eq!(refusal(&parcel(&[Handle(1, 1)], &[Handle(1, 1)])), what);
    }

    #[test]
    fn a_parcel_with_a_malformed_change_set_is_refused_whole() {
        let error = refusal(&Parcel { set: vec![1, 2, 3], ..parcel(&[Handle(1, 1)], &[]) });
        assert!(error.starts_with("refused a message from rank 3: "), "{error}");
    }
}
