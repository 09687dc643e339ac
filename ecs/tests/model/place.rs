//! A world beside its model: each operation is done to both, and the results are compared.

use super::check::counted;
use super::client::Client;
use super::components::*;
use super::expected::{Model, Note, What};
use super::op::{Call, Op, Script};
use super::queues::{Collector, Reader, Sent, kind_reader, reader};
use super::venom;
use ecs::by_name::Declaration;
use ecs::copies::Copies;
use ecs::save::{Delta, Deltas};
use ecs::{CopyError, Entity, Inserted, ObserverId, Removed, Replaced, Resource, Updated, World};
use std::collections::{BTreeMap, BTreeSet};
use std::mem;

/// The notifications since the last operation.
#[derive(Resource, Default)]
#[resource(clone = skip, save = skip)]
struct Heard(Vec<Note>, Vec<Replaced>);

/// Is sent to an entity, whose `Aligned` is changed by it.
pub struct Flip(pub u32);

pub struct Place {
    pub world: World,
    pub model: Model,
    /// The number of entities from which on no more are spawned.
    pub limit: usize,
    listens: Vec<(Comp, Vec<ObserverId>)>,
    pub scripts: BTreeMap<Script, ObserverId>,
    /// Readers, the components that they read, and when they were advanced.
    pub readers: Vec<(Reader, Comp, u64)>,
    /// Readers that have seen less may find more changes than changes of values.
    pub hazy: u64,
    pub clients: Vec<Client>,
    pub collectors: Vec<Collector>,
    pub sent: Sent,
    /// `true` if the world may move the members of pools at any time.
    pub is_ordered: bool,
}

fn hear(world: &mut World, what: What, comp: Comp, entity: Entity) {
    world.resource_mut::<Heard>().0.push((what, comp, entity));
}

/// Returns an empty world, in which a component of another crate is declared to be tracked.
pub fn fresh() -> World {
    let mut world = World::new();
    world.set_ordering(false);
    world.register::<Number>(); // first, so a despawn takes it before a `Text`
    world.declare(Declaration::<Text>::new().track());
    let kind = venom::define(&mut world);
    world.set_kind_veto(kind, |value| !venom::is_kept(venom::read(value))).unwrap();
    observed(world)
}

/// Returns a world in which all components are registered, and its events observed.
pub fn observed(mut world: World) -> World {
    world.register::<(Number, Text, Tag, Left, Right, Aligned, Sticky)>();
    world.register::<(Marked, Columns, Friend, On, PartOf, ChildOf, ecs::Res<Gold>)>();
    world.register::<(Armour, Guarded, Ghost, Walking, Swimming, Callsign)>();
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
            world: fresh(),
            model: Model::default(),
            limit,
            listens: Vec::new(),
            scripts: BTreeMap::new(),
            readers: Vec::new(),
            hazy: 0,
            clients: Vec::new(),
            collectors: Vec::new(),
            sent: Sent::default(),
            is_ordered: false,
        }
    }

    pub fn has_room(&self, count: usize) -> bool {
        self.model.content.rows.len() + count <= self.limit
    }

    /// Does an operation, which concerns no other world.
    pub fn run(&mut self, op: &Op, one_by_one: bool) {
        let is_exact = matches!(
            op,
            Op::Edit(_) | Op::ByName(_) | Op::Venom(_) | Op::Copy(..) | Op::Replace(..)
        );
        self.do_it(op, one_by_one);
        self.finish(is_exact);
    }

    pub fn finish(&mut self, is_exact: bool) {
        self.model.react();
        self.compare_notes(is_exact);
        if self.is_ordered {
            self.model.content.forget_orders();
        }
        let inserts = [Script::RightWithLeft, Script::RightWithVenom];
        if !is_exact && inserts.iter().any(|it| self.model.scripts.contains(it)) {
            // Observers insert in the order of the notes, which is left open.
            self.model.content.forget_order(Comp::Right);
        }
        for name in self.world.groups().flat_map(ecs::GroupRef::owned) {
            let comp = COMPS.iter().find(|comp| comp.name() == name).unwrap();
            self.model.content.forget_order(*comp);
        }
    }

    pub fn do_it(&mut self, op: &Op, one_by_one: bool) {
        match *op {
            Op::Edit(edit) => self.edit(edit, false),
            Op::ByName(edit) => self.edit(edit, true),
            Op::Venom(edit) => self.venom(edit),
            Op::Redefine => self.change_to(self.model.content.version + 1),
            Op::RedefineInVain(on) => self.redefine_in_vain(on),
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
            Op::Order(how) => self.order(how),
            Op::Listen(comp, in_batches) => self.listen(comp, in_batches),
            Op::Unlisten if !self.listens.is_empty() => {
                for observer in self.listens.remove(0).1 {
                    assert!(self.world.unobserve(observer));
                    assert!(!self.world.unobserve(observer));
                }
            }
            Op::Script(script) => self.script(script),
            Op::Read(comp) if self.readers.len() < 4 => {
                let reader = match comp {
                    Comp::Marked => reader::<Marked>(&mut self.world),
                    Comp::Columns => reader::<Columns>(&mut self.world),
                    Comp::Venom => kind_reader(&mut self.world),
                    _ => reader::<Friend>(&mut self.world),
                };
                self.readers.push((reader, comp, self.model.time));
            }
            Op::Advance(at, writes) if at < self.readers.len() => self.advance(at, writes),
            Op::Unread(at) if at < self.readers.len() => drop(self.readers.swap_remove(at)),
            Op::SetGold(..) | Op::RemoveGold | Op::LendGold(_) => self.gold(op),
            Op::Forget => self.forget(),
            Op::Clear => {
                self.world.clear();
                self.model.clear();
                self.forget_lists(Replaced::Cleared);
            }
            Op::Shrink => self.world.shrink_to_fit(),
            Op::Join(group, sight) if self.clients.len() < 3 => {
                self.clients.push(Client::new(group, sight, &mut self.world));
            }
            Op::Client(at, ref call) if !self.clients.is_empty() => self.call_client(at, call),
            Op::Later(ref ops) => self.later(ops),
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
            Op::Copy(..)
            | Op::InsertIfAbsent(..)
            | Op::Replace(..)
            | Op::GetOrInsert(..)
            | Op::InsertDefault(..) => {
                self.give(op);
            }
            Op::TakeBoth(_) | Op::RemoveExcept(_) => self.take(op),
            Op::Move(from, to, comp, ref ops) => self.move_value(from, to, comp, ops),
            Op::Undo(on, ref ops, is_restored) => self.undo(on, ops, is_restored),
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

    fn call_client(&mut self, at: usize, call: &Call) {
        let Self { world, clients, .. } = self;
        let at = at % clients.len();
        let client = &mut clients[at];
        match *call {
            Call::Follow(salt, ref delays) => client.follow(world, salt, delays),
            Call::Recover => client.recover(),
            Call::Reconnect => client.reconnect(),
            Call::Guess(guess, one, other) => client.guess(guess, one, other),
            Call::PassOn(group) => client.pass_on(group),
            Call::Leave => drop(clients.swap_remove(at)),
        }
    }

    /// Ends the faults of all networks, and compares all clients once more.
    pub fn settle(&mut self) {
        self.clients.iter_mut().for_each(|client| client.settle(&mut self.world));
    }

    /// Returns the number of columns that this world and its clients' worlds have.
    pub fn columns(&self) -> usize {
        counted(&self.world) + self.clients.iter().map(Client::columns).sum::<usize>()
    }

    fn listen(&mut self, comp: Comp, in_batches: bool) {
        if self.listens.len() == 6 || self.listens.iter().any(|(it, _)| *it == comp) {
            return;
        }
        let world = &mut self.world;
        if comp == Comp::Venom {
            let kind = venom::kind(0);
            let each = |what| move |world: &mut World, it| hear(world, what, comp, it);
            let observers = vec![
                world.on_insert_kind(kind, each(What::Insert)),
                world.on_update_kind(kind, each(What::Update)),
                world.on_remove_kind(kind, each(What::Remove)),
            ];
            self.listens.push((comp, observers));
            return;
        }
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

    pub fn script(&mut self, script: Script) {
        let world = &mut self.world;
        if let Some(observer) = self.scripts.remove(&script) {
            assert!(world.unobserve(observer) && self.model.scripts.remove(&script));
            return;
        }
        let observer = match script {
            Script::RightWithLeft => world.on_insert::<Left>(|world, entity| {
                _ = world.insert_if_absent(entity, Right(7));
            }),
            Script::RightWithVenom => world.on_insert_kind(venom::kind(0), |world, entity| {
                // The value of the other script: a merge runs both, in an order that is left open.
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
    pub fn forget_lists(&mut self, by: Replaced) {
        assert_eq!(mem::take(&mut self.world.resource_mut::<Heard>().1), [by]);
        self.collectors.iter_mut().for_each(Collector::forget);
    }

    /// Compares the notifications of observers. Batches may notify once of several insertions.
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

    fn gold(&mut self, op: &Op) {
        let Self { world, model, .. } = self;
        let (before, version) = (model.content.gold, world.resource_version::<Gold>());
        let whose =
            if let Op::SetGold(_, who) = *op { Some(model.content.pick(who)) } else { None };
        let whose = whose.unwrap_or(Entity::PLACEHOLDER);
        let gold = &mut model.content.gold;
        match *op {
            Op::SetGold(number, _) => {
                let old = world.insert_resource(Gold(number, whose));
                assert_eq!(old.map(|it| (it.0, it.1)), gold.replace((number, whose)));
            }
            Op::RemoveGold => {
                let old = world.remove_resource::<Gold>();
                assert_eq!(old.map(|it| (it.0, it.1)), gold.take());
            }
            Op::LendGold(number) => {
                let none = (1, Entity::PLACEHOLDER);
                world.resource_or_insert_with(|| Gold(none.0, none.1));
                world.resource_scope(|world: &mut World, gold: &mut Gold| {
                    assert!(world.get_resource::<Gold>().is_none());
                    assert_eq!(
                        world.try_clone().unwrap_err(),
                        CopyError::ResourcesLent(vec!["Gold"])
                    );
                    gold.0 += number;
                });
                gold.get_or_insert(none).0 += number;
            }
            _ => unreachable!(),
        }
        if *gold != before {
            assert!(world.resource_version::<Gold>() > version);
        }
    }

    /// Checks that copies, saved worlds and deltas name a resource that says nothing, unless it is left out.
    fn forget(&mut self) {
        self.wake();
        let world = &mut self.world;
        world.insert_resource(Forgotten);
        let named = "cannot save `Forgotten`: the world has this resource, and it is not saved";
        let save = world.save();
        let error = save.to_bytes(&mut Vec::new()).unwrap_err().to_string();
        assert!(error.starts_with(named), "{error}");
        let error = serde_json::to_string(&save).unwrap_err().to_string();
        assert!(error.starts_with(named), "{error}");
        let error = Delta::between(world, world).unwrap_err().to_string();
        assert!(error.starts_with(named), "{error}");
        assert_eq!(save.leave_out_rest().to_bytes(&mut Vec::new()).unwrap(), ["Forgotten"]);
        let (delta, left_out) = Deltas::default().leave_out_rest().between(world, world).unwrap();
        assert!(delta.is_empty() && left_out == ["Forgotten"]);
        let uncopied = CopyError::ResourcesNotCloned(vec!["Forgotten"]);
        assert_eq!(world.try_clone().unwrap_err(), uncopied);
        assert_eq!(world.copy_from(&World::new()).unwrap_err(), uncopied);
        let copies = Copies::default().leave_out_resource::<Forgotten>();
        let (copy, left_out) = world.try_clone_by(&copies).unwrap();
        assert!(copy.len() == world.len() && left_out == ["Forgotten"]);
        world.remove_resource::<Forgotten>().unwrap();
    }

    /// Brings reserved entities to life.
    pub fn wake(&mut self) {
        self.world.view_mut::<&mut Number>();
    }
}
