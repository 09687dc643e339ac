#[derive(Bundle)]
struct Pair<T: Clone, const N: usize>(T, Grid<T, N>, Tag)
where
    T: Default;
