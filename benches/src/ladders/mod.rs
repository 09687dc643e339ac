//! The cost of each feature, one added at a time. A ladder has implementations of the same work,
//! written by hand in safe Rust; each makes one promise more than the one before.
//!
//! The first rung is bare, the last one the library. The time of a step is the price of its promise.
//! The time that the library takes beyond the last promise is its own. Rungs that say so promise
//! nothing; they show another way to keep the same promises.
//!
//! * Promises stand in the order in which they need each other: bits before pages that hold them,
//!   pages before their forms (`forms`), sets before tables of sets.
//! * The library finds a set by its type's number without a test of the type (unsafe code). In safe
//!   code, a table of sets with tags (`table`) is nearest to that. It only holds the types of the
//!   scenes; `types` holds any type, and pays for the test.
//! * The library counts bits by the processor's instruction, found at run time; safe code cannot.
//!   With `RUSTFLAGS="-C target-feature=+avx2,+popcnt,+bmi1,+bmi2"` the rungs do so as well.

mod cells;
mod edit;
mod insert;
mod join;
mod page;
mod read;
mod set;
mod spawn;
mod world;

use crate::libraries;
use crate::library::{Answer, Kind, Library};
use crate::workload::{WORKLOADS, Workload};

// A promise that several ladders add.
const BITS: &str = "membership bits, a word for 64 entities, set and cleared";
const PAGES: &str =
    "bits and cells in pages of 1,024, allocated on first use, freed with their last member";
const FORMS: &str =
    "no cells where members are in order, else 3 bytes; a page knows its members' generation";

/// A workload as done with more and more promises.
pub struct Ladder {
    /// The measured work.
    pub workload: Workload,
    /// The number of operations,
    pub operations: usize,
    /// and their kind.
    pub operation: &'static str,
    /// The implementations, from the bare one to the library.
    pub rungs: Vec<Library>,
    /// The promises that each rung adds to the one before.
    pub adds: Vec<&'static str>,
}

impl Ladder {
    /// # Panics
    /// When there is no such workload.
    fn new(workload: &str, operations: usize, operation: &'static str) -> Self {
        let mut workloads = WORKLOADS.iter().copied();
        let workload = workloads.find(|known| known.name == workload).expect("a workload");
        Self { workload, operations, operation, rungs: Vec::new(), adds: Vec::new() }
    }

    fn with(mut self, library: Library, adds: &'static str) -> Self {
        self.rungs.push(library);
        self.adds.push(adds);
        self
    }

    fn sparse_floor(self, adds: &'static str) -> Self {
        self.with(libraries::sparse_floor::library(), adds)
    }

    fn floor(self, adds: &'static str) -> Self {
        self.with(libraries::floor::library(), adds)
    }

    fn rung<S: 'static, A: Answer + 'static, B: Answer + 'static>(
        self,
        name: &'static str,
        adds: &'static str,
        make: impl Fn() -> S + 'static,
        run: impl Fn(&mut S) -> A + Copy + 'static,
        check: impl Fn(&mut S) -> B + Copy + 'static,
    ) -> Self {
        let mut library = Library::new(name, None, Kind::SparseFloor);
        library.add_checked(self.workload.name, make, run, check);
        self.with(library, adds)
    }

    fn ours(self) -> Self {
        let [ours, ..] = libraries::ecs::libraries();
        self.with(ours, "the library: all that it promises")
    }
}

/// All ladders.
#[must_use]
pub fn all() -> Vec<Ladder> {
    vec![
        insert::simple_insert(),
        edit::add_remove(),
        join::two("join_shuffled_1k"),
        join::two("join_shuffled_10k"),
        join::two("join_shuffled_100k"),
        join::two("join_shuffled_1m"),
        join::four(),
        read::random_get(),
        spawn::spawn_despawn(),
    ]
}

#[cfg(test)]
mod tests {
    use crate::library::assert_agreed;

    #[test]
    fn answers_agree() {
        let is_quick =
            |name: &str| !["_1m", "_100k", "random_get"].iter().any(|end| name.ends_with(end));
        let ladders = super::all().into_iter().filter(|ladder| is_quick(ladder.workload.name));
        for ladder in ladders {
            let agreed = assert_agreed(ladder.workload.name, &ladder.rungs);
            assert_eq!(agreed, ladder.rungs.len(), "{}: every rung does it", ladder.workload.name);
        }
    }
}
