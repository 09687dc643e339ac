//! The catalogue of measurements, in the order of the table.

use crate::frames::PLANS;
use crate::scene::{FRAGMENTS, SPAWNED};

/// Something that is measured with each library.
#[derive(Clone, Copy, Debug)]
pub struct Workload {
    /// Its name.
    pub name: &'static str,
    /// The measured work.
    pub about: &'static str,
}

impl Workload {
    /// Returns `true` if it takes long enough to be left out of a quick look.
    #[must_use]
    pub fn is_big(&self) -> bool {
        self.name.split('_').any(|part| matches!(part, "2m" | "10m"))
    }

    /// Returns `true` if it is one of [`worlds`].
    #[must_use]
    pub fn is_of_worlds(&self) -> bool {
        worlds().any(|workload| workload.name == self.name)
    }

    /// Returns the workload without the feature that this one measures; both are measured in turns.
    #[must_use]
    pub fn beside(&self) -> Option<&'static str> {
        match self.name {
            "tracked_10k" => Some("simple_iter"),
            "tracked_1m" => Some("iter_1m"),
            "observe_hook" | "observe_fn" | "observe_closure" | "observe_remove" | "collect" => {
                Some("add_remove")
            }
            "observe_ten" => Some("observe_fn"),
            "observe_batch" | "observe_batch_at_once" | "collect_batch" => Some("add_remove_batch"),
            _ => None,
        }
    }

    /// Returns `true` if something else is done for a while before each run, as in a frame: threads sleep then.
    #[must_use]
    pub fn is_after_work(&self) -> bool {
        self.name.ends_with("_after_work")
    }
}

macro_rules! workloads {
    ($($name:ident: $about:literal,)*) => {
        &[$(Workload { name: stringify!($name), about: $about },)*]
    };
}

/// All workloads. Components are 3 × `f32`. The first two include making and dropping the world,
/// as in `ecs_bench_suite`.
pub const WORKLOADS: &[Workload] = workloads! {
    simple_insert: "a new world, 10k spawns of 4 components (100 bytes), the world dropped",
    bulk_insert: "the same as one batch",
    iter_1k: "1k entities, position += velocity",
    simple_iter: "the same on 10k",
    iter_100k: "the same on 100k",
    iter_1m: "the same on 1M",
    iter_10m: "the same on 10M",
    iter_churned: "100k movers, each despawned and another spawned in random order, position += velocity",
    terms_1: "100k entities of 8 components, position += 1",
    terms_2: "100k entities of 8 components, position += velocity",
    terms_4: "100k entities of 8 components, position += 3 others",
    terms_8: "100k entities of 8 components, position += 7 others",
    frag_iter: "26 kinds × 20 entities, data *= 2 on the one component that all share",
    frag_tags: "100k entities with any of 10 more components, position += velocity",
    add_remove: "add a component to 10k entities, remove it from all",
    add_remove_batch: "the same, each as one batch",
    observe_hook: "add_remove, with a hook that is notified of insertions",
    observe_fn: "add_remove, with an observer of insertions that captures nothing",
    observe_closure: "the same with one that captures",
    observe_ten: "the same with ten that capture nothing",
    observe_remove: "add_remove, with an observer of removals",
    observe_batch: "add_remove_batch, with an observer of insertions",
    observe_batch_at_once: "the same with one that is notified once of all",
    collect: "add_remove, insertions collected, and drained",
    collect_batch: "add_remove_batch, the same",
    commands_insert: "add a component to 10k entities by commands, recorded and applied together",
    commands_remove: "remove it likewise",
    commands_spawn: "10k spawns of 2 components by commands, in a new world",
    commands_respawn: "the same, where as many were despawned",
    commands_despawn: "10k despawns of entities of 2 components by commands",
    commands_mixed: "10k entities in turns: add a component, remove it, despawn and spawn another, by commands",
    join_1m: "count, 10% × 10% of 1M, inserted in entity order",
    join_sum_1m: "the same, reading both",
    join_all_half_100: "all × half of 100, inserted in entity order, reading both",
    join_all_half_10k: "the same of 10k",
    join_shuffled_1k: "10% × 10% of 1k, inserted in random order, reading both",
    join_shuffled_10k: "the same of 10k",
    join_shuffled_100k: "the same of 100k",
    join_shuffled_1m: "the same of 1M",
    join_shuffled_10m: "the same of 10M",
    join_dense_1m: "dense: 100% × 100% of 1M, each in its own random order",
    join_half_1m: "half: 50% × 50% of 1M, shuffled",
    join_needle_1m: "one entity × all of 1M: one match",
    join_one_match_1m: "every even × every odd entity of 1M and one more: one match",
    join_hostile_1m: "1 in 64 × 1 in 64 of 1M, half of them match: none is dense, none is empty",
    join4_1m: "50%, 25%, 12%, 6% of 1M, shuffled, reading all four",
    optional_1m: "10% of 1M, shuffled, and a second component of 10% where there is one",
    excluded_1m: "10% of 1M, shuffled, without entities that have a second component of 10%",
    respawn_10k: "10k movers, each despawned and another spawned, in random order",
    relations_attach_10: "10k children, 10 a parent, each given another parent",
    relations_attach_100: "the same, 100 a parent",
    relations_attach_10k: "the same, 10k a parent",
    relations_detach_10: "10k children, 10 a parent, all detached in random order, and attached again",
    relations_detach_100: "the same, 100 a parent",
    relations_detach_10k: "the same, 10k a parent",
    relations_chain_100k: "a chain of 100k entities is built, and ends with the first",
    random_get: "1M reads by handle, shuffled",
    random_get_batch: "the same, of one list",
    spawn_despawn_1m: "a new world, 1M spawns of 2 components, despawned in random order",
    spawn_despawn_batch_1m: "the same, spawned as one batch and despawned as one",
    field_1m: "1M components of 3 × f32, one field × 0.5 and × 2 by turns",
    fields_1m: "the same, all three fields: x += y × z",
    sort_1m: "1M components of 4 bytes, sorted into another random order, not stable",
    sort_as_1m: "1M components of 12 bytes, put into the random orders of two other components",
    tracked_10k: "10k movers whose changes a reader reads: position += velocity, after the last changes were taken",
    tracked_1m: "the same of 1M",
    advance_1: "1% of 1M changed, at random: a reader takes them",
    advance_4: "the same, 4 readers in turn",
    advance_16: "the same, 16 readers in turn",
    changed_1m_random: "reading the changed ones of 1M: 1%, at random",
    changed_1m_run: "the same, 1% in one run",
    changed_1m_none: "the same, none",
    frame_churn: "200k movers: 1% lose and 1% gain a component, move all, join with it (10%)",
};

/// Returns the workloads of worlds as programs have them: entities of many kinds, which no loop has to itself.
pub fn worlds() -> impl Iterator<Item = Workload> {
    let frames = PLANS.iter().map(|plan| plan.workload);
    let spawned = SPAWNED.into_iter().flatten().map(|spawned| spawned.workload);
    frames.chain(spawned).chain(FRAGMENTS.map(|fragments| fragments.workload))
}

/// Workloads of systems and loops on one thread, and shared by threads. The systems of a list run in one call.
pub const SYSTEMS: &[Workload] = workloads! {
    systems_10: "10 systems that do nothing",
    systems_100: "100 systems that do nothing",
    systems_conflicting: "100 systems that write one resource",
    systems_heavy: "two systems of 100k entities that touch different components",
    systems_heavy_after_work: "the same, after 1 ms of something else each time",
    loop_1k: "1k entities, position += velocity",
    loop_30k: "the same on 30k",
    loop_100k: "the same on 100k",
    loop_1m: "the same on 1M",
    loop_30k_medium: "30k entities, some 3 ns each: position += velocity over its length, and a root",
    loop_1m_medium: "the same on 1M",
    loop_join_1m: "50% × 50% of 1M, shuffled, proximity += audio",
    loop_64_slow: "64 entities, some 10 µs each",
};
