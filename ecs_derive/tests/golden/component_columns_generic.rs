#[derive(Component)]
#[component(
    layout = "soa",
    veto = Self::may_go,
    ref = GridSeen,
    mut = GridChanged,
    slices = GridParts,
    slices_mut = GridPartsMut,
    fields = grid_columns
)]
pub struct Grid<T: Clone = u8, const N: usize = 4>
where
    T: Default,
{
    pub(super) cells: [T; N],
    pub r#type: u8,
}
