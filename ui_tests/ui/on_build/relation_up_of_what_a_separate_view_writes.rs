use ecs::{ChildOf, Component, Name, Up, With, Without, World};

#[derive(Component)]
struct Place(f32);

type Named = (&'static mut Place, With<Name>);
type Others = (Up<ChildOf, &'static Place>, Without<Name>);

pub(super) fn main() {
    World::new().split_mut::<(Named, Others)>(); // a match of one may be the parent of the other's
}
