//! One language of operations over everything, and one naive model.
//!
//! A history has three worlds. Their entities have twenty components, among them plain bytes, columns, tags, relations,
//! handles, values that are tracked, required, unique or kept by a veto, and components with rules about others. One has
//! no type, and its fields change. Operations edit entities one by one, by name, in batches, by commands and by systems.
//! They sort pools, declare and tune groups, read changes and events, and save, load and copy worlds. Observers edit, too. Clients follow by change sets over a network with faults. A history goes on in one world,
//! or in two that were made equal and get the same operations.
//!
//! * [`op`]: the operations. A history is a list of them, from a seed or from bytes.
//! * [`expected`]: the expected content of a world, as maps of numbers.
//! * [`check`]: the conditions. Compares all that can be observed with the model, and a world with its copy; [`sources`]
//!   compares the relations that queries read.
//! * [`place`]: a world beside its model. Does each operation to both, and compares results and notifications: [`edits`] of
//!   entities, [`pools`] with their orders and groups, [`loops`] that write, [`systems`], [`saves`] and copies.
//! * [`queues`]: readers of changes, collectors and queues of events.
//! * [`venom`]: the component without a type, in each version of its fields.
//! * [`client`]: worlds that follow others by change sets.
//! * [`components`]: the components, bundles and groups. [`fillers`] are types that are numbered before them.
//!
//! A history that fails is shortened, and printed so that it can be pasted into the test at the end of this file. A fuzzer
//! calls [`run_bytes`].
//!
//! `ECS_MODEL_OPS` says how many operations are run, `ECS_MODEL_SEED` which. In long runs, the memory is checked after each
//! tenth.

#[macro_use]
mod components;
mod check;
mod client;
mod edits;
mod expected;
pub mod fillers;
mod loops;
mod op;
mod place;
mod pools;
mod queues;
mod saves;
mod sources;
mod systems;
mod venom;

use check::{PLANS, check_alike, check_next_handles, check_orders};
use components::*;
use ecs::PlanKind;
use op::{How, Op, Source, Who};
use place::Place;
use std::cell::RefCell;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::panic::{AssertUnwindSafe, catch_unwind, set_hook, take_hook};
use std::sync::{Arc, Once};

/// The worlds of a history.
struct Run {
    places: [Place; 3],
    at: usize,
    /// The world that gets the same operations, and how it was made.
    twin: Option<(usize, How)>,
}

/// The size of a history.
#[derive(Clone, Copy)]
struct Scale {
    /// The number of entities that each world has at most.
    entities: usize,
    /// The number of operations after which all is compared.
    every: usize,
    /// The number of operations of one history.
    length: usize,
}

impl Scale {
    /// Compares all after each operation, by every plan.
    const fn closely(self) -> Self {
        Self { every: 0, ..self }
    }

    /// Returns the plans by which all is compared after an operation. They take turns, which finds more in the same
    /// time than all of them seldom. An interval of 0 is the one of 1, and by all of them.
    fn plans(self, at: usize) -> &'static [Option<PlanKind>] {
        match self.every {
            0 => &PLANS,
            every if at.is_multiple_of(every) => {
                PLANS[at / every % PLANS.len()..].get(..1).unwrap()
            }
            _ => &[],
        }
    }
}

impl Run {
    fn new(scale: Scale) -> Self {
        let places = [(); 3].map(|()| Place::new(scale.entities));
        Self { places, at: 0, twin: None }
    }

    fn step(&mut self, op: &Op) {
        let next = (self.at + 1) % self.places.len();
        match op {
            Op::Turn => (self.at, self.twin) = (next, None),
            Op::Part => self.twin = None,
            Op::Twin(how) => self.make_equal(*how, next),
            Op::Merge(is_prefab) => {
                let third = (self.at + 2) % self.places.len();
                let is_empty = self.places[third].model.content.rows.is_empty();
                let from = &mut self.places[if is_empty { self.at } else { third }];
                let (copy, content) = (from.saved(How::Clone), from.model.content.clone());
                for at in [Some(self.at), self.twin.map(|it| it.0)].into_iter().flatten() {
                    self.places[at].merge(copy.try_clone().unwrap(), &content, *is_prefab);
                }
            }
            _ => {
                self.places[self.at].run(op, false);
                let Some((twin, _)) = self.twin else { return };
                // Commands have the result of the same edits one by one.
                let one_by_one = matches!(op, Op::Record(_));
                self.places[twin].run(op, one_by_one);
                if one_by_one {
                    let [one, other] = [&self.places[self.at], &self.places[twin]];
                    assert_eq!(one.model.content.rows, other.model.content.rows);
                    assert_eq!(one.model.content.sources, other.model.content.sources);
                    check_next_handles(one, other);
                }
                // Readers read changes from before the worlds were equal, too.
                if one_by_one || matches!(op, Op::Advance(_, true)) {
                    self.twin = None;
                }
            }
        }
    }

    fn make_equal(&mut self, how: How, next: usize) {
        let [one, other] = self.places.get_disjoint_mut([self.at, next]).unwrap();
        one.make_equal(other, how);
        check_orders(one, other);
        if how.is_text() {
            let text = |place: &Place| serde_json::to_string(&place.world.save()).unwrap();
            assert!(text(one) == text(other), "texts differ");
        }
        self.twin = Some((next, how));
    }

    fn check(&mut self, who: Who) {
        // Both, because orders depend on loops, too.
        for at in [Some(self.at), self.twin.map(|it| it.0)].into_iter().flatten() {
            let entity = self.places[at].model.content.pick(who);
            self.places[at].check_one(entity);
        }
    }

    fn check_all(&mut self, plans: &[Option<PlanKind>]) {
        self.places[self.at].check_all(plans);
        if let Some((twin, how)) = self.twin {
            self.places[twin].check_all(plans);
            check_alike(&self.places[self.at], &self.places[twin], how.is_text());
        }
        let all: usize = self.places.iter().map(Place::columns).sum();
        assert_eq!(
            ALIVE.with_borrow(Arc::strong_count) - 1,
            all,
            "values are lost or dropped twice"
        );
    }
}

thread_local! {
    /// The operation that is done, and the last panic, of a thread that runs histories.
    static NOW: RefCell<Option<(usize, String)>> = const { RefCell::new(None) };
}

/// Keeps the panics of histories, which are printed when they are shortened.
fn quietly() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let say = take_hook();
        set_hook(Box::new(move |info| {
            NOW.with_borrow_mut(|now| match now {
                Some((_, text)) => *text = info.to_string(),
                None => say(info),
            });
        }));
    });
}

/// Runs a history. All is compared after `every` operations.
fn run(ops: &[Op], scale: Scale) {
    ALIVE.set(Arc::default());
    let mut run = Run::new(scale);
    for (at, op) in ops.iter().enumerate() {
        NOW.with_borrow_mut(|now| now.iter_mut().for_each(|now| now.0 = at));
        run.step(op);
        if at.is_multiple_of(2) {
            run.check(Who::try_from(at % 0xf000).unwrap());
        }
        let plans = scale.plans(at);
        if !plans.is_empty() {
            run.check_all(plans);
        }
    }
    for at in 0..run.places.len() {
        (run.at, run.twin) = (at, if at == run.at { run.twin } else { None });
        run.places[at].settle();
        run.check_all(&PLANS);
    }
    drop(run);
    assert_eq!(ALIVE.with_borrow(Arc::strong_count), 1, "values are lost");
}

/// Runs a history; returns the number of the operation and the panic, if it fails.
fn failure(ops: &[Op], scale: Scale) -> Option<(usize, String)> {
    quietly();
    fillers::number_first();
    NOW.set(Some((0, String::new())));
    let panic = catch_unwind(AssertUnwindSafe(|| run(ops, scale))).err();
    NOW.take().filter(|_| panic.is_some())
}

/// Leaves out the operations of a history that its failure does not need; it fails at operation
/// `last`.
fn shrink(mut ops: Vec<Op>, last: usize, scale: Scale) -> Vec<Op> {
    ops.truncate(last + 1);
    // All is compared at the end, and that is soon enough for most failures.
    let seldom = Scale { every: usize::MAX, ..scale };
    let scale = if failure(&ops, seldom).is_some() { seldom } else { scale.closely() };
    let mut size = ops.len() / 2;
    while size > 0 {
        let mut at = 0;
        while at < ops.len() {
            let mut fewer = ops.clone();
            fewer.drain(at..ops.len().min(at + size));
            match failure(&fewer, scale) {
                Some((last, _)) => {
                    fewer.truncate(last + 1);
                    ops = fewer;
                }
                None => at += size,
            }
        }
        size /= 2;
    }
    for at in 0..ops.len() {
        let mut part = 0;
        while let Some(op) = ops[at].without(part) {
            let mut simpler = ops.clone();
            simpler[at] = op;
            if failure(&simpler, scale).is_some_and(|(last, _)| last + 1 == ops.len()) {
                ops = simpler;
            } else {
                part += 1;
            }
        }
    }
    ops
}

/// Runs the history that some bytes stand for, for the fuzzer in `fuzz`.
pub fn run_bytes(bytes: &[u8]) {
    let mut source = Source::Bytes(bytes);
    let ops: Vec<Op> = std::iter::from_fn(|| source.op()).collect();
    run(&ops, Scale { entities: 60, every: 8, length: ops.len() });
}

pub fn environment(name: &str, default: usize) -> usize {
    std::env::var(name).ok().map_or(default, |value| value.parse().expect(name))
}

/// The memory of this process, which stays flat however many histories it runs.
#[derive(Default)]
struct Memory {
    /// The most bytes that are flat, after the first tenth of the histories.
    limit: Option<usize>,
}

impl Memory {
    /// Checks the memory after each tenth of many histories. A few are over before the memory is flat.
    fn check(&mut self, done: usize, histories: usize, scale: Scale) {
        let is_tenth = done.is_multiple_of(histories.div_ceil(10));
        if histories < 200 || !is_tenth {
            return;
        }
        let Some(bytes) = resident() else { return };
        println!("after {} operations: {} KiB resident", done * scale.length, bytes >> 10);
        let limit = *self.limit.get_or_insert(bytes + bytes / 4 + (16 << 20));
        assert!(bytes <= limit, "{bytes} bytes are resident, beyond {limit}");
    }
}

/// Returns the bytes of this process that are in memory, where the system has such a file.
fn resident() -> Option<usize> {
    let pages = std::fs::read_to_string("/proc/self/statm").ok()?;
    Some(pages.split(' ').nth(1)?.parse::<usize>().ok()? * 4_096)
}

/// Runs this many of a hundred operations, in histories of this scale.
fn equals_its_model(scale: Scale, share: usize) {
    let hundredths = environment("ECS_MODEL_OPS", 30_000) * share;
    let first = environment("ECS_MODEL_SEED", 1);
    let histories = hundredths.div_ceil(100 * scale.length);
    let mut memory = Memory::default();
    for seed in first..first + histories {
        let mut source = Source::Seed((seed * 1_000_003 + scale.entities) as u64);
        let mut ops: Vec<Op> = (0..scale.length).filter_map(|_| source.op()).collect();
        if seed.is_multiple_of(2) {
            for op in ops.iter_mut().step_by(50) {
                *op = Op::Order(source.ordering().unwrap());
            }
        }
        run_or_shorten(ops, seed, scale);
        memory.check(seed + 1 - first, histories, scale);
    }
}

/// Runs a history; shortens and prints it if it fails.
fn run_or_shorten(ops: Vec<Op>, seed: usize, scale: Scale) {
    let Some((at, text)) = failure(&ops, scale) else { return };
    println!("operation {at} of history {seed} fails: {text}");
    let short = shrink(ops, at, scale);
    let (_, last) = failure(&short, scale.closely()).unwrap_or_default();
    let lines: Vec<String> = short.iter().map(|op| format!("    {op:?},")).collect();
    panic!(
        "ECS_MODEL_SEED={seed} ECS_MODEL_OPS=1 cargo test -p ecs --test random model\n\
         shortened, it fails by: {last}\n&[\n{}\n]",
        lines.join("\n")
    );
}

#[test]
fn worlds_of_one_page_equal_their_models() {
    equals_its_model(Scale { entities: 12, every: 2, length: 100 }, 2);
}

#[test]
fn worlds_of_few_pages_equal_their_models() {
    equals_its_model(Scale { entities: 200, every: 200, length: 4_000 }, 60);
}

#[test]
fn worlds_of_many_sparse_pages_equal_their_models() {
    equals_its_model(Scale { entities: 1_000, every: 2_000, length: 10_000 }, 38);
}

/// Returns all permutations of a list.
fn permutations(list: &[usize]) -> Vec<Vec<usize>> {
    let with_next = |shorter: Vec<Vec<usize>>, next: &usize| {
        let places = shorter.iter().flat_map(|order| (0..=order.len()).map(move |at| (order, at)));
        places.map(|(order, at)| [&order[..at], &[*next], &order[at..]].concat()).collect()
    };
    list.iter().fold(vec![vec![]], with_next)
}

/// Worlds are edited before, between and after the declarations. `ECS_GROUP_ROUNDS` says how often.
#[test]
fn nested_groups_declared_in_any_order_equal_their_models() {
    let mut seed = 0;
    for _ in 0..environment("ECS_GROUP_ROUNDS", 1) {
        for order in CHAINS.iter().flat_map(|chain| permutations(chain)) {
            seed += 1;
            let mut source = Source::Seed(seed as u64);
            let mut ops = Vec::new();
            let mut edit = |ops: &mut Vec<Op>, count| {
                ops.extend(std::iter::from_fn(|| source.op()).filter(Op::is_edit).take(count));
            };
            for group in order {
                edit(&mut ops, 8);
                ops.push(Op::Declare(group));
            }
            edit(&mut ops, 16);
            run_or_shorten(ops, seed, Scale { entities: 60, every: 4, length: 0 });
        }
    }
}

/// Clients lose sets, get others twice, or in another order; guess, connect again, and have clients of their own.
/// `ECS_FRAMES` says how often each of 40 worlds sends its changes.
#[test]
fn clients_equal_their_server_after_every_recovery() {
    for seed in 1..=40 {
        let mut source = Source::Seed(seed);
        let mut ops = Vec::new();
        for _ in 0..environment("ECS_FRAMES", 30) {
            let edits = source.below(6).unwrap();
            let others = std::iter::from_fn(|| source.op()).filter(Op::is_of_one_world);
            ops.extend(others.take(edits));
            ops.extend((0..3).filter_map(|_| source.client_op()));
        }
        let seed = usize::try_from(seed).unwrap();
        run_or_shorten(ops, seed, Scale { entities: 100, every: usize::MAX, length: 0 });
    }
}

/// Returns a hash of the orders in the worlds of some histories: of entities, pools and groups.
pub fn orders() -> u64 {
    fillers::number_first();
    let mut hash = DefaultHasher::new();
    for seed in 1..=4 {
        let mut source = Source::Seed(seed);
        let mut run = Run::new(Scale { entities: 60, every: 0, length: 400 });
        let ops = std::iter::from_fn(|| source.op());
        ops.take(400).for_each(|op| run.step(&op));
        for Place { world, .. } in &run.places {
            world.entities().for_each(|entity| entity.hash(&mut hash));
            let pools =
                COMPS.iter().map(|comp| typed!(*comp, T => world.pool::<T>().keys().to_vec()));
            let defined = world.kind_entities(venom::kind(0)).to_vec();
            pools
                .chain([defined])
                .chain(world.groups().map(|group| group.members().to_vec()))
                .for_each(|order| order.hash(&mut hash));
        }
    }
    hash.finish()
}

/// Histories that failed once.
#[test]
fn found_histories_equal_their_models() {
    use op::{Edit::*, Many, Op::*};
    let found: [Vec<Op>; 2] = [
        // A repair in a copy.
        vec![
            Edit(Spawn(8, 779, 2446)),
            Edit(Spawn(7, 441, 41533)),
            SpawnEmpty,
            InsertBatch(Many(28540, 7, 3), 8, 589, 52873),
            SpawnEmpty,
            Reserve,
            Order(op::Ordering::Now),
            Edit(Despawn(2044)),
            Edit(Spawn(2, 222, 19589)),
            Twin(How::Clone),
            Edit(Insert(57046, 11, 631, 33597)),
        ],
        // A merge whose order of notifications is that in which an observer inserts.
        vec![
            Edit(Spawn(9, 598, 11418)),
            SpawnEmpty,
            Edit(Spawn(6, 809, 7879)),
            Record(vec![Insert(4879, 13, 743, 4035), Insert(31251, 13, 743, 4035)]),
            Script(op::Script::RightWithLeft),
            Merge(false),
        ],
    ];
    for ops in found {
        run(&ops, Scale { entities: 3_000, every: 1, length: ops.len() }.closely());
    }
}
