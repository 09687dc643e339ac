//! A schedule within another is checked where it is declared.

use ecs::{Component, View, schedule};

#[derive(Component)]
struct Health(u32);
fn heal(_: View<&mut Health>) {}

schedule! { struct Inner { together(heal, heal) } }
schedule! { struct Frame { inner: Inner } }

fn main() {}
