//! Bounded exhaustive checks: every sequence of operations on three entities, up to a length, beside a naive model.
//!
//! A bug that needs few entities and few steps cannot hide here, which random tests do not guarantee. `ECS_DEPTH`
//! chooses longer sequences. A failure prints the shortest sequence that leads to it.

use crate::component::set::ComponentSet;
use crate::entities::Entities;
use crate::storage::sparse_set::SparseSet;
use crate::{Component, Entity, Group, SpawnAtError, World};
use std::collections::BTreeSet;
use std::fmt::Debug;
use std::num::NonZeroU32;
use std::string::String;
use std::vec::Vec;
use std::{eprintln, format, vec};

/// A structure beside its naive model.
trait Subject: Default {
    type Operation: Copy + Debug;

    /// Applies the operation to both, and compares the results. Does nothing if the operation makes no sense.
    fn apply(&mut self, operation: Self::Operation);

    /// Compares the structure with the model.
    fn check(&self);

    /// Returns everything that the results of later operations depend on, the model included.
    fn state(&self) -> String;
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

/// Checks every sequence of up to `depth` operations after each of the `first` ones, the short ones first.
///
/// Sequences that lead to one state continue in one way, so only the first of them is extended. Once no state is new,
/// sequences of every length are checked.
fn every_sequence<S: Subject>(
    depth: usize,
    first: &[&[S::Operation]],
    operations: &[S::Operation],
) {
    let depth = std::env::var("ECS_DEPTH").map_or(depth, |more| depth.max(more.parse().unwrap()));
    let mut seen = BTreeSet::new();
    let mut longest: Vec<_> = first.iter().map(|sequence| sequence.to_vec()).collect();
    for _ in 0..depth {
        let mut longer = Vec::new();
        for sequence in &longest {
            for operation in operations {
                let mut sequence = Sequence([sequence.as_slice(), &[*operation]].concat());
                let mut subject = S::default();
                sequence.0.iter().for_each(|operation| subject.apply(*operation));
                subject.check();
                if seen.insert(subject.state()) {
                    longer.push(std::mem::take(&mut sequence.0));
                }
            }
        }
        longest = longer;
    }
    let is_all = if longest.is_empty() { ": there are no others" } else { "" };
    eprintln!("{} states after up to {depth} operations{is_all}", seen.len());
}

fn entity(index: u32, generation: u32) -> Entity {
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

    fn state(&self) -> String {
        format!("{:?} {:?} {:?}", self.real, self.uses, self.generations)
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
    Clear,
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
        for index in [0, 1, 2, 1_023, 1_024, 1_025] {
            for generation in 1..=GENERATIONS {
                let key = entity(index, generation);
                let value = self.position(key).map(|at| &self.model[at].1);
                assert_eq!(self.real.get(key), value, "{key}");
            }
        }
    }

    fn state(&self) -> String {
        format!("{:?} {:?} {:?}", self.real.raw_keys(), self.real, self.model)
    }
}

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
        Clear,
    ];
    for (key, value) in keys.into_iter().zip('a'..) {
        operations.extend([Insert(key, value), Remove(key), MoveTo(key, 0), MoveTo(key, 1)]);
    }
    every_sequence::<Members>(40, &[&[]], &operations);
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

/// Chains of nested groups.
const CHAINS: [[Level; 3]; 2] = [
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

    /// The forms of pages are left out: the sequences of a sparse set cover them.
    fn state(&self) -> String {
        let Self { world, entities, has, declared } = self;
        let orders = self.orders();
        format!(
            "{:?} {orders:?} {:?} {entities:?} {has:?} {declared:?}",
            world.entities, world.groups
        )
    }
}

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
    every_sequence::<Grouped<CHAIN>>(3, &[&[], &declared, &filled, &both], &operations);
}

#[test]
fn every_sequence_of_edits_keeps_the_members_of_nested_groups_in_front() {
    every_sequence_of_group::<0>();
}

#[test]
fn every_sequence_of_edits_keeps_the_members_of_nested_groups_with_exclusions() {
    every_sequence_of_group::<1>();
}
