use ecs::{Component, Schedule, View};

#[derive(Component)]
struct Health(u32);

fn hurt(_: View<&mut Health>, _: View<&Health>) {}

pub(super) fn main() {
    let _ = Schedule::of((|| {}, hurt));
}
