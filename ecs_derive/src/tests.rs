mod errors;
mod fuzzed;
mod golden;
mod named;
mod names;

use named::named;
