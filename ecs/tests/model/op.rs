//! The operations, and their one generator: from a seed, or from the bytes of a fuzzer.

use super::components::{
    ALL, BUNDLES, COMPS, Comp, DEFAULTS, FIRST_NAMING, GROUPS, RELATIONS, TRACKED,
};
use super::venom::Part;

/// One of the living entities, by its place among them; or one that died lately.
pub type Who = u16;
/// Handles from this on are dead.
pub const DEAD: Who = 0xf000;
/// The place of a bundle in the list.
pub type Bundle = usize;
/// The place of a group in the list.
pub type Group = usize;

/// Some entities: the first one, the distance to the next one, and how many; a few twice, and some of them dead.
#[derive(Clone, Copy, Debug)]
pub struct Many(pub Who, pub Who, pub u16);

/// An edit of one entity, which is made at once, by name, through commands, or by a system. A bundle is made of a
/// number and an entity.
#[derive(Clone, Copy, Debug)]
pub enum Edit {
    Spawn(Bundle, u64, Who),
    Insert(Who, Bundle, u64, Who),
    Remove(Who, Comp),
    /// Removes two components.
    RemoveBoth(Who),
    Despawn(Who),
    /// Changes an `Aligned` in place.
    Patch(Who, u64),
    /// Sends an event, whose observer changes an `Aligned`.
    Send(Who, u64),
    /// Changes a `Marked` by a closure.
    Call(Who),
}

/// An edit of the component without a type, whose value is made of a number and an entity.
#[derive(Clone, Copy, Debug)]
pub enum VenomEdit {
    /// Inserts the values of all fields.
    Fill(Who, u64, Who),
    /// Inserts the default.
    Default(Who),
    /// Inserts a value that is written and read as a text.
    Read(Who, Who),
    /// Writes a part of the value.
    Set(Who, Part, u64, Who),
    Remove(Who),
    /// Makes edits that are refused.
    Wrong(Who, u64),
}

/// A call of a queue of events.
#[derive(Clone, Copy, Debug)]
pub enum Queue {
    /// Sends this many events, from this number on.
    Send(u64, u16),
    Update,
    /// Reads the news for one of two readers.
    Read(usize),
    Drain,
}

/// A system of a schedule.
#[derive(Clone, Debug)]
pub enum System {
    /// Adds to each `Number`.
    Add(u64),
    /// Writes each `Marked` whose entity has a `Number`.
    Mark,
    /// Counts matches into the resource.
    Count,
    SpawnOne(u64),
    /// Sends an event.
    Emit(u64),
    /// Adds the events to the resource.
    Hear,
    /// Records edits.
    RecordSome(Vec<Edit>),
    /// Reads the whole world, so earlier commands are applied.
    Look,
}

/// A loop that writes.
#[derive(Clone, Copy, Debug)]
pub enum Loop {
    Numbers,
    /// Writes three columns in two loops.
    AddToColumns,
    OneColumn,
    SplitColumns,
    SliceOfColumns,
    EachMarked,
    TaggedMarked,
    /// Writes some of its matches, by guards.
    SomeMarked,
    ListedMarked(Many),
    ChunksOfMarked,
    /// Writes two components.
    Both,
    /// Writes two components where they are.
    Optional,
    WriteByName,
    /// Writes a column of the component without a type, where its number is below another one.
    LendVenom(u64),
    /// Writes a field of it, row by row, if its number is even.
    RowsOfVenom,
    InParallel,
}

/// A way to make another world equal to this one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum How {
    Clone,
    CopyFrom,
    Bytes,
    Json,
    MessagePack,
    /// `MessagePack` whose structs are arrays.
    Arrays,
    Cbor,
    Delta,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ordering {
    Now,
    ByLoops,
    Off,
    On,
}

const HOWS: [How; 8] = [
    How::Clone,
    How::CopyFrom,
    How::Bytes,
    How::Json,
    How::MessagePack,
    How::Delta,
    How::Arrays,
    How::Cbor,
];

impl How {
    /// Returns `true` for formats whose pages are built anew.
    pub const fn is_text(self) -> bool {
        matches!(self, Self::Json | Self::MessagePack | Self::Arrays | Self::Cbor)
    }
}

/// An observer that edits the world.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Script {
    /// With a `Left` comes a `Right`.
    RightWithLeft,
    /// With a `Venom` comes a `Right`.
    RightWithVenom,
    /// With a `Number` goes the `Text`.
    TextWithNumber,
}

/// The part of its server that a client is sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sight {
    All,
    /// All, after it began with a saved world.
    Saved,
    /// Some components.
    Part,
    /// The entities for which a function returns `true`, which are others now and then.
    Visible,
    /// The entities of a list, which are others now and then.
    Listed,
}

/// An edit that a client makes in its own world.
#[derive(Clone, Copy, Debug)]
pub enum Guess {
    /// Spawns an entity that the server does not have, at this place among the children of another one.
    Own(usize),
    /// Despawns these entities.
    EndOwn,
    Insert,
    Remove,
    /// Inserts a component without a type, or removes it.
    Venom,
    Despawn,
    DespawnSome,
    Attach,
    Move(usize),
    RemoveGold,
}

/// An operation of a client, or of the network before it.
#[derive(Clone, Debug)]
pub enum Call {
    /// Gets the changes. For each number a copy of the set arrives this many calls later; the first chooses the
    /// visible entities.
    Follow(u32, Vec<u64>),
    /// Requests a full set.
    Recover,
    /// Connects again.
    Reconnect,
    Guess(Guess, Who, Who),
    /// Gets a client of its own.
    PassOn(Group),
    Leave,
}

#[derive(Clone, Debug)]
pub enum Op {
    // One entity.
    /// Makes an edit.
    Edit(Edit),
    /// Makes an edit by names of components.
    ByName(Edit),
    /// Edits the component without a type.
    Venom(VenomEdit),
    /// Copies a component of one entity to another, by its name.
    Copy(Who, Who, Comp),
    /// Inserts a default value by its name.
    InsertDefault(Who, Comp),
    /// Takes a value out by its name, does operations, and inserts it into another entity, or back.
    Move(Who, Who, Comp, Vec<Op>),
    /// Takes an entity out, does operations, and restores it or gives its index back.
    Undo(Who, Vec<Op>, bool),
    /// Spawns an entity without components.
    SpawnEmpty,
    /// Reserves a handle through a shared borrow.
    Reserve,
    /// Spawns an entity under a handle: its index and generation.
    SpawnAt(u16, u32),
    /// Inserts those components of a bundle that the entity lacks.
    InsertIfAbsent(Who, Bundle, u64, Who),
    /// Inserts a component, and returns the one before.
    Replace(Who, Comp, u64, Who),
    /// Borrows a `Number`, which is inserted if there is none.
    GetOrInsert(Who, u64),
    /// Takes two components, or none.
    TakeBoth(Who),
    /// Removes all components but three.
    RemoveExcept(Who),
    // Fields.
    /// Changes the fields of the component without a type to the next version.
    Redefine,
    /// Fails to change them, because of the value of this entity.
    RedefineInVain(Who),
    // Many entities.
    /// Spawns this many entities with a bundle.
    SpawnBatch(u16, Bundle, u64, Who),
    /// Inserts a bundle into some entities.
    InsertBatch(Many, Bundle, u64, Who),
    /// Removes a component of some entities.
    RemoveBatch(Many, Comp),
    /// Despawns some entities.
    DespawnBatch(Many),
    /// Records edits, and applies them.
    Record(Vec<Edit>),
    /// Runs systems on this many threads.
    Schedule(usize, Vec<System>),
    /// Runs a loop that writes.
    Write(Loop),
    /// Spawns this many copies of an entity.
    Copies(Who, u16),
    /// Removes all entities without a notification.
    Clear,
    // Pools.
    /// Removes a component of all entities.
    ClearPool(Comp),
    /// Keeps the components of entities whose index is a multiple of a number.
    Retain(Comp, u64),
    /// Takes a component of all entities out.
    Drain(Comp),
    /// Sorts by values, in one of four ways.
    Sort(Comp, u8),
    /// Sorts by the order of another pool.
    SortLike(Comp),
    /// Calls a comparator that lies.
    SortByLies(u64),
    /// Exchanges two members of a pool.
    SwapInPool(Comp, Who, Who),
    /// Returns memory that is not used.
    Shrink,
    // Relations.
    /// Moves an entity to a place among the sources of its target.
    MoveRelated(Comp, Who, usize),
    /// Exchanges two sources of a target.
    SwapRelated(Comp, Who, Who),
    /// Sorts the sources of a target.
    SortRelated(Comp, Who),
    // Groups.
    /// Declares a group, unless it conflicts with another one.
    Declare(Group),
    /// Drops a group.
    DropGroup(Group),
    /// Sorts one of two groups.
    SortGroup(bool),
    /// Orders pools at once, walks joins until it is worth it, or turns ordering off or on.
    Order(Ordering),
    // Listeners.
    /// Observes a component, entity by entity or in batches.
    Listen(Comp, bool),
    /// Ends the first of these observers.
    Unlisten,
    /// Begins a script, or ends it.
    Script(Script),
    /// Begins one of four collectors.
    Collect(Comp, u8),
    /// Drains a collector.
    Collected(usize),
    /// Ends a collector.
    EndCollector(usize),
    /// Calls a queue of events.
    Queue(Queue),
    /// Begins to read changes.
    Read(Comp),
    /// Advances a reader, and may write some of the entities that it finds.
    Advance(usize, bool),
    /// Drops a reader.
    Unread(usize),
    // Resources.
    /// Inserts the resource, which names an entity.
    SetGold(u64, Who),
    /// Removes the resource.
    RemoveGold,
    /// Lends the resource to a function that writes it.
    LendGold(u64),
    /// Has another resource for a while, which is neither copied nor saved.
    Forget,
    // Other worlds.
    /// Goes on in another world.
    Turn,
    /// Makes the next world equal to this one. From then on both get the same operations.
    Twin(How),
    /// Ends that: the two worlds may differ again.
    Part,
    /// Takes in the entities of a third world, or of this one if that is empty; or copies of them.
    Merge(bool),
    /// Loads this world into itself.
    Reload(How),
    /// Does operations to a copy, and applies their delta to this world.
    Later(Vec<Op>),
    /// Begins a client of this world, which declares a group.
    Join(Group, Sight),
    /// Does an operation of one of the clients.
    Client(usize, Call),
}

impl Op {
    /// Returns `true` for edits of entities, which keep the declared groups.
    pub const fn is_edit(&self) -> bool {
        matches!(
            self,
            Self::Edit(_)
                | Self::ByName(_)
                | Self::Venom(_)
                | Self::TakeBoth(_)
                | Self::RemoveExcept(_)
                | Self::SpawnBatch(..)
                | Self::InsertBatch(..)
                | Self::RemoveBatch(..)
                | Self::DespawnBatch(_)
                | Self::Record(_)
                | Self::ClearPool(_)
        )
    }

    /// Returns `true` for operations that concern this world and its clients only.
    pub const fn is_of_one_world(&self) -> bool {
        !matches!(self, Self::Turn | Self::Twin(_) | Self::Part | Self::Merge(_))
    }

    /// Returns the operation without one of its parts, if it has that part.
    pub fn without(&self, mut part: usize) -> Option<Self> {
        let mut op = self.clone();
        op.lose(&mut part).then_some(op)
    }

    /// Removes a part; or subtracts their number from `part`, and returns `false`.
    fn lose(&mut self, part: &mut usize) -> bool {
        match self {
            Self::Record(edits) => lose(edits, part),
            Self::Undo(_, ops, _) | Self::Move(.., ops) | Self::Later(ops) => {
                ops.iter_mut().any(|op| op.lose(part)) || lose(ops, part)
            }
            Self::Schedule(_, systems) => {
                let has_lost = systems.iter_mut().any(|system| match system {
                    System::RecordSome(edits) => lose(edits, part),
                    _ => false,
                });
                has_lost || lose(systems, part)
            }
            Self::Client(_, Call::Follow(_, delays)) => lose(delays, part),
            _ => false,
        }
    }
}

fn lose<T>(list: &mut Vec<T>, part: &mut usize) -> bool {
    let has = *part < list.len();
    if has {
        list.remove(*part);
    } else {
        *part -= list.len();
    }
    has
}

/// Numbers to choose by.
pub enum Source<'a> {
    /// Steele, Lea and Flood's `SplitMix64` ("Fast splittable pseudorandom number generators", 2014).
    Seed(u64),
    Bytes(&'a [u8]),
}

impl Source<'_> {
    fn next(&mut self) -> Option<u64> {
        match self {
            Self::Seed(state) => {
                *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
                let z = (*state ^ (*state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
                let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
                Some(z ^ (z >> 31))
            }
            Self::Bytes(bytes) => {
                let (two, rest) = bytes.split_first_chunk()?;
                *bytes = rest;
                Some(u16::from_le_bytes(*two).into())
            }
        }
    }

    /// Returns a number below `end`, or nothing at the end of the bytes.
    pub fn below(&mut self, end: usize) -> Option<usize> {
        Some(usize::try_from(self.next()? % end as u64).unwrap())
    }

    fn of<T: Copy>(&mut self, all: &[T]) -> Option<T> {
        Some(all[self.below(all.len())?])
    }

    fn who(&mut self) -> Option<Who> {
        let who = u16::try_from(self.next()? % 0x1_0000).unwrap();
        // One in a hundred is dead.
        Some(if who % 100 == 0 { who | DEAD } else { who % DEAD })
    }

    fn number(&mut self) -> Option<u64> {
        Some(self.next()? % 1_000)
    }

    fn many(&mut self) -> Option<Many> {
        let most = self.of(&[3, 20, 20, 300])?;
        let count = u16::try_from(self.below(most)?).unwrap();
        Some(Many(self.who()?, self.of(&[0, 1, 1, 7, 1_001])?, count))
    }

    fn edit(&mut self, spawns: bool) -> Option<Edit> {
        Some(match self.below(20)? {
            0..4 if spawns => Edit::Spawn(self.below(BUNDLES.len())?, self.number()?, self.who()?),
            0..9 => {
                Edit::Insert(self.who()?, self.below(BUNDLES.len())?, self.number()?, self.who()?)
            }
            9..14 => Edit::Remove(self.who()?, self.of(COMPS)?),
            14 => Edit::RemoveBoth(self.who()?),
            15 | 16 => Edit::Despawn(self.who()?),
            17 => Edit::Patch(self.who()?, self.number()?),
            18 => Edit::Send(self.who()?, self.number()?),
            _ => Edit::Call(self.who()?),
        })
    }

    fn venom(&mut self) -> Option<VenomEdit> {
        Some(match self.below(20)? {
            0..9 => VenomEdit::Fill(self.who()?, self.number()?, self.who()?),
            9 => VenomEdit::Default(self.who()?),
            10 | 11 => VenomEdit::Read(self.who()?, self.who()?),
            12..16 => {
                let part = self.of(&[Part::Number, Part::Word, Part::Target])?;
                VenomEdit::Set(self.who()?, part, self.number()?, self.who()?)
            }
            16..19 => VenomEdit::Remove(self.who()?),
            _ => VenomEdit::Wrong(self.who()?, self.number()?),
        })
    }

    /// Returns edits; many are of one kind, because these are applied together.
    fn edits(&mut self, spawns: bool) -> Option<Vec<Edit>> {
        let mut edits = Vec::new();
        for _ in 0..self.below(8)? {
            let edit = self.edit(spawns)?;
            for _ in 0..self.of(&[1, 1, 3, 9])? {
                let who = self.who()?;
                edits.push(match edit {
                    Edit::Spawn(bundle, number, to) => Edit::Spawn(bundle, number, to),
                    Edit::Insert(_, bundle, number, to) => Edit::Insert(who, bundle, number, to),
                    Edit::Remove(_, comp) => Edit::Remove(who, comp),
                    Edit::RemoveBoth(_) => Edit::RemoveBoth(who),
                    Edit::Despawn(_) => Edit::Despawn(who),
                    Edit::Patch(_, number) => Edit::Patch(who, number),
                    Edit::Send(_, number) => Edit::Send(who, number),
                    Edit::Call(_) => Edit::Call(who),
                });
            }
        }
        Some(edits)
    }

    /// Returns an operation that does others while something is taken out.
    fn nested(&mut self, depth: usize) -> Option<Op> {
        let mut ops: Vec<Op> = self.edits(true)?.into_iter().map(Op::Edit).collect();
        match self.below(20)? {
            0 => ops.push(Op::Redefine),
            1..5 => ops.push(Op::Venom(self.venom()?)),
            _ => {}
        }
        if depth < 3 {
            for _ in 0..self.below(3)? {
                let at = self.below(ops.len() + 1)?;
                ops.insert(at, self.nested(depth + 1)?);
            }
        }
        Some(match self.below(2)? {
            0 => Op::Move(self.who()?, self.who()?, self.of(ALL)?, ops),
            _ => Op::Undo(self.who()?, ops, self.below(3)? > 0),
        })
    }

    /// Returns an operation of clients; most get the changes.
    pub fn client_op(&mut self) -> Option<Op> {
        use Sight::{All, Listed, Part, Saved, Visible};
        let group = self.below(GROUPS.len())?;
        let sights = [All, Saved, Part, Visible, Visible, Listed, Listed];
        let call = match self.below(40)? {
            0..4 => return Some(Op::Join(group, self.of(&sights)?)),
            4 => Call::Leave,
            5 => Call::PassOn(group),
            6 => Call::Reconnect,
            7..14 => Call::Recover,
            14..16 => {
                let to = self.below(4)?;
                let guesses = [
                    Guess::Own(to),
                    Guess::Own(to),
                    Guess::Own(to),
                    Guess::EndOwn,
                    Guess::Insert,
                    Guess::Remove,
                    Guess::Venom,
                    Guess::Despawn,
                    Guess::DespawnSome,
                    Guess::Attach,
                    Guess::Move(to),
                    Guess::RemoveGold,
                ];
                Call::Guess(self.of(&guesses)?, self.who()?, self.who()?)
            }
            _ => {
                let copies = self.of(&[0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 3])?;
                let delay = |_| self.of(&[0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 3, 9]);
                let delays = (0..copies).map(delay).collect::<Option<_>>()?;
                Call::Follow(self.of(&[0, 0, 0, 1, 2])?, delays)
            }
        };
        Some(Op::Client(self.below(3)?, call))
    }

    fn system(&mut self) -> Option<System> {
        Some(match self.below(10)? {
            0 => System::Add(self.number()?),
            1 => System::Mark,
            2 => System::Count,
            3 | 4 => System::SpawnOne(self.number()?),
            5 => System::Look,
            6 => System::Emit(self.number()?),
            7 => System::Hear,
            _ => System::RecordSome(self.edits(false)?),
        })
    }

    fn written(&mut self) -> Option<Loop> {
        let (list, below) = (self.many()?, self.number()?);
        self.of(&[
            Loop::Numbers,
            Loop::AddToColumns,
            Loop::OneColumn,
            Loop::SplitColumns,
            Loop::SliceOfColumns,
            Loop::EachMarked,
            Loop::TaggedMarked,
            Loop::SomeMarked,
            Loop::ListedMarked(list),
            Loop::ChunksOfMarked,
            Loop::Both,
            Loop::Optional,
            Loop::WriteByName,
            Loop::LendVenom(below),
            Loop::RowsOfVenom,
            Loop::InParallel,
        ])
    }

    /// Returns a way of ordering.
    pub fn ordering(&mut self) -> Option<Ordering> {
        const WAYS: [Ordering; 6] = [
            Ordering::Now,
            Ordering::Now,
            Ordering::Now,
            Ordering::ByLoops,
            Ordering::Off,
            Ordering::On,
        ];
        self.of(&WAYS)
    }

    /// Returns the next operation, or nothing at the end of the bytes.
    pub fn op(&mut self) -> Option<Op> {
        Some(match self.below(1_000)? {
            0..520 => Op::Edit(self.edit(true)?),
            520..558 => Op::Venom(self.venom()?),
            558 => Op::Redefine,
            559 => Op::RedefineInVain(self.who()?),
            560..600 => Op::ByName(self.edit(false)?),
            600..610 => Op::Copy(self.who()?, self.who()?, self.of(ALL)?),
            610..640 => Op::SpawnEmpty,
            640..650 => Op::Reserve,
            650..660 => {
                let generation = self.of(&[1, 2, 3, 4, 5, 6, 0x7fff_ffff])?;
                // Its page may be the first, or a sparse one.
                let index = self.below(500)? * self.of(&[1, 1, 11])?;
                Op::SpawnAt(u16::try_from(index).unwrap(), generation)
            }
            660..670 => Op::InsertIfAbsent(
                self.who()?,
                self.below(BUNDLES.len())?,
                self.number()?,
                self.who()?,
            ),
            670..680 => Op::Replace(self.who()?, self.of(COMPS)?, self.number()?, self.who()?),
            680..685 => Op::GetOrInsert(self.who()?, self.number()?),
            685..695 => Op::TakeBoth(self.who()?),
            695..705 => Op::RemoveExcept(self.who()?),
            705..715 => {
                let count = u16::try_from(self.below(200)?).unwrap();
                Op::SpawnBatch(count, self.below(BUNDLES.len())?, self.number()?, self.who()?)
            }
            715..735 => {
                let bundle = self.below(BUNDLES.len())?;
                Op::InsertBatch(self.many()?, bundle, self.number()?, self.who()?)
            }
            735..755 => Op::RemoveBatch(self.many()?, self.of(COMPS)?),
            755..765 => Op::DespawnBatch(self.many()?),
            765..785 => Op::Record(self.edits(true)?),
            785..790 => {
                let threads = self.of(&[1, 2, 3, 4])?;
                let count = 1 + self.below(6)?;
                Op::Schedule(threads, (0..count).map(|_| self.system()).collect::<Option<_>>()?)
            }
            790..810 => Op::Write(self.written()?),
            810 => Op::ClearPool(self.of(COMPS)?),
            811..814 => Op::Retain(self.of(COMPS)?, 2 + self.number()? % 4),
            814 => Op::Drain(self.of(COMPS)?),
            815..825 => Op::Sort(self.of(COMPS)?, self.of(&[0, 1, 2, 3])?),
            825..828 => Op::SortLike(self.of(COMPS)?),
            828 => Op::SortByLies(self.number()?),
            829..833 => Op::SwapInPool(self.of(COMPS)?, self.who()?, self.who()?),
            833..843 => Op::MoveRelated(self.of(&RELATIONS)?, self.who()?, self.below(6)?),
            843..848 => Op::SwapRelated(self.of(&RELATIONS)?, self.who()?, self.who()?),
            848..852 => Op::SortRelated(self.of(&RELATIONS)?, self.who()?),
            852..872 => Op::Declare(self.below(GROUPS.len())?),
            872..885 => Op::DropGroup(self.below(GROUPS.len())?),
            885..888 => Op::SortGroup(self.below(2)? == 0),
            888..892 => Op::Order(self.ordering()?),
            892..900 => Op::Listen(self.of(ALL)?, self.below(2)? == 0),
            900..903 => Op::Unlisten,
            903..905 => Op::Script(self.of(&[
                Script::RightWithLeft,
                Script::RightWithVenom,
                Script::TextWithNumber,
            ])?),
            905..909 => Op::Read(self.of(&TRACKED)?),
            909..925 => Op::Advance(self.below(4)?, self.below(2)? == 0),
            925 | 926 => Op::Unread(self.below(4)?),
            927..931 => Op::SetGold(self.number()?, self.who()?),
            931 => Op::RemoveGold,
            932 => Op::Forget,
            933..937 => Op::LendGold(self.number()?),
            937 => Op::Clear,
            938..941 => Op::Shrink,
            941..945 => Op::Copies(self.who()?, self.of(&[0, 1, 2, 3, 30])?),
            945 => Op::Merge(self.below(2)? == 0),
            946..956 => self.client_op()?,
            956..960 => Op::Reload(self.of(&HOWS)?),
            960..966 => Op::Twin(self.of(&HOWS)?),
            966..970 => Op::Part,
            970..976 => Op::Turn,
            976..978 => {
                let mut ops: Vec<Op> = self.edits(true)?.into_iter().map(Op::Edit).collect();
                for _ in 0..self.below(4)? {
                    ops.insert(self.below(ops.len() + 1)?, Op::Venom(self.venom()?));
                }
                let also = [Op::Redefine, Op::Shrink, Op::Shrink, Op::Shrink];
                ops.extend(also.get(self.below(8)?).cloned());
                Op::Later(ops)
            }
            978..982 => Op::InsertDefault(self.who()?, self.of(&DEFAULTS)?),
            982..987 => self.nested(0)?,
            987 | 988 => Op::Collect(self.of(COMPS)?, self.of(&[0, 1, 2, 3])?),
            989..992 => Op::Collected(self.below(4)?),
            992 => Op::EndCollector(self.below(4)?),
            993 | 994 => Op::Queue(Queue::Send(self.number()?, self.of(&[1, 3, 30])?)),
            995 => Op::Queue(Queue::Update),
            996 => Op::Queue(self.of(&[Queue::Read(0), Queue::Read(1), Queue::Drain])?),
            _ => {
                let bundle = self.below(FIRST_NAMING)?;
                Op::Edit(Edit::Insert(self.who()?, bundle, self.number()?, 0))
            }
        })
    }
}
