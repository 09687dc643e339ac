use ecs::Component;

#[derive(Component)]
#[component(layout = "soa")]
struct Pair { left: String, right: String }

fn exchange(mut pair: PairMut<'_>) {
    let (one, other) = (pair.reborrow(), pair.reborrow());
    std::mem::swap(one.left, other.left);
}

fn main() {}
