mod errors;
mod fuzzed;
mod golden;
mod library;
mod named;
mod names;
mod opaque;
mod replay;

use named::named;
