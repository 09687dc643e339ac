//! Recorded runs of programs, which are replayed and compared.
//!
//! ```text
//! "ecsruns1" | every | first frame | kept snapshots: frame, bytes | frames: input, hashes of the world after it
//! ```

use crate::app::App;
use crate::component::data::Saved;
use crate::entity::Entity;
use crate::format::reader::{ReadError, Reader};
use crate::format::writer::write_value;
use crate::saved::digest::{DigestDifference, PartDigest, WorldDigest, difference};
use crate::saved::error::SaveError;
use crate::snapshot_bytes::SnapshotTypes;
use crate::system::run::{Failure, SystemOutput};
use crate::system::schedule::Schedule;
use crate::system::snapshot::{Snapshot, SnapshotError};
use crate::world::World;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::error::Error;
use core::fmt;
use core::marker::PhantomData;

/// A program that can go back: an [`App`], a [`World`] and a [`Schedule`], a world alone, or a type of yours.
///
/// ```
/// use ecs::replay::Program;
/// use ecs::{Schedule, Snapshot, SnapshotError, World};
///
/// struct Game { world: World, step: Schedule }
///
/// impl Program for Game {
///     fn snapshot_into(&mut self, snapshot: &mut Snapshot) -> Result<(), SnapshotError> {
///         self.step.snapshot_into(&mut self.world, snapshot)
///     }
///     fn restore(&mut self, snapshot: &Snapshot) -> Result<(), SnapshotError> {
///         self.step.restore(&mut self.world, snapshot)
///     }
///     fn world(&self) -> &World { &self.world }
/// }
/// ```
pub trait Program {
    /// Takes a snapshot over an earlier one.
    ///
    /// # Errors
    /// Returns an error if a part of the program cannot be copied.
    fn snapshot_into(&mut self, snapshot: &mut Snapshot) -> Result<(), SnapshotError>;

    /// Brings the program back to a snapshot.
    ///
    /// # Errors
    /// Returns an error if the snapshot is of another program.
    fn restore(&mut self, snapshot: &Snapshot) -> Result<(), SnapshotError>;

    /// Returns the world of the program.
    fn world(&self) -> &World;
}

impl Program for App {
    #[inline]
    fn snapshot_into(&mut self, snapshot: &mut Snapshot) -> Result<(), SnapshotError> {
        Self::snapshot_into(self, snapshot)
    }
    #[inline]
    fn restore(&mut self, snapshot: &Snapshot) -> Result<(), SnapshotError> {
        Self::restore(self, snapshot)
    }
    fn world(&self) -> &World {
        &self.world
    }
}

impl Program for (World, Schedule) {
    #[inline]
    fn snapshot_into(&mut self, snapshot: &mut Snapshot) -> Result<(), SnapshotError> {
        self.1.snapshot_into(&mut self.0, snapshot)
    }
    #[inline]
    fn restore(&mut self, snapshot: &Snapshot) -> Result<(), SnapshotError> {
        self.1.restore(&mut self.0, snapshot)
    }
    fn world(&self) -> &World {
        &self.0
    }
}

/// A program whose frames keep nothing outside of the world.
impl Program for World {
    #[inline]
    fn snapshot_into(&mut self, snapshot: &mut Snapshot) -> Result<(), SnapshotError> {
        snapshot.take(self, core::iter::empty())
    }
    #[inline]
    fn restore(&mut self, snapshot: &Snapshot) -> Result<(), SnapshotError> {
        snapshot.check(self, core::iter::empty())?;
        snapshot.restore_world(self)
    }
    fn world(&self) -> &World {
        self
    }
}

/// A recorded run of a program: the input of each frame, hashes of the world after it, and a [`Snapshot`] every few
/// frames.
///
/// [`replay`](Self::replay) plays it again, and [`compare`](Self::compare) finds where two runs differ, as on two
/// machines in a game over a network. Both name the first frame that differs, and the entity and the component.
///
/// Frames are compared by the saved values of their worlds, so all components and resources need `save`.
/// One with `save = skip` is not compared. Snapshots need `clone`. A hash has 32 bits for each value, and 64 for the
/// whole world, its iteration orders and free entity ids included.
///
/// ```
/// use ecs::replay::Recording;
/// use ecs::{Component, Local, Schedule, View, World};
/// use serde::{Deserialize, Serialize};
///
/// #[derive(Component, Clone, Serialize, Deserialize)]
/// #[component(clone, save = "height")]
/// struct Height(u32);
///
/// fn climb(all: View<&mut Height>, mut runs: Local<u32>) {
///     *runs += 1;
///     all.for_each(|(_, height)| height.0 += *runs);
/// }
/// let mut program = (World::new(), Schedule::new().add(climb));
/// let climber = program.0.spawn(Height(0)).id();
/// let play = |(world, schedule): &mut (World, Schedule), wind: &u32| {
///     world.get_mut::<Height>(climber).unwrap().0 += wind;
///     schedule.run(world)
/// };
/// let mut recording = Recording::new(&mut program, 10)?;
/// for wind in [3, 0, 7] {
///     play(&mut program, &wind)?;
///     recording.record(&mut program, &wind)?;
/// }
/// recording.replay(&mut program, 0, play)?;
///
/// let careless = |program: &mut (World, Schedule), wind: &u32| play(program, &wind.max(&1));
/// let error = recording.replay(&mut program, 0, careless).unwrap_err();
/// assert_eq!(error.to_string(), format!("frame 1 differs: `height` of {climber}"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Recording<I> {
    run: RecordedRun,
    input: PhantomData<fn(I) -> I>,
}

/// A recording without the type of its inputs.
#[derive(Debug)]
struct RecordedRun {
    every: usize,
    /// The number of the first frame in `frames`.
    first: usize,
    /// Snapshots, each with the number of the frame before which it was taken.
    kept: Vec<(usize, Snapshot)>,
    frames: Vec<RecordedFrame>,
}

#[derive(Debug)]
struct RecordedFrame {
    input: Vec<u8>,
    digest: WorldDigest,
}

/// A frame in a file: its input, two hashes, and its parts; `None` for a part of the previous frame.
type WrittenFrame = (Vec<u8>, u64, u64, Vec<Option<(String, Option<Vec<Entity>>, Vec<u32>)>>);

/// Snapshots as bytes, each with the number of its frame.
type WrittenSnapshots = Vec<(usize, Vec<u8>)>;

const MAGIC: &[u8; 8] = b"ecsruns1";

impl<I: Saved> Recording<I> {
    /// Begins to record a program. It keeps a snapshot now, and after every `every` frames.
    ///
    /// # Errors
    /// Returns the errors of [`Schedule::snapshot`].
    ///
    /// # Panics
    /// Panics if `every` is zero.
    ///
    /// See [`Recording`] for an example.
    pub fn new(program: &mut impl Program, every: usize) -> Result<Self, RecordingError> {
        assert!(
            every > 0,
            "a recording keeps a snapshot after every frame at most: `every` is zero"
        );
        let mut run = RecordedRun { every, first: 0, kept: Vec::new(), frames: Vec::new() };
        run.keep(program)?;
        Ok(Self { run, input: PhantomData })
    }

    /// Records the frame that the program has just played with this input. O(size of the saved world); a value that changes
    /// takes four bytes of memory a frame.
    ///
    /// # Errors
    /// Returns an error if the world or the input cannot be saved, or the program cannot be copied. The frame is not
    /// recorded then.
    ///
    /// See [`Recording`] for an example.
    pub fn record(&mut self, program: &mut impl Program, input: &I) -> Result<(), RecordingError> {
        let mut bytes = Vec::new();
        let written = write_value(input, &mut bytes);
        written.map_err(|error| SaveError::new("the input", None, &error))?;
        self.run.record(program, bytes)
    }

    /// Returns the number of recorded frames, forgotten ones included.
    ///
    /// ```
    /// # use ecs::World;
    /// # use ecs::replay::Recording;
    /// let mut world = World::new();
    /// let mut recording = Recording::new(&mut world, 60)?;
    /// world.spawn_empty();
    /// recording.record(&mut world, &"spawn".to_owned())?;
    /// assert_eq!(recording.frame_count(), 1);
    /// # Ok::<(), ecs::replay::RecordingError>(())
    /// ```
    #[must_use]
    pub const fn frame_count(&self) -> usize {
        self.run.first + self.run.frames.len()
    }

    /// Returns a hash of the world after this frame, which players exchange to find out whether their worlds are equal;
    /// `None` if the frame is not recorded.
    ///
    /// ```
    /// # use ecs::World;
    /// # use ecs::replay::Recording;
    /// let (mut here, mut there) = (World::new(), World::new());
    /// let mut recording = Recording::<()>::new(&mut here, 60)?;
    /// let mut other = Recording::<()>::new(&mut there, 60)?;
    /// recording.record(&mut here, &())?;
    /// there.spawn_empty();
    /// other.record(&mut there, &())?;
    /// assert_ne!(recording.hash(0), other.hash(0));
    /// assert_eq!(recording.compare(&other).unwrap().to_string(), "frame 0 differs: the entities that are alive, or free ids");
    /// # Ok::<(), ecs::replay::RecordingError>(())
    /// ```
    #[must_use]
    pub fn hash(&self, frame: usize) -> Option<u64> {
        Some(self.run.frame(frame)?.digest.whole)
    }

    /// Returns the snapshots that are kept, each with the number of the frame before which it was taken.
    ///
    /// ```
    /// # use ecs::World;
    /// # use ecs::replay::Recording;
    /// let mut world = World::new();
    /// let mut recording = Recording::new(&mut world, 2)?;
    /// for _ in 0..5 {
    ///     recording.record(&mut world, &())?;
    /// }
    /// assert_eq!(recording.snapshots().map(|(frame, _)| frame).collect::<Vec<_>>(), [0, 2, 4]);
    /// # Ok::<(), ecs::replay::RecordingError>(())
    /// ```
    pub fn snapshots(&self) -> impl Iterator<Item = (usize, &Snapshot)> {
        self.run.kept.iter().map(|(frame, snapshot)| (*frame, snapshot))
    }

    /// Forgets the frames, and their snapshots, that are not needed to replay from `frame` on.
    ///
    /// ```
    /// # use ecs::World;
    /// # use ecs::replay::Recording;
    /// let mut world = World::new();
    /// let mut recording = Recording::new(&mut world, 2)?;
    /// for _ in 0..5 {
    ///     recording.record(&mut world, &())?;
    /// }
    /// recording.forget_before(3);
    /// assert_eq!(recording.snapshots().map(|(frame, _)| frame).collect::<Vec<_>>(), [2, 4]);
    /// # Ok::<(), ecs::replay::RecordingError>(())
    /// ```
    pub fn forget_before(&mut self, frame: usize) {
        let RecordedRun { first, kept, frames, .. } = &mut self.run;
        let at = kept.partition_point(|(before, _)| *before <= frame).saturating_sub(1);
        kept.drain(..at);
        frames.drain(..kept[0].0 - *first);
        *first = kept[0].0;
    }

    /// Goes back to the last kept snapshot before frame `from` or at it, and plays all frames since by `play`. Compares the
    /// world after each frame.
    ///
    /// # Errors
    /// Returns an error about the first frame that differs: the program is left as it is after that frame. So it does if
    /// `play` fails, or the program cannot go back to the snapshot.
    ///
    /// See [`Recording`] for an example.
    pub fn replay<P: Program, R: SystemOutput>(
        &self,
        program: &mut P,
        from: usize,
        mut play: impl FnMut(&mut P, &I) -> R,
    ) -> Result<(), RecordingError> {
        let first = self.run.go_back(program, from)?;
        for (frame, RecordedFrame { input, digest }) in
            self.run.numbered().skip(first - self.run.first)
        {
            let failed = |error| RecordingError::NotPlayed { frame, error };
            let input = Reader::own(input).whole::<I>().map_err(|error| failed(error.into()))?;
            play(program, &input).into_result().map_err(failed)?;
            check(frame, digest, program.world())?;
        }
        Ok(())
    }

    /// Returns the first difference from another recording, among the frames that both have.
    ///
    /// ```
    /// # use ecs::World;
    /// # use ecs::replay::{DifferentPart, Recording};
    /// let record = |inputs: [u32; 2]| {
    ///     let mut world = World::new();
    ///     let mut recording = Recording::new(&mut world, 60)?;
    ///     inputs.iter().try_for_each(|input| recording.record(&mut world, input))?;
    ///     Ok::<_, ecs::replay::RecordingError>(recording)
    /// };
    /// let difference = record([1, 2])?.compare(&record([1, 3])?).unwrap();
    /// assert_eq!((difference.frame, difference.part), (1, DifferentPart::Input));
    /// # Ok::<(), ecs::replay::RecordingError>(())
    /// ```
    #[must_use]
    pub fn compare(&self, other: &Self) -> Option<Difference> {
        self.run.compare(&other.run)
    }

    /// Writes the recording as bytes. Snapshots are written like by [`SnapshotTypes::write`].
    ///
    /// # Errors
    /// Returns the errors of [`SnapshotTypes::write`].
    ///
    /// ```
    /// # use ecs::World;
    /// # use ecs::replay::Recording;
    /// # use ecs::save::SnapshotTypes;
    /// let mut world = World::new();
    /// let mut recording = Recording::<u32>::new(&mut world, 60)?;
    /// recording.record(&mut world, &7)?;
    /// let bytes = recording.write(&SnapshotTypes::new())?;
    ///
    /// let mut world = World::new(); // on another machine
    /// let received = Recording::<u32>::read(&bytes, &SnapshotTypes::new(), &mut world)?;
    /// assert_eq!(received.compare(&recording), None);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn write(&self, types: &SnapshotTypes) -> Result<Vec<u8>, SnapshotError> {
        self.run.write(types)
    }

    /// Reads a recording of a program with equal systems and resources. The program stays as it is; it has
    /// [registered](World::register) the saved components and resources.
    ///
    /// # Errors
    /// Returns an error if the bytes are no recording of the program, or name a component or resource that its world does
    /// not know.
    ///
    /// See [`write`](Self::write) for an example.
    pub fn read(
        bytes: &[u8],
        types: &SnapshotTypes,
        program: &mut impl Program,
    ) -> Result<Self, SnapshotError> {
        let error =
            |error| SnapshotError([format!("the recording cannot be read: {error}")].into());
        let mut reader = Reader::new(bytes, 1 << 30);
        let (mut run, kept) = RecordedRun::read(&mut reader).map_err(error)?;
        for (frame, bytes) in kept {
            let mut snapshot = Snapshot::default();
            program.snapshot_into(&mut snapshot)?;
            types.read(&bytes, &mut snapshot)?;
            run.kept.push((frame, snapshot));
        }
        Ok(Self { run, input: PhantomData })
    }
}

impl RecordedRun {
    fn end(&self) -> usize {
        self.first + self.frames.len()
    }

    fn frame(&self, frame: usize) -> Option<&RecordedFrame> {
        self.frames.get(frame.checked_sub(self.first)?)
    }

    fn keep(&mut self, program: &mut impl Program) -> Result<(), RecordingError> {
        let mut snapshot = Snapshot::default();
        program.snapshot_into(&mut snapshot)?;
        self.kept.push((self.end(), snapshot));
        Ok(())
    }

    fn record(&mut self, program: &mut impl Program, input: Vec<u8>) -> Result<(), RecordingError> {
        let before = self.frames.last().map(|frame| &frame.digest);
        let digest = program.world().save().digest(before)?;
        self.frames.push(RecordedFrame { input, digest });
        if !self.end().is_multiple_of(self.every) {
            return Ok(());
        }
        let kept = self.keep(program);
        if kept.is_err() {
            self.frames.pop();
        }
        kept
    }

    #[inline]
    fn numbered(&self) -> impl Iterator<Item = (usize, &RecordedFrame)> {
        (self.first..).zip(&self.frames)
    }

    /// Brings the program back to the last snapshot until frame `from`, and returns the number of its frame.
    fn go_back(&self, program: &mut impl Program, from: usize) -> Result<usize, RecordingError> {
        let at = self.kept.partition_point(|(frame, _)| *frame <= from).saturating_sub(1);
        let (frame, snapshot) = &self.kept[at];
        program.restore(snapshot)?;
        Ok(*frame)
    }

    #[inline]
    fn compare(&self, other: &Self) -> Option<Difference> {
        let frames = self.first.max(other.first)..self.end().min(other.end());
        frames.into_iter().find_map(|frame| {
            let (a, b) = (self.frame(frame)?, other.frame(frame)?);
            if a.input != b.input {
                return Some(Difference { frame, part: DifferentPart::Input });
            }
            Difference::of(frame, &a.digest, &b.digest)
        })
    }

    #[inline]
    fn write(&self, types: &SnapshotTypes) -> Result<Vec<u8>, SnapshotError> {
        let kept = self.kept.iter().map(|(frame, snapshot)| Ok((*frame, types.write(snapshot)?)));
        let kept = kept.collect::<Result<WrittenSnapshots, SnapshotError>>()?;
        let mut before: &[Arc<PartDigest>] = &[];
        let frames = self.frames.iter().map(|RecordedFrame { input, digest }| -> WrittenFrame {
            let parts = digest.parts.iter().enumerate().map(|(at, part)| {
                let is_equal = before.get(at).is_some_and(|before| Arc::ptr_eq(before, part));
                let keys = part.keys.as_ref().map(|keys| keys.to_vec());
                (!is_equal).then(|| (part.name.clone(), keys, part.values.clone()))
            });
            let parts = parts.collect();
            before = &digest.parts;
            (input.clone(), digest.whole, digest.entities, parts)
        });
        let frames: Vec<WrittenFrame> = frames.collect();
        let mut bytes = MAGIC.to_vec();
        let written = write_value(&(self.every, self.first, kept, frames), &mut bytes);
        written.map_err(|error| SnapshotError([error.to_string()].into()))?;
        Ok(bytes)
    }

    /// Reads a recording without its snapshots, and the snapshots as bytes.
    #[inline]
    fn read(reader: &mut Reader<'_>) -> Result<(Self, WrittenSnapshots), ReadError> {
        if reader.array()? != *MAGIC {
            return Err(ReadError::new("it does not begin like a recording"));
        }
        let (every, first, kept, written) =
            reader.whole::<(usize, usize, WrittenSnapshots, Vec<WrittenFrame>)>()?;
        let mut frames: Vec<RecordedFrame> = Vec::new();
        for (input, whole, entities, parts) in written {
            let before = frames.last().map_or(&[][..], |before| &before.digest.parts);
            let parts = parts.into_iter().enumerate().map(|(at, part)| match part {
                Some((name, keys, values)) => {
                    Some(Arc::new(PartDigest { name, keys: keys.map(Into::into), values }))
                }
                None => before.get(at).cloned(),
            });
            let parts = parts.collect::<Option<_>>();
            let parts = parts.ok_or_else(|| ReadError::new("the part of a frame is missing"))?;
            frames.push(RecordedFrame { input, digest: WorldDigest { whole, entities, parts } });
        }
        let end = first.checked_add(frames.len());
        let ascend = kept.windows(2).all(|pair| pair[0].0 < pair[1].0);
        let begins = kept.first().is_some_and(|kept| kept.0 == first);
        if every == 0 || !ascend || !begins || kept.last().map(|kept| kept.0) > end {
            return Err(ReadError::new(
                "the frame numbers of its snapshots are out of order or out of range",
            ));
        }
        Ok((Self { every, first, kept: Vec::new(), frames }, kept))
    }
}

/// Returns an error if the world after a frame has other hashes than these.
#[inline]
fn check(frame: usize, recorded: &WorldDigest, world: &World) -> Result<(), RecordingError> {
    let digest = world.save().digest(Some(recorded))?;
    Difference::of(frame, recorded, &digest).map_or(Ok(()), |it| Err(RecordingError::Differs(it)))
}

/// The first difference of two runs of a program.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Difference {
    /// The number of the frame, from zero on.
    pub frame: usize,
    /// The part that differs after this frame. If there are several, it is a component.
    pub part: DifferentPart,
}

/// The part in which two runs differ, with the name under which it is saved.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum DifferentPart {
    /// The input of the frame.
    Input,
    /// The value of a component of this entity.
    Value(String, Entity),
    /// A component that this entity has in one of the runs only.
    Missing(String, Entity),
    /// A resource.
    ResourceValue(String),
    /// The entities that are alive, or the order of free ids.
    Entities,
    /// The order in which entities are iterated.
    Order,
}

impl Difference {
    #[inline]
    fn of(frame: usize, a: &WorldDigest, b: &WorldDigest) -> Option<Self> {
        let part = match difference(a, b)? {
            DigestDifference::Component(name, entity, true) => DifferentPart::Missing(name, entity),
            DigestDifference::Component(name, entity, false) => DifferentPart::Value(name, entity),
            DigestDifference::Resource(name) => DifferentPart::ResourceValue(name),
            DigestDifference::Entities => DifferentPart::Entities,
            DigestDifference::Order => DifferentPart::Order,
        };
        Some(Self { frame, part })
    }
}

impl fmt::Display for Difference {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "frame {} differs: ", self.frame)?;
        match &self.part {
            DifferentPart::Input => f.write_str("the input"),
            DifferentPart::Value(name, entity) => write!(f, "`{name}` of {entity}"),
            DifferentPart::Missing(name, entity) => {
                write!(f, "only one of the runs has a `{name}` of {entity}")
            }
            DifferentPart::ResourceValue(name) => write!(f, "the resource `{name}`"),
            DifferentPart::Entities => f.write_str("the entities that are alive, or free ids"),
            DifferentPart::Order => f.write_str("the order of iteration"),
        }
    }
}

/// The error of a [`Recording`].
#[derive(Debug)]
#[non_exhaustive]
pub enum RecordingError {
    /// The program cannot be copied, or is another one than was recorded.
    Snapshot(SnapshotError),
    /// The world or the input cannot be saved.
    Save(SaveError),
    /// The program failed in a frame of a replay.
    NotPlayed {
        /// The number of the frame.
        frame: usize,
        /// The error of the program.
        error: Failure,
    },
    /// A replay differs from the recording.
    Differs(Difference),
}

impl fmt::Display for RecordingError {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Snapshot(error) => error.fmt(f),
            Self::Save(error) => error.fmt(f),
            Self::NotPlayed { frame, error } => write!(f, "frame {frame} failed: {error}"),
            Self::Differs(difference) => difference.fmt(f),
        }
    }
}

impl Error for RecordingError {}

impl From<SnapshotError> for RecordingError {
    fn from(error: SnapshotError) -> Self {
        Self::Snapshot(error)
    }
}

impl From<SaveError> for RecordingError {
    fn from(error: SaveError) -> Self {
        Self::Save(error)
    }
}
