use ecs::{Component, World};

#[derive(Component)]
struct Depth;
#[derive(Component)]
struct Layer;

pub(super) fn main() {
    World::new().view::<&Depth>().in_order_of::<Depth>().in_order_of::<Layer>().for_each(|_| {});
}
