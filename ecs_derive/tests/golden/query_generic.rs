#[derive(Query)]
#[query(with(Tag, U), without(Dead))]
struct Pair<'a, T, U, V: Clone = u8, const N: usize = 4>
where
    V: Default,
{
    one: &'a mut T,
    two: Option<(&'a U, Has<V>)>,
    grid: &'a Grid<T, N>,
    nested: inner::Nested<'a, T>,
    entity: Entity,
}
