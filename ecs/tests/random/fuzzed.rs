//! The kept corpora of the fuzzer in `fuzz`, for schedules and operations.

use crate::model::run_bytes;
use crate::one_result::random::schedules;
use crate::replay::replay;

#[test]
fn the_corpus_of_schedules_has_the_results_of_the_lists() {
    replay("schedules", schedules);
}

#[test]
fn the_corpus_of_operations_has_the_results_of_the_model() {
    replay("operations", run_bytes);
}
