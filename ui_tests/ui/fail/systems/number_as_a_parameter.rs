//! A plain value comes from nowhere.

use ecs::{Schedule, View, Component};

#[derive(Component)]
struct Health(u32);

fn hurt(_: View<&mut Health>, _: f32) {}

fn main() {
    let _ = Schedule::new().add(hurt);
}
