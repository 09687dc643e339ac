mod errors;
mod fuzzed;
mod golden;
mod named;
mod names;
#[path = "../../fuzz/src/replay.rs"]
mod replay;

use named::named;
