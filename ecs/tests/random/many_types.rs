//! Histories in which the components have numbers from 250 on. Numbers from 255 on share a bit in sets. They run
//! in processes in which other types are numbered first.
//!
//! The variables that enlarge the other tests enlarge these, too: a process runs a twentieth of the operations and of
//! the frames, and a fiftieth of the histories of observers.

use crate::model::environment;
use crate::model::fillers::run_after;
use crate::model::orders;

/// The numbers of other types. The model has thirteen components, and a number for the targets of each relation.
const OTHERS: [usize; 4] = [250, 252, 254, 264];

#[test]
fn histories_equal_their_models_after_others() {
    let part = |of: usize, name, all| (name, environment(name, all).div_ceil(of));
    for others in OTHERS {
        let mut tests = vec!["one_page", "few_pages", "clients", "lifecycle"];
        tests.extend((others == 254).then_some("nested_groups"));
        let variables = [
            ("ECS_MODEL_SEED", environment("ECS_MODEL_SEED", 1) + others),
            part(20, "ECS_MODEL_OPS", 30_000),
            part(20, "ECS_FRAMES", 30),
            part(50, "ECS_HISTORIES", 800),
        ];
        run_after(others, &tests, &variables);
    }
}

/// Prints the orders of some histories.
#[test]
#[ignore = "prints for the next test"]
fn printed_orders() {
    println!("orders {}", orders());
}

#[test]
fn orders_are_equal_after_others() {
    let orders = |others| {
        let said = run_after(others, &["printed_orders"], &[]);
        said.lines().find_map(|line| Some(line.split_once("orders ")?.1.to_owned())).unwrap()
    };
    let expected = orders(0);
    for others in OTHERS {
        assert_eq!(orders(others), expected, "after {others} others");
    }
}
