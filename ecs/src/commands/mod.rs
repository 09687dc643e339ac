//! Commands: edits that are recorded while the world is borrowed, and applied later.

pub(crate) mod applied;
mod kinds;
mod queue;
pub(crate) mod spawning;

use crate::allocator::EntityAllocator;
use crate::commands::applied::Applied;
use crate::commands::kinds::Kinds;
#[cfg(debug_assertions)]
pub(crate) use crate::commands::queue::Edited;
use crate::commands::queue::{
    ClosureCommand, Command, EventCommand, EventTo, HoldingCommands, Insert, Patch, Queue,
    SpawnPrefab, Targets,
};
use crate::component::{AnyComponent, RefMut, check_writable};
use crate::copy::prefab::Prefab;
use crate::edit::bundle::{Bundle, check_bundle, check_new_bundle};
use crate::edit::components::TakeList;
use crate::entity::Entity;
use crate::world::World;
use alloc::boxed::Box;
use alloc::vec::Vec;
use core::any::{Any, TypeId};
use core::{fmt, mem};

/// Edits to be made later: recorded where the world cannot be edited, in a loop over a view or in another
/// thread, and [applied](Self::apply) in that order.
///
/// Each kind of command, such as the insertion of one bundle, has a queue of its own. So recording pushes to
/// a `Vec`, and consecutive commands of one kind are applied together, like [`World::insert_batch`], which is several
/// times as fast as one by one. Queues keep their memory: buffers that are used each frame allocate no more.
///
/// ```
/// use ecs::{Commands, Component, World};
///
/// #[derive(Component)]
/// struct Health(i32);
/// #[derive(Component)]
/// struct Ghost { of: ecs::Entity }
///
/// let mut world = World::new();
/// world.spawn_batch((-2..3).map(Health));
///
/// let mut commands = Commands::new();
/// for (entity, health) in world.view::<Health>() {
///     if health.0 <= 0 {
///         commands.despawn(entity);
///         let ghost = commands.spawn(&world, Ghost { of: entity }); // its handle, at once
///         commands.queue(move |world| assert!(world.has::<Ghost>(ghost)));
///     }
/// }
/// let applied = commands.apply(&mut world);
/// assert_eq!((applied.missing, world.view::<Ghost>().count()), (0, 3));
/// ```
///
/// # Order
///
/// The world is as if each command had run by itself, in the order in which they were recorded, down to the handles of
/// later spawns. So are the values that vetoes, closures and observers of events see. Consecutive commands of one kind
/// run as one batch. So [observers](World::on_insert) of components are notified when all of it is done, and the values
/// of a pool may be left in another order than by single edits.
///
/// A command never meets a half-applied one. The effects of a command, by observers or by drops, are done before
/// the next run of commands begins. One that records further commands does so in another buffer, as this one is
/// borrowed. They are applied when that other buffer is applied.
///
/// Several buffers, such as one a thread, are applied in the order in which you apply them.
///
/// # Worlds
///
/// Commands are for one world, like the handles that they name. A buffer belongs to the world whose handles
/// [`spawn`](Self::spawn) was given first, or that it is applied to. A system's buffer belongs to the world that the
/// system runs in. Commands apply to the world that they were recorded for. `apply` to another world drops them, and
/// a command that puts another world in the place of its own drops all commands behind it. [`Applied::foreign`]
/// counts them. When all is applied, the buffer is for any world again.
///
/// A world keeps its commands when it is moved. A clone is another world, and so is a
/// world that is loaded.
///
/// # Panics
///
/// [`apply`](Self::apply) stops where user code panics, in a drop, a closure, a veto or an observer. The command
/// that panicked is not run again. Commands that did not begin stay recorded, and the next `apply` goes on with
/// them, in the same world. The rest of a run of removals or despawns is given up, as [`World::remove_batch`] and
/// [`World::despawn_batch`] do.
///
/// Commands that are dropped are not run: their values are dropped. Handles that they gave out by
/// [`spawn`](Self::spawn) stay alive, and empty, until they are despawned.
#[derive(Default)]
pub struct Commands {
    kinds: Kinds,
    /// The recorded runs, in order. Each run takes the next commands of its queue.
    runs: Vec<KindRun>,
    /// The first run that is not done.
    next: usize,
    /// The number of the world that the commands are for; 0 as long as it is any.
    world: u64,
    /// The number of commands that were dropped since the last `apply`, because they were for another world.
    foreign: usize,
}

/// Consecutive commands of one kind.
#[derive(Clone, Copy)]
struct KindRun {
    /// The number of their queue.
    queue: usize,
    /// The number of commands that are left.
    left: usize,
}

/// A value that commands may hold: it may be recorded by one thread and applied by another.
///
/// The lifetime lets the bound be false, so that there is one error, in these words.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "commands may be applied by another thread, so their values are `Send + Sync`, and \
               `{Self}` is not",
    label = "not to be shared by threads",
    note = "let the command own handles and values; in place of an `Rc` or a `Cell`, use an `Arc`, a lock or \
            an atomic"
)]
pub trait Recorded<'a>: Send + Sync + 'static {}
#[diagnostic::do_not_recommend]
impl<T: Send + Sync + 'static> Recorded<'_> for T {}

/// A source of new entities for [`Commands::spawn`]: `&World`, or the [`EntityAllocator`] of a view.
#[diagnostic::on_unimplemented(
    message = "`Commands::spawn` takes the world first: write `commands.spawn(&world, bundle)`; a system has a parameter \
               `mut commands: SpawnCommands` in place of `&mut Commands`, and writes `commands.spawn(bundle)`",
    label = "neither the world nor the allocator of a view",
    note = "while a view has borrowed the world, give the result of `View::allocator` in its place"
)]
pub trait AllocateEntity {
    /// An entity, as of [`World::reserve_entity`].
    ///
    /// ```
    /// # use ecs::{Component, Entity, AllocateEntity, World};
    /// fn pair(handles: impl AllocateEntity + Copy) -> [Entity; 2] {
    ///     [handles.reserve_entity(), handles.reserve_entity()]
    /// }
    /// let world = World::new();
    /// let [one, other] = pair(&world);
    /// assert!(one != other && world.is_alive(one));
    /// ```
    fn reserve_entity(self) -> Entity;
    /// Returns the number of the world that the entities belong to, or 0 if it is unknown.
    #[doc(hidden)]
    fn __world(&self) -> u64 {
        0
    }
}

#[diagnostic::do_not_recommend]
impl AllocateEntity for &World {
    #[inline]
    fn __world(&self) -> u64 {
        self.entities.world()
    }
    #[inline]
    #[track_caller]
    fn reserve_entity(self) -> Entity {
        self.reserve_entity()
    }
}

/// Accepts `&world` where `world` is a `&mut World`, too.
#[diagnostic::do_not_recommend]
impl AllocateEntity for &&mut World {
    #[inline]
    fn __world(&self) -> u64 {
        self.entities.world()
    }
    #[inline]
    #[track_caller]
    fn reserve_entity(self) -> Entity {
        World::reserve_entity(self)
    }
}

#[diagnostic::do_not_recommend]
impl AllocateEntity for EntityAllocator<'_> {
    #[inline]
    fn __world(&self) -> u64 {
        self.world()
    }
    #[inline]
    #[track_caller]
    fn reserve_entity(self) -> Entity {
        self.reserve_entity()
    }
}

impl Commands {
    /// No commands; allocates nothing.
    ///
    /// ```
    /// assert!(ecs::Commands::new().is_empty());
    /// ```
    #[must_use]
    pub const fn new() -> Self {
        Self { kinds: Kinds::new(), runs: Vec::new(), next: 0, world: 0, foreign: 0 }
    }

    /// Returns the number of commands that are recorded. O(runs of one kind).
    ///
    /// ```
    /// # use ecs::{Commands, World};
    /// let mut world = World::new();
    /// let entity = world.spawn_empty().id();
    /// let mut commands = Commands::new();
    /// commands.insert(entity, ecs::Name::new("Bob"));
    /// commands.despawn(entity);
    /// assert_eq!(commands.len(), 2);
    /// commands.apply(&mut world);
    /// assert_eq!(commands.len(), 0);
    /// ```
    #[must_use]
    pub fn len(&self) -> usize {
        self.runs.iter().map(|run| run.left).sum()
    }

    /// Returns `true` if no command is recorded.
    ///
    /// ```
    /// # use ecs::{Commands, World};
    /// let mut commands = Commands::new();
    /// commands.queue(|world| _ = world.spawn_named("Bob"));
    /// assert!(!commands.is_empty());
    /// ```
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.runs[self.next..].iter().all(|run| run.left == 0)
    }

    /// Records that an entity with the components of `bundle` is spawned. Its handle is reserved at once, and counts as alive, so
    /// that other components and commands can name it. O(1), without a lock.
    ///
    /// If a [relation](crate::Relation) of the bundle points to an entity that is dead by then, the whole bundle is
    /// dropped, like in [`World::insert`], and the new entity ends. [`apply`](Self::apply) counts it as missing. The
    /// entity stays alive if it was given other components, or if relations point to it.
    ///
    /// `handles` is the source of the handle: the world, or, where a view has borrowed the world, the view's
    /// [`allocator`](crate::View::allocator). A system has [`SpawnCommands`](crate::SpawnCommands), which need no
    /// `handles`. Where the buffer belongs to [another world](Self#worlds) than the handles, the bundle is dropped and
    /// counted as foreign.
    ///
    /// # Panics
    /// Panics like [`World::reserve_entity`].
    ///
    /// ```
    /// # use ecs::{Commands, Component, Entity, World};
    /// # #[derive(Component)] struct Gun { loaded: bool }
    /// # #[derive(Component)] struct Bullet { from: Entity }
    /// # let mut world = World::new();
    /// # world.spawn_batch([Gun { loaded: true }, Gun { loaded: true }]);
    /// let (mut commands, mut fired) = (Commands::new(), Vec::new());
    /// let guns = world.view_mut::<&mut Gun>();
    /// let handles = guns.allocator();
    /// for (entity, gun) in guns {
    ///     if std::mem::take(&mut gun.loaded) {
    ///         fired.push(commands.spawn(handles, Bullet { from: entity }));
    ///     }
    /// }
    /// commands.apply(&mut world);
    /// assert!(fired.iter().all(|&bullet| world.has::<Bullet>(bullet)));
    /// ```
    #[inline]
    #[track_caller]
    pub fn spawn<B: Bundle>(&mut self, handles: impl AllocateEntity, bundle: B) -> Entity {
        const { check_new_bundle::<B>() };
        let world = handles.__world();
        let entity = handles.reserve_entity();
        if world == self.world || self.begin_for(world) {
            self.record(Insert::<B, true> { entity, bundle });
        }
        entity
    }

    /// Records that an entity is to be made, like [`spawn`](Self::spawn), and one more for each bundle that `others`
    /// returns for its handle; returns the handle of the first. O(new entities).
    ///
    /// # Panics
    /// Panics if all indices are in use.
    ///
    /// ```
    /// # use ecs::{Commands, Component, World};
    /// # #[derive(Component)] struct Ship;
    /// # #[derive(Component)] struct Gun(u32);
    /// # #[derive(Component)] #[component(relation)] struct PartOf(ecs::Entity);
    /// # let mut world = World::new();
    /// let mut commands = Commands::new();
    /// let ship = commands.spawn_with(&world, Ship, |ship| [1, 2].map(|gun| (Gun(gun), PartOf(ship))));
    /// commands.apply(&mut world);
    /// assert!(world.has::<Ship>(ship));
    /// assert_eq!(world.view::<(Gun, PartOf)>().count(), 2);
    /// ```
    #[track_caller]
    pub fn spawn_with<B: Bundle, I: IntoIterator<Item: Bundle>>(
        &mut self,
        handles: impl AllocateEntity + Copy,
        bundle: B,
        others: impl FnOnce(Entity) -> I,
    ) -> Entity {
        let entity = self.spawn(handles, bundle);
        for other in others(entity) {
            self.spawn(handles, other);
        }
        entity
    }

    /// Records that a copy of a [`Prefab`] is to be spawned, like by [`World::spawn_prefab`]; returns the copy of its root,
    /// which is reserved at once. O(1).
    ///
    /// Nothing is spawned if another entity has an equal [unique](crate::guide::indexes#unique-values) component then, or the
    /// returned entity was given components before its turn: [`apply`](Self::apply) counts it as refused.
    ///
    /// # Panics
    /// Panics like [`World::reserve_entity`].
    ///
    /// ```
    /// # use ecs::{Commands, Component, Name, Prefab, World};
    /// # #[derive(Component)] struct Nest;
    /// # let (mut world, mut spider) = (World::new(), World::new());
    /// # let root = spider.spawn_named("spider").id();
    /// # let spider = Prefab::new(spider, root)?;
    /// # world.spawn_batch([Nest, Nest]);
    /// let mut commands = Commands::new();
    /// for (nest, _) in world.view::<Nest>() {
    ///     let spider = commands.spawn_prefab(&world, &spider);
    ///     commands.insert(spider, Name::new(format!("spider of {nest}")));
    /// }
    /// commands.apply(&mut world);
    /// assert!(world.entity_named("spider of 1v1").is_some());
    /// # Ok::<(), ecs::CopyError>(())
    /// ```
    #[track_caller]
    pub fn spawn_prefab(&mut self, handles: impl AllocateEntity, prefab: &Prefab) -> Entity {
        let world = handles.__world();
        let root = handles.reserve_entity();
        if world == self.world || self.begin_for(world) {
            self.record(SpawnPrefab(root, prefab.clone()));
        }
        root
    }

    /// Assigns the buffer to the world with this number, if it has none. Returns `true` if the next command is for its
    /// world; others are counted.
    #[cold]
    fn begin_for(&mut self, world: u64) -> bool {
        if self.world == 0 {
            self.world = world;
        }
        let is_foreign = world != 0 && world != self.world;
        self.foreign += usize::from(is_foreign);
        !is_foreign
    }

    /// Records that the components of `bundle` are inserted into `entity`, like by [`World::insert`]. O(1).
    ///
    /// ```
    /// # use ecs::{Commands, Component, World};
    /// # #[derive(Component)] struct Health(u32);
    /// # #[derive(Component)] struct Armour(u32);
    /// # let mut world = World::new();
    /// world.spawn_batch((0..10).map(Health));
    /// let mut commands = Commands::new();
    /// for (entity, health) in world.view::<Health>() {
    ///     commands.insert(entity, Armour(health.0 / 2));
    /// }
    /// commands.apply(&mut world);
    /// assert_eq!(world.view::<(Health, Armour)>().count(), 10);
    /// ```
    #[inline]
    pub fn insert<B: Bundle>(&mut self, entity: Entity, bundle: B) {
        const { check_bundle::<B>() };
        self.record(Insert::<B, false> { entity, bundle });
    }

    /// Records that a component is removed from `entity`, or each component of a tuple that it has, like by
    /// [`World::remove_batch`]. O(1).
    ///
    /// ```
    /// # use ecs::{Commands, Component, World};
    /// # #[derive(Component)] struct Poison(u32);
    /// # let mut world = World::new();
    /// world.spawn_batch((0..10).map(Poison));
    /// let mut commands = Commands::new();
    /// for (entity, poison) in world.view_mut::<&mut Poison>() {
    ///     poison.0 = poison.0.saturating_sub(5);
    ///     if poison.0 == 0 {
    ///         commands.remove::<Poison>(entity);
    ///     }
    /// }
    /// commands.apply(&mut world);
    /// assert_eq!(world.view::<Poison>().count(), 4);
    /// ```
    #[inline]
    pub fn remove<L: TakeList>(&mut self, entity: Entity) {
        self.record_target(entity, TypeId::of::<L>(), || Box::new(Targets::of_removals::<L>()));
    }

    /// Records that `entity` is despawned, like by [`World::despawn_batch`]. O(1).
    ///
    /// ```
    /// # use ecs::{Commands, Component, World};
    /// # #[derive(Component)] struct Health(u32);
    /// # let mut world = World::new();
    /// world.spawn_batch((0..10).map(Health));
    /// let mut commands = Commands::new();
    /// for (entity, health) in world.view::<Health>() {
    ///     if health.0 < 3 {
    ///         commands.despawn(entity);
    ///     }
    /// }
    /// commands.apply(&mut world);
    /// assert_eq!(world.len(), 7);
    /// ```
    #[inline]
    pub fn despawn(&mut self, entity: Entity) {
        /// The kind of the queue of despawns.
        struct Despawn;
        self.record_target(entity, TypeId::of::<Despawn>(), || Box::new(Targets::of_despawns()));
    }

    /// Records a change in place of a component, if `entity` has it then. Like [`World::patch`], it notifies observers.
    /// O(1).
    ///
    /// ```
    /// # use ecs::{Commands, Component, Entity, World};
    /// # #[derive(Component)] struct Health(u32);
    /// # #[derive(Component)] struct Bite { sheep: Entity, harm: u32 }
    /// # let mut world = World::new();
    /// let sheep = world.spawn(Health(9)).id();
    /// world.spawn_batch([Bite { sheep, harm: 2 }, Bite { sheep, harm: 3 }]);
    /// let mut commands = Commands::new();
    /// for (_, &Bite { sheep, harm }) in world.view::<Bite>() {
    ///     commands.patch::<Health>(sheep, move |health| health.0 -= harm);
    /// }
    /// commands.apply(&mut world);
    /// assert_eq!(world.get::<Health>(sheep).unwrap().0, 4);
    /// ```
    #[inline]
    pub fn patch<T: AnyComponent>(
        &mut self,
        entity: Entity,
        change: impl FnOnce(RefMut<'_, T>) + for<'a> Recorded<'a>,
    ) {
        const { check_writable::<T>() };
        self.record(Patch::new(entity, change));
    }

    /// Records an event for its observers, like [`World::send`]. O(1).
    ///
    /// ```
    /// # use ecs::{Commands, World};
    /// struct GameOver { winner: u8 }
    /// # let mut world = World::new();
    /// world.on::<GameOver>(|world, over| _ = world.spawn_named(format!("winner {}", over.winner)));
    /// let mut commands = Commands::new();
    /// commands.send(GameOver { winner: 2 });
    /// commands.apply(&mut world);
    /// assert!(world.entity_named("winner 2").is_some());
    /// ```
    #[inline]
    pub fn send<E: for<'a> Recorded<'a>>(&mut self, event: E) {
        self.record(EventCommand(event));
    }

    /// Records an event that is about `entity`, like [`World::send_to`]. O(1).
    ///
    /// ```
    /// # use ecs::{Commands, Component, World};
    /// # #[derive(Component)] struct Health(u32);
    /// struct Hit { damage: u32 }
    /// # let mut world = World::new();
    /// world.on_entity::<Hit>(|world, entity, hit| {
    ///     world.patch::<Health>(entity, |health| health.0 -= hit.damage);
    /// });
    /// let entity = world.spawn(Health(9)).id();
    /// let mut commands = Commands::new();
    /// commands.send_to(entity, Hit { damage: 2 });
    /// commands.apply(&mut world);
    /// assert_eq!(world.get::<Health>(entity).unwrap().0, 7);
    /// ```
    #[inline]
    pub fn send_to<E: for<'a> Recorded<'a>>(&mut self, entity: Entity, event: E) {
        self.record(EventTo(entity, event));
    }

    /// Records that a closure is called with the world, for any other edit. The closure is not boxed. O(1).
    ///
    /// ```
    /// # use ecs::{Commands, Component, World};
    /// # #[derive(Component)] struct Door { locked: bool }
    /// # let mut world = World::new();
    /// let door = world.spawn(Door { locked: true }).id();
    /// let mut commands = Commands::new();
    /// commands.queue(move |world| {
    ///     world.get_mut::<Door>(door).unwrap().locked = false;
    ///     world.despawn(door).unwrap();
    /// });
    /// commands.apply(&mut world);
    /// assert!(world.is_empty());
    /// ```
    #[inline]
    pub fn queue(&mut self, call: impl FnOnce(&mut World) + for<'a> Recorded<'a>) {
        self.record(ClosureCommand(call));
    }

    /// Applies all recorded commands in order, and keeps the memory for further ones. A command for a dead entity is
    /// skipped, and counted. So is a command with a relation that points to a dead entity or would close a
    /// circle.
    ///
    /// # Panics
    /// Panics if a command runs user code that panics: see [above](Self#panics).
    ///
    /// ```
    /// # use ecs::{Commands, Component, World};
    /// # #[derive(Component)] struct Health(u32);
    /// let mut world = World::new();
    /// let [one, other] = [3, 4].map(|health| world.spawn(Health(health)).id());
    /// let mut commands = Commands::new();
    /// commands.despawn(one);
    /// commands.insert(one, Health(9));
    /// commands.insert(other, Health(9));
    /// assert_eq!(commands.apply(&mut world).missing, 1);
    /// assert_eq!(world.get::<Health>(other).unwrap().0, 9);
    /// ```
    pub fn apply(&mut self, world: &mut World) -> Applied {
        let mut applied = Applied::default();
        self.apply_and_count(world, &mut applied);
        self.world = 0;
        applied
    }

    /// Applies the commands like [`apply`](Self::apply), and adds to the counts. The buffer goes on belonging to
    /// the world.
    pub(crate) fn apply_and_count(&mut self, world: &mut World, applied: &mut Applied) {
        self.enter(world);
        while let Some(run) = self.runs.get_mut(self.next) {
            self.kinds.queue(run.queue).apply(&mut run.left, world, applied);
            self.next += 1;
            self.enter(world); // a command may have replaced the world
        }
        self.runs.clear();
        self.next = 0;
        applied.foreign += mem::take(&mut self.foreign);
    }

    /// Adds the components that waiting commands edit.
    #[cfg(debug_assertions)]
    pub(crate) fn add_edited(&self, edited: &mut Vec<Edited>) {
        edited.extend(self.runs[self.next..].iter().map(|run| self.kinds.edited(run.queue)));
    }

    /// Assigns the buffer to this world. Commands for another one are dropped and counted.
    #[inline]
    pub(crate) fn enter(&mut self, world: &World) {
        let number = world.entities.world();
        if self.world != number {
            self.leave_for(number);
        }
    }

    #[cold]
    fn leave_for(&mut self, world: u64) {
        if self.world != 0 && !self.is_empty() {
            let foreign = self.foreign + self.len();
            // The buffer is replaced first, so a drop that panics leaves it consistent.
            drop(mem::replace(self, Self { world, foreign, ..Self::new() }));
        }
        self.world = world;
    }

    /// Records a command that holds something.
    #[inline]
    fn record<C: Command>(&mut self, command: C) {
        let queue = self.queue_of(TypeId::of::<C>(), || Box::new(HoldingCommands::<C>::default()));
        if let Some(values) = queue.downcast_mut::<HoldingCommands<C>>() {
            values.push(command);
        }
    }

    /// Records a command that names an entity only.
    #[inline]
    fn record_target(&mut self, entity: Entity, kind: TypeId, make: fn() -> Box<dyn Queue>) {
        if let Some(targets) = self.queue_of(kind, make).downcast_mut::<Targets>() {
            targets.push(entity);
        }
    }

    /// Returns the queue of this kind, for one more command.
    #[inline]
    fn queue_of(&mut self, kind: TypeId, make: fn() -> Box<dyn Queue>) -> &mut dyn Any {
        let number = match self.runs.last_mut() {
            Some(run) if self.kinds.is(run.queue, kind) => {
                run.left += 1;
                run.queue
            }
            _ => return self.begin_run(kind, make),
        };
        self.kinds.queue(number)
    }

    /// Begins a run of one command of this kind, and returns the queue.
    #[inline(never)]
    fn begin_run(&mut self, kind: TypeId, make: fn() -> Box<dyn Queue>) -> &mut dyn Any {
        let last = self.runs.last().map(|run| run.queue);
        let queue = self.kinds.find_after(last, kind, make);
        self.runs.push(KindRun { queue, left: 1 });
        self.kinds.queue(queue)
    }
}

/// The number of commands that are recorded.
impl fmt::Debug for Commands {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Commands").field("len", &self.len()).finish_non_exhaustive()
    }
}
