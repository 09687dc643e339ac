use ecs::__private::ComponentSlot;

struct Call<F>(F);

static SLOT: ComponentSlot<Call<fn(&String)>> = ComponentSlot::new();

fn slot() -> Option<&'static ComponentSlot<Call<fn(&'static String)>>> {
    Some(&SLOT)
}

fn main() {
    slot();
}
