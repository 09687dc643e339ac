use ecs::{Component, World};

#[derive(Component)]
struct Near;
#[derive(Component)]
struct Loud;

fn main() {
    let _ = World::new().view::<Near>().with_any::<(Near, (Loud, Near))>();
}
