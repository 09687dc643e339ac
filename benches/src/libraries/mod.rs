//! The workloads, written once for each library in its own best idiom.

pub(crate) mod ecs;
pub(crate) mod floor;
pub(crate) mod sparse_floor;

#[cfg(feature = "peers")]
mod bevy_ecs;
#[cfg(feature = "peers")]
mod flecs_ecs;
#[cfg(feature = "peers")]
mod hecs;
#[cfg(feature = "peers")]
mod shipyard;
#[cfg(feature = "peers")]
mod sparsey;
#[cfg(feature = "peers")]
mod specs;

use crate::library::Library;

pub use ecs::worlds::upkeep;

/// All libraries that were compiled in, in the order of the table.
#[must_use]
pub fn all() -> Vec<Library> {
    let mut libraries = Vec::from(ecs::libraries());
    libraries.push(floor::library());
    libraries.push(sparse_floor::library());
    #[cfg(feature = "peers")]
    {
        libraries.push(hecs::library());
        libraries.push(bevy_ecs::library());
        libraries.push(flecs_ecs::library());
        libraries.push(shipyard::library());
        libraries.extend(specs::libraries());
        libraries.extend(sparsey::libraries());
    }
    libraries
}

/// The libraries that have systems, each on one thread and on many.
#[must_use]
pub fn with_systems() -> Vec<Library> {
    let libraries = ecs::systems::libraries().into_iter();
    #[cfg(feature = "peers")]
    let libraries =
        libraries.chain(bevy_ecs::systems::libraries()).chain(shipyard::systems::libraries());
    libraries.collect()
}

#[cfg(test)]
mod tests {
    use super::{all, with_systems};
    use crate::library::assert_agreed;
    use crate::workload::{self, SYSTEMS, WORKLOADS, Workload};

    fn catalogue() -> impl Iterator<Item = Workload> {
        WORKLOADS.iter().copied().chain(workload::worlds())
    }

    #[test]
    fn all_cases_are_in_the_catalogue_once() {
        for library in all() {
            let mut names: Vec<_> = library.workloads().collect();
            let known = |name: &&str| catalogue().any(|workload| workload.name == *name);
            assert!(names.iter().all(known), "{}: {names:?}", library.name);
            names.sort_unstable();
            assert!(names.is_sorted_by(|a, b| a < b), "{}: {names:?}", library.name);
        }
    }

    #[test]
    fn we_do_the_whole_catalogue() {
        let [ours, ..] = super::ecs::libraries();
        for workload in catalogue() {
            assert!(ours.case(workload.name).is_some(), "{}", workload.name);
        }
    }

    #[test]
    fn all_that_have_systems_do_all_with_them() {
        for library in with_systems() {
            let names = SYSTEMS.iter().map(|workload| workload.name);
            assert!(library.workloads().eq(names), "{}", library.name);
        }
    }

    #[test]
    fn systems_agree() {
        for workload in SYSTEMS {
            assert!(assert_agreed(workload.name, &with_systems()) > 1, "{}", workload.name);
        }
    }

    #[test]
    fn answers_agree() {
        let few = ["iter_1k", "frag_iter", "add_remove", "add_remove_batch", "join_shuffled_1k"];
        let more = ["bulk_insert", "join_all_half_100", "respawn_10k"];
        let worlds = [
            "frame_2k",
            "frame_2k_fire_1pct",
            "edits_only_20k",
            "spawned_all_10pct_10k",
            "spawned_10pct_half_10k",
            "fragmented_15k",
        ];
        let of_peers = [
            "observe_hook",
            "observe_closure",
            "observe_ten",
            "observe_remove",
            "relations_detach_100",
            "commands_insert",
            "commands_remove",
            "commands_spawn",
            "commands_respawn",
            "commands_despawn",
            "commands_mixed",
            "tracked_10k",
        ];
        let of_peers = of_peers.into_iter().filter(|_| cfg!(feature = "peers"));
        for workload in few.into_iter().chain(more).chain(worlds).chain(of_peers) {
            assert!(assert_agreed(workload, &all()) > 1, "{workload}");
        }
    }
}
