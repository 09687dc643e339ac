use ecs::{Component, Group, World};

#[derive(Component)]
struct Depth(u32);

fn main() {
    let mut world = World::new();
    let terms = Group::owning::<Depth>();
    let mut group = world.group_mut(terms).unwrap();
    world.spawn(Depth(1));
    group.sort_by_key(|depth| depth.0);
}
