use ecs::{Component, View, Views, World};

#[derive(Component)]
struct Health(u32);
#[derive(Views)]
struct Sides<'w>(View<'w, &'w mut Health>);

fn broken(world: &mut World) {
    let sides = world.split_mut::<Sides>();
    world.spawn_empty();
    sides.0.for_each(drop);
}
fn main() {}
