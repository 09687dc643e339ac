//! A kept view outlives the run.

use ecs::{Component, Local, View, schedule};

#[derive(Component)]
struct Health(u32);

fn keep<'w>(view: View<'w, &'w Health>, mut kept: Local<Option<View<'w, &'w Health>>>) {
    *kept = Some(view);
}

schedule! { struct Frame { keep } }

fn main() {}
