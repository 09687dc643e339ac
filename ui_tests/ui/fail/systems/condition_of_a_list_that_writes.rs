//! The condition of a list only reads, too.

use ecs::{Commands, schedule};

fn rest() {}
fn count(commands: &mut Commands) -> bool { commands.is_empty() }

schedule! { struct Inner { rest } }
schedule! { struct Frame { inner: Inner if count } }

fn main() {}
