use ecs::Component;

#[derive(Component)]
#[component(layout = "soa")]
struct Pair { left: String, right: String }

fn keep<'w>(pair: &mut PairMut<'w>) -> PairMut<'w> {
    pair.reborrow()
}

fn main() {}
