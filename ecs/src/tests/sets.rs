//! Sparse sets.

use super::{GENERATIONS, RUN, Subject, entity, every_sequence, run};
use crate::Entity;
use crate::storage::key::Key;
use crate::storage::sparse_set::SparseSet;
use std::vec;
use std::vec::Vec;

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
                assert_eq!(self.real.untyped().move_to(key, to), from.is_some());
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
                let gone = self.real.untyped().put_all(&keys, Box::new(values.clone()));
                let mut gone =
                    gone.downcast::<Vec<char>>().map_or_else(|_| Vec::new(), |gone| *gone);
                let mut replaced = Vec::new();
                for (key, value) in keys.into_iter().zip(values) {
                    match self.model.iter_mut().find(|it| it.0.index() == key.index()) {
                        Some(member) => replaced.push(std::mem::replace(member, (key, value)).1),
                        None => self.model.push((key, value)),
                    }
                }
                gone.sort_unstable();
                replaced.sort_unstable();
                assert_eq!(gone, replaced);
            }
            SetOperation::RemoveAll(keys, sweep) => {
                let is_member = |key: &&Entity| self.position(**key).is_some();
                let struck: Vec<_> = keys.iter().filter(is_member).copied().collect();
                self.real.untyped().take_out::<false>(keys, keys.len(), sweep, |key, is_own| {
                    is_own || struck.contains(&key)
                });
                self.real.untyped().finish(sweep);
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
    let keys = [entity(0, 1), entity(0, 2), entity(1, 1), entity(1_024, GENERATIONS)];
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

#[test]
fn pages_of_a_sorted_set_are_sequential_again() {
    let mut set: SparseSet<u32> = (0..3_000).map(|key| (key, key)).collect();
    let sequential = |set: &SparseSet<u32>| {
        (0..3).filter(|page| set.raw_keys().page(*page).is_sequential()).count()
    };
    assert_eq!(sequential(&set), 3);
    for key in (0..3_000).step_by(1_024) {
        set.remove(key);
        set.insert(key, key);
    }
    assert_eq!(sequential(&set), 0);
    set.sort_by_key(|value| *value);
    assert_eq!((sequential(&set), set.as_slice().is_sorted()), (3, true));
    set.check().unwrap();
    set.sort_by(|a, b| b.cmp(a));
    assert_eq!(sequential(&set), 0);
    assert!((0..3_000).all(|key| set.get(key) == Some(&key)));
}
