//! Systems stand together.

use ecs::{schedule};

fn rest() {}

schedule! { struct Inner { rest } }
schedule! { struct Frame { together(rest, inner: Inner) } }

fn main() {}
