use ecs::Component;

#[derive(Component)]
#[component(layout = "soa")]
struct Pair { left: String, right: String }

fn double(pair: PairMut<'_>, slices: PairSlicesMut<'_>) -> (usize, usize) {
    fn sizes<T: Clone, U: Clone>(_: T, _: U) -> (usize, usize) { (size_of::<T>(), size_of::<U>()) }
    sizes(pair, slices)
}

fn main() {}
