//! Worlds that exchange entities: on threads, as ranks.
#![allow(clippy::needless_pass_by_value, dead_code, reason = "the example says why")]

#[path = "../../../examples/src/bin/epidemic/crowd.rs"]
mod crowd;
mod ends;
mod entities;
mod epidemic;
mod faults;
#[path = "../../examples/epidemic/run.rs"]
mod run;
#[path = "../../examples/epidemic/town.rs"]
mod town;
