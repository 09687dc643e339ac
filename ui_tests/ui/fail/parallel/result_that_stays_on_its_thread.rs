use ecs::{Component, World};
use std::rc::Rc;

#[derive(Component)]
struct Health(u32);

fn main() {
    let (world, zero) = (World::new(), || Rc::new(0));
    world.view::<Health>().par_fold(zero, |sum, (_, health)| Rc::new(*sum + health.0), |a, _| a);
}
