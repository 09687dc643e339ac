//! Bounded exhaustive checks: every sequence of operations on three entities, up to a length, beside a naive model.
//!
//! A bug that needs few entities and few steps cannot hide here, which random tests do not guarantee. `ECS_DEPTH`
//! chooses longer sequences. A failure prints the shortest sequence that leads to it.

mod groups;
mod handles;
mod pages;
mod sets;

use crate::Entity;
use std::collections::HashMap;
use std::collections::hash_map::{DefaultHasher, Entry};
use std::eprintln;
use std::fmt::Debug;
use std::hash::Hasher;
use std::num::NonZeroU32;
use std::vec::Vec;

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
/// Sequences that lead to one state continue in one way, so only the first of them is extended. Samples of the others
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

/// The greatest generation of a handle.
const GENERATIONS: u32 = 5;

/// The number of neighbours that become members together.
const RUN: u32 = 8;

/// Returns the neighbours that become members together.
fn run(first: Entity) -> Vec<Entity> {
    (first.index()..first.index() + RUN)
        .map(|index| Entity::new(index, first.generation()))
        .collect()
}
