//! Groups: nested ones, and ones that list their members.

use super::{Subject, every_sequence};
use crate::component::set::ComponentSet;
use crate::{Component, Entity, Group, World};
use std::collections::BTreeSet;
use std::vec::Vec;

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
        for terms in world.groups.terms() {
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

#[test]
fn every_sequence_of_edits_keeps_the_lists_of_groups_that_own_nothing() {
    every_sequence_of_group::<2>();
}
