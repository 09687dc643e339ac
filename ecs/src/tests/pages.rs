//! The pages of sparse arrays.

use super::{RUN, Subject, entity, every_sequence, run};
use crate::Entity;
use crate::storage::key::Key;
use crate::storage::sparse_array::{SparseArray, WORDS, offset_of, page_of};
use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;
use std::vec;
use std::vec::Vec;

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
    /// Makes this many members on other pages, or as many as there are up to a number.
    Others(u32),
    OthersUpTo(u32),
    Shrink,
    Copy,
}

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

    /// Exchanges the members at two positions; some members are on other pages.
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

    /// Makes members on another page, and ends their memberships again: only positions are left.
    fn add_others(&mut self, to: u32) {
        let other = entity(OTHER, 1);
        self.real.insert(other.bits(), self.len);
        self.real.strike(other, |_| true);
        self.len = to;
    }
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
