//! The queues of commands: one a kind, and how a run of a kind is carried out.

use crate::commands::applied::Applied;
#[cfg(debug_assertions)]
use crate::component::access::Access;
use crate::component::{AnyComponent, RefMut};
use crate::copy::prefab::Prefab;
use crate::edit::batch::{Bundles, NotInserted};
#[cfg(debug_assertions)]
use crate::edit::bundle::Part;
use crate::edit::bundle::{Bundle, Parts, parts_of};
use crate::edit::components::TakeList;
use crate::entity::Entity;
use crate::world::World;
use alloc::vec::Vec;
use core::any::Any;
use core::marker::PhantomData;
use core::slice;

/// The commands of one kind, in order.
pub(super) trait Queue: Any + Send + Sync {
    /// Carries out the first commands, `left` of them. After a panic, `left` is the number of commands that did not
    /// begin.
    fn apply(&mut self, left: &mut usize, world: &mut World, applied: &mut Applied);

    /// Returns the components that commands of this kind insert, change or remove.
    #[cfg(debug_assertions)]
    fn edited(&self) -> Edited {
        Edited::Parts(&[])
    }
}

/// The components that a kind of commands edits.
#[cfg(debug_assertions)]
#[derive(Clone, Copy)]
pub(crate) enum Edited {
    Parts(&'static [Part]),
    Removed(&'static [Access]),
}

#[cfg(debug_assertions)]
impl Edited {
    /// Returns the name of a component that is edited, and that this access names.
    pub(crate) fn named_by(self, access: &Access) -> Option<&'static str> {
        match self {
            Self::Parts(parts) => parts.iter().find_map(|part| match part {
                Part::Component { id, name, .. } => access.names(*id).then_some(*name),
                Part::List(parts) => Self::Parts(parts).named_by(access),
            }),
            Self::Removed(removed) => {
                let mut names = removed.iter().filter_map(Access::id_and_name);
                names.find(|(id, _)| access.names(*id)).map(|(_, name)| name)
            }
        }
    }
}

/// A command that holds something.
pub(super) trait Command: Send + Sync + Sized + 'static {
    /// The components that it edits.
    #[cfg(debug_assertions)]
    const EDITED: &'static [Part] = &[];

    /// Carries out the command in this place. It leaves `None` there first, because it has begun.
    fn apply_one(place: &mut Option<Self>, world: &mut World, applied: &mut Applied);

    /// Carries out the commands of a run.
    fn apply(mut run: CommandRun<'_, Self>, world: &mut World, applied: &mut Applied) {
        for place in run.commands.by_ref() {
            Self::apply_one(place, world, applied);
        }
    }
}

/// Takes a command that begins out of its place.
#[inline]
fn begun<C>(place: &mut Option<C>) -> C {
    place.take().expect(BEGINS_ONCE)
}

const BEGINS_ONCE: &str = "each command begins once";

/// Commands that hold something.
pub(super) struct HoldingCommands<C> {
    /// The commands; `None` in the place of a command that has begun. So after a panic only the others are left.
    commands: Vec<Option<C>>,
    /// The number of commands at the front that are done.
    done: usize,
}

impl<C> Default for HoldingCommands<C> {
    fn default() -> Self {
        Self { commands: Vec::new(), done: 0 }
    }
}

impl<C> HoldingCommands<C> {
    #[inline]
    pub(super) fn push(&mut self, command: C) {
        self.commands.push(Some(command));
    }
}

impl<C: Command> Queue for HoldingCommands<C> {
    #[cfg(debug_assertions)]
    fn edited(&self) -> Edited {
        Edited::Parts(C::EDITED)
    }

    fn apply(&mut self, left: &mut usize, world: &mut World, applied: &mut Applied) {
        let Self { commands, done } = self;
        let mut run = commands[*done..][..*left].iter_mut();
        if *left == 1
            && let Some(place) = run.next()
        {
            (*done, *left) = (*done + 1, 0);
            C::apply_one(place, world, applied);
        } else {
            C::apply(CommandRun { commands: run, left, done }, world, applied);
        }
        if *done == commands.len() {
            commands.clear();
            *done = 0;
        }
    }
}

/// Consecutive commands of a queue, which are taken out one by one.
pub(super) struct CommandRun<'a, C> {
    commands: slice::IterMut<'a, Option<C>>,
    left: &'a mut usize,
    done: &'a mut usize,
}

/// Records how many commands have begun, also after a panic.
impl<C> Drop for CommandRun<'_, C> {
    fn drop(&mut self) {
        *self.done += *self.left - self.commands.len();
        *self.left = self.commands.len();
    }
}

/// The insertion of a bundle; with `SPAWNS`, into an entity that the command reserved.
pub(super) struct Insert<B, const SPAWNS: bool> {
    pub(super) entity: Entity,
    pub(super) bundle: B,
}

impl<B: Bundle, const SPAWNS: bool> Command for Insert<B, SPAWNS> {
    #[cfg(debug_assertions)]
    const EDITED: &'static [Part] = &[B::PART];

    fn apply(run: CommandRun<'_, Self>, world: &mut World, applied: &mut Applied) {
        let all = Insertions { run, parts: Self::begun_parts };
        applied.add(&world.insert_all(all, NotInserted::of_commands(SPAWNS)));
    }

    fn apply_one(place: &mut Option<Self>, world: &mut World, applied: &mut Applied) {
        let Some(Self { entity, .. }) = *place else { return };
        let left = NotInserted::of_commands(SPAWNS);
        applied.add(&world.insert_one(entity, Self::begun_parts(place), left));
    }
}

impl<B: Bundle, const SPAWNS: bool> Insert<B, SPAWNS> {
    /// Takes an insertion out of its place, and returns the components. It is a function of its own, so its moves need no stack
    /// when the components are inserted.
    #[inline]
    fn begun_parts(place: &mut Option<Self>) -> impl Parts + use<B, SPAWNS> {
        parts_of(begun(place).bundle)
    }
}

/// A run of insertions, and the function that takes the parts of each bundle out of its place.
struct Insertions<'a, B, F, const SPAWNS: bool> {
    run: CommandRun<'a, Insert<B, SPAWNS>>,
    parts: F,
}

impl<B, P, F, const SPAWNS: bool> Bundles<P> for Insertions<'_, B, F, SPAWNS>
where
    P: Parts,
    F: Fn(&mut Option<Insert<B, SPAWNS>>) -> P,
{
    fn least(&self) -> usize {
        self.run.commands.len()
    }

    fn next(&mut self) -> Option<(Entity, P)> {
        let place = self.run.commands.next()?;
        Some((place.as_ref()?.entity, (self.parts)(place)))
    }

    #[inline]
    fn push_all(&mut self, most: usize, taken: &mut P::Taken, mut pushed: impl FnMut(Entity)) {
        for _ in 0..most {
            let Some(place) = self.run.commands.next() else { break };
            let entity = place.as_ref().expect(BEGINS_ONCE).entity;
            (self.parts)(place).push(taken);
            pushed(entity);
        }
    }
}

impl Applied {
    /// Counts the bundles that were not inserted.
    fn add(&mut self, left: &NotInserted) {
        self.missing += left.missing.map_or(0, |error| error.count);
        self.refused += left.circles;
    }
}

/// A copy of a prefab, whose root the command reserved.
pub(super) struct SpawnPrefab(pub(super) Entity, pub(super) Prefab);

impl Command for SpawnPrefab {
    #[inline]
    fn apply_one(place: &mut Option<Self>, world: &mut World, applied: &mut Applied) {
        let Self(root, prefab) = begun(place);
        if let Err(is_missing) = world.spawn_prefab_at(&prefab, root) {
            applied.missing += usize::from(is_missing);
            applied.refused += usize::from(!is_missing);
        }
    }
}

/// A change of a component.
pub(super) struct Patch<T, F> {
    entity: Entity,
    change: F,
    component: PhantomData<fn() -> T>,
}

impl<T, F> Patch<T, F> {
    pub(super) const fn new(entity: Entity, change: F) -> Self {
        Self { entity, change, component: PhantomData }
    }
}

impl<T: AnyComponent, F: FnOnce(RefMut<'_, T>) + Send + Sync + 'static> Command for Patch<T, F> {
    #[cfg(debug_assertions)]
    const EDITED: &'static [Part] = &[Part::of::<T>()];

    fn apply_one(place: &mut Option<Self>, world: &mut World, applied: &mut Applied) {
        let Self { entity, change, .. } = begun(place);
        if !world.change::<T>(entity, change) && !world.is_alive(entity) {
            applied.missing += 1;
        }
    }
}

/// An event to the world.
pub(super) struct EventCommand<E>(pub(super) E);

impl<E: Send + Sync + 'static> Command for EventCommand<E> {
    fn apply_one(place: &mut Option<Self>, world: &mut World, _: &mut Applied) {
        world.send(&begun(place).0);
    }
}

/// An event to an entity.
pub(super) struct EventTo<E>(pub(super) Entity, pub(super) E);

impl<E: Send + Sync + 'static> Command for EventTo<E> {
    fn apply_one(place: &mut Option<Self>, world: &mut World, applied: &mut Applied) {
        let Self(entity, event) = begun(place);
        applied.missing += usize::from(world.send_to(entity, &event).is_err());
    }
}

/// A closure.
pub(super) struct ClosureCommand<F>(pub(super) F);

impl<F: FnOnce(&mut World) + Send + Sync + 'static> Command for ClosureCommand<F> {
    fn apply_one(place: &mut Option<Self>, world: &mut World, _: &mut Applied) {
        begun(place).0(world);
    }
}

/// Carries out a command of one kind on each of these entities.
type Edit = fn(&mut World, &[Entity], &mut Applied);

/// Commands that name an entity only.
pub(super) struct Targets {
    edit: Edit,
    entities: Vec<Entity>,
    /// The number of commands at the front that are done.
    done: usize,
    /// The components that are removed; none by a despawn.
    #[cfg(debug_assertions)]
    removed: &'static [Access],
}

impl Targets {
    const fn new(edit: Edit) -> Self {
        Self {
            edit,
            entities: Vec::new(),
            done: 0,
            #[cfg(debug_assertions)]
            removed: &[],
        }
    }

    pub(super) const fn of_removals<L: TakeList>() -> Self {
        let edit: Edit = |world, entities, applied| {
            applied.missing += match *entities {
                [entity] => usize::from(!world.is_alive(entity)),
                _ => missing(world, entities),
            };
            applied.refused += L::remove_batch(world, entities);
        };
        Self {
            edit,
            entities: Vec::new(),
            done: 0,
            #[cfg(debug_assertions)]
            removed: L::WITH,
        }
    }

    pub(super) const fn of_despawns() -> Self {
        Self::new(|world, entities, applied| {
            let despawned = world.despawn_in_order(entities);
            applied.missing += despawned.missing;
            applied.refused += despawned.refused;
        })
    }

    #[inline]
    pub(super) fn push(&mut self, entity: Entity) {
        self.entities.push(entity);
    }
}

impl Queue for Targets {
    #[cfg(debug_assertions)]
    fn edited(&self) -> Edited {
        Edited::Removed(self.removed)
    }

    fn apply(&mut self, left: &mut usize, world: &mut World, applied: &mut Applied) {
        let entities = &self.entities[self.done..][..*left];
        self.done += core::mem::take(left);
        (self.edit)(world, entities, applied);
        if self.done == self.entities.len() {
            self.entities.clear();
            self.done = 0;
        }
    }
}

/// Returns the number of these entities that are not alive.
fn missing(world: &World, entities: &[Entity]) -> usize {
    entities.iter().filter(|entity| !world.is_alive(**entity)).count()
}
