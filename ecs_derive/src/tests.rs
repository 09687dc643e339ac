mod errors;
mod fuzzed;
mod golden;
mod named;
mod names;
mod replay;

use named::named;
