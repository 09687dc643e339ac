use ecs::__private::{ComponentId, One, Part, Parts, Signature, VecStorage};
use ecs::{Bundle, Component, World};

struct Own(u32);
impl Component for Own {
    type Storage = VecStorage<Self>;
    type Requires = ();
    const NAME: &'static str = "Own";
    const ID: ComponentId = ComponentId::of(None, None, "", "Own", 1, 1);
    const BIT: Signature = Self::ID.bit();
}
impl Bundle for Own {
    const PARTS: &'static [Part] = &[];
    fn into_parts(self) -> impl Parts { One::new(self) }
}
pub(super) fn main() {
    World::new().spawn((Own(1), Own(2)));
}
