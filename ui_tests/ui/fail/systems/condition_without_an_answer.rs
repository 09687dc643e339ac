//! A condition says yes or no.

use ecs::{schedule};

fn rest() {}
fn perhaps() {}

schedule! { struct Frame { rest if perhaps } }

fn main() {}
