//! The kept corpora of `fuzz`, for the tests of this package and of `ecs`.

/// Calls a target with each file of its corpus.
pub fn replay(name: &str, target: fn(&[u8])) {
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
