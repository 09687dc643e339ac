//! The programs, and the questions that each world answers after a panic.

use crate::ledger::{MISHAP, Value, alive, arm, disarm, dropped_twice, mishaps, set_fuse, tick};
use crate::library::{Library, Loaded, Ran};
use std::any::Any;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::{self, Display, Formatter};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// A program: its name, the call that panics, and its variants.
pub struct Program {
    pub name: &'static str,
    pub panics: &'static str,
    pub variants: &'static [&'static str],
}

pub const PROGRAMS: [Program; 14] = [
    Program {
        name: "control",
        panics: "nothing: the questions and later edits alone",
        variants: &[""],
    },
    Program {
        name: "despawn",
        panics: "a component's `drop`, while its entity is despawned",
        variants: &["first component", "second component", "last entity"],
    },
    Program {
        name: "clear",
        panics: "a component's `drop`, while the world is cleared",
        variants: &["first entity", "middle entity"],
    },
    Program {
        name: "replace",
        panics: "the `drop` of a component that an insertion replaces",
        variants: &[""],
    },
    Program {
        name: "batch",
        panics: "an iterator, in the midst of a batch that is spawned",
        variants: &[""],
    },
    Program { name: "loop", panics: "the body of a loop that writes components", variants: &[""] },
    Program {
        name: "observer",
        panics: "an observer, hook or callback",
        variants: &["insertion", "removal"],
    },
    Program { name: "sort", panics: "a comparator, in the midst of a sort", variants: &[""] },
    Program {
        name: "copy",
        panics: "a component's `clone`, the second while an entity is copied",
        variants: &[""],
    },
    Program {
        name: "schedule",
        panics: "a system, in a schedule that may use threads",
        variants: &[""],
    },
    Program {
        name: "load",
        panics: "a component's `deserialize`, or the bytes end, while a world is loaded",
        variants: &["panic", "error"],
    },
    Program { name: "commands", panics: "the second of three recorded commands", variants: &[""] },
    Program {
        name: "drop",
        panics: "a component's `drop`, while the world is dropped",
        variants: &[""],
    },
    Program {
        name: "twice",
        panics: "the `drop` of two components, in one call",
        variants: &["despawn", "clear", "drop"],
    },
];

/// An entity as the world shows it: is it alive, and the values of its components.
type Row = (bool, Option<u32>, Option<u32>);

const DEAD: Row = (false, None, None);

/// A world under test, and a naive model of it.
struct Test<L: Library> {
    world: L,
    /// The possible rows of each entity.
    expected: BTreeMap<L::Entity, Vec<Row>>,
    /// The program makes values that the model cannot name.
    are_values_open: bool,
    faults: BTreeSet<Fault>,
}

/// A mistake of a library, the worst first.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Fault {
    DropsTwice(usize),
    ReadsDropped,
    ReadsTwice,
    LookupsPanic,
    DeadHasComponents,
    ListsTwice,
    LoopsDiffer,
    HalfDone,
    GoesWrongAgain,
    LaterPanics,
    LaterGoesWrong,
    DropPanics,
    Hides(usize),
    Leaks(usize),
}

impl Display for Fault {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::DropsTwice(count) => write!(f, "double drop {count}"),
            Self::ReadsDropped => f.write_str("dropped value readable"),
            Self::ReadsTwice => f.write_str("one value twice"),
            Self::LookupsPanic => f.write_str("lookups panic"),
            Self::DeadHasComponents => f.write_str("stale entity"),
            Self::ListsTwice => f.write_str("one entity twice"),
            Self::LoopsDiffer => f.write_str("loops and lookups differ"),
            Self::HalfDone => f.write_str("half done"),
            Self::GoesWrongAgain => f.write_str("cannot run again"),
            Self::LaterPanics => f.write_str("later edits panic"),
            Self::LaterGoesWrong => f.write_str("later edits go wrong"),
            Self::DropPanics => f.write_str("cannot be dropped"),
            Self::Hides(count) => write!(f, "hides {count}"),
            Self::Leaks(count) => write!(f, "leaks {count}"),
        }
    }
}

fn verdict(faults: &BTreeSet<Fault>) -> String {
    if faults.is_empty() {
        return "consistent".to_owned();
    }
    faults.iter().map(Fault::to_string).collect::<Vec<_>>().join(", ")
}

/// Prints the verdict so far and the next step, for a process that does not survive it.
fn stage(faults: &BTreeSet<Fault>, next: &str) {
    let verdict = if faults.is_empty() { String::new() } else { format!(", {}", verdict(faults)) };
    println!("so far: abort {next}{verdict}");
}

fn words(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("a panic").to_owned()
}

impl<L: Library> Test<L> {
    fn row(&mut self, entity: L::Entity) -> Row {
        (self.world.is_alive(entity), self.world.first(entity), self.world.second(entity))
    }

    fn fault(&mut self, fault: Fault) {
        self.faults.insert(fault);
    }

    /// Compares all that the world answers with the model and the ledger. Returns the values that were seen.
    fn check(&mut self) -> BTreeSet<u32> {
        let (firsts, both) = (self.world.firsts(), self.world.both());
        let listed: BTreeMap<_, _> = firsts.iter().copied().collect();
        let pairs: BTreeMap<_, _> = both.iter().map(|&(entity, a, b)| (entity, (a, b))).collect();
        if listed.len() < firsts.len() || pairs.len() < both.len() {
            self.fault(Fault::ListsTwice);
        }
        let all: BTreeSet<_> =
            self.expected.keys().chain(listed.keys()).chain(pairs.keys()).copied().collect();
        let (mut seen, living) = (BTreeSet::new(), alive());
        for entity in all {
            let row = self.row(entity);
            let (is_alive, first, second) = row;
            if listed.get(&entity).copied() != first
                || pairs.get(&entity).copied() != first.zip(second)
            {
                self.fault(Fault::LoopsDiffer);
            }
            if !is_alive && (listed.contains_key(&entity) || first.or(second).is_some()) {
                self.fault(Fault::DeadHasComponents);
            }
            for value in [first, second].into_iter().flatten() {
                if !living.contains(&value) {
                    self.fault(Fault::ReadsDropped);
                }
                if !seen.insert(value) {
                    self.fault(Fault::ReadsTwice);
                }
            }
            let is_expected = match self.expected.get(&entity) {
                Some(rows) if self.are_values_open => rows.iter().any(|&(_, a, b)| {
                    (a.is_some(), b.is_some()) == (first.is_some(), second.is_some())
                }),
                Some(rows) => rows.contains(&row),
                // Made by the call that panicked: entities are complete or absent.
                None => is_alive && first.is_some() && second.is_some(),
            };
            if !is_expected {
                self.fault(Fault::HalfDone);
            }
        }
        seen
    }

    /// Works with the world as if nothing had happened.
    fn use_further(&mut self) {
        self.expected = self.rows();
        self.are_values_open = false;
        let empty = self.world.spawn_empty();
        self.expected.insert(empty, vec![(true, None, None)]);
        self.check();
        let mut new = Vec::new();
        for _ in 0..8 {
            let (first, second) = (Value::new(), Value::new());
            let row = (true, Some(first.id()), Some(second.id()));
            let entity = self.world.spawn(first, second);
            if self.expected.insert(entity, vec![row]).is_some_and(|rows| rows != [DEAD]) {
                self.fault(Fault::LaterGoesWrong);
            }
            new.push(entity);
        }
        self.check();
        for &entity in new.iter().step_by(2).chain([&empty]) {
            let first = Value::new();
            self.expected.get_mut(&entity).unwrap()[0].1 = Some(first.id());
            self.world.insert(entity, first);
        }
        self.check();
        self.world.remove(new[1]);
        self.expected.get_mut(&new[1]).unwrap()[0].1 = None;
        self.check();
        for (entity, rows) in self.expected.clone() {
            if rows[0].0 {
                self.world.despawn(entity);
                self.expected.insert(entity, vec![DEAD]);
            }
        }
        self.check();
        self.world.spawn(Value::new(), Value::new());
        _ = self.world.clear();
    }

    /// Returns the rows of all entities that are known or found by a loop.
    fn rows(&mut self) -> BTreeMap<L::Entity, Vec<Row>> {
        let known: Vec<_> = self.expected.keys().copied().collect();
        let found = self.world.firsts().into_iter().map(|(entity, _)| entity);
        let all: BTreeSet<_> = known.into_iter().chain(found).collect();
        all.into_iter().map(|entity| (entity, vec![self.row(entity)])).collect()
    }
}

/// Runs a program, and returns the verdict.
pub fn run<L: Library>(program: &str, variant: &str) -> String {
    let mut test = Test {
        world: L::new(),
        expected: BTreeMap::new(),
        are_values_open: false,
        faults: BTreeSet::new(),
    };
    let mut entities = Vec::new();
    for _ in 0..6 {
        let (first, second) = (Value::new(), Value::new());
        let row = (true, Some(first.id()), Some(second.id()));
        let entity = test.world.spawn(first, second);
        test.expected.insert(entity, vec![row]);
        entities.push(entity);
    }
    test.check();
    assert!(test.faults.is_empty(), "before: {}", verdict(&test.faults));
    if program == "drop" || variant == "drop" {
        return drop_world(test, if program == "drop" { 1 } else { 2 });
    }
    test.are_values_open = matches!(program, "load" | "schedule");
    stage(&test.faults, "at once");
    let act = catch_unwind(AssertUnwindSafe(|| act(&mut test, &entities, program, variant)));
    disarm();
    match act {
        Ok(None) => return "no such call".to_owned(),
        Ok(Some(())) if mishaps() == 0 && program != "control" && variant != "error" => {
            return "never panics".to_owned();
        }
        Ok(Some(())) => {}
        Err(panic) if words(&*panic) == MISHAP => {}
        Err(_) if mishaps() > 0 => test.fault(Fault::GoesWrongAgain),
        Err(panic) => return format!("cannot run: {}", words(&*panic)),
    }
    stage(&test.faults, "by a lookup");
    let hidden = match catch_unwind(AssertUnwindSafe(|| test.check())) {
        Ok(seen) => alive().difference(&seen).copied().collect(),
        Err(_) => {
            test.fault(Fault::LookupsPanic);
            BTreeSet::new()
        }
    };
    stage(&test.faults, "by a later edit");
    let known = test.faults.clone();
    let used = catch_unwind(AssertUnwindSafe(|| test.use_further()));
    let later = std::mem::replace(&mut test.faults, known);
    if used.is_err() {
        test.fault(Fault::LaterPanics);
    } else if !later.is_subset(&test.faults) {
        test.fault(Fault::LaterGoesWrong);
    }
    finish(test, &hidden)
}

/// Drops the world, and adds the ledger's verdict.
fn finish<L: Library>(test: Test<L>, hidden: &BTreeSet<u32>) -> String {
    let Test { world, mut faults, .. } = test;
    stage(&faults, "by the world's drop");
    match catch_unwind(AssertUnwindSafe(|| drop(world))) {
        Err(panic) if words(&*panic) != MISHAP => _ = faults.insert(Fault::DropPanics),
        _ => {}
    }
    let (leaked, twice) = (alive(), dropped_twice());
    let counts = [
        (Fault::Hides as fn(usize) -> Fault, hidden.difference(&leaked).count()),
        (Fault::Leaks, leaked.len()),
        (Fault::DropsTwice, twice),
    ];
    faults
        .extend(counts.iter().filter(|(_, count)| *count > 0).map(|(fault, count)| fault(*count)));
    verdict(&faults)
}

/// The destructors of some first components panic while the world is dropped.
fn drop_world<L: Library>(test: Test<L>, bombs: usize) -> String {
    for rows in test.expected.values().skip(1).take(bombs) {
        arm(rows[0].1.unwrap());
    }
    finish(test, &BTreeSet::new())
}

/// The call that panics.
fn act<L: Library>(
    Test { world, expected, .. }: &mut Test<L>,
    entities: &[L::Entity],
    program: &str,
    variant: &str,
) -> Ran {
    let mut edit = |entity, change: fn(&mut Row, u32), value| {
        let rows: &mut Vec<Row> = expected.get_mut(&entity).unwrap();
        let mut row = rows[0];
        change(&mut row, value);
        rows.push(row);
    };
    match program {
        "control" => Some(()),
        "despawn" => {
            let entity = entities[if variant == "last entity" { 5 } else { 1 }];
            let is_second = variant == "second component";
            arm(if is_second { world.second(entity) } else { world.first(entity) }.unwrap());
            edit(entity, |row, _| *row = DEAD, 0);
            world.despawn(entity);
            Some(())
        }
        "twice" if variant == "despawn" => {
            arm(world.first(entities[1]).unwrap());
            arm(world.second(entities[1]).unwrap());
            edit(entities[1], |row, _| *row = DEAD, 0);
            world.despawn(entities[1]);
            Some(())
        }
        "clear" | "twice" => {
            arm(world.first(entities[if variant == "first entity" { 0 } else { 2 }]).unwrap());
            if program == "twice" {
                arm(world.first(entities[4]).unwrap());
            }
            for &entity in entities {
                edit(entity, |row, _| *row = DEAD, 0);
            }
            world.clear()
        }
        "replace" => {
            let value = Value::new();
            arm(world.first(entities[1]).unwrap());
            edit(entities[1], |row, value| row.1 = Some(value), value.id());
            world.insert(entities[1], value);
            Some(())
        }
        "batch" => {
            set_fuse(3);
            world.spawn_batch((0..5).map(|_| {
                tick();
                (Value::new(), Value::new())
            }))
        }
        "loop" => {
            set_fuse(3);
            let mut at = 0;
            // In the order in which the loop finds them.
            let order: Vec<_> = world.firsts().into_iter().map(|(entity, _)| entity).collect();
            world.write(|first| {
                let new = Value::new();
                edit(order[at], |row, value| row.1 = Some(value), new.id());
                *first = new;
                at += 1;
                tick();
            });
            Some(())
        }
        "observer" => {
            if variant == "insertion" {
                world.remove(entities[1]);
                let value = Value::new();
                let rows = expected.get_mut(&entities[1]).unwrap();
                rows[0].1 = None;
                rows.push((true, Some(value.id()), rows[0].2));
                world.observe_insertions(tick)?;
                set_fuse(1);
                world.insert(entities[1], value);
            } else {
                edit(entities[1], |row, _| *row = DEAD, 0);
                world.observe_removals(tick)?;
                set_fuse(1);
                world.despawn(entities[1]);
            }
            Some(())
        }
        "sort" => {
            set_fuse(3);
            world.sort()
        }
        "copy" => {
            set_fuse(2);
            world.copy(entities[1])
        }
        "schedule" => {
            set_fuse(1);
            world.schedule()
        }
        "load" if variant == "error" => world.load(Loaded::Part),
        "load" => world.load(Loaded::All),
        "commands" => {
            set_fuse(1);
            let values = [Value::new(), Value::new()];
            for (entity, value) in entities.iter().zip(&values) {
                edit(*entity, |row, value| row.1 = Some(value), value.id());
            }
            world.command([entities[0], entities[1]], values)
        }
        _ => unreachable!("a program of the list"),
    }
}
