//! Systems in `together` must overlap.

use ecs::{Component, View, schedule};

#[derive(Component)]
struct Health(u32);

fn heal(_: View<&mut Health>) {}
fn hurt(_: View<&mut Health>) {}

schedule! { struct Frame { together(heal, hurt) } }

fn main() {}
