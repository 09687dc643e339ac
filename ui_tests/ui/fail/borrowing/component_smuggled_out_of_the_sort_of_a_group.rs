use ecs::{Component, Group, World};

#[derive(Component)]
struct Depth(u32);

fn broken(world: &mut World) {
    let mut smuggled = None;
    world.group_mut(Group::owning::<Depth>()).unwrap().sort_by_key(|depth| {
        smuggled = Some(depth);
        depth.0
    });
}

fn main() {}
