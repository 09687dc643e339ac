//! The program, as it is run: a server and the client that it starts.

use std::process::{Command, Output};

fn run(arguments: &[&str]) -> Output {
    let program = env!("CARGO_BIN_EXE_ecs_replication");
    Command::new(program).args(arguments).output().expect("it was built")
}

#[test]
fn the_client_comes_to_the_servers_world() {
    let run = run(&[]);
    let (said, wrong) =
        (String::from_utf8_lossy(&run.stdout), String::from_utf8_lossy(&run.stderr));
    assert!(run.status.success() && wrong.is_empty(), "{wrong}");
    assert!(said.ends_with("entities, to the last byte\n"), "{said}");
    let numbers: Vec<usize> = said.split(' ').filter_map(|word| word.parse().ok()).collect();
    let [_, deltas, ticks, ..] = numbers[..] else { panic!("{said}") };
    let in_full: usize =
        said.split([' ', ':']).filter_map(|word| word.parse().ok()).nth(3).unwrap();
    assert!(ticks == 300 && deltas * 5 < in_full, "{said}");
}

#[test]
fn a_client_without_a_server_says_so() {
    let run = run(&["127.0.0.1:9"]);
    assert!(!run.status.success());
    assert!(String::from_utf8_lossy(&run.stderr).starts_with("client: "));
}
