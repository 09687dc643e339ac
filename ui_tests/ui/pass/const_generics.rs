use ecs::{Bundle, Component, Query, World};

#[derive(Component)]
struct Grid<const W: usize, const H: usize = 2>([[u8; W]; H]);

#[derive(Query)]
struct Cells<'w, const W: usize, const H: usize> {
    grid: &'w mut Grid<W, H>,
    other: Option<&'w Grid<7>>,
}

#[derive(Bundle)]
struct Board<const N: usize> {
    grid: Grid<N, N>,
}

pub(super) fn main() {
    let mut world = World::new();
    world.spawn_empty().insert(Board::<3> { grid: Grid([[1; 3]; 3]) });
    for cells in world.view_mut::<Cells<3, 3>>() {
        cells.grid.0[0][0] = cells.other.map_or(9, |grid| grid.0[0][0]);
    }
    assert_eq!(world.view::<Grid<3, 3>>().single().unwrap().1.0[0], [9, 1, 1]);
    assert_eq!(world.view::<Grid<3>>().count(), 0);
}
