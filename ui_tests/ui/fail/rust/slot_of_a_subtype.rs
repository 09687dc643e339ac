use ecs::__private::{ComponentSlot, VecStorage};
use ecs::{Component, ComponentId, Signature};

struct Call<F>(F);

static SLOT: ComponentSlot<Call<fn(&String)>> = ComponentSlot::new();

impl Component for Call<fn(&'static String)> {
    type Storage = VecStorage<Self>;
    const NAME: &'static str = "Call";
    const ID: ComponentId = ComponentId::of(None, None, "", "Call", 1, 1);
    const BIT: Signature = Self::ID.bit();
    fn slot() -> Option<&'static ComponentSlot<Self>> {
        Some(&SLOT)
    }
}

fn main() {}
