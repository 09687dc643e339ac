//! Snapshots as bytes: the saved world, and each part of the systems by its type.
//!
//! ```text
//! "ecssnap1" | world | copied resources, one for each registered type | schedules: switches, parts | app
//! ```

use crate::app::Exit;
use crate::component::data::Saved;
use crate::entity::Entity;
use crate::events::{EventCursor, Events};
use crate::format::reader::{ReadError, Reader};
use crate::format::writer::{write_list, write_number, write_text, write_value};
use crate::pool::track::Unread;
use crate::resource::{InSnapshot, Resource};
use crate::saved::loaded::Limits;
use crate::system::app_state::AppState;
use crate::system::fixed_step::{Elapsed, FixedStep};
use crate::system::parts::{KeptValue, SnapshotPart};
use crate::system::schedule::ListsRun;
use crate::system::snapshot::{AppParts, Snapshot, SnapshotError};
use crate::text::Text;
use crate::world::World;
use alloc::boxed::Box;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::any::{Any, TypeId, type_name};
use core::fmt;
use core::time::Duration;
use serde::de::Error as _;

type Result<T = (), E = ReadError> = core::result::Result<T, E>;

/// The types that snapshots are written with: the types of [`Local`](crate::Local)s, event queues and states. Numbers,
/// `bool`, `char`, `String`, `Duration`, [`Entity`], [`EventCursor`] and [`every`](crate::app::every) are known.
///
/// A world saves its components and resources by themselves. A `Local`'s type has to be named here, because no bound of
/// a `Local` says that its type is saved.
///
/// ```
/// use ecs::save::SnapshotTypes;
/// use ecs::{Events, Local, Schedule, World};
/// use serde::{Deserialize, Serialize};
///
/// #[derive(Clone, Default, Serialize, Deserialize)]
/// struct Runs(u32);
/// #[derive(Clone, Serialize, Deserialize)]
/// struct Hit;
///
/// fn count(mut runs: Local<Runs>, hits: &mut Events<Hit>) {
///     runs.0 += 1;
///     (0..runs.0).for_each(|_| hits.send(Hit));
/// }
/// let types = SnapshotTypes::new().local::<Runs>().queue::<Hit>();
/// let new = || {
///     let mut world = World::new();
///     world.insert_resource(Events::<Hit>::new().in_snapshots());
///     (world, Schedule::new().add(count))
/// };
/// let (mut world, mut schedule) = new();
/// schedule.run(&mut world)?;
/// let bytes = types.write(&schedule.snapshot(&mut world)?)?;
///
/// let (mut world, mut schedule) = new(); // in another process
/// let mut snapshot = schedule.snapshot(&mut world)?;
/// types.read(&bytes, &mut snapshot)?;
/// schedule.restore(&mut world, &snapshot)?;
/// schedule.run(&mut world)?;
/// assert_eq!(world.resource::<Events<Hit>>().len(), 1 + 2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct SnapshotTypes {
    values: Vec<ValueType>,
    resources: Vec<ResourceType>,
}

struct ValueType {
    id: TypeId,
    write: fn(&dyn KeptValue, &mut Vec<u8>) -> Result,
    read: fn(&mut Reader<'_>) -> Result<Box<dyn KeptValue>>,
}

struct ResourceType {
    type_name: fn() -> &'static str,
    /// Appends the resource, if there is one. Returns `false` if there is none.
    write: fn(&World, &mut Vec<u8>) -> Result<bool>,
    /// Reads the resource, or removes it.
    read: fn(&mut World, Option<&mut Reader<'_>>) -> Result,
    /// The id of the queue, if it is one and exists.
    queue: fn(&World) -> Option<u64>,
}

const MAGIC: &[u8; 8] = b"ecssnap1";

impl Default for SnapshotTypes {
    #[inline]
    fn default() -> Self {
        Self::new()
    }
}

impl SnapshotTypes {
    /// Returns the types that are always known.
    ///
    /// See [`SnapshotTypes`] for an example.
    #[must_use]
    #[inline]
    pub fn new() -> Self {
        let mut types = Self { values: Vec::new(), resources: Vec::new() };
        types.values.push(ValueType {
            id: TypeId::of::<Option<FixedStep>>(),
            write: |value, bytes| {
                let value: &dyn Any = value;
                let step = value.downcast_ref::<Option<FixedStep>>().and_then(Option::as_ref);
                write_value(&step.map(FixedStep::to_parts), bytes).map(drop)
            },
            read: |reader| {
                let parts = reader.whole::<Option<(Duration, Duration, u32)>>()?;
                Ok(Box::new(parts.map(step_of).transpose()?))
            },
        });
        types.resources.extend([ResourceType::of::<Elapsed>(), ResourceType::of::<Exit>()]);
        types
            .local::<bool>()
            .local::<u8>()
            .local::<u16>()
            .local::<u32>()
            .local::<u64>()
            .local::<u128>()
            .local::<usize>()
            .local::<i32>()
            .local::<i64>()
            .local::<isize>()
            .local::<f32>()
            .local::<f64>()
            .local::<char>()
            .local::<String>()
            .local::<Duration>()
            .local::<Entity>()
            .local::<Option<Entity>>()
    }

    /// Adds the type of a [`Local`](crate::Local), or of a [`CopiedSystem`](crate::CopiedSystem).
    ///
    /// See [`SnapshotTypes`] for an example.
    #[must_use]
    pub fn local<T: Saved + Clone + Send + Sync + 'static>(mut self) -> Self {
        self.values.push(ValueType {
            id: TypeId::of::<T>(),
            write: |value, bytes| {
                let value: &dyn Any = value;
                value.downcast_ref::<T>().map_or(Ok(0), |value| write_value(value, bytes)).map(drop)
            },
            read: |reader| {
                reader.pay(1, size_of::<T>())?;
                Ok(Box::new(reader.whole::<T>()?))
            },
        });
        self
    }

    /// Adds the type of the events of a queue that is a resource, made
    /// [`in_snapshots`](Events::in_snapshots).
    ///
    /// See [`SnapshotTypes`] for an example.
    #[must_use]
    pub fn queue<E: Saved + Clone + Send + Sync + 'static>(mut self) -> Self {
        let mut of = ResourceType::of::<Events<E>>();
        of.queue = |world| world.get_resource::<Events<E>>().map(Events::id);
        self.resources.push(of);
        self
    }

    /// Adds the type of a [state](AppState) of an app.
    ///
    /// ```
    /// use core::time::Duration;
    /// use ecs::app::{App, AppState};
    /// use ecs::save::SnapshotTypes;
    /// use serde::{Deserialize, Serialize};
    ///
    /// #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    /// enum Screen { Menu, Game }
    ///
    /// let types = SnapshotTypes::new().state::<Screen>();
    /// let mut app = App::new();
    /// app.add_state(Screen::Menu);
    /// let bytes = types.write(&app.snapshot()?)?;
    /// app.world.resource_mut::<AppState<Screen>>().set(Screen::Game);
    /// app.frame(Duration::ZERO)?;
    /// let mut snapshot = app.snapshot()?;
    /// types.read(&bytes, &mut snapshot)?;
    /// app.restore(&snapshot)?;
    /// assert_eq!(*app.world.resource::<AppState<Screen>>().get(), Screen::Menu);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn state<S: Saved + Clone + Send + Sync + 'static>(mut self) -> Self {
        self.resources.push(ResourceType::of::<AppState<S>>());
        self
    }

    /// Writes a snapshot as bytes.
    ///
    /// # Errors
    /// Returns an error that names each part whose type is not known, or why the world cannot be saved.
    ///
    /// See [`SnapshotTypes`] for an example.
    #[inline]
    pub fn write(&self, snapshot: &Snapshot) -> Result<Vec<u8>, SnapshotError> {
        let mut errors = self.unknown(snapshot);
        let mut world = Vec::new();
        errors.extend(snapshot.world.save().to_bytes(&mut world).err().map(|it| it.to_string()));
        SnapshotError::unless_empty(errors)?;
        let mut bytes = MAGIC.to_vec();
        write_block(&world, &mut bytes);
        let parts = self.write_parts(snapshot, &mut bytes);
        parts.map(|()| bytes).map_err(|error| SnapshotError(Vec::from([error.to_string()])))
    }

    /// Reads a snapshot over one of a program with equal systems and resources.
    ///
    /// # Errors
    /// Returns an error if the bytes are no snapshot of the program. The earlier snapshot is lost then.
    ///
    /// See [`SnapshotTypes`] for an example.
    #[inline]
    pub fn read(&self, bytes: &[u8], snapshot: &mut Snapshot) -> Result<(), SnapshotError> {
        let error = |error: &dyn fmt::Display| {
            SnapshotError(Vec::from([format!("the snapshot cannot be read: {error}")]))
        };
        let mut reader = Reader::new(bytes, 1 << 30);
        let world = begin(&mut reader).map_err(|it| error(&it))?;
        snapshot.world.load(world, &Limits::default()).map_err(|it| error(&it))?;
        self.read_parts(&mut reader, snapshot).map_err(|it| error(&it))
    }

    /// Returns a message for each part of a type that is not known.
    #[inline]
    fn unknown(&self, snapshot: &Snapshot) -> Vec<String> {
        let mut errors = Vec::new();
        for schedule in &snapshot.schedules {
            for (name, part) in &schedule.parts {
                let SnapshotPart::Value(value) = part else { continue };
                let value: &dyn KeptValue = &**value;
                if self.find(value).is_none() && value.type_id() != TypeId::of::<EventCursor>() {
                    let of = Text::new().push_type(value.type_name());
                    errors.push(format!(
                        "the `{}` of `{name}` is not known: add it by `SnapshotTypes::local`",
                        of.as_str()
                    ));
                }
            }
        }
        for unknown in snapshot.world.resources.types_in_snapshots(InSnapshot::Copied) {
            if self.resources.iter().all(|of| (of.type_name)() != unknown) {
                let of = Text::new().push_type(unknown);
                errors.push(format!(
                    "the resource `{}` is not known: add it by `SnapshotTypes::queue` or `state`",
                    of.as_str()
                ));
            }
        }
        errors
    }

    #[inline]
    fn find(&self, value: &dyn KeptValue) -> Option<&ValueType> {
        self.values.iter().find(|of| of.id == value.type_id())
    }

    /// Returns the ids of the queues, in the order of their types.
    #[inline]
    fn queues(&self, world: &World) -> Vec<u64> {
        self.resources.iter().map(|of| (of.queue)(world).unwrap_or(0)).collect()
    }

    #[inline]
    fn write_parts(&self, snapshot: &Snapshot, bytes: &mut Vec<u8>) -> Result {
        write_number(self.resources.len() as u64, bytes);
        for of in &self.resources {
            let mut block = Vec::new();
            bytes.push(u8::from((of.write)(&snapshot.world, &mut block)?));
            bytes.extend(block);
        }
        let queues = self.queues(&snapshot.world);
        write_number(snapshot.schedules.len() as u64, bytes);
        for schedule in &snapshot.schedules {
            write_number(schedule.switches.len() as u64, bytes);
            for (name, is_off, lists) in &schedule.switches {
                write_text(name, bytes);
                bytes.extend([u8::from(*is_off), *lists as u8]);
            }
            write_number(schedule.parts.len() as u64, bytes);
            for (_, part) in &schedule.parts {
                self.write_part(part, &queues, bytes)?;
            }
        }
        bytes.push(u8::from(snapshot.app.is_some()));
        if let Some(app) = &snapshot.app {
            write_value(&(app.fixed_step.to_parts(), app.is_paused, &app.paused), bytes)?;
        }
        Ok(())
    }

    #[inline]
    fn write_part(&self, part: &SnapshotPart, queues: &[u64], bytes: &mut Vec<u8>) -> Result {
        match part {
            SnapshotPart::HasChanged(has_changed) => bytes.push(u8::from(*has_changed)),
            SnapshotPart::Reader(None) => bytes.push(2),
            SnapshotPart::Reader(Some(unread)) => {
                bytes.push(3);
                for set in [&unread.changed, &unread.inserted, &unread.moved] {
                    let indices: Vec<u64> = set.indices().map(u64::from).collect();
                    write_list(indices.into_iter(), bytes);
                }
                write_list(unread.removed.iter().map(|entity| entity.to_bits()), bytes);
            }
            SnapshotPart::Value(value) => {
                bytes.push(4);
                let any: &dyn Any = &**value;
                if let Some(cursor) = any.downcast_ref::<EventCursor>() {
                    let place =
                        |(number, queue): (u64, &u64)| Some([number, cursor.event_in(*queue)?]);
                    let places: Vec<_> = (0..).zip(queues).filter_map(place).collect();
                    write_list(places.concat().into_iter(), bytes);
                } else if let Some(of) = self.find(&**value) {
                    (of.write)(&**value, bytes)?;
                }
            }
        }
        Ok(())
    }

    #[inline]
    fn read_parts(&self, reader: &mut Reader<'_>, snapshot: &mut Snapshot) -> Result {
        let Snapshot { world, schedules, app } = snapshot;
        let other = |what: &str| ReadError::custom(format!("it is of another program: {what}"));
        if reader.number()? != self.resources.len() as u64 {
            return Err(other("other types were registered"));
        }
        for of in &self.resources {
            let is_there = reader.byte()? != 0;
            (of.read)(world, is_there.then_some(&mut *reader))?;
        }
        let queues = self.queues(world);
        if reader.number()? != schedules.len() as u64 {
            return Err(other("the number of schedules differs"));
        }
        for schedule in schedules {
            if reader.number()? != schedule.switches.len() as u64 {
                return Err(other("the number of systems differs"));
            }
            for (name, is_off, lists) in &mut schedule.switches {
                if reader.text()? != *name {
                    return Err(other(name));
                }
                *is_off = reader.byte()? != 0;
                *lists = ListsRun::ALL[usize::from(reader.byte()?) % ListsRun::ALL.len()];
            }
            if reader.number()? != schedule.parts.len() as u64 {
                return Err(other("the number of kept values differs"));
            }
            for (name, part) in &mut schedule.parts {
                let tag = reader.byte()?;
                *part = match (&*part, tag) {
                    (SnapshotPart::HasChanged(_), 0 | 1) => SnapshotPart::HasChanged(tag == 1),
                    (SnapshotPart::Reader(_), 2) => SnapshotPart::Reader(None),
                    (SnapshotPart::Reader(_), 3) => {
                        SnapshotPart::Reader(Some(read_unread(reader)?))
                    }
                    (SnapshotPart::Value(old), 4) => {
                        SnapshotPart::Value(self.read_value(&**old, &queues, reader)?)
                    }
                    _ => return Err(other(name)),
                };
            }
        }
        if (reader.byte()? != 0) != app.is_some() {
            return Err(other("only one of them is an app"));
        }
        if let Some(app) = app {
            let (step, is_paused, paused) = reader.whole::<(_, _, Vec<bool>)>()?;
            if paused.len() != app.paused.len() {
                return Err(other("the number of labels differs"));
            }
            *app = AppParts { fixed_step: step_of(step)?, is_paused, paused };
        }
        if reader.left() > 0 {
            Err(ReadError::custom("there are bytes behind the end"))
        } else {
            Ok(())
        }
    }

    #[inline]
    fn read_value(
        &self,
        old: &dyn KeptValue,
        queues: &[u64],
        reader: &mut Reader<'_>,
    ) -> Result<Box<dyn KeptValue>> {
        if let Some(of) = self.find(old) {
            return (of.read)(reader);
        }
        let numbers = reader.list(Reader::number)?;
        let (pairs, _) = numbers.as_chunks::<2>();
        let place = |[number, event]: &[u64; 2]| {
            Some((*queues.get(usize::try_from(*number).ok()?)?, *event))
        };
        let places = pairs.iter().filter_map(place).filter(|(queue, _)| *queue != 0);
        Ok(Box::new(EventCursor::of_places(places)))
    }
}

/// A resource that snapshots write, though it stays when its world is saved.
trait WrittenResource: Resource {
    fn write(&self, bytes: &mut Vec<u8>) -> Result;
    fn read(reader: &mut Reader<'_>) -> Result<Self>;
}

impl WrittenResource for Elapsed {
    #[inline]
    fn write(&self, bytes: &mut Vec<u8>) -> Result {
        write_value(&self.0, bytes).map(drop)
    }
    #[inline]
    fn read(reader: &mut Reader<'_>) -> Result<Self> {
        reader.whole().map(Self)
    }
}

impl WrittenResource for Exit {
    #[inline]
    fn write(&self, bytes: &mut Vec<u8>) -> Result {
        write_value(&self.0, bytes).map(drop)
    }
    #[inline]
    fn read(reader: &mut Reader<'_>) -> Result<Self> {
        reader.whole().map(Self)
    }
}

impl<S: Saved + Clone + Send + Sync + 'static> WrittenResource for AppState<S> {
    #[inline]
    fn write(&self, bytes: &mut Vec<u8>) -> Result {
        write_value(&self.to_parts(), bytes).map(drop)
    }
    #[inline]
    fn read(reader: &mut Reader<'_>) -> Result<Self> {
        reader.whole::<(S, Vec<S>, bool)>().map(Self::from_parts)
    }
}

impl<E: Saved + Clone + Send + Sync + 'static> WrittenResource for Events<E> {
    #[inline]
    fn write(&self, bytes: &mut Vec<u8>) -> Result {
        self.numbers().into_iter().for_each(|number| write_number(number, bytes));
        write_number(self.len() as u64, bytes);
        self.iter_kept().try_for_each(|event| write_value(event, bytes).map(drop))
    }
    #[inline]
    fn read(reader: &mut Reader<'_>) -> Result<Self> {
        let numbers = [reader.number()?, reader.number()?, reader.number()?];
        let (count, mut events) = (reader.number()?, Vec::new());
        for _ in 0..count {
            reader.pay(2, size_of::<E>().max(1))?; // the list may grow to twice its length
            events.push(reader.whole::<E>()?);
        }
        let queue = Self::from_numbers(numbers, events);
        let queue = queue.ok_or_else(|| {
            ReadError::custom("the counters of an event queue contradict each other")
        })?;
        Ok(queue.in_snapshots())
    }
}

impl ResourceType {
    fn of<T: WrittenResource>() -> Self {
        Self {
            type_name: type_name::<T>,
            write: |world, bytes| match world.get_resource::<T>() {
                Some(resource) => resource.write(bytes).map(|()| true),
                None => Ok(false),
            },
            read: |world, reader| {
                match reader {
                    Some(reader) => drop(world.insert_resource(T::read(reader)?)),
                    None => drop(world.remove_resource::<T>()),
                }
                Ok(())
            },
            queue: |_| None,
        }
    }
}

/// Appends bytes behind their number.
#[inline]
fn write_block(block: &[u8], bytes: &mut Vec<u8>) {
    write_number(block.len() as u64, bytes);
    bytes.extend_from_slice(block);
}

/// Reads the beginning of a snapshot, and returns the saved world.
#[inline]
fn begin<'b>(reader: &mut Reader<'b>) -> Result<&'b [u8]> {
    if reader.array()? != *MAGIC {
        return Err(ReadError::custom("it does not begin like a snapshot"));
    }
    let len = reader.count()?;
    reader.bytes(len)
}

#[inline]
fn read_unread(reader: &mut Reader<'_>) -> Result<Arc<Unread>> {
    let mut set = || {
        let indices = reader.list(Reader::number)?;
        let indices = indices.into_iter().map(u32::try_from).collect::<Result<Vec<u32>, _>>();
        let most = 1 << 24; // a set takes memory by its greatest index
        let indices = indices.ok().filter(|all| all.iter().all(|index| *index < most));
        indices.ok_or_else(|| ReadError::custom("an index of a change is too large"))
    };
    let sets = [set()?, set()?, set()?];
    let removed = reader.list(|reader| {
        let entity = Entity::from_bits(reader.number()?);
        entity.ok_or_else(|| ReadError::custom("a removed entity has an invalid handle"))
    })?;
    Ok(Arc::new(Unread::of_indices(sets, removed)))
}

/// Returns the fixed step with these parts.
#[inline]
fn step_of((length, left, most): (Duration, Duration, u32)) -> Result<FixedStep> {
    FixedStep::from_parts(length, left, most)
        .ok_or_else(|| ReadError::custom("a fixed step takes no time"))
}
