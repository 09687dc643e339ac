use ecs::{Inserted, World};

struct Time(u32);

fn main() {
    let _ = World::new().collector::<Inserted<Time>>();
}
