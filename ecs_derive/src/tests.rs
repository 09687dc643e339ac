mod errors;
mod fuzzed;
mod golden;
mod library;
mod named;
mod names;
mod replay;

use named::named;
