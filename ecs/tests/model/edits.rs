//! Edits of entities: at once, by name, recorded, in batches, and undone.

use super::check::{bytes_of, sorted};
use super::components::*;
use super::expected::{Content, Given, Model, Row};
use super::op::{Edit, Op, Script, VenomEdit, Who};
use super::place::{Flip, Place};
use super::venom;
use ecs::by_name::{DefineError, FieldType, Kind, KindError, Redefinition, Values};
use ecs::{Commands, DespawnError, Entity, RemoveError};

/// The outcome of an edit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Did {
    Done,
    Missing,
    Refused,
}

/// An edit with its entities.
#[derive(Clone, Copy)]
pub struct Chosen {
    pub edit: Edit,
    pub on: Entity,
    pub to: Entity,
}

fn flipped(number: u64) -> u32 {
    u32::try_from(number).unwrap()
}

impl Place {
    pub fn choose(&self, edit: Edit) -> Chosen {
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

    pub fn edit(&mut self, edit: Edit, by_name: bool) {
        let mut chosen = self.choose(edit);
        if let Edit::Spawn(bundle, number, _) = edit {
            let fits = self.model.content.fits_new(BUNDLES[bundle], number, chosen.to);
            if fits != Given::Done || !self.has_room(1) {
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
                let fits = content.fits(on, comps, number, to);
                if by_name {
                    let mut values = Values::new();
                    for comp in comps {
                        typed!(*comp, T => {
                            let text = serde_json::to_string(&T::make(number, to)).unwrap();
                            let from = &mut serde_json::Deserializer::from_str(&text);
                            values.read(world, Kind::of::<T>(), from).unwrap();
                        });
                    }
                    return match (world.insert_values(on, values), fits) {
                        (Ok(()), _) => Did::Done,
                        (Err(_), Given::Refused) => Did::Refused,
                        (Err(_), _) => Did::Missing,
                    };
                }
                if fits == Given::Refused {
                    bundle!(bundle, make => {
                        assert!(world.try_insert(on, make(number, to)).is_err());
                    });
                    return Did::Refused;
                }
                let did = bundle!(bundle, make => world.insert(on, make(number, to)));
                if did.is_ok() { Did::Done } else { Did::Missing }
            }
            Edit::Remove(_, comp) => {
                let had = content.has(on, comp);
                let gone = if by_name {
                    typed!(comp, T => world.remove_kind(Kind::of::<T>(), on).is_ok())
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
                world.get_mut::<Marked>(on).into_iter().for_each(|marked| marked.0 ^= 1);
                Did::Done
            }
        }
    }

    pub fn edit_model(&mut self, Chosen { edit, on, to }: Chosen) -> Did {
        let is_alive = self.model.content.is_alive(on);
        let did = match edit {
            Edit::Call(_) => {
                if let Some(value) = self.model.content.value(on, Comp::Marked) {
                    self.model.write(on, Comp::Marked, value ^ 1);
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
                    Given::Refused => Did::Refused,
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
    pub fn record(&mut self, edits: &[Edit], one_by_one: bool) {
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

    pub fn give(&mut self, op: &Op) {
        let Self { world, model, .. } = self;
        let content = &model.content;
        match *op {
            Op::Copy(from, on, comp) => {
                let (from, on) = (content.pick(from), content.pick(on));
                let value = content.value(from, comp).filter(|_| content.is_alive(on));
                let did = world.copy_kind(comp.kind(content.version), from, on);
                let given = value.map(|value| model.give_value(on, comp, value));
                assert_eq!(did.is_ok(), given == Some(Given::Done));
            }
            Op::InsertDefault(on, comp) => {
                let on = content.pick(on);
                let did = typed!(comp, T => world.insert_kind_default(Kind::of::<T>(), on));
                assert_eq!(did.is_ok(), model.give_value(on, comp, 0) == Given::Done);
            }
            Op::InsertIfAbsent(on, bundle, number, to) => {
                let (on, to) = (content.pick(on), content.pick(to));
                let lacks = |it: &&Comp| !content.has(on, **it);
                let absent: Vec<Comp> = BUNDLES[bundle].iter().filter(lacks).copied().collect();
                if content.fits(on, &absent, number, to) != Given::Refused {
                    let given = model.give(on, BUNDLES[bundle], number, to, true);
                    let did = bundle!(bundle, make => world.insert_if_absent(on, make(number, to)));
                    assert_eq!(did.is_ok(), given == Given::Done);
                }
            }
            Op::Replace(on, comp, number, to) => {
                let (on, to) = (content.pick(on), content.pick(to));
                if content.fits(on, &[comp], number, to) != Given::Refused {
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

    /// Edits the component without a type.
    pub fn venom(&mut self, edit: VenomEdit) {
        let Self { world, model, .. } = self;
        let content = &model.content;
        let version = content.version;
        let kind = venom::kind(version);
        match edit {
            VenomEdit::Fill(on, number, to) => {
                let (on, value) = (content.pick(on), venom::made(number, content.pick(to)));
                let fields = venom::fields(version, value);
                let did = if number % 2 == 0 {
                    world.insert_fields(kind, on, &fields)
                } else {
                    world.kind_inserter(kind).unwrap().insert(on, &*fields)
                };
                assert_eq!(did.is_ok(), model.give_value(on, Comp::Venom, value) == Given::Done);
            }
            VenomEdit::Default(on) => {
                let on = content.pick(on);
                let given = model.give_value(on, Comp::Venom, venom::default());
                assert_eq!(world.insert_kind_default(kind, on).is_ok(), given == Given::Done);
                // The default of an added field is none of the values that the others got.
                let fields = venom::fields(version, venom::default());
                let fields = venom::names(version).into_iter().zip(fields);
                for (path, field) in fields.filter(|_| given == Given::Done) {
                    world.set_field(kind, on, path, field).unwrap();
                }
            }
            VenomEdit::Read(from, on) => {
                let (from, on) = (content.pick(from), content.pick(on));
                let Some(value) = content.value(from, Comp::Venom) else { return };
                let written = world.kind_value(kind, from).unwrap();
                let text = serde_json::to_string(written.as_serialize().unwrap()).unwrap();
                let mut from = serde_json::Deserializer::from_str(&text);
                let did = world.insert_kind(kind, on, &mut from);
                assert_eq!(did.is_ok(), model.give_value(on, Comp::Venom, value) == Given::Done);
            }
            VenomEdit::Set(on, part, number, to) => {
                let on = content.pick(on);
                let Some(old) = content.value(on, Comp::Venom) else {
                    let path = part.paths(version)[0].0;
                    assert!(world.set_field(kind, on, path, 1_u8).is_err());
                    return;
                };
                let value = part.replaced(old, venom::made(number, content.pick(to)));
                let mut fields = venom::fields(version, value);
                for (path, at) in part.paths(version) {
                    let field = std::mem::replace(&mut fields[at], 0_u8.into());
                    world.set_field(kind, on, path, field).unwrap();
                }
                model.write(on, Comp::Venom, value);
            }
            VenomEdit::Remove(on) => {
                let on = content.pick(on);
                let gone = world.remove_kind(venom::kind(0), on).is_ok();
                assert_eq!(gone, model.take(on, Comp::Venom).is_some());
            }
            VenomEdit::Wrong(on, number) => {
                let on = content.pick(on);
                let mut fields = venom::fields(version, venom::made(number, on));
                let place = usize::try_from(number).unwrap() % (fields.len() + 1);
                match fields.get_mut(place) {
                    Some(field) => *field = 1_i8.into(),
                    None => drop(fields.pop()),
                }
                let error = world.insert_fields(kind, on, &fields).unwrap_err();
                assert!(matches!(error, KindError::NotRead("Venom", _)), "{error}");
                let refused = [
                    world.kind_inserter(kind).unwrap().insert(on, &*fields),
                    world.set_field(kind, on, venom::number_path(version), 1_i8),
                    world.set_field(kind, on, "at.z", 1_i8),
                ];
                assert!(refused.iter().all(Result::is_err));
            }
        }
    }

    /// Changes the component without a type to a version, unless it has that, or there is none.
    pub fn change_to(&mut self, version: usize) {
        let version = version.min(venom::VERSIONS - 1);
        venom::change_to(&mut self.world, version);
        self.model.redefine(version);
    }

    /// Fails to change the fields, because of the first value with the number that this entity has.
    pub fn redefine_in_vain(&mut self, on: Who) {
        let content = &self.model.content;
        let Some(value) = content.value(content.pick(on), Comp::Venom) else { return };
        let (version, number) = (content.version, venom::number(value));
        let kind = venom::kind(version);
        let is_same = |it: &&Entity| {
            content.value(**it, Comp::Venom).is_some_and(|it| venom::number(it) == number)
        };
        let first = *self.world.kind_entities(kind).iter().find(is_same).unwrap();
        let refused = venom::fields(version, value).swap_remove(0);
        let changes = Redefinition::new().drop("all").rename(venom::number_path(version), "other");
        let changes = changes.convert_by("other", FieldType::U8, move |value| {
            if value == refused { Err("no".to_owned()) } else { Ok(1_u8.into()) }
        });
        let error = self.world.redefine(kind, &changes).unwrap_err();
        assert_eq!(error, DefineError::NotConverted(first, "other".to_owned(), "no".to_owned()));
    }

    pub fn take(&mut self, op: &Op) {
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
                assert_eq!(did.is_ok(), is_alive && !model.content.is_kept(on));
                if did.is_ok() {
                    let stays = [Comp::Number, Comp::Tag, Comp::Right];
                    for comp in ALL.iter().filter(|it| !stays.contains(it)) {
                        model.lose(on, *comp);
                    }
                }
            }
            _ => unreachable!(),
        }
    }

    /// Takes a value out by its name, does operations, and inserts it into another entity, or back. It ends if it fits
    /// neither.
    pub fn move_value(&mut self, from: Who, to: Who, comp: Comp, ops: &[Op]) {
        let [from, to] = [from, to].map(|it| self.model.content.pick(it));
        let kind = comp.kind(self.model.content.version);
        let before = self.model.content.source_before(from, comp);
        let mut value = match self.world.take_kind(kind, from) {
            Ok(value) => value,
            Err(error) => {
                let is_refused = self.model.content.refuses(from, comp);
                assert_eq!(
                    matches!(error, RemoveError::Refused(..) | RemoveError::Rule(..)),
                    is_refused
                );
                assert!(!self.model.content.has(from, comp) || is_refused);
                return;
            }
        };
        let number = self.model.take(from, comp).unwrap();
        self.model.react();
        for op in ops {
            self.do_it(op, false);
            self.model.react();
        }
        let Self { world, model, .. } = self;
        for on in [to, from] {
            let fits =
                !model.content.has(on, comp) && model.give_value(on, comp, number) == Given::Done;
            match world.insert_value(on, value) {
                Ok(()) => {
                    assert!(fits);
                    if on == from {
                        model.content.put_behind(from, comp, before);
                    }
                    model.react();
                    return;
                }
                Err((refused, _)) => {
                    assert!(!fits);
                    value = refused;
                }
            }
        }
    }

    /// Takes an entity out with the ones that end with it, does operations, and restores all, or gives their indices
    /// back. Without operations and observers that edit, the world is unchanged, to the last byte.
    pub fn undo(&mut self, on: Who, ops: &[Op], is_restored: bool) {
        let before = self.model.content.clone();
        let (on, was_alive) = (before.pick(on), before.is_alive(before.pick(on)));
        // An order of pools notes moved members, and may move them again.
        let is_exact = ops.is_empty() && self.model.scripts.is_empty() && !self.is_ordered;
        let bytes = is_exact.then(|| bytes_of(&self.world));
        let undone = match self.world.take_entity(on) {
            Ok(undone) => undone,
            Err(error) => {
                assert_eq!(matches!(error, DespawnError::Refused(..)), was_alive);
                assert_eq!(self.model.despawn(&[on]), 0);
                return;
            }
        };
        let mut rows: Vec<(Entity, Row)> =
            undone.entities().map(|it| (it, before.rows[&it].clone())).collect();
        if self.model.scripts.contains(&Script::TextWithNumber) {
            // The observer removes it before it is its turn.
            for (_, row) in rows.iter_mut().filter(|(_, row)| row.has(Comp::Number)) {
                row.remove(Comp::Text);
            }
        }
        let is_other = |it: &Entity| rows.iter().all(|(entity, _)| entity != it);
        let sources = rows.iter().flat_map(|(entity, _)| before.sources(*entity, Comp::On));
        let lost: Vec<Entity> = sources.copied().filter(is_other).collect();
        assert_eq!(self.model.despawn(&[on]), rows.len());
        self.model.react();
        self.model.content.held.extend(undone.entities());
        for op in ops {
            self.do_it(op, false);
            self.model.react();
        }
        let Self { world, model, .. } = self;
        model.content.held.retain(is_other);
        let is_here = |content: &Content, it: Entity| content.is_alive(it) || !is_other(&it);
        let is_held = rows.iter().any(|(_, row)| {
            row.get(Comp::Callsign).is_some_and(|it| model.content.holder(it).is_some())
        });
        let would_end = rows.iter().any(|(entity, _)| {
            let targets = [Comp::PartOf, Comp::ChildOf].map(|comp| before.target(*entity, comp));
            targets.into_iter().flatten().any(|target| !is_here(&model.content, target))
        });
        if !is_restored || would_end || is_held {
            let refused = if is_restored { world.restore(undone).unwrap_err() } else { undone };
            world.discard(refused);
            model.content.forget_orders();
            return;
        }
        world.restore(undone).unwrap();
        model.content.dead.retain(is_other);
        rows.iter().for_each(|(entity, _)| model.content.revive(*entity));
        for (entity, row) in &rows {
            for (comp, value) in row.iter() {
                // Another relation is lost with its target, as it would have been.
                let target = before.target(*entity, comp);
                if target.is_none_or(|target| is_here(&model.content, target)) {
                    model.put(*entity, comp, value);
                }
            }
        }
        for source in lost {
            if model.content.is_alive(source) && !model.content.has(source, Comp::On) {
                model.put(source, Comp::On, before.rows[&source][Comp::On]);
            }
        }
        model.react();
        if let Some(bytes) = bytes {
            assert!(bytes == bytes_of(world), "bytes differ after an undo");
            model.content.restore_orders(before);
        } else {
            model.content.forget_orders();
            for ((comp, target), sources) in &mut model.content.sources {
                // The place depends on the sources beside it, which may have gone.
                let found: Vec<Entity> = match comp {
                    Comp::On => world.related::<On>(*target).collect(),
                    Comp::PartOf => world.related::<PartOf>(*target).collect(),
                    _ => world.children(*target).collect(),
                };
                assert_eq!(sorted(found.iter().copied()), sorted(sources.iter().copied()));
                *sources = found;
            }
        }
    }

    pub fn batch(&mut self, op: &Op) {
        let has_room = |count| self.has_room(count);
        match *op {
            Op::SpawnBatch(count, bundle, number, to) if has_room(count.into()) => {
                let Self { world, model, .. } = self;
                let to = model.content.pick(to);
                let numbers = (0..u64::from(count)).map(|at| (number + at) % 1_000);
                let fits = |number| model.content.fits_new(BUNDLES[bundle], number, to);
                if numbers.clone().any(|number| fits(number) != Given::Done) {
                    return;
                }
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
                let numbered = || list.iter().zip((number..).map(|number| number % 1_000));
                if BUNDLES[bundle].iter().any(|comp| REFUSED.contains(comp)) {
                    // One that is refused would be a panic. That depends on the ones before it.
                    let mut trial = Model::default();
                    trial.content = model.content.clone();
                    let mut give = |(on, number): (&Entity, u64)| {
                        trial.give(*on, BUNDLES[bundle], number, to, false)
                    };
                    if numbered().any(|row| give(row) == Given::Refused) {
                        return;
                    }
                }
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
}

/// Records an edit, which is no spawn.
pub fn record(commands: &mut Commands, Chosen { edit, on, to }: Chosen) {
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
            world.get_mut::<Marked>(on).into_iter().for_each(|marked| marked.0 ^= 1);
        }),
    }
}
