//! The allocator of entities.

use super::{GENERATIONS, Subject, entity, every_sequence};
use crate::component::set::ComponentSet;
use crate::entities::Entities;
use crate::{Entity, SpawnAtError};
use std::io::Write;
use std::vec::Vec;

/// The use of an index in the model.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
enum Use {
    #[default]
    Free,
    Reserved,
    Alive,
}

/// The allocator of entities, with three indices and five generations.
struct Handles {
    real: Entities<2, GENERATIONS>,
    uses: [Use; 3],
    /// The generation of the entity of each index, or the next one if the index is free; 6 if there is none.
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
        SpawnAt(0, GENERATIONS),
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
