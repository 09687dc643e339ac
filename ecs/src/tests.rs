//! Bounded exhaustive checks: every sequence of operations on three entities, up to a length, beside a naive model.
//!
//! A bug that needs few entities and few steps cannot hide here, which random tests do not guarantee. `ECS_DEPTH`
//! chooses longer sequences. A failure prints the shortest sequence that leads to it.

use crate::component::set::ComponentSet;
use crate::entities::Entities;
use crate::storage::key::Key;
use crate::storage::sparse_array::{SparseArray, WORDS, offset_of, page_of};
use crate::storage::sparse_set::SparseSet;
use crate::{Component, Entity, Group, SpawnAtError, World};
use std::collections::hash_map::{DefaultHasher, Entry};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fmt::Debug;
use std::hash::Hasher;
use std::io::Write;
use std::num::NonZeroU32;
use std::vec::Vec;
use std::{eprintln, vec};

/// A structure beside its naive model.
trait Subject: Default {
    type Operation: Copy + Debug;

    /// The number of renamings of entities after which the subject behaves alike. The first one renames nothing.
    const RENAMINGS: usize = 1;

    /// Applies the operation to both, and compares the results. Does nothing if the operation makes no sense.
    fn apply(&mut self, operation: Self::Operation);

    /// Compares the structure with the model.
    fn check(&self);

    /// Appends everything that the results of later operations depend on, the model included, with renamed entities.
    fn write_state(&self, renaming: usize, state: &mut Vec<u8>);

    /// Returns the operation that becomes this one by renaming its entities.
    fn before_renaming(operation: Self::Operation, _renaming: usize) -> Self::Operation {
        operation
    }

    /// Returns the subject after these operations.
    fn after(sequence: &[Self::Operation]) -> Self {
        let mut subject = Self::default();
        sequence.iter().for_each(|operation| subject.apply(*operation));
        subject
    }

    fn state(&self, renaming: usize) -> Vec<u8> {
        let mut state = Vec::new();
        self.write_state(renaming, &mut state);
        state
    }

    /// Returns a hash of the least state by any renaming, and this renaming: equal states have equal ones.
    fn canonical(&self) -> (u128, usize) {
        let renamed = |renaming| (self.state(renaming), renaming);
        let (state, renaming) = (0..Self::RENAMINGS).map(renamed).min().unwrap();
        (hash(&state), renaming)
    }
}

/// Returns a hash of 128 bits: equal ones of different states are not to be expected among less than 2^50 states.
fn hash(state: &[u8]) -> u128 {
    let [low, high] = [0, 1].map(|half| {
        let mut hasher = DefaultHasher::new();
        hasher.write_u8(half);
        hasher.write(state);
        u128::from(hasher.finish())
    });
    high << 64 | low
}

/// Prints the sequence if a comparison fails.
struct Sequence<O: Debug>(Vec<O>);

impl<O: Debug> Drop for Sequence<O> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!("after {:?}", self.0);
        }
    }
}

/// One in this many sequences that lead to a known state is continued, to compare it with the one that was first.
const CONTINUED: usize = 256;

/// The states that were reached, each with the sequence that was first.
struct States<'a, O> {
    first: &'a [&'a [O]],
    operations: &'a [O],
    /// The state before the last operation, and the number of this operation. For the states after the `first`
    /// sequences, the number of the sequence, and no operation.
    steps: Vec<(u32, Option<u8>)>,
    /// The number of each state by its hash.
    numbers: HashMap<u128, u32>,
}

impl<O: Copy + Debug> States<'_, O> {
    /// Notes that this step leads to this state. Returns the number of the state if it was reached before.
    fn reach(&mut self, state: u128, before: usize, operation: Option<usize>) -> Option<usize> {
        match self.numbers.entry(state) {
            Entry::Occupied(known) => Some(*known.get() as usize),
            Entry::Vacant(new) => {
                new.insert(u32::try_from(self.steps.len()).unwrap());
                let operation = operation.map(|number| u8::try_from(number).unwrap());
                self.steps.push((u32::try_from(before).unwrap(), operation));
                None
            }
        }
    }

    /// Returns the first sequence that led to this state.
    fn sequence(&self, mut state: usize) -> Vec<O> {
        let mut last = Vec::new();
        while let (before, Some(operation)) = self.steps[state] {
            last.push(self.operations[usize::from(operation)]);
            state = before as usize;
        }
        last.reverse();
        [self.first[self.steps[state].0 as usize], &last].concat()
    }

    /// Checks that two sequences with one state, up to renamings, continue alike by each operation.
    fn compare<S: Subject<Operation = O>>(&self, sequences: [&[O]; 2]) {
        let renamings = sequences.map(|sequence| S::after(sequence).canonical().1);
        for operation in self.operations.iter().map(Some).chain([None]) {
            let [one, other] = [0, 1].map(|at| {
                let mut subject = S::after(sequences[at]);
                if let Some(operation) = operation {
                    subject.apply(S::before_renaming(*operation, renamings[at]));
                }
                subject.check();
                subject.state(renamings[at])
            });
            assert_eq!(one, other, "{sequences:?} do not continue alike by {operation:?}");
        }
    }
}

/// Checks every sequence of up to `depth` operations after each of the `first` ones, the short ones first.
///
/// Sequences that lead to one state continue in one way, so only the first of them is extended; samples of the others
/// are continued by each operation, and lead to equal states again. Once no state is new, sequences of every length
/// are checked.
fn every_sequence<S: Subject>(
    depth: usize,
    first: &[&[S::Operation]],
    operations: &[S::Operation],
) {
    let depth = std::env::var("ECS_DEPTH").map_or(depth, |more| depth.max(more.parse().unwrap()));
    let mut states = States { first, operations, steps: Vec::new(), numbers: HashMap::new() };
    for (at, sequence) in first.iter().enumerate() {
        states.reach(S::after(sequence).canonical().0, at, None);
    }
    let (mut longest, mut known) = (0..states.steps.len(), 0);
    for _ in 0..depth {
        for before in longest.clone() {
            let mut sequence = Sequence(states.sequence(before));
            for (at, operation) in operations.iter().enumerate() {
                sequence.0.push(*operation);
                let subject = S::after(&sequence.0);
                subject.check();
                if let Some(state) = states.reach(subject.canonical().0, before, Some(at)) {
                    known += 1;
                    if known % CONTINUED == 0 {
                        states.compare::<S>([&states.sequence(state), &sequence.0]);
                    }
                }
                sequence.0.pop();
            }
        }
        longest = longest.end..states.steps.len();
    }
    let is_all = if longest.is_empty() { ": there are no others" } else { "" };
    eprintln!("{} states after up to {depth} operations{is_all}", states.steps.len());
}

const fn entity(index: u32, generation: u32) -> Entity {
    Entity::new(index, NonZeroU32::new(generation).unwrap())
}

const GENERATIONS: u32 = 7;

/// The use of an index in the model.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
enum Use {
    #[default]
    Free,
    Reserved,
    Alive,
}

/// The allocator of entities, with three indices and three bits for generations.
struct Handles {
    real: Entities<2, GENERATIONS>,
    uses: [Use; 3],
    /// The generation of the entity of each index, or the next one if the index is free; 8 if there is none.
    generations: [u32; 3],
}

#[derive(Clone, Copy, Debug)]
enum HandleOperation {
    Spawn,
    SpawnTwo,
    SpawnAt(u32, u32),
    Reserve,
    Flush,
    Despawn(usize),
    Clear,
}

impl Default for Handles {
    fn default() -> Self {
        Self { real: Entities::new(), uses: [Use::Free; 3], generations: [1; 3] }
    }
}

impl Handles {
    fn room(&self) -> usize {
        let has_room =
            |(index, generation): (&Use, &u32)| *index == Use::Free && *generation <= GENERATIONS;
        self.uses.iter().zip(&self.generations).filter(|it| has_room(*it)).count()
    }

    fn flush(&mut self) {
        for reserved in self.uses.iter_mut().filter(|index| **index == Use::Reserved) {
            *reserved = Use::Alive;
        }
    }

    fn give_out(&mut self, entity: Entity, new: Use) {
        let index = entity.index() as usize;
        assert_eq!(
            self.uses[index],
            Use::Free,
            "{entity} was given out while its index was in use"
        );
        assert_eq!(entity.generation().get(), self.generations[index], "{entity}");
        self.uses[index] = new;
    }

    fn end(&mut self, index: usize) {
        self.uses[index] = Use::Free;
        self.generations[index] += 1;
    }
}

impl Subject for Handles {
    type Operation = HandleOperation;

    fn apply(&mut self, operation: HandleOperation) {
        match operation {
            HandleOperation::Spawn if self.room() > 0 => {
                self.flush();
                let entity = self.real.spawn();
                self.give_out(entity, Use::Alive);
            }
            HandleOperation::SpawnTwo => {
                self.flush();
                let (mut made, room) = (Vec::new(), self.room());
                self.real.spawn_many(2, ComponentSet::EMPTY, &mut made);
                assert_eq!(made.len(), room.min(2));
                for entity in made {
                    self.give_out(entity, Use::Alive);
                }
            }
            HandleOperation::SpawnAt(index, generation) => {
                self.flush();
                let (at, wanted) = (index as usize, entity(index, generation));
                let expected = match self.uses[at] {
                    Use::Free if self.generations[at] > generation => {
                        Err(SpawnAtError::Ended(wanted))
                    }
                    Use::Free => Ok(()),
                    _ => Err(SpawnAtError::Taken(entity(index, self.generations[at]))),
                };
                assert_eq!(self.real.spawn_at(wanted), expected);
                if expected.is_ok() {
                    self.generations[at] = generation;
                    self.give_out(wanted, Use::Alive);
                }
            }
            HandleOperation::Reserve if self.room() > 0 => {
                let entity = self.real.reserve();
                self.give_out(entity, Use::Reserved);
            }
            HandleOperation::Flush => {
                self.real.flush();
                self.flush();
            }
            HandleOperation::Despawn(index) if self.uses[index] != Use::Free => {
                let ended = entity(u32::try_from(index).unwrap(), self.generations[index]);
                assert!(self.real.ensure_alive(ended));
                // A despawn makes reserved entities alive, as the world does.
                self.real.flush();
                self.flush();
                self.real.free(ended);
                self.end(index);
            }
            HandleOperation::Clear => {
                self.real.clear();
                (0..3)
                    .filter(|at| self.uses[*at] != Use::Free)
                    .collect::<Vec<_>>()
                    .into_iter()
                    .for_each(|at| self.end(at));
            }
            HandleOperation::Spawn | HandleOperation::Reserve | HandleOperation::Despawn(_) => {}
        }
    }

    fn check(&self) {
        self.real.check().unwrap();
        let mut alive = Vec::new();
        for (index, (now, current)) in (0..).zip(self.uses.iter().zip(self.generations)) {
            for generation in 1..=GENERATIONS {
                let handle = entity(index, generation);
                let is_current = generation == current;
                let is_used = *now != Use::Free && is_current;
                assert_eq!(self.real.contains(handle), is_used, "{handle} is contained");
                let is_alive = *now == Use::Alive && is_current;
                assert_eq!(self.real.is_alive(handle), is_alive, "{handle} is alive");
                alive.extend(is_alive.then_some(handle));
            }
        }
        assert_eq!(self.real.iter().collect::<Vec<_>>(), alive);
        assert_eq!(self.real.alive(), alive.len());
        let used = self.uses.iter().filter(|index| **index != Use::Free).count();
        assert_eq!(self.real.len(), used);
    }

    /// All fields: no two indices behave alike, as new ones are given out in order.
    fn write_state(&self, _: usize, state: &mut Vec<u8>) {
        write!(state, "{:?} {:?} {:?}", self.real, self.uses, self.generations).unwrap();
    }
}

#[test]
fn every_sequence_of_spawns_and_despawns_gives_out_no_handle_twice() {
    use HandleOperation::*;
    let operations = [
        Spawn,
        SpawnTwo,
        SpawnAt(0, 7),
        SpawnAt(1, 3),
        SpawnAt(2, 1),
        Reserve,
        Flush,
        Despawn(0),
        Despawn(1),
        Despawn(2),
        Clear,
    ];
    every_sequence::<Handles>(40, &[&[]], &operations);
}

/// The pages of a pool beside the positions of some of its members. The other members are on other pages.
struct Pages {
    real: SparseArray,
    /// The members by their positions.
    members: BTreeMap<u32, Entity>,
    /// The number of all members of the pool.
    len: u32,
}

#[derive(Clone, Copy, Debug)]
enum PageOperation {
    /// Makes a member behind all others, in the way that needs no room, if possible.
    Append(Entity),
    /// Makes a member behind all others.
    Insert(Entity),
    /// Makes eight neighbours members.
    AppendRun(Entity),
    /// Removes the member with this index: the last member takes its position.
    Remove(u32),
    /// Removes eight neighbours.
    RemoveRun(Entity),
    /// Exchanges the positions of the members with these indices.
    Swap(u32, u32),
    /// Exchanges a member with the first one of other pages.
    MoveAway(u32),
    /// Makes so many members on other pages, or as many as there are up to a number.
    Others(u32),
    OthersUpTo(u32),
    Shrink,
    Copy,
}

/// The number of neighbours that become members together.
const RUN: u32 = 8;
/// An index on a page for other members.
const OTHER: u32 = 5 << 10;

impl Default for Pages {
    fn default() -> Self {
        Self { real: SparseArray::new(), members: BTreeMap::new(), len: 0 }
    }
}

impl Pages {
    fn position(&self, index: u32) -> Option<u32> {
        self.members.iter().find(|(_, member)| member.index() == index).map(|(at, _)| *at)
    }

    fn relocate(&mut self, member: Entity, to: u32) {
        self.members.insert(to, member);
        self.real.relocate(member.index(), to);
    }

    /// Exchanges the members at two positions, some of which are on other pages.
    fn swap(&mut self, a: u32, b: u32) {
        let both = [(self.members.remove(&a), b), (self.members.remove(&b), a)];
        for (member, to) in both {
            member.into_iter().for_each(|member| self.relocate(member, to));
        }
    }

    /// Fills the gaps of removed members by the last members.
    fn fill(&mut self, gaps: &BTreeSet<u32>) {
        for &gap in gaps {
            while self.len > gap && gaps.contains(&(self.len - 1)) {
                self.len -= 1;
            }
            if self.len > gap {
                self.len -= 1;
                if let Some(last) = self.members.remove(&self.len) {
                    self.relocate(last, gap);
                }
            }
        }
    }

    /// Makes members on another page, and ends their memberships again: what is left are positions.
    fn add_others(&mut self, to: u32) {
        let other = entity(OTHER, 1);
        self.real.insert(other.bits(), self.len);
        self.real.strike(other, |_| true);
        self.len = to;
    }
}

fn run(first: Entity) -> Vec<Entity> {
    (first.index()..first.index() + RUN)
        .map(|index| Entity::new(index, first.generation()))
        .collect()
}

impl Subject for Pages {
    type Operation = PageOperation;

    fn apply(&mut self, operation: PageOperation) {
        let is_new = |own: &Self, key: Entity| own.position(key.index()).is_none();
        match operation {
            PageOperation::Append(key) if is_new(self, key) => {
                if !self.real.append(key.bits(), self.len) {
                    self.real.insert(key.bits(), self.len);
                }
                self.members.insert(self.len, key);
                self.len += 1;
            }
            PageOperation::Insert(key) if is_new(self, key) => {
                self.real.insert(key.bits(), self.len);
                self.members.insert(self.len, key);
                self.len += 1;
            }
            PageOperation::AppendRun(first) if run(first).iter().all(|key| is_new(self, *key)) => {
                self.real.append_range(first, self.len, RUN);
                self.members.extend((self.len..).zip(run(first)));
                self.len += RUN;
            }
            PageOperation::Remove(index) => {
                if let Some(at) = self.position(index) {
                    let member = self.members.remove(&at).unwrap();
                    self.real.strike(member, |_| true);
                    self.fill(&[at].into());
                }
            }
            PageOperation::RemoveRun(first) => {
                let are_members =
                    run(first).iter().all(|key| self.members.values().any(|it| it == key));
                if are_members {
                    let is_struck = self.real.strike_run(&run(first), RUN, false);
                    let mut gaps = BTreeSet::new();
                    for key in run(first) {
                        let at = self.position(key.index()).unwrap();
                        self.members.remove(&at);
                        gaps.insert(at);
                        if !is_struck {
                            self.real.strike(key, |_| true);
                        }
                    }
                    self.fill(&gaps);
                }
            }
            PageOperation::Swap(a, b) => {
                if let (Some(a), Some(b)) = (self.position(a), self.position(b)) {
                    self.swap(a, b);
                }
            }
            PageOperation::MoveAway(index) => {
                let other = (0..self.len).find(|at| !self.members.contains_key(at));
                if let (Some(at), Some(other)) = (self.position(index), other) {
                    self.swap(at, other);
                }
            }
            PageOperation::Others(count) => self.add_others(self.len + count),
            PageOperation::OthersUpTo(len) if self.len < len => self.add_others(len),
            PageOperation::Shrink => self.real.shrink_to_fit(),
            PageOperation::Copy => self.real = self.real.clone(),
            PageOperation::Append(_)
            | PageOperation::Insert(_)
            | PageOperation::AppendRun(_)
            | PageOperation::OthersUpTo(_) => {}
        }
    }

    fn check(&self) {
        let mut count = 0;
        for (number, page) in self.real.pages().iter().enumerate() {
            let Some(page) = page else { continue };
            count += page.check(self.len as usize).unwrap();
            let mut words = [0; WORDS];
            let indices = self.members.values().map(|member| member.index());
            for index in indices.filter(|index| page_of(*index) == number) {
                words[offset_of(index) as usize / 64] |= 1 << (index % 64);
            }
            assert_eq!(page.words(), &words);
        }
        assert_eq!(count, self.members.len());
        for (at, member) in &self.members {
            assert_eq!(self.real.get(member.index()), Some(*at), "{member}");
            let page = self.real.page(page_of(member.index()));
            let found = page.find(*member, &[], self.len as usize);
            assert!(found.is_none_or(|found| found == *at as usize));
            assert!(found.is_some() || page.common_generation().is_none());
            let later = Entity::new(member.index(), member.generation().checked_add(1).unwrap());
            assert_eq!(page.find(later, &[], self.len as usize), None);
            let small =
                page.small_cells().map(|lane| lane.small_cell(offset_of(member.index()) as usize));
            assert!(small.is_none_or(|cell| cell == *at as usize));
        }
    }

    /// The forms of pages and the page that grows; positions and generations of members. The spare page is like a new
    /// one. Offsets differ: the first one of a page begins an order, and neighbours continue it.
    fn write_state(&self, _: usize, state: &mut Vec<u8>) {
        self.real.write_state(state);
        write!(state, "{:?} {}", self.members, self.len).unwrap();
    }
}

#[test]
fn every_sequence_of_edits_leaves_pages_with_the_positions_of_their_members() {
    use PageOperation::*;
    // The first index of a page and its neighbour, with two generations; another word, and another page.
    let keys = [entity(0, 1), entity(0, 2), entity(1, 1), entity(64, 1), entity(1_024, 1)];
    let run = entity(8, 1);
    let mut operations = vec![
        AppendRun(run),
        RemoveRun(run),
        Swap(0, 1),
        Swap(1, 64),
        Swap(64, 8),
        Others(1),
        OthersUpTo((1 << 24) - 1),
        Shrink,
        Copy,
    ];
    operations.extend(keys.into_iter().flat_map(|key| [Append(key), Insert(key)]));
    operations.extend([0, 1, 64, 1_024].map(Remove));
    operations.extend([0, 64].map(MoveAway));
    every_sequence::<Pages>(4, &[&[]], &operations);
}

/// A sparse set beside its members in order.
#[derive(Default)]
struct Members {
    real: SparseSet<char, Entity>,
    model: Vec<(Entity, char)>,
}

#[derive(Clone, Copy, Debug)]
enum SetOperation {
    Insert(Entity, char),
    Remove(Entity),
    MoveTo(Entity, usize),
    /// Exchanges two members.
    Swap(usize, usize),
    Sort,
    Reverse,
    /// Keeps the members with even indices.
    KeepEven,
    /// Inserts neighbours in one batch.
    InsertRun(Entity),
    /// Removes these keys in one batch, by one pass over the members or one by one.
    RemoveAll(&'static [Entity], bool),
    Shrink,
    Copy,
    Clear,
}

/// Removes members: the last ones that stay take the places of the first ones that do not.
fn sweep_model(model: &mut Vec<(Entity, char)>, is_struck: impl Fn(Entity) -> bool) {
    let mut at = 0;
    while at < model.len() {
        if !is_struck(model[at].0) {
            at += 1;
        } else if is_struck(model[model.len() - 1].0) {
            model.pop();
        } else {
            model.swap_remove(at);
        }
    }
}

impl Members {
    fn position(&self, key: Entity) -> Option<usize> {
        self.model.iter().position(|(member, _)| *member == key)
    }
}

impl Subject for Members {
    type Operation = SetOperation;

    fn apply(&mut self, operation: SetOperation) {
        match operation {
            SetOperation::Insert(key, value) => {
                let same_index = |it: &&mut (Entity, char)| it.0.index() == key.index();
                let member = self.model.iter_mut().find(same_index);
                let replaced = member.map(|member| std::mem::replace(member, (key, value)).1);
                if replaced.is_none() {
                    self.model.push((key, value));
                }
                assert_eq!(self.real.insert(key, value), replaced);
            }
            SetOperation::Remove(key) => {
                let removed = self.position(key).map(|at| self.model.swap_remove(at).1);
                assert_eq!(self.real.remove(key), removed);
            }
            SetOperation::MoveTo(key, to) if to < self.model.len() => {
                let from = self.position(key).filter(|from| *from >= to);
                assert_eq!(self.real.move_to(key, to), from.is_some());
                if let Some(from) = from {
                    self.model.swap(from, to);
                }
            }
            SetOperation::Swap(a, b) if a.max(b) < self.model.len() => {
                self.real.swap(self.model[a].0, self.model[b].0);
                self.model.swap(a, b);
            }
            SetOperation::Sort => {
                self.real.sort_by_key(|value| *value);
                self.model.sort_by_key(|member| member.1);
            }
            SetOperation::Reverse => {
                self.model.reverse();
                let keys: Vec<_> = self.model.iter().map(|member| member.0).collect();
                self.real.sort_as(&keys);
            }
            SetOperation::KeepEven => {
                let is_even = |key: Entity| key.index().is_multiple_of(2);
                self.real.retain(|key, _| is_even(key));
                let mut at = 0;
                while at < self.model.len() {
                    if is_even(self.model[at].0) {
                        at += 1;
                    } else {
                        self.model.swap_remove(at);
                    }
                }
            }
            SetOperation::InsertRun(first) => {
                let (keys, values) = (run(first), ('a'..).take(RUN as usize).collect::<Vec<_>>());
                let mut gone = Vec::new();
                self.real.put_all(&keys, values.clone(), &mut gone);
                let mut replaced = Vec::new();
                for (key, value) in keys.into_iter().zip(values) {
                    match self.model.iter_mut().find(|it| it.0.index() == key.index()) {
                        Some(member) => replaced.push(std::mem::replace(member, (key, value)).1),
                        None => self.model.push((key, value)),
                    }
                }
                assert_eq!(gone, replaced);
            }
            SetOperation::RemoveAll(keys, sweep) => {
                let is_member = |key: &&Entity| self.position(**key).is_some();
                let struck: Vec<_> = keys.iter().filter(is_member).copied().collect();
                self.real.take_out::<false>(keys, keys.len(), sweep, |key, is_own| {
                    is_own || struck.contains(&key)
                });
                self.real.finish(sweep);
                if sweep {
                    sweep_model(&mut self.model, |key| struck.contains(&key));
                } else {
                    for key in struck {
                        let at = self.position(key).unwrap();
                        self.model.swap_remove(at);
                    }
                }
            }
            SetOperation::Shrink => self.real.shrink_to_fit(),
            SetOperation::Copy => self.real = self.real.clone(),
            SetOperation::Clear => {
                self.real.clear();
                self.model.clear();
            }
            SetOperation::MoveTo(..) | SetOperation::Swap(..) => {}
        }
    }

    fn check(&self) {
        self.real.check().unwrap();
        assert!(self.real.iter().map(|(key, value)| (key, *value)).eq(self.model.iter().copied()));
        for index in [0, 1, 2, 3, 10, 11, 1_023, 1_024, 1_025] {
            for generation in 1..=GENERATIONS {
                let key = entity(index, generation);
                let value = self.position(key).map(|at| &self.model[at].1);
                assert_eq!(self.real.get(key), value, "{key}");
            }
        }
    }

    /// The keys with the forms of their pages and the room for more, and the members with their values.
    fn write_state(&self, _: usize, state: &mut Vec<u8>) {
        self.real.raw_keys().write_state(state);
        for (key, value) in &self.model {
            state.extend(key.bits().to_le_bytes());
            state.extend(u32::from(*value).to_le_bytes());
        }
    }
}

/// The neighbours that become members of a set together.
const RUN_OF_SET: [Entity; RUN as usize] = {
    let (mut keys, mut at) = ([entity(3, 1); RUN as usize], 0);
    while at < RUN {
        keys[at as usize] = entity(3 + at, 1);
        at += 1;
    }
    keys
};

#[test]
fn every_sequence_of_edits_leaves_a_sparse_set_with_its_members_in_order() {
    use SetOperation::*;
    // Two handles of one index, neighbours on a page, and the first index of the next page.
    let keys = [entity(0, 1), entity(0, 2), entity(1, 1), entity(1_024, 7)];
    let mut operations = vec![
        Insert(keys[0], 'z'),
        Swap(0, 1),
        Swap(0, 2),
        Swap(1, 2),
        Sort,
        Reverse,
        KeepEven,
        InsertRun(entity(3, 1)),
        RemoveAll(&const { [entity(0, 1), entity(1, 1), entity(5, 1)] }, true),
        RemoveAll(&const { [entity(1, 1), entity(0, 2), entity(3, 1)] }, false),
        RemoveAll(&RUN_OF_SET, true),
        Shrink,
        Copy,
        Clear,
    ];
    for (key, value) in keys.into_iter().zip('a'..) {
        operations.extend([Insert(key, value), Remove(key), MoveTo(key, 0), MoveTo(key, 1)]);
    }
    every_sequence::<Members>(4, &[&[]], &operations);
}

#[derive(Component, PartialEq, Debug)]
struct A(u32);
#[derive(Component, PartialEq, Debug)]
struct B(u32);
#[derive(Component, PartialEq, Debug)]
struct C(u32);

/// A group that is declared and dropped, with its meaning in the model.
struct Level {
    declare: fn(&mut World),
    drop: fn(&mut World),
    members: fn(&World) -> Option<Vec<Entity>>,
    /// Returns `true` if an entity with these components belongs to the group.
    includes: fn([bool; 3]) -> bool,
    /// The number of owned pools, the first ones of `A`, `B` and `C`.
    owned: usize,
}

macro_rules! level {
    ($group:expr, $owned:literal, $includes:expr) => {
        Level {
            declare: |world| world.declare_group($group).unwrap(),
            drop: |world| world.drop_group($group).unwrap(),
            members: |world| world.group($group).ok().map(|group| group.members().to_vec()),
            includes: $includes,
            owned: $owned,
        }
    };
}

/// Chains of nested groups, and groups beside each other.
const CHAINS: [[Level; 3]; 3] = [
    [
        level!(Group::owning::<A>(), 1, |[a, _, _]| a),
        level!(Group::owning::<(A, B)>(), 2, |[a, b, _]| a && b),
        level!(Group::owning::<(A, B, C)>(), 3, |has| has == [true; 3]),
    ],
    [
        level!(Group::owning::<A>().without::<C>(), 1, |[a, _, c]| a && !c),
        level!(Group::owning::<A>().with::<B>().without::<C>(), 1, |[a, b, c]| a && b && !c),
        level!(Group::owning::<(A, B)>().without::<C>(), 2, |[a, b, c]| a && b && !c),
    ],
    // Two of these own nothing: they list their members.
    [
        level!(Group::owning::<(A, B)>(), 2, |[a, b, _]| a && b),
        level!(Group::observing::<(B, C)>(), 0, |[_, b, c]| b && c),
        level!(Group::observing::<A>().without::<C>(), 0, |[a, _, c]| a && !c),
    ],
];

/// A world with groups of one chain, beside the components of its three entities.
struct Grouped<const CHAIN: usize> {
    world: World,
    entities: [Entity; 3],
    has: [[bool; 3]; 3],
    declared: [bool; 3],
}

#[derive(Clone, Copy, Debug)]
enum GroupOperation {
    /// Inserts or removes a component.
    Toggle(usize, usize),
    /// Inserts all components in one edit.
    InsertAll(usize),
    /// Despawns an entity, and spawns another one in its place.
    Replace(usize),
    /// Declares or drops a group.
    Declare(usize),
}

impl<const CHAIN: usize> Default for Grouped<CHAIN> {
    fn default() -> Self {
        let mut world = World::new();
        let entities = [(); 3].map(|()| world.spawn_empty().id());
        Self { world, entities, has: [[false; 3]; 3], declared: [false; 3] }
    }
}

impl<const CHAIN: usize> Subject for Grouped<CHAIN> {
    type Operation = GroupOperation;
    const RENAMINGS: usize = RENAMINGS.len();

    fn apply(&mut self, operation: GroupOperation) {
        let world = &mut self.world;
        match operation {
            GroupOperation::Toggle(at, component) => {
                let (entity, had) = (self.entities[at], self.has[at][component]);
                let index = entity.index();
                match component {
                    0 if had => assert_eq!(world.remove::<A>(entity), Some(A(index))),
                    1 if had => assert_eq!(world.remove::<B>(entity), Some(B(index))),
                    2 if had => assert_eq!(world.remove::<C>(entity), Some(C(index))),
                    0 => world.insert(entity, A(index)).unwrap(),
                    1 => world.insert(entity, B(index)).unwrap(),
                    _ => world.insert(entity, C(index)).unwrap(),
                }
                self.has[at][component] = !had;
            }
            GroupOperation::InsertAll(at) => {
                let index = self.entities[at].index();
                world.insert(self.entities[at], (A(index), B(index), C(index))).unwrap();
                self.has[at] = [true; 3];
            }
            GroupOperation::Replace(at) => {
                world.despawn(self.entities[at]).unwrap();
                self.entities[at] = world.spawn_empty().id();
                self.has[at] = [false; 3];
            }
            GroupOperation::Declare(level) => {
                let Level { declare, drop, .. } = CHAINS[CHAIN][level];
                let change = if self.declared[level] { drop } else { declare };
                change(world);
                self.declared[level] = !self.declared[level];
            }
        }
    }

    fn check(&self) {
        let world = &self.world;
        world.check_invariants();
        // No handle is free or reserved.
        assert_eq!((world.entities.alive(), world.entities.index_count()), (3, 3));
        for (entity, has) in self.entities.into_iter().zip(self.has) {
            let index = entity.index();
            assert_eq!(world.get::<A>(entity), has[0].then_some(&A(index)));
            assert_eq!(world.get::<B>(entity), has[1].then_some(&B(index)));
            assert_eq!(world.get::<C>(entity), has[2].then_some(&C(index)));
        }
        for (level, is_declared) in CHAINS[CHAIN].iter().zip(self.declared) {
            let members = (level.members)(world);
            assert_eq!(members.is_some(), is_declared);
            let Some(members) = members else { continue };
            let both = self.entities.into_iter().zip(self.has);
            let expected: BTreeSet<_> =
                both.filter(|(_, has)| (level.includes)(*has)).map(|(entity, _)| entity).collect();
            assert_eq!(members.len(), expected.len());
            assert_eq!(members.iter().copied().collect::<BTreeSet<_>>(), expected);
            for keys in &self.orders()[..level.owned] {
                assert_eq!(keys[..members.len()], members);
            }
        }
    }

    /// The orders of the pools, the components in records, which a removal may leave there, and the groups in their
    /// order, with their members. From these the model follows, as a check compares it. No handle is free or reserved.
    ///
    /// Entities may be renamed, as handles are only compared for equality. Pools may not: each chain uses them in other
    /// ways, and names decide between pools of one length.
    ///
    /// Numbers of declarations, generations and forms of pages are left out. The way to a result depends on them, but
    /// not the result: the sequences of handles, pages and sparse sets cover these ways.
    fn write_state(&self, renaming: usize, state: &mut Vec<u8>) {
        let (world, places) = (&self.world, RENAMINGS[renaming]);
        let mut write = |entities: &[Entity]| {
            state.push(u8::try_from(entities.len()).unwrap());
            state.extend(entities.iter().map(|entity| places[entity.index() as usize]));
        };
        self.orders().iter().for_each(|keys| write(keys));
        for level in &CHAINS[CHAIN] {
            (level.members)(world).iter().for_each(|members| write(members));
        }
        let numbers = [
            world.pools.get_numbered::<A>().0,
            world.pools.get_numbered::<B>().0,
            world.pools.get_numbered::<C>().0,
        ];
        let mut note = |components: &ComponentSet| {
            state.extend(numbers.map(|number| u8::from(components.contains(number))));
        };
        for place in 0..3 {
            let at = places.iter().position(|it| *it == place).unwrap();
            note(&world.entities.components(self.entities[at]));
        }
        note(world.groups.inexact());
        for (terms, _) in world.groups.terms() {
            for numbers in [&terms.owned, &terms.observed, &terms.excluded] {
                state.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
                state.push(u8::MAX);
            }
        }
    }

    fn before_renaming(operation: GroupOperation, renaming: usize) -> GroupOperation {
        let place =
            |at: usize| RENAMINGS[renaming].iter().position(|it| usize::from(*it) == at).unwrap();
        match operation {
            GroupOperation::Toggle(at, component) => GroupOperation::Toggle(place(at), component),
            GroupOperation::InsertAll(at) => GroupOperation::InsertAll(place(at)),
            GroupOperation::Replace(at) => GroupOperation::Replace(place(at)),
            GroupOperation::Declare(level) => GroupOperation::Declare(level),
        }
    }
}

/// The places of three entities in each order.
const RENAMINGS: [[u8; 3]; 6] = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]];

impl<const CHAIN: usize> Grouped<CHAIN> {
    /// Returns the members of each pool, in order.
    fn orders(&self) -> [Vec<Entity>; 3] {
        let pools = &self.world.pools;
        [
            pools.get::<A>().map(|pool| pool.keys().to_vec()),
            pools.get::<B>().map(|pool| pool.keys().to_vec()),
            pools.get::<C>().map(|pool| pool.keys().to_vec()),
        ]
        .map(Option::unwrap_or_default)
    }
}

fn every_sequence_of_group<const CHAIN: usize>() {
    use GroupOperation::*;
    let of_entity = |at| [Toggle(at, 0), Toggle(at, 1), Toggle(at, 2), InsertAll(at), Replace(at)];
    let operations: Vec<_> =
        (0..3).flat_map(of_entity).chain([Declare(0), Declare(1), Declare(2)]).collect();
    let declared = [Declare(2), Declare(0), Declare(1)];
    let filled = [InsertAll(0), InsertAll(1), InsertAll(2)];
    let both = [declared, filled].concat();
    every_sequence::<Grouped<CHAIN>>(4, &[&[], &declared, &filled, &both], &operations);
}

#[test]
fn every_sequence_of_edits_keeps_the_members_of_nested_groups_in_front() {
    every_sequence_of_group::<0>();
}

#[test]
fn every_sequence_of_edits_keeps_the_members_of_nested_groups_with_exclusions() {
    every_sequence_of_group::<1>();
}

#[test]
fn every_sequence_of_edits_keeps_the_lists_of_groups_that_own_nothing() {
    every_sequence_of_group::<2>();
}
