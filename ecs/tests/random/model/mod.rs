//! Random operations on a world and on a naive model of it, compared after each.
//!
//! `ECS_MODEL_OPS` says how many operations are run, `ECS_MODEL_SEED` which.

mod beside;

use beside::{Beside, On, Ticked};
use ecs::by_name::Kind;
use ecs::layout::Layout;
use ecs::{Commands, Component, Entity, Group, GroupError, GroupRef, Has, PlanKind, Query, World};
use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};

#[derive(Component, Clone, Debug, PartialEq)]
struct Number(u64);
#[derive(Component, Clone, Debug, PartialEq)]
struct Text(String);
#[derive(Component, Clone, Debug, Default, PartialEq)]
struct Tag;
/// Shares its bit with `Right`.
#[derive(Component, Clone, Debug, PartialEq)]
#[component(bit = 9)]
struct Left(u8);
#[derive(Component, Clone, Debug, PartialEq)]
#[component(bit = 9)]
struct Right(u16);
#[derive(Component, Clone, Debug, PartialEq)]
#[repr(align(64))]
struct Aligned(u32);
/// Stays while it is odd, and comes with two others.
#[derive(Component, Clone, Debug, PartialEq)]
#[component(veto = Sticky::may_go, requires(Left = Left(4), Tag))]
struct Sticky(u32);

impl Sticky {
    fn may_go(&mut self) -> bool {
        self.0.is_multiple_of(2)
    }
}

/// Stored in columns. The number is in each of them.
#[derive(Component, Clone, Debug, PartialEq)]
#[component(layout = "soa")]
struct Columns {
    number: u32,
    text: String,
    counted: Counted,
    byte: u8,
}

fn columns(number: u32) -> Columns {
    let byte = number.to_le_bytes()[0];
    Columns { number, text: number.to_string(), counted: Counted::new(number), byte }
}

/// Counts how many of it are alive, in the thread of a test.
#[derive(Debug, PartialEq)]
struct Counted(Box<u32>);

thread_local! {
    static ALIVE: Cell<usize> = const { Cell::new(0) };
}

impl Counted {
    fn new(number: u32) -> Self {
        ALIVE.set(ALIVE.get() + 1);
        Self(Box::new(number))
    }
}

impl Clone for Counted {
    fn clone(&self) -> Self {
        Self::new(*self.0)
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        ALIVE.set(ALIVE.get() - 1);
    }
}

/// The state of an entity in the model.
#[derive(Clone, Debug, Default, PartialEq)]
struct Row {
    number: Option<Number>,
    text: Option<Text>,
    tag: Option<Tag>,
    left: Option<Left>,
    right: Option<Right>,
    aligned: Option<Aligned>,
    sticky: Option<Sticky>,
    columns: Option<Columns>,
    ticked: Option<Ticked>,
    on: Option<On>,
}

impl Row {
    fn components(&self) -> BTreeSet<&'static str> {
        let mut names = BTreeSet::new();
        let mut add = |has: bool, name| has.then(|| names.insert(name));
        add(self.number.is_some(), "Number");
        add(self.text.is_some(), "Text");
        add(self.tag.is_some(), "Tag");
        add(self.left.is_some(), "Left");
        add(self.right.is_some(), "Right");
        add(self.aligned.is_some(), "Aligned");
        add(self.sticky.is_some(), "Sticky");
        add(self.columns.is_some(), "Columns");
        add(self.ticked.is_some(), "Ticked");
        add(self.on.is_some(), "On");
        names
    }

    fn stick(&mut self, value: u32) {
        self.sticky = Some(Sticky(value));
        self.left.get_or_insert(Left(4));
        self.tag.get_or_insert(Tag);
    }

    fn refuses(&self) -> bool {
        self.sticky.as_ref().is_some_and(|sticky| !sticky.0.is_multiple_of(2))
    }
}

type Model = BTreeMap<Entity, Row>;

/// Steele, Lea and Flood's `SplitMix64` ("Fast splittable pseudorandom number generators", 2014).
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn below(&mut self, limit: usize) -> usize {
        usize::try_from(self.next() % limit as u64).unwrap()
    }

    fn small(&mut self) -> u32 {
        u32::try_from(self.next() % 1000).unwrap()
    }
}

/// Is sent to an entity, whose `Aligned` is flipped by it.
struct Flip(u32);

/// A group that the world keeps, and whose members it should have.
struct Kept {
    /// The printed name, and the owned components.
    name: String,
    owned: Box<[&'static str]>,
    drop: fn(&mut World) -> Result<(), GroupError>,
    test: fn(&Row) -> bool,
}

struct Run {
    random: Random,
    groups: Vec<Kept>,
    world: World,
    commands: Commands,
    model: Model,
    alive: Vec<Entity>,
    dead: Vec<Entity>,
    beside: Beside,
}

#[derive(Query)]
struct Looked<'w> {
    entity: Entity,
    number: &'w Number,
    text: Option<&'w Text>,
    tag: Has<Tag>,
}

impl Run {
    fn new(seed: u64) -> Self {
        let mut world = World::new();
        world.on_entity::<Flip>(|world, entity, flip| {
            world.patch::<Aligned>(entity, |aligned| aligned.0 ^= flip.0);
        });
        Self {
            random: Random(seed),
            groups: Vec::new(),
            world,
            commands: Commands::new(),
            model: Model::new(),
            alive: Vec::new(),
            dead: Vec::new(),
            beside: Beside::default(),
        }
    }

    fn any(&mut self) -> Option<Entity> {
        let some = !self.alive.is_empty();
        some.then(|| self.alive[self.random.below(self.alive.len())])
    }

    fn born(&mut self, entity: Entity, row: Row) {
        assert!(self.model.insert(entity, row).is_none(), "{entity} was given out twice");
        self.alive.push(entity);
    }

    fn gone(&mut self, entity: Entity) {
        self.model.remove(&entity);
        for loser in self.beside.end(entity) {
            if let Some(row) = self.model.get_mut(&loser) {
                row.on = None;
            }
        }
        self.alive.retain(|other| *other != entity);
        self.dead.push(entity);
    }

    fn step(&mut self, target: usize) {
        let grow = self.alive.len() < target;
        match self.random.below(24) {
            0..2 if grow => {
                let entity = self.world.spawn_empty().id();
                self.born(entity, Row::default());
            }
            2..5 if grow => self.spawn(),
            5 if grow => self.spawn_batch(),
            6 if grow => {
                let entity = self.world.reserve_entity();
                assert!(self.world.is_alive(entity));
                self.born(entity, Row::default());
            }
            0..8 => self.despawn(),
            8..16 => self.insert(),
            16..22 => self.remove(),
            22 if self.random.below(2) == 0 => self.edit_batch(),
            22 if self.random.below(2) == 0 => self.command(),
            22 => self.write(),
            _ if self.random.below(3) == 0 => {
                self.beside.step(&mut self.random, &mut self.world, &self.model);
            }
            _ => match self.random.below(400) {
                180..190 => self.tune(),
                200..300 => self.declare_group(),
                300..350 => self.drop_group(),
                350..400 => self.sort(),
                190..200 => self.edit_pool(),
                100..180 => self.spawn_at(),
                0 => {
                    self.world.clear();
                    self.dead.append(&mut self.alive);
                    self.beside.end_all();
                    self.model.clear();
                }
                1..10 => self.world.shrink_to_fit(),
                _ => self.meet_the_dead(),
            },
        }
    }

    fn spawn(&mut self) {
        let number = Number(self.random.next());
        let text = Text(self.random.small().to_string());
        let (entity, row) = match self.random.below(3) {
            0 => (
                self.world.spawn((number.clone(), Tag)).id(),
                Row { number: Some(number), tag: Some(Tag), ..Row::default() },
            ),
            1 => (
                self.world.spawn(((text.clone(), number.clone()), Left(1))).id(),
                Row {
                    number: Some(number),
                    text: Some(text),
                    left: Some(Left(1)),
                    ..Row::default()
                },
            ),
            _ => (
                self.world.spawn_empty().insert(text.clone()).add::<Tag>().id(),
                Row { text: Some(text), tag: Some(Tag), ..Row::default() },
            ),
        };
        self.born(entity, row);
    }

    /// With handles that were never given out, that are alive, and that are dead.
    fn spawn_at(&mut self) {
        let index = self.random.below(self.alive.len() + 20) as u64;
        let generation = 1 + self.random.below(6) as u64;
        let entity = Entity::from_bits(generation << 32 | index).unwrap();
        let same = |other: &&Entity| other.index() == entity.index();
        let is_free = !self.alive.iter().any(|other| same(&other));
        let ended = self.dead.iter().filter(same).max();
        let made = self.world.spawn_at(entity).map(|entity| entity.id());
        assert_eq!(made.is_ok(), is_free && ended.is_none_or(|ended| *ended < entity), "{made:?}");
        if made.is_ok() {
            self.born(entity, Row::default());
        }
    }

    /// Edits a pool alone.
    fn edit_pool(&mut self) {
        let with = |run: &Self, has: fn(&Row) -> bool| -> BTreeSet<Entity> {
            run.model.iter().filter(|(_, row)| has(row)).map(|(entity, _)| *entity).collect()
        };
        match self.random.below(4) {
            0 => {
                self.world.pool_mut::<Left>().clear();
                self.model.values_mut().for_each(|row| row.left = None);
            }
            1 => {
                self.world.pool_mut::<Sticky>().retain(|_, sticky| sticky.0.is_multiple_of(3));
                let stays = |sticky: &Sticky| sticky.0.is_multiple_of(3) || sticky.0 % 2 == 1;
                for row in self.model.values_mut() {
                    row.sticky = row.sticky.take().filter(stays);
                }
            }
            2 => {
                let expected = self.world.pool::<Tag>().keys().to_vec();
                let drained = self.world.pool_mut::<Tag>().drain().map(|(entity, _)| entity);
                assert_eq!(drained.collect::<Vec<_>>(), expected);
                self.model.values_mut().for_each(|row| row.tag = None);
            }
            _ => {
                let some = with(self, |row| row.columns.is_some());
                let ends = some.first().zip(some.last());
                let before = self.world.pool::<Columns>().keys().to_vec();
                let mut pool = self.world.pool_mut::<Columns>();
                if let Some((&a, &b)) = ends
                    && pool.swap(a, b).is_ok()
                {
                    let at = |entity| before.iter().position(|other| *other == entity).unwrap();
                    assert_eq!((pool.keys()[at(a)], pool.keys()[at(b)]), (b, a));
                }
                if pool.sort_by_entity().is_ok() {
                    assert!(pool.keys().is_sorted());
                }
            }
        }
    }

    fn spawn_batch(&mut self) {
        let count = self.random.below(300) as u64;
        let first = self.random.next() >> 1;
        let bundle = |at| (Number(first + at), Aligned(7), columns(9));
        let entities = self.world.spawn_batch((0..count).map(bundle));
        for (at, entity) in (0..).zip(entities) {
            let (number, aligned, columns) = bundle(at);
            let row = Row { number: Some(number), aligned: Some(aligned), ..Row::default() };
            self.born(entity, Row { columns: Some(columns), ..row });
        }
    }

    fn despawn(&mut self) {
        let Some(entity) = self.any() else { return };
        let refuses = self.model[&entity].refuses();
        assert_eq!(self.world.despawn(entity).is_err(), refuses, "{entity}");
        if !refuses {
            self.gone(entity);
        }
    }

    fn insert(&mut self) {
        let Some(entity) = self.any() else { return };
        let Some(target) = self.any() else { return };
        let value = self.random.small();
        let small = u8::try_from(value % 256).unwrap();
        let row = self.model.get_mut(&entity).unwrap();
        let mut handle = self.world.entity_mut(entity);
        match self.random.below(14) {
            11 => {
                let ticked = self.beside.tick(entity);
                row.ticked = Some(ticked.clone());
                handle.insert(ticked);
            }
            12 => {
                let ticked = self.beside.tick(entity);
                (row.ticked, row.text) = (Some(ticked.clone()), Some(Text(value.to_string())));
                handle.insert((Text(value.to_string()), ticked));
            }
            13 => {
                self.beside.point(entity, target);
                row.on = Some(On(target));
                handle.insert(On(target));
            }
            10 => {
                row.number.get_or_insert(Number(value.into()));
                row.columns.get_or_insert_with(|| columns(value));
                handle.insert_if_absent((Number(value.into()), columns(value)));
            }
            8 => {
                assert_eq!(handle.replace(Aligned(value)), row.aligned.replace(Aligned(value)));
            }
            9 => {
                let number = row.number.get_or_insert(Number(value.into()));
                assert_eq!(handle.get_or_insert_with(|| Number(value.into())), number);
            }
            0 => {
                row.number = Some(Number(value.into()));
                handle.insert(Number(value.into()));
            }
            1 => {
                row.text = Some(Text(value.to_string()));
                row.tag = Some(Tag);
                handle.insert((Text(value.to_string()), Tag));
            }
            2 => {
                row.left = Some(Left(small));
                handle.insert(Left(small));
            }
            3 => {
                row.right = Some(Right(u16::from(small)));
                handle.insert(Right(u16::from(small)));
            }
            4 => {
                row.aligned = Some(Aligned(value));
                handle.insert(Aligned(value));
            }
            5 => {
                row.stick(value);
                handle.insert(Sticky(value));
            }
            6 => {
                row.columns = Some(columns(value));
                handle.insert(columns(value));
            }
            _ => {
                row.tag = Some(Tag);
                handle.add::<Tag>();
            }
        }
    }

    fn remove(&mut self) {
        let Some(entity) = self.any() else { return };
        let row = self.model.get_mut(&entity).unwrap();
        match self.random.below(13) {
            11 => {
                self.beside.untick(entity);
                assert_eq!(self.world.remove::<Ticked>(entity), row.ticked.take());
            }
            12 => {
                self.beside.unpoint(entity);
                assert_eq!(self.world.remove::<On>(entity), row.on.take());
            }
            8 => {
                let removed = self.world.remove::<(Left, Columns)>(entity);
                assert_eq!(removed, (row.left.take(), row.columns.take()));
            }
            9 => {
                let all = row.number.is_some() && row.sticky.is_some() && !row.refuses();
                let taken = all.then(|| (row.number.take().unwrap(), row.sticky.take().unwrap()));
                assert_eq!(self.world.take::<(Number, Sticky)>(entity), taken);
            }
            10 => {
                let refuses = row.refuses();
                assert_eq!(
                    self.world.remove_except::<(Number, Tag, Right)>(entity).is_err(),
                    refuses
                );
                if !refuses {
                    self.beside.untick(entity);
                    self.beside.unpoint(entity);
                    let Row { number, tag, right, .. } = core::mem::take(row);
                    *row = Row { number, tag, right, ..Row::default() };
                }
            }
            0 => assert_eq!(self.world.remove::<Number>(entity), row.number.take()),
            1 => assert_eq!(self.world.remove::<Text>(entity), row.text.take()),
            2 => assert_eq!(self.world.remove::<Left>(entity), row.left.take()),
            3 => assert_eq!(self.world.remove::<Right>(entity), row.right.take()),
            4 => assert_eq!(self.world.try_remove(entity).ok(), row.aligned.take()),
            5 if row.refuses() => assert_eq!(self.world.remove::<Sticky>(entity), None),
            5 => assert_eq!(self.world.remove::<Sticky>(entity), row.sticky.take()),
            6 => assert_eq!(self.world.remove::<Columns>(entity), row.columns.take()),
            _ => assert_eq!(self.world.remove::<Tag>(entity), row.tag.take()),
        }
    }

    /// Some entities, a few of them twice, and a few dead.
    fn some(&mut self) -> Vec<Entity> {
        let most = if self.random.below(4) == 0 { self.alive.len() } else { 20 };
        let count = self.random.below(most + 1);
        let mut some: Vec<_> = (0..count).filter_map(|_| self.any()).collect();
        for _ in 0..self.random.below(3).min(self.dead.len()) {
            let dead = self.dead[self.random.below(self.dead.len())];
            some.insert(self.random.below(some.len() + 1), dead);
        }
        some
    }

    fn edit_batch(&mut self) {
        let some = self.some();
        let living = |run: &Self| -> BTreeSet<Entity> {
            some.iter().copied().filter(|entity| run.model.contains_key(entity)).collect()
        };
        macro_rules! remove {
            ($component:ty, $field:ident) => {{
                let mut removed = 0;
                for entity in living(self) {
                    removed +=
                        usize::from(self.model.get_mut(&entity).unwrap().$field.take().is_some());
                }
                assert_eq!(self.world.remove_batch::<$component>(&some), removed);
            }};
        }
        match self.random.below(12) {
            0..5 => self.insert_batch(&some),
            10 => {
                let living = living(self);
                for entity in living {
                    self.beside.untick(entity);
                }
                remove!(Ticked, ticked);
            }
            11 => {
                let living = living(self);
                for entity in living {
                    self.beside.unpoint(entity);
                }
                remove!(On, on);
            }
            5 => remove!(Number, number),
            6 => remove!(Left, left),
            7 => remove!(Columns, columns),
            8 => {
                let mut removed = 0;
                for entity in living(self) {
                    let row = self.model.get_mut(&entity).unwrap();
                    let is_free = !row.refuses();
                    removed += usize::from(is_free && row.sticky.take().is_some());
                }
                assert_eq!(self.world.remove_batch::<Sticky>(&some), removed);
            }
            _ => {
                // Not too many at once, or there is little left to compare.
                let some = &some[..some.len().min(1 + self.alive.len() / 4)];
                let gone: BTreeSet<_> = some
                    .iter()
                    .filter(|entity| self.model.get(entity).is_some_and(|row| !row.refuses()))
                    .collect();
                assert_eq!(self.world.despawn_batch(some), gone.len());
                for &entity in gone {
                    self.gone(entity);
                }
            }
        }
    }

    /// Records commands of each sort, many of them like the one before, and applies them.
    fn command(&mut self) {
        let (mut kind, mut missing, mut refused) = (0, 0, 0);
        for target in self.some() {
            if self.random.below(3) == 0 {
                kind = self.random.below(15);
            }
            let value = self.random.small();
            let other = self.any().unwrap_or(target);
            if kind == 0 {
                let made = self.commands.spawn(&self.world, (Aligned(value), Tag));
                let row = Row { aligned: Some(Aligned(value)), tag: Some(Tag), ..Row::default() };
                self.born(made, row);
            }
            let mut nobody = Row::default();
            let is_alive = self.model.contains_key(&target);
            missing += usize::from(!is_alive);
            let row = self.model.get_mut(&target).unwrap_or(&mut nobody);
            match kind {
                0 | 1 => {
                    (row.number, row.tag) = (Some(Number(value.into())), Some(Tag));
                    self.commands.insert(target, (Number(value.into()), Tag));
                }
                2 => {
                    row.stick(value);
                    self.commands.insert(target, Sticky(value));
                }
                3 => {
                    row.columns = Some(columns(value));
                    self.commands.insert(target, columns(value));
                }
                4 => {
                    (row.number, row.left) = (None, None);
                    self.commands.remove::<(Number, Left)>(target);
                }
                5 if row.refuses() => {
                    refused += 1;
                    self.commands.remove::<Sticky>(target);
                }
                5 => {
                    row.sticky = None;
                    self.commands.remove::<Sticky>(target);
                }
                8 if is_alive => {
                    let ticked = self.beside.tick(target);
                    row.ticked = Some(ticked.clone());
                    self.commands.insert(target, ticked);
                }
                9 => {
                    row.ticked = None;
                    self.beside.untick(target);
                    self.commands.remove::<Ticked>(target);
                }
                10 if row.ticked.is_some() => {
                    let ticked = self.beside.tick(target);
                    row.ticked = Some(ticked.clone());
                    self.commands.patch::<Ticked>(target, move |value| *value = ticked.clone());
                }
                11 => {
                    if is_alive {
                        row.on = Some(On(other));
                        self.beside.point(target, other);
                    }
                    self.commands.insert(target, On(other));
                }
                12 => {
                    row.on = None;
                    self.beside.unpoint(target);
                    self.commands.remove::<On>(target);
                }
                13 => {
                    missing -= usize::from(!is_alive); // a closure is for nobody
                    row.right.iter_mut().for_each(|right| right.0 ^= 1);
                    self.commands.queue(move |world| {
                        world.get_mut::<Right>(target).into_iter().for_each(|right| right.0 ^= 1);
                    });
                }
                14 => {
                    row.aligned.iter_mut().for_each(|aligned| aligned.0 ^= value);
                    self.commands.send_to(target, Flip(value));
                }
                6 | 8 | 10 => {
                    row.aligned.iter_mut().for_each(|aligned| aligned.0 ^= value);
                    self.commands.patch::<Aligned>(target, move |aligned| aligned.0 ^= value);
                }
                _ => {
                    let stays = row.refuses();
                    refused += usize::from(stays);
                    self.commands.despawn(target);
                    if is_alive && !stays {
                        self.gone(target);
                    }
                }
            }
        }
        let applied = self.commands.apply(&mut self.world);
        assert_eq!((applied.missing, applied.refused), (missing, refused));
    }

    fn insert_batch(&mut self, some: &[Entity]) {
        let dead = some.iter().filter(|entity| !self.model.contains_key(entity)).count();
        let value = self.random.small();
        let bundles = || (value..).zip(some.iter().copied());
        let mut rows: Vec<(u32, Entity)> = bundles().collect();
        rows.retain(|(_, entity)| self.model.contains_key(entity));
        let right = |value: u32| Right(u16::try_from(value % 1000).unwrap());
        let target = self.any();
        let inserted = match (self.random.below(4), target) {
            (0, Some(target)) => {
                // Entities that come twice keep the last value, and the first place.
                let ticks: Vec<_> = bundles()
                    .map(|(value, entity)| {
                        let Some(row) = self.model.get_mut(&entity) else {
                            return (entity, (Ticked(0), On(target), Left(0)));
                        };
                        let (ticked, left) =
                            (self.beside.tick(entity), Left(u8::try_from(value % 256).unwrap()));
                        self.beside.point(entity, target);
                        row.ticked = Some(ticked.clone());
                        (row.on, row.left) = (Some(On(target)), Some(left.clone()));
                        (entity, (ticked, On(target), left))
                    })
                    .collect();
                self.world.insert_batch(ticks)
            }
            (1, _) => {
                for (value, entity) in rows {
                    let row = self.model.get_mut(&entity).unwrap();
                    (row.number, row.tag) = (Some(Number(value.into())), Some(Tag));
                }
                let bundle = |(value, entity): (u32, _)| (entity, (Tag, Number(value.into())));
                self.world.insert_batch(bundles().map(bundle))
            }
            (2, _) => {
                for (value, entity) in rows {
                    let row = self.model.get_mut(&entity).unwrap();
                    (row.columns, row.right) = (Some(columns(value)), Some(right(value)));
                }
                let bundle = |(value, entity)| (entity, (right(value), columns(value)));
                self.world.insert_batch(bundles().map(bundle))
            }
            _ => {
                for (value, entity) in rows {
                    let row = self.model.get_mut(&entity).unwrap();
                    row.stick(value);
                    row.text = Some(Text(value.to_string()));
                }
                let text = |value: u32| Text(value.to_string());
                let bundle = |(value, entity)| (entity, (Sticky(value), text(value)));
                self.world.insert_batch(bundles().map(bundle))
            }
        };
        assert_eq!(inserted.err().map_or(0, |missing| missing.count), dead);
    }

    fn write(&mut self) {
        self.beside.write(&mut self.random, &mut self.world, &mut self.model);
        for (entity, number, aligned) in self.world.view_mut::<(&mut Number, Option<&Aligned>)>() {
            number.0 = number.0.wrapping_add(aligned.map_or(1, |aligned| aligned.0.into()));
            self.model.get_mut(&entity).unwrap().number = Some(number.clone());
        }
        for (entity, byte, number) in
            self.world.view_mut::<(&mut columns::byte, &columns::number)>()
        {
            *byte = byte.wrapping_add(number.to_le_bytes()[0]);
            self.model.get_mut(&entity).unwrap().columns.as_mut().unwrap().byte = *byte;
        }
    }

    /// Walks joins, and lets the world choose groups for them: only orders change, as every check finds.
    fn tune(&mut self) {
        Layout::of(&mut self.world).observe(self.random.below(16) > 0);
        let (joins, calls) = (1 + self.random.below(7), 1 + self.random.below(12));
        for _ in 0..calls {
            for join in (0..3).filter(|join| joins & (1 << join) != 0) {
                match join {
                    0 => _ = self.world.view::<(&Number, &Tag)>().iter().count(),
                    1 => _ = self.world.view::<(&Number, &Text)>().without::<Left>().iter().count(),
                    _ => _ = self.world.view::<(&Left, &Right)>().into_iter().count(),
                }
            }
            match self.random.below(8) {
                0 => _ = Layout::of(&mut self.world).tune_within(20),
                1 => _ = Layout::of(&mut self.world).advice(),
                _ => _ = Layout::of(&mut self.world).tune(),
            }
        }
        if self.random.below(32) == 0 {
            Layout::of(&mut self.world).reset();
        }
    }

    fn declare_group(&mut self) {
        macro_rules! declare {
            ($($choice:literal => $terms:expr, |$row:ident| $test:expr;)+) => {
                match self.random.below([$($choice),+].len()) {
                    $($choice => (
                        self.world.declare_group($terms),
                        (|world| world.drop_group($terms)) as fn(&mut World) -> Result<(), GroupError>,
                        (|$row| $test) as fn(&Row) -> bool,
                    ),)+
                    _ => unreachable!(),
                }
            };
        }
        let before = self.names_of_groups();
        let (declared, drop, test) = declare! {
            0 => Group::owning::<(Number, Tag)>(), |row| row.number.is_some() && row.tag.is_some();
            1 => Group::owning::<(Tag, Number, Text)>(),
                |row| row.number.is_some() && row.tag.is_some() && row.text.is_some();
            2 => Group::owning::<(Number, Tag)>().with::<Text>().without::<Aligned>(), |row| {
                row.number.is_some() && row.tag.is_some() && row.text.is_some()
                    && row.aligned.is_none()
            };
            3 => Group::observing::<(Left, Right)>(), |row| row.left.is_some() && row.right.is_some();
            4 => Group::observing::<(Number, Tag)>().without::<(Left, Sticky)>(), |row| {
                row.number.is_some() && row.tag.is_some() && row.left.is_none()
                    && row.sticky.is_none()
            };
            5 => Group::owning::<Left>().with::<Right>().without::<Text>(),
                |row| row.left.is_some() && row.right.is_some() && row.text.is_none();
            6 => Group::owning::<(Aligned, Right)>().without::<Left>(),
                |row| row.aligned.is_some() && row.right.is_some() && row.left.is_none();
            7 => Group::owning::<(Left, Number)>(), |row| row.left.is_some() && row.number.is_some();
            8 => Group::owning::<Number>().without::<Sticky>(),
                |row| row.number.is_some() && row.sticky.is_none();
            10 => Group::owning::<Number>().with::<Text>(),
                |row| row.number.is_some() && row.text.is_some();
            11 => Group::owning::<Ticked>().with::<On>(),
                |row| row.ticked.is_some() && row.on.is_some();
            9 => Group::owning::<(Number, Tag, Aligned, Text)>(), |row| {
                row.number.is_some() && row.tag.is_some() && row.aligned.is_some()
                    && row.text.is_some()
            };
        };
        match declared {
            Ok(()) => {
                let is_new =
                    |group: &GroupRef| !group.is_tuned() && !before.contains(&group.to_string());
                if let Some(new) = self.world.groups().find(is_new) {
                    self.groups.push(Kept {
                        name: new.to_string(),
                        owned: new.owned(),
                        drop,
                        test,
                    });
                }
            }
            Err(GroupError::Conflict { existing, component, .. }) => {
                let existing = self.groups.iter().find(|group| group.name == existing);
                assert!(existing.unwrap().owned.contains(&component));
            }
            Err(error) => panic!("{error}"),
        }
    }

    fn names_of_groups(&self) -> Vec<String> {
        let declared = self.world.groups().filter(|group| !group.is_tuned());
        declared.map(|group| group.to_string()).collect()
    }

    fn drop_group(&mut self) {
        if self.groups.is_empty() {
            return;
        }
        let at = self.random.below(self.groups.len());
        let group = self.groups.swap_remove(at);
        assert!((group.drop)(&mut self.world).is_ok());
        assert!((group.drop)(&mut self.world).is_err());
        assert!(!self.names_of_groups().contains(&group.name));
    }

    fn sort(&mut self) {
        let is_owned =
            |run: &Self, name| run.groups.iter().any(|group| group.owned.contains(&name));
        match self.random.below(6) {
            0 => {
                let sorted = self.world.pool_mut::<Number>().sort_by_key(|number| number.0);
                assert_eq!(sorted.is_err(), is_owned(self, "Number"));
                if sorted.is_ok() {
                    assert!(self.world.pool::<Number>().as_slice().is_sorted_by_key(|n| n.0));
                }
            }
            1 => {
                let order = |a: &Aligned, b: &Aligned| b.0.cmp(&a.0);
                let sorted = self.world.pool_mut::<Aligned>().sort_by(order);
                assert_eq!(sorted.is_err(), is_owned(self, "Aligned"));
                if sorted.is_ok() {
                    let pool = self.world.pool::<Aligned>();
                    assert!(pool.as_slice().is_sorted_by(|a, b| a.0 >= b.0));
                }
            }
            2 => {
                // A comparator that lies: nothing is lost, though a panic may come of it.
                let lies = &mut self.random;
                let mut pool = self.world.pool_mut::<Text>();
                let _ = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
                    pool.sort_unstable_by(|_, _| lies.next().cmp(&(u64::MAX / 2)))
                }));
            }
            3 => {
                let sorted = self.world.pool_mut::<Text>().sort_like::<Number>();
                assert_eq!(sorted.is_err(), is_owned(self, "Text"));
                if sorted.is_ok() {
                    let texts = self.world.pool::<Text>();
                    let numbers = self.world.pool::<Number>().keys().iter();
                    let shared: Vec<_> =
                        numbers.filter(|entity| texts.contains(**entity)).copied().collect();
                    assert_eq!(shared, texts.keys()[..shared.len()]);
                }
            }
            4 => {
                let terms = Group::owning::<(Number, Tag)>();
                if let Ok(mut group) = self.world.group_mut(terms) {
                    group.sort_by(|(a, _), (b, _)| a.0.cmp(&b.0));
                }
            }
            _ => {
                let terms = Group::owning::<(Aligned, Right)>().without::<Left>();
                if let Ok(mut group) = self.world.group_mut(terms) {
                    group.sort_by_key(|(aligned, right)| (aligned.0, right.0));
                    let first = group.members().to_vec();
                    let key = |entity: &Entity| self.model[entity].aligned.clone().unwrap().0;
                    assert!(first.is_sorted_by_key(key));
                }
            }
        }
    }

    /// Compares the members of each group, and their order in the pools that it owns.
    fn compare_groups(&self) {
        let infos: Vec<_> = self.world.groups().filter(|group| !group.is_tuned()).collect();
        assert_eq!(infos.len(), self.groups.len());
        for group in &self.groups {
            let info = infos.iter().find(|info| info.to_string() == group.name).unwrap();
            let expected: BTreeSet<Entity> = self
                .model
                .iter()
                .filter(|(_, row)| (group.test)(row))
                .map(|(entity, _)| *entity)
                .collect();
            assert_eq!(info.len(), expected.len(), "{info}");
            let owned: Vec<_> =
                self.world.kinds().filter(|kind| info.owned().contains(&kind.name())).collect();
            assert_eq!(owned.len(), group.owned.len());
            let first = |kind: &Kind| &kind.entities(&self.world)[..info.len()];
            for kind in &owned {
                assert_eq!(first(kind), first(&owned[0]), "{info}");
                let front: BTreeSet<_> = first(kind).iter().copied().collect();
                assert_eq!(front, expected, "{info}");
            }
        }
    }

    fn meet_the_dead(&mut self) {
        if self.dead.is_empty() {
            return;
        }
        let entity = self.dead[self.random.below(self.dead.len())];
        assert!(!self.world.is_alive(entity) && self.world.get_entity(entity).is_err());
        assert_eq!(self.world.get::<Number>(entity), None);
        assert!(!self.world.has::<Number>(entity) && self.world.despawn(entity).is_err());
        assert!(
            self.world.insert(entity, Tag).is_err() && self.world.remove::<Tag>(entity).is_none()
        );
        assert!(self.world.view::<Number>().get(entity).is_none());
    }

    /// Compares one entity in every way.
    fn compare_one(&self, entity: Entity) {
        let (world, row) = (&self.world, &self.model[&entity]);
        assert!(world.is_alive(entity));
        assert_eq!(world.get::<Number>(entity), row.number.as_ref());
        assert_eq!(world.get::<Text>(entity), row.text.as_ref());
        assert_eq!(world.get::<Left>(entity), row.left.as_ref());
        assert_eq!(world.get::<Right>(entity), row.right.as_ref());
        assert_eq!(world.get::<Aligned>(entity), row.aligned.as_ref());
        assert_eq!(world.get::<Ticked>(entity), row.ticked.as_ref());
        assert_eq!(world.get::<On>(entity), row.on.as_ref());
        assert_eq!(world.target_of::<On>(entity), self.beside.target(entity));
        let names: BTreeSet<_> = world.components(entity).map(Kind::name).collect();
        assert_eq!(names, row.components());
        let both = row.number.is_some() && row.tag.is_some();
        assert_eq!(world.has::<(Number, Tag)>(entity), both);
        assert_eq!(world.view::<(Number, Tag)>().matches(entity), both);
    }

    /// Compares all entities, through views walked in every way.
    fn compare_all(&mut self) {
        // An exclusive borrow lets reserved entities come alive.
        let _ = self.world.view_mut::<&mut Number>();
        self.world.check_invariants();
        assert_eq!(self.world.len(), self.model.len());
        self.compare_groups();
        self.beside.compare(&self.world);
        self.compare_views(None);
        for plan in [PlanKind::All, PlanKind::Words, PlanKind::Dense, PlanKind::Group] {
            self.compare_views(Some(plan));
        }
    }

    fn compare_views(&self, plan: Option<PlanKind>) {
        let world = &self.world;
        let expect = |test: &dyn Fn(&Row) -> bool| -> BTreeSet<Entity> {
            self.model.iter().filter(|(_, row)| test(row)).map(|(entity, _)| *entity).collect()
        };
        macro_rules! compare {
            ($query:ty $(, $filter:ident::<$list:ty>)*; $test:expr) => {{
                let view = || world.view::<$query>()$(.$filter::<$list>())*.with_plan(plan);
                let by_for: Vec<Entity> = view().into_iter().map(|item| item.0).collect();
                let mut by_fold = Vec::new();
                view().for_each(|item| by_fold.push(item.0));
                assert_eq!(by_for, by_fold, "`for` and `for_each` differ, {plan:?}");
                let mut begun = view().into_iter();
                let mut mixed: Vec<Entity> = begun.by_ref().take(3).map(|item| item.0).collect();
                begun.for_each(|item| mixed.push(item.0));
                assert_eq!(by_for, mixed, "an iterator half taken differs, {plan:?}");
                let expected = expect(&$test);
                assert_eq!(by_for.len(), expected.len(), "{plan:?}");
                assert_eq!(by_for.into_iter().collect::<BTreeSet<_>>(), expected, "{plan:?}");
                let (mut listed, dead) = (BTreeSet::new(), self.dead.iter().rev().take(50));
                let all = dead.chain(self.model.keys());
                view().for_each_many(all, |item| assert!(listed.insert(item.0), "found twice"));
                assert_eq!(listed, expected, "a list of all entities");
                assert_eq!(view().count(), expected.len(), "{plan:?}");
                assert_eq!(view().is_empty(), expected.is_empty(), "{plan:?}");
            }};
        }
        compare!(&Number; |row: &Row| row.number.is_some());
        compare!((Number, Tag); |row: &Row| row.number.is_some() && row.tag.is_some());
        compare!((&Tag, &Number, Option<&Text>, Has<Left>);
            |row: &Row| row.number.is_some() && row.tag.is_some());
        compare!((Number, Tag, Text), without::<Aligned>;
            |row: &Row| row.number.is_some() && row.tag.is_some() && row.text.is_some()
                && row.aligned.is_none());
        compare!((Number, Tag, Left), with_any::<(Text, Aligned)>;
            |row: &Row| row.number.is_some() && row.tag.is_some() && row.left.is_some()
                && (row.text.is_some() || row.aligned.is_some()));
        compare!((Left, Right); |row: &Row| row.left.is_some() && row.right.is_some());
        compare!((Left, Number); |row: &Row| row.left.is_some() && row.number.is_some());
        compare!((Right, Aligned); |row: &Row| row.right.is_some() && row.aligned.is_some());
        compare!((&Number, &Text); |row: &Row| row.number.is_some() && row.text.is_some());
        compare!((Number, Option<&Text>), without::<Tag>;
            |row: &Row| row.number.is_some() && row.tag.is_none());
        compare!((Option<&Number>, Has<Tag>); |_: &Row| true);
        compare!((&Ticked, &Number); |row: &Row| row.ticked.is_some() && row.number.is_some());
        compare!((&On, Has<Ticked>), without::<Tag>;
            |row: &Row| row.on.is_some() && row.tag.is_none());
        compare!((Has<Tag>,), with_any::<(Left, Right)>;
            |row: &Row| row.left.is_some() || row.right.is_some());
        compare!((Number, Aligned), with::<Text>, without::<(Left, Right)>;
            |row: &Row| row.number.is_some() && row.aligned.is_some() && row.text.is_some()
                && row.left.is_none() && row.right.is_none());
        self.compare_values(plan);
        self.beside.compare_sources(world, &self.model, plan);
    }

    /// Whole components and single columns, from views and from the pool.
    fn compare_columns(&self, plan: Option<PlanKind>) {
        type Some<'a> =
            (Columns, &'a columns::text, Option<&'a columns::number>, Option<&'a Number>);
        let mut alive = 0;
        self.world.view::<Some>().with_plan(plan).for_each(
            |(entity, whole, text, number, other)| {
                let row = &self.model[&entity];
                let of_model = row.columns.as_ref().unwrap();
                assert_eq!((whole.number, whole.byte), (&of_model.number, &of_model.byte));
                assert_eq!((whole.text, text), (&of_model.text, &of_model.text));
                assert_eq!((whole.counted, number), (&of_model.counted, Some(&of_model.number)));
                assert_eq!(other, row.number.as_ref());
                alive += 1;
            },
        );
        let pool = self.world.pool::<Columns>();
        let slices = pool.as_slice();
        for (at, (entity, row)) in pool.iter().enumerate() {
            assert_eq!(pool.keys()[at], entity);
            assert_eq!((row.number, row.text), (&slices.number[at], &slices.text[at]));
        }
        let lens = (slices.text.len(), slices.counted.len(), slices.byte.len());
        assert_eq!((pool.len(), lens), (alive, (alive, alive, alive)));
        assert_eq!(ALIVE.get(), 2 * alive, "the model has as many");
    }

    fn compare_values(&self, plan: Option<PlanKind>) {
        self.compare_columns(plan);
        for Looked { entity, number, text, tag } in self.world.view::<Looked>().with_plan(plan) {
            let row = &self.model[&entity];
            assert_eq!(Some(number), row.number.as_ref());
            assert_eq!(text, row.text.as_ref());
            assert_eq!(tag.get(), row.tag.is_some());
        }
        let view = self.world.view::<(&Text, &Number, &Tag)>().without::<Aligned>();
        view.with_plan(plan).for_each(|(entity, text, number, _)| {
            let row = &self.model[&entity];
            assert_eq!((Some(number), Some(text)), (row.number.as_ref(), row.text.as_ref()));
        });
        for (entity, left, right) in
            self.world.view::<(Left, Right)>().without::<Text>().with_plan(plan)
        {
            let row = &self.model[&entity];
            assert_eq!((Some(left), Some(right)), (row.left.as_ref(), row.right.as_ref()));
        }
        let mut shared = 0;
        let view = self.world.view::<(Number, &Tag, &Text)>().with_plan(plan);
        let slices = view.as_slices();
        for (at, (entity, number, _, text)) in view.iter().enumerate() {
            let row = &self.model[&entity];
            assert_eq!((Some(number), Some(text)), (row.number.as_ref(), row.text.as_ref()));
            if let Some((entities, numbers, _, texts)) = slices {
                assert_eq!((entity, number, text), (entities[at], &numbers[at], &texts[at]));
            }
            shared += 1;
        }
        assert_eq!(slices.map_or(shared, |slices| slices.0.len()), shared);
        let mut seen = 0;
        self.world.view::<(Number, Aligned)>().with_plan(plan).for_each_chunk(
            |(entities, numbers, aligned)| {
                assert!(entities.len() == numbers.len() && numbers.len() == aligned.len());
                for (at, entity) in entities.iter().enumerate() {
                    let row = &self.model[entity];
                    assert_eq!(row.number.as_ref(), Some(&numbers[at]));
                    assert_eq!(row.aligned.as_ref(), Some(&aligned[at]));
                }
                seen += entities.len();
            },
        );
        assert_eq!(seen, self.world.view::<(Number, Aligned)>().count());
    }
}

fn environment(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().map_or(default, |value| value.parse().expect(name))
}

/// Compares a world of about so many entities with its model after each of so many of a hundred operations, and
/// all of it `every` so many.
fn is_what_the_model_says(size: usize, every: u64, share: u64) {
    let operations = environment("ECS_MODEL_OPS", 20_000);
    let mut run = Run::new(environment("ECS_MODEL_SEED", 1) + size as u64);
    for operation in 0..operations * share / 100 {
        run.step(size);
        if let Some(entity) = run.any() {
            run.compare_one(entity);
        }
        if operation % every == 0 {
            run.compare_all();
        }
    }
    run.compare_all();
}

#[test]
fn a_world_of_one_page_equals_its_model() {
    is_what_the_model_says(12, 1, 4);
}

#[test]
fn a_world_of_few_pages_equals_its_model() {
    is_what_the_model_says(200, 40, 36);
}

#[test]
fn a_world_of_many_sparse_pages_equals_its_model() {
    is_what_the_model_says(3_000, 2_000, 60);
}
