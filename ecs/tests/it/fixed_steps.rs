//! `FixedStep`: the number of steps that are due, and the time left over.

use crate::fixtures::{Random, panics};
use ecs::FixedStep;
use std::time::Duration;

const fn ms(time: u64) -> Duration {
    Duration::from_millis(time)
}

/// Returns the elapsed part of the next step, in thousandths.
fn part(step: &FixedStep) -> f32 {
    (step.part() * 1_000.0).round()
}

#[test]
fn a_step_is_due_as_soon_as_its_time_has_passed_and_not_before() {
    let mut step = FixedStep::new(ms(20));
    assert_eq!((step.advance(Duration::ZERO), part(&step)), (0, 0.0));
    assert_eq!((step.advance(Duration::from_nanos(19_999_999)), part(&step)), (0, 1_000.0));
    assert_eq!((step.advance(Duration::from_nanos(1)), part(&step)), (1, 0.0));
    assert_eq!((step.advance(ms(20)), part(&step)), (1, 0.0));
    assert_eq!((step.advance(ms(30)), part(&step)), (1, 500.0));
    assert_eq!((step.advance(ms(10)), part(&step)), (1, 0.0));
    assert_eq!((step.advance(ms(55)), part(&step)), (2, 750.0));
    let mut copy = step.clone();
    assert_eq!((copy.advance(ms(5)), step.advance(ms(4)), step.advance(ms(1))), (1, 0, 1));
}

#[test]
fn at_most_limits_steps_per_call_and_drops_whole_steps_beyond() {
    for most in [1, 2, 7, 8, 9, 100] {
        let mut step = FixedStep::new(ms(10)).at_most(most);
        for due in [0, 1, most.saturating_sub(1), most, most + 1, most + 2, 3 * most] {
            let frame = ms(10) * due + ms(4);
            assert_eq!(step.advance(frame), due.min(most), "{due} of at most {most}");
            assert_eq!(
                part(&step),
                400.0,
                "whole steps beyond the limit are dropped, the elapsed part is kept"
            );
            assert_eq!((step.advance(ms(6)), part(&step)), (1, 0.0));
        }
    }
    let mut default = FixedStep::new(ms(10));
    assert_eq!(
        (default.advance(ms(80)), default.advance(ms(90)), default.advance(ms(10))),
        (8, 8, 1)
    );
}

#[test]
fn at_most_replaces_the_limit_and_keeps_the_elapsed_part() {
    let mut step = FixedStep::new(ms(10)).at_most(2).at_most(5);
    assert_eq!(step.advance(ms(75)), 5);
    let mut step = step.at_most(3);
    assert_eq!(part(&step), 500.0, "a new limit keeps the elapsed part");
    assert_eq!((step.advance(ms(5)), step.advance(ms(70))), (1, 3));
}

#[test]
fn a_limit_of_zero_runs_no_steps_and_keeps_the_elapsed_part() {
    let mut step = FixedStep::new(ms(10)).at_most(0);
    assert_eq!((step.advance(ms(25)), part(&step)), (0, 500.0));
    assert_eq!((step.advance(ms(5)), part(&step)), (0, 0.0));
}

#[test]
fn extreme_durations_are_counted_without_overflow() {
    let mut step = FixedStep::new(Duration::from_nanos(1)).at_most(u32::MAX);
    assert_eq!(step.advance(Duration::MAX), u32::MAX, "the count saturates");
    assert_eq!((part(&step), step.advance(Duration::MAX)), (0.0, u32::MAX));
    assert_eq!(step.advance(Duration::from_nanos(u64::from(u32::MAX) + 1)), u32::MAX);
    assert_eq!(step.advance(Duration::from_nanos(3)), 3);
    let mut step = FixedStep::new(Duration::MAX);
    let nearly = Duration::MAX.saturating_sub(Duration::from_nanos(1));
    assert_eq!(step.advance(nearly), 0);
    assert_eq!(step.advance(Duration::from_nanos(1)), 1);
    assert_eq!(step.advance(Duration::MAX), 1);
    // The sum of the rest and the elapsed time saturates.
    assert_eq!(step.advance(nearly), 0);
    assert_eq!((step.advance(Duration::MAX), step.advance(Duration::ZERO)), (1, 0));
    assert_eq!(
        panics(|| FixedStep::new(Duration::ZERO)).as_deref(),
        Some("a step takes time: give it a length that is not zero")
    );
}

#[test]
fn no_time_is_lost_below_the_limit() {
    let (mut step, mut random) = (FixedStep::new(ms(16)).at_most(100), Random(7));
    let (mut passed, mut run) = (Duration::ZERO, 0);
    for _ in 0..2_000 {
        let elapsed = Duration::from_micros(random.below(60_000) as u64);
        passed += elapsed;
        run += step.advance(elapsed);
        assert_eq!(u128::from(run), passed.as_nanos() / ms(16).as_nanos());
        assert!((0.0..=1.0).contains(&step.part()));
    }
}
