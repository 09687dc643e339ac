#[derive(Resource)]
#[ecs(crate = engine::ecs)]
struct Queue<T: Clone, const N: usize>
where
    T: Default,
{
    items: [T; N],
}
