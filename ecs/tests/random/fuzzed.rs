//! The kept corpora of the fuzzer in `fuzz`, for schedules and operations.

use crate::model::run_bytes;
use crate::one_result::random::schedules;

fn replay(name: &str, target: fn(&[u8])) {
    let corpus = format!("{}/../fuzz/corpus/{name}", env!("CARGO_MANIFEST_DIR"));
    let mut count = 0;
    for file in std::fs::read_dir(corpus).unwrap() {
        let path = file.unwrap().path();
        println!("{}", path.display());
        target(&std::fs::read(path).unwrap());
        count += 1;
    }
    assert!(count > 0, "there is no corpus of {name}");
}

#[test]
fn the_corpus_of_schedules_has_the_results_of_the_lists() {
    replay("schedules", schedules);
}

#[test]
fn the_corpus_of_operations_has_the_results_of_the_model() {
    replay("operations", run_bytes);
}
