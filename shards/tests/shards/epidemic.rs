//! The epidemic comes to the same, to the last bit, on any number of ranks and without any.

use crate::run::{Alone, Stripe};
use ecs_shards::Channels;
use std::env;

fn count(variable: &str, default: u32) -> u32 {
    env::var(variable).map_or(default, |count| count.parse().expect("a number"))
}

fn on(ranks: usize, people: u32, steps: u32) -> Vec<String> {
    let lines = Channels::run(ranks, |channels| Stripe::new(channels, people, 1)?.run(steps, None));
    let lines = lines.unwrap();
    assert!(lines.iter().all(|of_rank| *of_rank == lines[0]), "all ranks know the same");
    lines.into_iter().next().unwrap()
}

#[test]
fn each_tenth_step_is_equal_on_any_number_of_ranks() {
    let (people, steps) = (count("ECS_AGENTS", 3_000), count("ECS_STEPS", 60));
    let expected = Alone::new(people, 1).run(steps);
    assert_eq!(expected.len(), steps as usize / 10);
    for ranks in [1, 2, 3, 4, 7] {
        assert_eq!(on(ranks, people, steps), expected, "on {ranks} ranks");
    }
}

/// The result of the example of the library itself, which has no shards.
#[test]
fn shards_come_to_the_result_of_the_library_s_own_example() {
    let lines = Alone::new(3_000, 1).run(120);
    let expected = "step=120 people=3000 caught=2362 ill=351 checksum=c341880f1ff235f6";
    assert_eq!(lines.last().unwrap(), expected);
}
