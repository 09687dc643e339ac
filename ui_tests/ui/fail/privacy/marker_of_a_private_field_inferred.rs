use ecs::World;
use ecs::__private::{ColumnAt, InColumns, Target};
use engine::Seal;

fn view<M: Target>(world: &mut World)
where
    <Seal as InColumns>::Column<M>: ColumnAt,
{
    world.view_mut::<&mut M>();
}

fn main() {
    view(&mut World::new());
}
