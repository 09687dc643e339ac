//! Schedules. The model runs the systems of a list from top to bottom.

use super::components::*;
use super::edits::{Chosen, record};
use super::op::{Edit, System};
use super::place::Place;
use crate::in_pool::in_pool;
use ecs::{
    Commands, Entity, EventCursor, Events, Local, Schedule, Sharing, SpawnCommands, View, World,
};
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock, Mutex};

static POOLS: LazyLock<[ThreadPool; 4]> = LazyLock::new(|| {
    [1, 2, 3, 4].map(|count| ThreadPoolBuilder::new().num_threads(count).build().unwrap())
});

impl Place {
    /// Runs a schedule, on this many threads. The model runs its list from top to bottom.
    pub fn schedule(&mut self, threads: usize, systems: &[System]) {
        let made: Arc<Mutex<BTreeMap<usize, Entity>>> = Arc::default();
        let (mut schedule, mut chosen) = (Schedule::new(), BTreeMap::new());
        schedule.set_sharing(Sharing::Always);
        let mut room = self.limit.saturating_sub(self.model.content.rows.len());
        for (at, system) in systems.iter().enumerate() {
            schedule = match system {
                System::Add(number) => {
                    let number = *number;
                    schedule.add(move |all: View<&mut Number>| {
                        all.for_each(|(_, it)| it.0 += number);
                    })
                }
                System::Mark => schedule.add(|all: View<(&mut Marked, &Number)>| {
                    all.for_each(|(_, marked, number)| marked.0 = number.0);
                }),
                System::Count => schedule.add(|all: View<(&Number, &Tag)>, gold: &mut Gold| {
                    gold.0 += all.count() as u64;
                }),
                System::Look => schedule.add(|_: &World| ()),
                System::Emit(number) => {
                    let number = *number;
                    schedule.add(move |queue: &mut Events<u64>| queue.send(number))
                }
                System::Hear => schedule.add(
                    |queue: &Events<u64>, mut seen: Local<EventCursor>, gold: &mut Gold| {
                        gold.0 += queue.read(&mut seen).sum::<u64>();
                    },
                ),
                System::SpawnOne(number) if room > 0 => {
                    room -= 1;
                    let (number, made) = (*number, made.clone());
                    schedule.add(move |mut commands: SpawnCommands| {
                        let entity = commands.spawn((Number(number), Tag));
                        made.lock().unwrap().insert(at, entity);
                    })
                }
                System::SpawnOne(_) => schedule,
                System::RecordSome(edits) => {
                    // No columns, whose living values are counted on this thread.
                    let no_columns = |it: &&Edit| match it {
                        Edit::Insert(_, bundle, ..) => !BUNDLES[*bundle].contains(&Comp::Columns),
                        _ => true,
                    };
                    let all: Vec<Chosen> =
                        edits.iter().filter(no_columns).map(|edit| self.choose(*edit)).collect();
                    chosen.insert(at, all.clone());
                    schedule.add(move |commands: &mut Commands| {
                        for chosen in &all {
                            record(commands, *chosen);
                        }
                    })
                }
            };
        }
        if self.model.content.gold.is_none() {
            self.world.insert_resource(Gold(0, Entity::PLACEHOLDER));
            self.model.content.gold = Some((0, Entity::PLACEHOLDER));
        }
        let world = &mut self.world;
        in_pool(&POOLS[threads - 1], || schedule.run(world).unwrap());
        let made = made.lock().unwrap();
        let mut recorded = Vec::new();
        let apply = |place: &mut Self, recorded: &mut Vec<Chosen>| {
            recorded.drain(..).for_each(|chosen| _ = place.edit_model(chosen));
        };
        for (at, system) in systems.iter().enumerate() {
            match system {
                System::Add(number) => {
                    self.write_each(&[Comp::Number], &[], Comp::Number, |row| {
                        row[Comp::Number] + number
                    });
                }
                System::Mark => {
                    self.write_each(&[Comp::Marked, Comp::Number], &[], Comp::Marked, |row| {
                        row[Comp::Number]
                    });
                }
                System::Count => {
                    let count = self.model.content.matching(&[Comp::Number, Comp::Tag], &[]).len();
                    self.model.content.gold.iter_mut().for_each(|it| it.0 += count as u64);
                }
                System::Look => apply(self, &mut recorded),
                System::Emit(number) => self.sent.send(*number),
                System::Hear => {
                    let heard = self.sent.present().iter().sum::<u64>();
                    self.model.content.gold.iter_mut().for_each(|it| it.0 += heard);
                }
                System::SpawnOne(number) => {
                    let Some(&on) = made.get(&at) else { continue };
                    self.model.content.born(on);
                    let edit = Edit::Spawn(9, *number, 0);
                    recorded.push(Chosen { edit, on, to: Entity::PLACEHOLDER });
                }
                System::RecordSome(_) => recorded.append(chosen.get_mut(&at).unwrap()),
            }
        }
        apply(self, &mut recorded);
        self.model.content.forget_orders();
    }
}
