#[derive(Component)]
struct Grid<T: Clone = u8, const N: usize = 4>([T; N])
where
    T: Default;
