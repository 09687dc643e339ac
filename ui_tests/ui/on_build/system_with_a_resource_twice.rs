//! Two parameters borrow one resource.

use ecs::{Resource, World};

#[derive(Resource)]
struct Score(u32);

fn add(_: &mut Score, _: &Score) {}

pub(super) fn main() {
    World::new().run(add);
}
