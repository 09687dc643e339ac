//! A world that follows another one by change sets, and keeps groups of its own.

use super::components::*;
use super::expected::{Model, entity};
use super::place::observed;
use ecs::save::{Applied, ChangeSets, Follower, Limits};
use ecs::{Entity, World};

/// The components that are tracked and saved, so sent.
const SENT: [Comp; 4] = [Comp::Marked, Comp::Friend, Comp::PartOf, Comp::ChildOf];

pub struct Client {
    sets: ChangeSets,
    world: World,
    known: Follower,
    /// `true` if a message got lost since the last one that arrived.
    has_lost: bool,
}

impl Client {
    pub fn new(group: usize) -> Self {
        let mut world = observed(World::new());
        grouped!(group, it => world.declare_group(it)).unwrap();
        Self { sets: ChangeSets::default(), world, known: Follower::default(), has_lost: false }
    }

    /// Applies what happened since the last time, unless it gets lost, and compares all that is sent.
    pub fn follow(&mut self, server: &mut World, model: &Model, is_lost: bool) {
        if is_lost {
            self.sets.drain(server).unwrap();
            self.has_lost = true;
            return;
        }
        let mut applied = self.receive(server);
        if applied == Applied::Missing {
            assert!(self.has_lost);
            self.sets.restart();
            applied = self.receive(server);
        }
        assert_eq!(applied, Applied::Done);
        self.has_lost = false;
        self.compare(model);
    }

    fn receive(&mut self, server: &mut World) -> Applied {
        let set = self.sets.drain(server).unwrap();
        self.world.apply_change_set(set.as_bytes(), &mut self.known, &Limits::default()).unwrap()
    }

    fn compare(&self, model: &Model) {
        let Self { world, known, .. } = self;
        world.check_invariants();
        for (there, here) in known.known().iter() {
            assert!(model.content.is_alive(there) && world.is_alive(*here), "{there}");
        }
        assert_eq!(world.len(), known.known().len());
        for comp in SENT {
            let members = model.content.matching(&[comp], &[]);
            assert_eq!(typed!(comp, T => world.pool::<T>().len()), members.len(), "{comp:?}");
            for there in members {
                let here = known.get(there).expect("it is known");
                let found = typed!(comp, T => world.get::<T>(here).map(T::read));
                let value = model.content.value(there, comp).unwrap();
                if comp == Comp::Marked {
                    assert_eq!(found, Some(value), "{there}");
                } else if model.content.is_alive(entity(value)) {
                    assert_eq!(found.map(entity), known.get(entity(value)), "{there}");
                } else {
                    assert!(!world.is_alive(entity(found.unwrap())), "{there}");
                }
            }
        }
        for ((relation, target), sources) in &model.content.sources {
            let here: Vec<Entity> = match relation {
                Comp::PartOf => world.related::<PartOf>(known.get(*target).unwrap()).collect(),
                Comp::ChildOf => world.related::<ChildOf>(known.get(*target).unwrap()).collect(),
                _ => continue,
            };
            let there: Vec<Entity> = sources.iter().map(|it| known.get(*it).unwrap()).collect();
            assert_eq!(here, there, "{target}");
        }
    }
}
