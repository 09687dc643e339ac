//! An alias is the type that it stands for.

use ecs::{Component, View, schedule};

#[derive(Component)]
struct Health(u32);
type Life = Health;

fn heal(_: View<&mut Health>) {}
fn show(_: View<&Life>) {}

schedule! { struct Frame { together(heal, show) } }
fn main() {}
