//! A world beside its model: each operation is done to both, and what it returns is compared.

use super::client::Client;
use super::components::*;
use super::expected::{Content, Given, Model, Note, Row, What};
use super::op::{Edit, How, Loop, Op, Script, System, Who};
use super::queues::{Collector, Sent};
use crate::in_pool::in_pool;
use ecs::by_name::{Despawned, Kind, KindQuery, Values};
use ecs::layout::Layout;
use ecs::save::{Delta, Limits};
use ecs::{
    ChildOf, Commands, DespawnError, Entity, EntitySet, EventCursor, Events, Group, GroupError,
    Inserted, Local, Mut, ObserverId, PlanKind, RemoveError, Removed, Replaced, Resource, Schedule,
    Sharing, SpawnCommands, Tracked, Updated, View, World,
};
use rayon::{ThreadPool, ThreadPoolBuilder};
use serde::{Deserialize, Deserializer};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::mem;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, LazyLock, Mutex};

/// The notifications since the last operation.
#[derive(Resource, Default)]
struct Heard(Vec<Note>, Vec<Replaced>);

/// Is sent to an entity, whose `Aligned` is changed by it.
struct Flip(u32);

/// Advances a reader of changes. Returns the inserted, the changed and the removed entities.
type Reader = Box<dyn FnMut(&mut World, Option<PlanKind>) -> [Vec<Entity>; 3]>;

pub struct Place {
    pub world: World,
    pub model: Model,
    /// The number of entities from which on no more are spawned.
    limit: usize,
    listens: Vec<(Comp, Vec<ObserverId>)>,
    scripts: BTreeMap<Script, ObserverId>,
    /// Readers, the components that they read, and when they were advanced.
    readers: Vec<(Reader, Comp, u64)>,
    /// Readers that have seen less may find more changes than those of values.
    hazy: u64,
    client: Option<Client>,
    collectors: Vec<Collector>,
    sent: Sent,
}

/// The outcome of an edit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Did {
    Done,
    Missing,
    Refused,
}

/// An edit with its entities.
#[derive(Clone, Copy)]
struct Chosen {
    edit: Edit,
    on: Entity,
    to: Entity,
}

static POOLS: LazyLock<[ThreadPool; 4]> = LazyLock::new(|| {
    [1, 2, 3, 4].map(|count| ThreadPoolBuilder::new().num_threads(count).build().unwrap())
});

fn hear(world: &mut World, what: What, comp: Comp, entity: Entity) {
    world.resource_mut::<Heard>().0.push((what, comp, entity));
}

fn flipped(number: u64) -> u32 {
    u32::try_from(number).unwrap()
}

fn relates(comps: &[Comp]) -> bool {
    comps.iter().any(|comp| RELATIONS.contains(comp))
}

fn reader<T: Tracked>(world: &mut World) -> Reader {
    let mut changes = world.changes::<T>();
    Box::new(move |world, plan| {
        world.advance(&mut changes);
        let among = |set: &EntitySet| -> Vec<Entity> {
            let view = world.view::<&T>().with_plan(plan).among(set);
            view.iter().map(|(entity, _)| entity).collect()
        };
        let removed = changes.removed().to_vec();
        [among(changes.inserted()), among(changes.changed()), removed]
    })
}

/// Returns a world in which all components are registered, and its events observed.
pub fn observed(mut world: World) -> World {
    world.register::<(Number, Text, Tag, Left, Right, Aligned, Sticky)>();
    world.register::<(Columns, Marked, Friend, On, PartOf, ChildOf, ecs::Res<Gold>)>();
    world.insert_resource(Heard::default());
    world.insert_resource(Sent::queue());
    world.on::<Replaced>(|world, replaced| {
        world.check_invariants();
        world.resource_mut::<Heard>().1.push(*replaced);
    });
    world.on_entity::<Flip>(|world, entity, flip| {
        world.patch::<Aligned>(entity, |aligned| aligned.0 ^= flip.0);
    });
    world
}

impl Place {
    pub fn new(limit: usize) -> Self {
        Self {
            world: observed(World::new()),
            model: Model::default(),
            limit,
            listens: Vec::new(),
            scripts: BTreeMap::new(),
            readers: Vec::new(),
            hazy: 0,
            client: None,
            collectors: Vec::new(),
            sent: Sent::default(),
        }
    }

    fn has_room(&self, count: usize) -> bool {
        self.model.content.rows.len() + count <= self.limit
    }

    /// Does an operation, which concerns no other world.
    pub fn run(&mut self, op: &Op, one_by_one: bool) {
        let is_exact = matches!(op, Op::Edit(_) | Op::ByName(_) | Op::Copy(..) | Op::Replace(..));
        self.do_it(op, one_by_one);
        self.finish(is_exact);
    }

    fn finish(&mut self, is_exact: bool) {
        self.model.react();
        self.compare_notes(is_exact);
        for name in self.world.groups().flat_map(ecs::GroupRef::owned) {
            let comp = COMPS.iter().find(|comp| comp.name() == name).unwrap();
            self.model.content.forget_order(*comp);
        }
    }

    fn do_it(&mut self, op: &Op, one_by_one: bool) {
        match *op {
            Op::Edit(edit) => self.edit(edit, false),
            Op::ByName(edit) => self.edit(edit, true),
            Op::Record(ref edits) => self.record(edits, one_by_one),
            Op::Schedule(threads, ref systems) => self.schedule(threads, systems),
            Op::SpawnEmpty if self.has_room(1) => {
                let made = self.world.spawn_empty().id();
                self.model.content.born(made);
            }
            Op::Reserve if self.has_room(1) => {
                let made = self.world.reserve_entity();
                assert!(self.world.is_alive(made));
                self.model.content.born(made);
            }
            Op::SpawnAt(index, generation) if self.has_room(1) => {
                let bits = u64::from(generation) << 32 | u64::from(index);
                let handle = Entity::from_bits(bits).unwrap();
                let made = self.world.spawn_at(handle).map(|made| made.id());
                assert_eq!(made.is_ok(), self.model.content.is_free(handle), "{made:?}");
                if made.is_ok() {
                    self.model.content.born_at(handle);
                }
            }
            Op::Turn | Op::Twin(_) | Op::Part | Op::Merge(_) => {
                unreachable!("it is about two worlds")
            }
            Op::Write(by) => self.write(by),
            Op::Tune(joins, calls) => self.tune(joins, calls),
            Op::Listen(comp, in_batches) => self.listen(comp, in_batches),
            Op::Unlisten if !self.listens.is_empty() => {
                for observer in self.listens.remove(0).1 {
                    assert!(self.world.unobserve(observer));
                    assert!(!self.world.unobserve(observer));
                }
            }
            Op::Script(script) => self.script(script),
            Op::Read(marked) if self.readers.len() < 4 => {
                let (reader, comp) = if marked {
                    (reader::<Marked>(&mut self.world), Comp::Marked)
                } else {
                    (reader::<Friend>(&mut self.world), Comp::Friend)
                };
                self.readers.push((reader, comp, self.model.time));
            }
            Op::Advance(at) if at < self.readers.len() => self.advance(at),
            Op::Unread(at) if at < self.readers.len() => drop(self.readers.swap_remove(at)),
            Op::SetGold(_) | Op::RemoveGold | Op::LendGold(_) => self.gold(op),
            Op::Clear => {
                self.world.clear();
                self.model.clear();
                self.forget_lists(Replaced::Cleared);
            }
            Op::Shrink => self.world.shrink_to_fit(),
            Op::Follow(group, is_lost) => {
                let Self { world, model, client, .. } = self;
                client.get_or_insert_with(|| Client::new(group)).follow(world, model, is_lost);
            }
            Op::Reload(how) => self.reload(how),
            Op::Copies(on, count) if self.has_room(count.into()) => self.copies(on, count),
            Op::Declare(_) | Op::DropGroup(_) | Op::SortGroup(_) => self.group(op),
            Op::MoveRelated(..) | Op::SwapRelated(..) | Op::SortRelated(..) => self.relation(op),
            Op::ClearPool(_) | Op::Retain(..) | Op::Drain(_) => self.empty_pool(op),
            Op::Sort(..) | Op::SortLike(_) | Op::SortByLies(_) | Op::SwapInPool(..) => {
                self.sort(op);
            }
            Op::SpawnBatch(..) | Op::InsertBatch(..) | Op::RemoveBatch(..) => self.batch(op),
            Op::DespawnBatch(list) => {
                let list = self.model.content.list(list);
                // Not too many at once, or there is little left to compare.
                let list = &list[..list.len().min(1 + self.model.content.rows.len() / 4)];
                assert_eq!(self.world.despawn_batch(list), self.model.despawn(list));
                self.model.content.forget_orders();
            }
            Op::Copy(..) | Op::InsertIfAbsent(..) | Op::Replace(..) | Op::GetOrInsert(..) => {
                self.give(op);
            }
            Op::TakeBoth(_) | Op::RemoveExcept(_) => self.take(op),
            Op::Move(from, to, comp) => self.move_value(from, to, comp),
            Op::Undo(on, ref edits, is_restored) => self.undo(on, edits, is_restored),
            Op::Collect(comp, way) if self.collectors.len() < 4 => {
                self.collectors.push(Collector::new(&mut self.world, comp, way));
            }
            Op::Collected(at) if at < self.collectors.len() => {
                self.collectors[at].drain(&mut self.world, &self.model.content);
            }
            Op::EndCollector(at) if at < self.collectors.len() => {
                self.collectors.swap_remove(at).end(&mut self.world);
            }
            Op::Queue(call) => self.sent.call(self.world.resource_mut(), call),
            _ => {}
        }
    }

    /// Loads the world into itself.
    fn reload(&mut self, how: How) {
        if how == How::Bytes {
            self.wake();
            let mut bytes = Vec::new();
            self.world.save().to_bytes(&mut bytes).unwrap();
            self.world.load(&bytes, &Limits::default()).unwrap();
        } else {
            let copy = self.saved(how);
            self.world.copy_from(&copy).unwrap();
        }
        let content = self.model.content.clone();
        self.model.replace(&content);
        self.forget_lists(if how == How::Bytes { Replaced::Loaded } else { Replaced::Copied });
    }

    fn choose(&self, edit: Edit) -> Chosen {
        let content = &self.model.content;
        let (on, to) = match edit {
            Edit::Spawn(.., to) => (Entity::PLACEHOLDER, content.pick(to)),
            Edit::Insert(on, .., to) => (content.pick(on), content.pick(to)),
            Edit::Remove(on, _)
            | Edit::RemoveBoth(on)
            | Edit::Despawn(on)
            | Edit::Patch(on, _)
            | Edit::Send(on, _)
            | Edit::Call(on) => (content.pick(on), Entity::PLACEHOLDER),
        };
        Chosen { edit, on, to }
    }

    fn edit(&mut self, edit: Edit, by_name: bool) {
        let mut chosen = self.choose(edit);
        if let Edit::Spawn(bundle, number, _) = edit {
            let is_dead = relates(BUNDLES[bundle]) && !self.model.content.is_alive(chosen.to);
            if is_dead || !self.has_room(1) {
                return;
            }
            let world = &mut self.world;
            chosen.on = bundle!(bundle, make => world.spawn(make(number, chosen.to)).id());
            self.model.content.born(chosen.on);
            assert_eq!(self.edit_model(chosen), Did::Done);
        } else {
            let did = self.edit_world(chosen, by_name);
            assert_eq!(did, self.edit_model(chosen));
        }
    }

    /// Edits the world, which the model has not seen yet.
    fn edit_world(&mut self, Chosen { edit, on, to }: Chosen, by_name: bool) -> Did {
        let Self { world, model, .. } = self;
        let content = &model.content;
        let is_alive = world.is_alive(on);
        let alive = if is_alive { Did::Done } else { Did::Missing };
        match edit {
            Edit::Insert(_, bundle, number, _) | Edit::Spawn(bundle, number, _) => {
                let comps = BUNDLES[bundle];
                if by_name {
                    let mut values = Values::new();
                    for comp in comps {
                        typed!(*comp, T => {
                            let text = serde_json::to_string(&T::make(number, to)).unwrap();
                            let from = &mut serde_json::Deserializer::from_str(&text);
                            values.read(world, Kind::of::<T>(), from).unwrap();
                        });
                    }
                    let is_circle = is_alive && content.is_circle(on, comps, to);
                    return match values.insert(world, on) {
                        Ok(()) => Did::Done,
                        Err(_) if is_circle && content.is_alive(to) => Did::Refused,
                        Err(_) => Did::Missing,
                    };
                }
                if is_alive && content.is_alive(to) && content.is_circle(on, comps, to) {
                    assert!(world.attach(on, to).is_err());
                    return Did::Refused;
                }
                let did = bundle!(bundle, make => world.insert(on, make(number, to)));
                if did.is_ok() { Did::Done } else { Did::Missing }
            }
            Edit::Remove(_, comp) => {
                let had = content.has(on, comp);
                let gone = if by_name {
                    typed!(comp, T => Kind::of::<T>().remove(world, on).is_ok())
                } else {
                    typed!(comp, T => world.remove::<T>(on).is_some())
                };
                if had && !gone { Did::Refused } else { alive }
            }
            Edit::RemoveBoth(_) => {
                let (left, columns) = world.remove::<(Left, Columns)>(on);
                let had = [Comp::Left, Comp::Columns].map(|comp| content.has(on, comp));
                assert_eq!([left.is_some(), columns.is_some()], had);
                alive
            }
            Edit::Despawn(_) => match world.despawn(on) {
                Ok(()) => Did::Done,
                Err(_) if is_alive => Did::Refused,
                Err(_) => Did::Missing,
            },
            Edit::Patch(_, number) => {
                let changed = world.patch::<Aligned>(on, |it| it.0 ^= flipped(number));
                assert_eq!(changed, content.has(on, Comp::Aligned));
                alive
            }
            Edit::Send(_, number) => {
                assert_eq!(world.send_to(on, &Flip(flipped(number))).is_ok(), is_alive);
                alive
            }
            Edit::Call(_) => {
                world.get_mut::<Right>(on).into_iter().for_each(|right| right.0 ^= 1);
                Did::Done
            }
        }
    }

    fn edit_model(&mut self, Chosen { edit, on, to }: Chosen) -> Did {
        let is_alive = self.model.content.is_alive(on);
        let did = match edit {
            Edit::Call(_) => {
                if let Some(value) = self.model.content.value(on, Comp::Right) {
                    self.model.write(on, Comp::Right, value ^ 1);
                }
                Did::Done
            }
            _ if !is_alive => Did::Missing,
            Edit::Spawn(bundle, number, _) | Edit::Insert(_, bundle, number, _) => {
                let given = self.model.give(on, BUNDLES[bundle], number, to, false);
                let content = &mut self.model.content;
                let is_lone = content.rows[&on] == Row::default()
                    && RELATIONS.iter().all(|it| content.sources(on, *it).is_empty());
                if given != Given::Done && matches!(edit, Edit::Spawn(..)) && is_lone {
                    content.die(on);
                }
                match given {
                    Given::Done => Did::Done,
                    Given::Missing => Did::Missing,
                    Given::Circle => Did::Refused,
                }
            }
            Edit::Remove(_, comp) if self.model.content.refuses(on, comp) => Did::Refused,
            Edit::Remove(_, comp) => {
                self.model.take(on, comp);
                Did::Done
            }
            Edit::RemoveBoth(_) => {
                self.model.take(on, Comp::Left);
                self.model.take(on, Comp::Columns);
                Did::Done
            }
            Edit::Despawn(_) => match self.model.despawn(&[on]) {
                0 => Did::Refused,
                _ => Did::Done,
            },
            Edit::Patch(_, number) | Edit::Send(_, number) => {
                if let Some(value) = self.model.content.value(on, Comp::Aligned) {
                    self.model.put(on, Comp::Aligned, value ^ number);
                }
                Did::Done
            }
        };
        self.model.react();
        did
    }

    /// Records edits and applies them, or makes them one by one.
    fn record(&mut self, edits: &[Edit], one_by_one: bool) {
        let (mut commands, mut all) = (Commands::new(), Vec::new());
        for edit in edits {
            let mut chosen = self.choose(*edit);
            if let Edit::Spawn(bundle, number, _) = chosen.edit {
                if !self.has_room(1) {
                    continue;
                }
                chosen.on = if one_by_one {
                    self.world.reserve_entity()
                } else {
                    bundle!(bundle, make => commands.spawn(&self.world, make(number, chosen.to)))
                };
                self.model.content.born(chosen.on);
            } else {
                record(&mut commands, chosen);
            }
            all.push(chosen);
        }
        let (mut missing, mut refused) = (0, 0);
        for chosen in all {
            if one_by_one {
                let did = self.edit_world(chosen, false);
                let is_spawn = matches!(chosen.edit, Edit::Spawn(..));
                let did_here = self.edit_model(chosen);
                assert_eq!(did, did_here);
                if is_spawn && !self.model.content.is_alive(chosen.on) {
                    self.world.despawn(chosen.on).unwrap();
                }
            } else {
                let did = self.edit_model(chosen);
                missing += usize::from(did == Did::Missing);
                refused += usize::from(did == Did::Refused);
            }
        }
        if !one_by_one {
            let applied = commands.apply(&mut self.world);
            let counts = (applied.missing, applied.refused, applied.foreign);
            assert_eq!(counts, (missing, refused, 0));
        }
        self.model.content.forget_orders();
    }

    /// Runs a schedule, on so many threads. The model runs its list from top to bottom.
    fn schedule(&mut self, threads: usize, systems: &[System]) {
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
            self.world.insert_resource(Gold(0));
            self.model.content.gold = Some(0);
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
                    self.write_each(&[Comp::Number], Comp::Number, |row| {
                        row[Comp::Number] + number
                    });
                }
                System::Mark => {
                    self.write_each(&[Comp::Marked, Comp::Number], Comp::Marked, |row| {
                        row[Comp::Number]
                    });
                }
                System::Count => {
                    let count = self.model.content.matching(&[Comp::Number, Comp::Tag], &[]).len();
                    self.model.content.gold = self.model.content.gold.map(|it| it + count as u64);
                }
                System::Look => apply(self, &mut recorded),
                System::Emit(number) => self.sent.send(*number),
                System::Hear => {
                    let heard = self.sent.present().iter().sum::<u64>();
                    self.model.content.gold = self.model.content.gold.map(|it| it + heard);
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

    /// Writes a component of each entity that has some.
    fn write_each(&mut self, all: &[Comp], comp: Comp, value: impl Fn(&Row) -> u64) {
        for entity in self.model.content.matching(all, &[]) {
            let value = value(&self.model.content.rows[&entity]);
            self.model.write(entity, comp, value);
        }
    }

    fn write(&mut self, by: Loop) {
        let world = &mut self.world;
        let number = |row: &Row| row[Comp::Number];
        match by {
            Loop::Numbers => {
                for (_, number, aligned) in world.view_mut::<(&mut Number, Option<&Aligned>)>() {
                    number.0 += aligned.map_or(1, |aligned| aligned.0.into());
                }
                let more = |row: &Row| row.get(Comp::Aligned).unwrap_or(1);
                self.write_each(&[Comp::Number], Comp::Number, |row| number(row) + more(row));
            }
            Loop::AddToColumns => {
                for (_, text, number) in
                    world.view_mut::<(&mut columns::text, &mut columns::number)>()
                {
                    *number += 1;
                    *text = number.to_string();
                }
                for (_, counted, number) in
                    world.view_mut::<(&mut columns::counted, &columns::number)>()
                {
                    *counted = (*number).into();
                }
                self.write_each(&[Comp::Columns], Comp::Columns, |row| row[Comp::Columns] + 1);
            }
            Loop::EachMarked => {
                for (_, marked) in world.view_mut::<&mut Marked>() {
                    marked.0 += 1;
                }
                self.write_each(&[Comp::Marked], Comp::Marked, |row| row[Comp::Marked] + 1);
            }
            Loop::TaggedMarked => {
                let view = world.view_mut::<(&mut Marked, Option<&On>)>().with::<Tag>();
                view.for_each(|(_, marked, on)| marked.0 += 1 + u64::from(on.is_some()));
                self.write_each(&[Comp::Marked, Comp::Tag], Comp::Marked, |row| {
                    row[Comp::Marked] + 1 + u64::from(row.has(Comp::On))
                });
            }
            Loop::SomeMarked => {
                for (_, mut marked, number) in world.view_mut::<(Mut<Marked>, &Number)>() {
                    if marked.0.is_multiple_of(3) {
                        marked.0 = number.0;
                    }
                }
                for entity in self.model.content.matching(&[Comp::Marked, Comp::Number], &[]) {
                    let row = &self.model.content.rows[&entity];
                    if row[Comp::Marked].is_multiple_of(3) {
                        let value = number(row);
                        self.model.write(entity, Comp::Marked, value);
                    }
                }
            }
            Loop::ChunksOfMarked => {
                let view = world.view_mut::<(&mut Marked, &On)>();
                view.for_each_chunk(|(_, all, _)| all.iter_mut().for_each(|it| it.0 ^= 1));
                self.write_each(&[Comp::Marked, Comp::On], Comp::Marked, |row| {
                    row[Comp::Marked] ^ 1
                });
            }
            Loop::WriteByName => {
                let (marked, tag) = (Kind::of::<Marked>(), Kind::of::<Tag>());
                let query = KindQuery::new().write(marked).without(tag);
                query.for_each_mut(world, |row| row.get_mut::<Marked>().unwrap().0 += 2).unwrap();
                for entity in self.model.content.matching(&[Comp::Marked], &[Comp::Tag]) {
                    let value = self.model.content.value(entity, Comp::Marked).unwrap();
                    self.model.write(entity, Comp::Marked, value + 2);
                }
            }
            Loop::InParallel => {
                let view = world.view_mut::<(&mut Number, &Tag)>();
                view.par_for_each(|(entity, number, _)| number.0 ^= u64::from(entity.index()));
                for entity in self.model.content.matching(&[Comp::Number, Comp::Tag], &[]) {
                    let value = number(&self.model.content.rows[&entity]);
                    self.model.write(entity, Comp::Number, value ^ u64::from(entity.index()));
                }
            }
        }
    }

    fn give(&mut self, op: &Op) {
        let Self { world, model, .. } = self;
        let content = &model.content;
        match *op {
            Op::Copy(from, on, comp) => {
                let (from, on) = (content.pick(from), content.pick(on));
                let value = content.value(from, comp).filter(|_| content.is_alive(on));
                let did = typed!(comp, T => Kind::of::<T>().copy(world, from, on));
                let given = value.map(|value| model.give_value(on, comp, value));
                assert_eq!(did.is_ok(), given == Some(Given::Done));
            }
            Op::InsertIfAbsent(on, bundle, number, to) => {
                let (on, to) = (content.pick(on), content.pick(to));
                let lacks = |it: &&Comp| !content.has(on, **it);
                let absent: Vec<Comp> = BUNDLES[bundle].iter().filter(lacks).copied().collect();
                if !content.is_circle(on, &absent, to) {
                    let given = model.give(on, BUNDLES[bundle], number, to, true);
                    let did = bundle!(bundle, make => world.insert_if_absent(on, make(number, to)));
                    assert_eq!(did.is_ok(), given == Given::Done);
                }
            }
            Op::Replace(on, comp, number, to) => {
                let (on, to) = (content.pick(on), content.pick(to));
                if !content.is_circle(on, &[comp], to) {
                    let had = content.has(on, comp);
                    let given = model.give(on, &[comp], number, to, false);
                    let did = typed!(comp, T => {
                        world.replace(on, T::make(number, to)).map(|it| it.is_some())
                    });
                    assert_eq!(did.ok(), (given == Given::Done).then_some(had));
                }
            }
            Op::GetOrInsert(on, number) => {
                let on = content.pick(on);
                let found = world.get_or_insert_with(on, || Number(number)).map(|it| it.0);
                model.give(on, &[Comp::Number], number, on, true);
                assert_eq!(found.ok(), model.content.value(on, Comp::Number));
            }
            _ => unreachable!(),
        }
    }

    fn take(&mut self, op: &Op) {
        let Self { world, model, .. } = self;
        match *op {
            Op::TakeBoth(on) => {
                let on = model.content.pick(on);
                let taken = world.take::<(Number, Sticky)>(on);
                let has = |comp| model.content.has(on, comp) && !model.content.refuses(on, comp);
                let had = has(Comp::Number) && has(Comp::Sticky);
                assert_eq!(taken.is_some(), had);
                if let Some((number, sticky)) = taken {
                    assert_eq!(model.take(on, Comp::Number), Some(number.0));
                    assert_eq!(model.take(on, Comp::Sticky), Some(sticky.0.into()));
                }
            }
            Op::RemoveExcept(on) => {
                let on = model.content.pick(on);
                let did = world.remove_except::<(Number, Tag, Right)>(on);
                let is_alive = model.content.is_alive(on);
                assert_eq!(did.is_ok(), is_alive && !model.content.refuses(on, Comp::Sticky));
                if did.is_ok() {
                    let stays = [Comp::Number, Comp::Tag, Comp::Right];
                    for comp in COMPS.iter().filter(|it| !stays.contains(it)) {
                        model.take(on, *comp);
                    }
                }
            }
            _ => unreachable!(),
        }
    }

    /// Takes a value out by its name, and inserts it into another entity. One that does not fit there is put back.
    fn move_value(&mut self, from: Who, to: Who, comp: Comp) {
        let Self { world, model, .. } = self;
        let [from, to] = [from, to].map(|it| model.content.pick(it));
        let kind = typed!(comp, T => Kind::of::<T>());
        let mut value = match kind.take(world, from) {
            Ok(value) => value,
            Err(error) => {
                assert_eq!(
                    matches!(error, RemoveError::Refused(..)),
                    model.content.refuses(from, comp)
                );
                assert!(!model.content.has(from, comp) || model.content.refuses(from, comp));
                return;
            }
        };
        let number = model.take(from, comp).unwrap();
        model.react();
        for on in [to, from] {
            let fits =
                !model.content.has(on, comp) && model.give_value(on, comp, number) == Given::Done;
            match value.insert(world, on) {
                Ok(()) => {
                    assert!(fits);
                    model.react();
                    return;
                }
                Err((refused, _)) => {
                    assert!(!fits && on != from);
                    value = refused;
                }
            }
        }
    }

    /// Takes an entity out with those that end with it, makes edits, and restores all, or gives their indices back.
    fn undo(&mut self, on: Who, edits: &[Edit], is_restored: bool) {
        let content = &self.model.content;
        let (on, was_alive) = (content.pick(on), content.is_alive(content.pick(on)));
        let undone = match Despawned::take(&mut self.world, on) {
            Ok(undone) => undone,
            Err(error) => {
                assert_eq!(matches!(error, DespawnError::Refused(..)), was_alive);
                assert_eq!(self.model.despawn(&[on]), 0);
                return;
            }
        };
        let mut rows: Vec<(Entity, Row)> =
            undone.entities().map(|it| (it, content.rows[&it].clone())).collect();
        if self.model.scripts.contains(&Script::TextWithNumber) {
            // The observer removes it before it is its turn.
            for (_, row) in rows.iter_mut().filter(|(_, row)| row.has(Comp::Number)) {
                row.remove(Comp::Text);
            }
        }
        assert_eq!(self.model.despawn(&[on]), rows.len());
        self.model.react();
        self.model.content.held = undone.entities().collect();
        for edit in edits {
            self.edit(*edit, false);
        }
        let Self { world, model, .. } = self;
        model.content.held.clear();
        if is_restored {
            undone.restore(world).unwrap();
            let is_dead = |it: &Entity| rows.iter().all(|(entity, _)| entity != it);
            model.content.dead.retain(is_dead);
            rows.iter().for_each(|(entity, _)| model.content.revive(*entity));
            for (entity, row) in &rows {
                for (comp, value) in row.iter() {
                    if !model.content.has(*entity, comp) {
                        model.give_value(*entity, comp, value);
                        model.react();
                    }
                }
            }
        } else {
            undone.discard(world);
        }
        model.content.forget_orders();
    }

    fn batch(&mut self, op: &Op) {
        let has_room = |count| self.has_room(count);
        match *op {
            Op::SpawnBatch(count, bundle, number, to) if has_room(count.into()) => {
                let Self { world, model, .. } = self;
                let to = model.content.pick(to);
                if relates(BUNDLES[bundle]) && !model.content.is_alive(to) {
                    return;
                }
                let numbers = (0..u64::from(count)).map(|at| (number + at) % 1_000);
                let made = bundle!(bundle, make => {
                    world.spawn_batch(numbers.clone().map(|number| make(number, to)))
                });
                for (number, made) in numbers.zip(made) {
                    model.content.born(made);
                    assert_eq!(model.give(made, BUNDLES[bundle], number, to, false), Given::Done);
                }
            }
            Op::InsertBatch(list, bundle, number, to) => {
                let Self { world, model, .. } = self;
                let (list, to) = (model.content.list(list), model.content.pick(to));
                if list.iter().any(|on| model.content.is_circle(*on, BUNDLES[bundle], to)) {
                    return;
                }
                let numbered = || list.iter().zip((number..).map(|number| number % 1_000));
                let did = bundle!(bundle, make => {
                    world.insert_batch(numbered().map(|(on, number)| (*on, make(number, to))))
                });
                let mut missing = 0;
                for (on, number) in numbered() {
                    let given = model.give(*on, BUNDLES[bundle], number, to, false);
                    missing += usize::from(given == Given::Missing);
                }
                assert_eq!(did.err().map_or(0, |missing| missing.count), missing);
                model.content.forget_orders();
            }
            Op::RemoveBatch(list, comp) => {
                let Self { world, model, .. } = self;
                let list = model.content.list(list);
                let removed = typed!(comp, T => world.remove_batch::<T>(&list));
                let taken = list.iter().filter(|on| model.take(**on, comp).is_some()).count();
                assert_eq!(removed, taken);
                model.content.forget_orders();
            }
            _ => {}
        }
    }

    fn empty_pool(&mut self, op: &Op) {
        let Self { world, model, .. } = self;
        let (comp, stays): (_, &dyn Fn(&Entity) -> bool) = match *op {
            Op::ClearPool(comp) => {
                typed!(comp, T => world.pool_mut::<T>().clear());
                (comp, &|_| false)
            }
            Op::Retain(comp, each) => {
                let stays = move |entity: &Entity| u64::from(entity.index()) % each == 0;
                macro_rules! retain {
                    ($($name:ident)+) => {
                        match comp {
                            $(Comp::$name => {
                                world.pool_mut::<$name>().retain(|entity, _| stays(&entity));
                            })+
                            _ => return, // relations may not be written
                        }
                    };
                }
                retain!(Number Text Tag Left Right Aligned Sticky Columns Marked Friend);
                (comp, &move |entity| u64::from(entity.index()) % each == 0)
            }
            Op::Drain(comp) => {
                let is_refused = |entity: &Entity| model.content.refuses(*entity, comp);
                let (keys, drained): (Vec<_>, Vec<_>) = typed!(comp, T => {
                    let keys = world.pool::<T>().keys().to_vec();
                    (keys, world.pool_mut::<T>().drain().map(|(entity, _)| entity).collect())
                });
                assert!(keys.iter().filter(|it| !is_refused(it)).eq(&drained));
                (comp, &|_| false)
            }
            _ => unreachable!(),
        };
        for entity in model.content.matching(&[comp], &[]).iter().filter(|it| !stays(it)) {
            model.take(*entity, comp);
        }
        if let Op::Retain(..) = op {
            // The closure might have written to those that stay.
            let stay = model.content.matching(&[comp], &[]);
            for entity in &stay {
                model.mark(*entity, comp);
            }
        }
        model.content.forget_orders();
    }

    fn sort(&mut self, op: &Op) {
        let Self { world, model, .. } = self;
        let (Op::Sort(comp, _) | Op::SortLike(comp) | Op::SwapInPool(comp, ..)) = *op else {
            return self.sort_by_lies(op);
        };
        let is_owned = model.content.is_owned(comp);
        match *op {
            Op::Sort(comp, way) => {
                let (is_sorted, old, new) = typed!(comp, T => {
                    let old = world.pool::<T>().keys().to_vec();
                    let mut pool = world.pool_mut::<T>();
                    let sorted = match way {
                        0 => pool.sort_by_key(|value| T::read(value)),
                        1 => pool.sort_by(|a, b| T::read(b).cmp(&T::read(a))),
                        2 => pool.sort_unstable_by(|a, b| T::read(a).cmp(&T::read(b))),
                        _ => pool.sort_by_entity(),
                    };
                    (sorted.is_ok(), old, pool.keys().to_vec())
                });
                assert_eq!(is_sorted, !is_owned);
                let value = |entity: &Entity| model.content.value(*entity, comp).unwrap();
                let mut expected = old;
                match way {
                    _ if !is_sorted => {}
                    0 => expected.sort_by_key(value),
                    1 => expected.sort_by_key(|it| std::cmp::Reverse(value(it))),
                    2 => {
                        assert!(new.is_sorted_by_key(value));
                        expected.clone_from(&new);
                    }
                    _ => expected.sort(),
                }
                if is_sorted {
                    assert_eq!(new, expected);
                    if let Some(order) = model.content.order(comp) {
                        *order = new;
                    }
                }
            }
            Op::SortLike(comp) if comp != Comp::Number => {
                let sorted = typed!(comp, T => {
                    let mut pool = world.pool_mut::<T>();
                    (pool.sort_like::<Number>().is_ok(), pool.keys().to_vec())
                });
                assert_eq!(sorted.0, !is_owned);
                if sorted.0 {
                    let numbers = world.pool::<Number>().keys().iter();
                    let shared: Vec<_> =
                        numbers.filter(|it| model.content.has(**it, comp)).copied().collect();
                    assert_eq!(shared, sorted.1[..shared.len()]);
                    model.content.forget_order(comp);
                }
            }
            Op::SwapInPool(comp, a, b) => {
                let (a, b) = (model.content.pick(a), model.content.pick(b));
                if !model.content.has(a, comp) || !model.content.has(b, comp) {
                    return;
                }
                let swapped = typed!(comp, T => world.pool_mut::<T>().swap(a, b));
                assert_eq!(swapped.is_ok(), !is_owned);
                if swapped.is_ok()
                    && let Some(order) = model.content.order(comp)
                {
                    let at = |entity| order.iter().position(|it| *it == entity).unwrap();
                    let (a, b) = (at(a), at(b));
                    order.swap(a, b);
                }
            }
            _ => {}
        }
    }

    /// Sorts by a comparator that lies: nothing is lost, though a panic may come of it.
    fn sort_by_lies(&mut self, op: &Op) {
        let Op::SortByLies(mut lies) = *op else { return };
        let mut pool = self.world.pool_mut::<Text>();
        let mut lie = || {
            lies = lies.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (lies >> 32).cmp(&(1 << 31))
        };
        _ = catch_unwind(AssertUnwindSafe(|| pool.sort_unstable_by(|_, _| lie())));
        self.model.content.forget_order(Comp::Text);
    }

    fn relation(&mut self, op: &Op) {
        macro_rules! related {
            ($comp:expr, $r:ident => $body:expr) => {
                match $comp {
                    Comp::On => {
                        type $r = On;
                        $body
                    }
                    Comp::PartOf => {
                        type $r = PartOf;
                        $body
                    }
                    _ => {
                        type $r = ChildOf;
                        $body
                    }
                }
            };
        }
        let Self { world, model, .. } = self;
        let content = &mut model.content;
        match *op {
            Op::MoveRelated(comp, on, to) => {
                let on = content.pick(on);
                let target = content.target(on, comp);
                let moved = related!(comp, R => world.move_related::<R>(on, to));
                assert_eq!(moved, target.is_some());
                if let Some(target) = target {
                    let sources = content.sources.get_mut(&(comp, target)).unwrap();
                    sources.retain(|it| *it != on);
                    sources.insert(to.min(sources.len()), on);
                }
            }
            Op::SwapRelated(comp, a, b) => {
                let (a, mut b) = (content.pick(a), content.pick(b));
                let target = content.target(a, comp);
                if let Some(target) = target.filter(|_| b.index().is_multiple_of(2)) {
                    b = content.sources(target, comp)[0];
                }
                let are_siblings = target.is_some() && content.target(b, comp) == target;
                let swapped = related!(comp, R => world.swap_related::<R>(a, b));
                assert_eq!(swapped, are_siblings);
                if let Some(target) = target.filter(|_| are_siblings) {
                    let sources = content.sources.get_mut(&(comp, target)).unwrap();
                    let at = |entity| sources.iter().position(|it| *it == entity).unwrap();
                    let (a, b) = (at(a), at(b));
                    sources.swap(a, b);
                }
            }
            Op::SortRelated(comp, on) => {
                let on = content.pick(on);
                related!(comp, R => {
                    world.sort_related_by::<R>(on, |_, a, b| b.index().cmp(&a.index()));
                });
                if let Some(sources) = content.sources.get_mut(&(comp, on)) {
                    sources.sort_by_key(|it| std::cmp::Reverse(it.index()));
                }
            }
            _ => unreachable!(),
        }
    }

    fn group(&mut self, op: &Op) {
        let Self { world, model, .. } = self;
        let groups = &mut model.content.groups;
        match *op {
            Op::Declare(group) => match grouped!(group, it => world.declare_group(it)) {
                Ok(()) => _ = groups.insert(group),
                Err(GroupError::Conflict { component, .. }) => {
                    let owns = |it: &usize| GROUPS[*it][0].iter().any(|it| it.name() == component);
                    assert!(groups.iter().any(owns) && !groups.contains(&group));
                }
                Err(error) => panic!("{error}"),
            },
            Op::DropGroup(group) => {
                let dropped = grouped!(group, it => world.drop_group(it));
                assert_eq!(dropped.is_ok(), groups.remove(&group));
            }
            Op::SortGroup(true) => {
                if let Ok(mut group) = world.group_mut(Group::owning::<(Number, Tag)>()) {
                    group.sort_by(|(a, _), (b, _)| a.0.cmp(&b.0));
                    assert!(groups.contains(&0));
                }
            }
            Op::SortGroup(false) => {
                let terms = Group::owning::<(Aligned, Right)>().without::<Left>();
                if let Ok(mut group) = world.group_mut(terms) {
                    group.sort_by_key(|(aligned, right)| (aligned.0, right.0));
                    let members = group.members().to_vec();
                    let key = |entity: &Entity| model.content.value(*entity, Comp::Aligned);
                    assert!(members.is_sorted_by_key(key));
                }
            }
            _ => unreachable!(),
        }
    }

    /// Walks joins, and lets the world choose groups for them: only orders change, as every check finds.
    fn tune(&mut self, joins: u8, calls: u8) {
        let world = &mut self.world;
        Layout::of(world).observe(!(joins == 7 && calls == 12));
        for call in 0..calls {
            for join in (0..3).filter(|join| joins & (1 << join) != 0) {
                match join {
                    0 => _ = world.view::<(&Number, &Tag)>().iter().count(),
                    1 => _ = world.view::<(&Number, &Text)>().without::<Left>().iter().count(),
                    _ => _ = world.view::<(&Left, &Right)>().into_iter().count(),
                }
            }
            match (call + joins) % 8 {
                0 => _ = Layout::of(world).tune_within(20),
                1 => _ = Layout::of(world).advice(),
                _ => _ = Layout::of(world).tune(),
            }
        }
        if joins == 5 && calls == 1 {
            Layout::of(world).reset();
        }
        self.model.content.forget_orders();
    }

    fn listen(&mut self, comp: Comp, in_batches: bool) {
        if self.listens.len() == 6 || self.listens.iter().any(|(it, _)| *it == comp) {
            return;
        }
        let world = &mut self.world;
        let observers = typed!(comp, T => if in_batches {
            let each = move |what| move |world: &mut World, all: &[Entity]| {
                for entity in all {
                    hear(world, what, comp, *entity);
                }
            };
            vec![
                world.on_batch::<Inserted<T>>(each(What::Insert)),
                world.on_batch::<Updated<T>>(each(What::Update)),
                world.on_batch::<Removed<T>>(each(What::Remove)),
            ]
        } else {
            vec![
                world.on_insert::<T>(move |world, it| hear(world, What::Insert, comp, it)),
                world.on_update::<T>(move |world, it| hear(world, What::Update, comp, it)),
                world.on_remove::<T>(move |world, it| hear(world, What::Remove, comp, it)),
            ]
        });
        self.listens.push((comp, observers));
    }

    fn script(&mut self, script: Script) {
        let world = &mut self.world;
        if let Some(observer) = self.scripts.remove(&script) {
            assert!(world.unobserve(observer) && self.model.scripts.remove(&script));
            return;
        }
        let observer = match script {
            Script::RightWithLeft => world.on_insert::<Left>(|world, entity| {
                _ = world.insert_if_absent(entity, Right(7));
            }),
            Script::TextWithNumber => {
                world.on_remove::<Number>(|world, entity| _ = world.remove::<Text>(entity))
            }
        };
        self.model.scripts.insert(script);
        self.scripts.insert(script, observer);
    }

    /// The content was replaced, which was announced once. Collectors begin anew.
    fn forget_lists(&mut self, by: Replaced) {
        assert_eq!(mem::take(&mut self.world.resource_mut::<Heard>().1), [by]);
        self.collectors.iter_mut().for_each(Collector::forget);
    }

    /// Compares what observers were notified of. Batches may notify once of several insertions.
    fn compare_notes(&mut self, is_exact: bool) {
        let heard = mem::take(&mut self.world.resource_mut::<Heard>().0);
        let mut notes = self.model.take_notes();
        for collector in &mut self.collectors {
            collector.list(&notes);
        }
        notes.retain(|(_, comp, _)| self.listens.iter().any(|(it, _)| it == comp));
        let sorted = |mut notes: Vec<Note>| {
            notes.sort();
            if !is_exact {
                notes.dedup();
                let inserted: BTreeSet<_> =
                    notes.iter().filter(|it| it.0 == What::Insert).map(|it| (it.1, it.2)).collect();
                notes.retain(|it| it.0 != What::Update || !inserted.contains(&(it.1, it.2)));
            }
            notes
        };
        assert_eq!(sorted(heard), sorted(notes), "notifications");
    }

    fn advance(&mut self, at: usize) {
        let Self { world, model, readers, hazy, .. } = self;
        let plans = [None, Some(PlanKind::Words), Some(PlanKind::Dense)];
        let (reader, comp, seen) = &mut readers[at];
        let [inserted, changed, mut removed] = reader(world, plans[(model.time % 3) as usize]);
        let (then, comp) = (mem::replace(seen, model.time), *comp);
        let shown = |list: Vec<Entity>| {
            let set: BTreeSet<_> = list.iter().copied().collect();
            assert_eq!(set.len(), list.len(), "each once");
            set
        };
        let since = |at: fn(&(u64, u64)) -> u64| -> BTreeSet<Entity> {
            let marks = model.marks.iter().filter(|(key, times)| key.0 == comp && at(times) > then);
            marks.map(|((_, entity), _)| *entity).collect()
        };
        let (inserted, changed) = (shown(inserted), shown(changed));
        assert_eq!(inserted, since(|times| times.0), "inserted");
        let expected = since(|times| times.1);
        if then < *hazy {
            assert!(changed.is_superset(&expected), "changed");
        } else {
            assert_eq!(changed, expected, "changed");
        }
        let lost = model.lost.iter().filter(|it| it.0 > then && it.1 == comp);
        let mut lost: Vec<Entity> = lost.map(|it| it.2).collect();
        lost.sort();
        removed.sort();
        assert_eq!(removed, lost, "removed");
        let oldest = readers.iter().map(|it| it.2).min().unwrap_or(0);
        model.lost.retain(|it| it.0 > oldest);
    }

    fn gold(&mut self, op: &Op) {
        let Self { world, model, .. } = self;
        let (before, version) = (model.content.gold, world.resource_version::<Gold>());
        let gold = &mut model.content.gold;
        match *op {
            Op::SetGold(number) => {
                let old = world.insert_resource(Gold(number));
                assert_eq!(old.map(|it| it.0), gold.replace(number));
            }
            Op::RemoveGold => {
                assert_eq!(world.remove_resource::<Gold>().map(|it| it.0), gold.take());
            }
            Op::LendGold(number) => {
                world.resource_or_insert_with(|| Gold(1));
                world.resource_scope(|world: &mut World, gold: &mut Gold| {
                    assert!(world.get_resource::<Gold>().is_none());
                    gold.0 += number;
                });
                *gold = Some(gold.unwrap_or(1) + number);
            }
            _ => unreachable!(),
        }
        if *gold != before {
            assert!(world.resource_version::<Gold>() > version);
        }
    }

    fn copies(&mut self, on: Who, count: u16) {
        let Self { world, model, .. } = self;
        let on = model.content.pick(on);
        let made = world.spawn_copies(on, count.into());
        assert_eq!(made.is_ok(), model.content.is_alive(on));
        for made in made.into_iter().flatten() {
            model.content.born(made);
            for (comp, value) in model.content.rows[&on].clone().iter() {
                let handles = [Comp::Friend, Comp::On, Comp::PartOf, Comp::ChildOf];
                // A copy names itself where the original does.
                let is_own = handles.contains(&comp) && value == on.to_bits();
                model.put(made, comp, if is_own { made.to_bits() } else { value });
                model.content.forget_order(comp);
            }
        }
    }

    /// Takes in the entities of another world, or copies of them.
    pub fn merge(&mut self, other: World, from: &Content, is_prefab: bool) {
        if !self.has_room(from.rows.len()) {
            return;
        }
        let Self { world, model, .. } = self;
        let old: Vec<Entity> = other.entities().collect();
        let pairs: BTreeMap<Entity, Entity> = if is_prefab {
            old.iter().copied().zip(world.spawn_copies_of(&other, 1).unwrap()).collect()
        } else {
            let made = world.merge(other);
            old.iter().map(|old| (*old, *made.get(*old).unwrap())).collect()
        };
        assert_eq!(pairs.len(), from.rows.len());
        for old in &old {
            model.content.born(pairs[old]);
        }
        model.take_in(from, &pairs);
        self.finish(false);
    }

    /// Brings reserved entities to life.
    pub fn wake(&mut self) {
        self.world.view_mut::<&mut Number>();
    }

    /// Returns the world that a save of this one, or a copy of it, is.
    pub fn saved(&mut self, how: How) -> World {
        self.wake();
        let world = &self.world;
        let mut bytes = Vec::new();
        match how {
            How::Clone | How::CopyFrom | How::Delta => world.try_clone().unwrap(),
            How::Bytes => {
                world.save().to_bytes(&mut bytes).unwrap();
                world.read(&bytes, &Limits::default()).unwrap().0
            }
            How::Json => {
                let text = serde_json::to_string(&world.save()).unwrap();
                read(world, &mut serde_json::Deserializer::from_str(&text))
            }
            How::MessagePack => {
                bytes = rmp_serde::to_vec_named(&world.save()).unwrap();
                read(world, &mut rmp_serde::Deserializer::new(&bytes[..]))
            }
            How::Arrays => {
                bytes = rmp_serde::to_vec(&world.save()).unwrap();
                read(world, &mut rmp_serde::Deserializer::new(&bytes[..]))
            }
            How::Cbor => {
                ciborium::into_writer(&world.save(), &mut bytes).unwrap();
                READER.set(mem::take(&mut self.world));
                let saved: FromCbor = ciborium::from_reader(&bytes[..]).unwrap();
                self.world = READER.take();
                saved.0
            }
        }
    }
}

/// Records an edit, which is no spawn.
fn record(commands: &mut Commands, Chosen { edit, on, to }: Chosen) {
    match edit {
        Edit::Spawn(..) => unreachable!("its handle comes from the recording"),
        Edit::Insert(_, bundle, number, _) => {
            bundle!(bundle, make => commands.insert(on, make(number, to)));
        }
        Edit::Remove(_, comp) => typed!(comp, T => commands.remove::<T>(on)),
        Edit::RemoveBoth(_) => commands.remove::<(Left, Columns)>(on),
        Edit::Despawn(_) => commands.despawn(on),
        Edit::Patch(_, number) => {
            commands.patch::<Aligned>(on, move |it| it.0 ^= flipped(number));
        }
        Edit::Send(_, number) => commands.send_to(on, Flip(flipped(number))),
        Edit::Call(_) => commands.queue(move |world| {
            world.get_mut::<Right>(on).into_iter().for_each(|right| right.0 ^= 1);
        }),
    }
}

impl Place {
    /// Makes another world equal to this one, by the way of a copy, a saved world or a delta.
    pub fn make_equal(&mut self, other: &mut Self, how: How) {
        self.wake();
        Layout::of(&mut self.world).reset(); // saved worlds do not have tuned groups
        for group in mem::take(&mut other.model.content.groups) {
            grouped!(group, it => other.world.drop_group(it)).unwrap();
        }
        Layout::of(&mut other.world).reset();
        for group in &self.model.content.groups {
            grouped!(*group, it => other.world.declare_group(it)).unwrap();
        }
        match how {
            How::Clone => {
                *other = Self { world: observed(self.saved(how)), ..Self::new(self.limit) }
            }
            How::CopyFrom => other.world.copy_from(&self.world).unwrap(),
            How::Bytes => {
                let mut bytes = Vec::new();
                self.world.save().to_bytes(&mut bytes).unwrap();
                other.world.load(&bytes, &Limits::default()).unwrap();
            }
            How::Json | How::MessagePack | How::Arrays | How::Cbor => {
                other.world.copy_from(&self.saved(how)).unwrap();
            }
            How::Delta => {
                let delta = Delta::between(&other.world, &self.world).unwrap();
                other.world.apply_delta(delta.as_bytes(), &Limits::default()).unwrap();
            }
        }
        for script in [Script::RightWithLeft, Script::TextWithNumber] {
            if self.scripts.contains_key(&script) != other.scripts.contains_key(&script) {
                other.script(script);
            }
        }
        match &self.model.content.gold {
            Some(gold) => _ = other.world.insert_resource(Gold(*gold)),
            None => _ = other.world.remove_resource::<Gold>(),
        }
        other.world.insert_resource(self.world.resource::<Events<u64>>().clone());
        other.sent = self.sent.clone();
        match how {
            How::Clone => {}
            How::Bytes => other.forget_lists(Replaced::Loaded),
            How::Delta => other.forget_lists(Replaced::Applied),
            _ => other.forget_lists(Replaced::Copied),
        }
        if how == How::Delta {
            other.model.change_into(&self.model.content);
            other.hazy = other.model.time;
            // It may bring handles to life that were dead when a client was sent their names.
            other.client = None;
        } else {
            other.model.replace(&self.model.content);
        }
    }
}

thread_local! {
    /// The world that [`FromCbor`] is read by.
    static READER: RefCell<World> = RefCell::default();
}

/// A saved world, for a function that takes no seed.
struct FromCbor(World);

impl<'de> Deserialize<'de> for FromCbor {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        READER.with_borrow(|reader| Ok(Self(reader.read_from(from)?.0)))
    }
}

/// Reads a world from a text, or something like it.
fn read<'de, D: Deserializer<'de>>(world: &World, from: D) -> World
where
    D::Error: std::fmt::Debug,
{
    world.read_from(from).unwrap().0
}
