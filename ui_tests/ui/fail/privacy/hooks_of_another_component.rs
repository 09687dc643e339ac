use ecs::__private::{ComponentId, Hooks, One, Part, Parts, Signature, VecStorage};
use ecs::{Bundle, Component};

struct Own;
impl Component for Own {
    type Storage = VecStorage<Self>;
    type Requires = ();
    const NAME: &'static str = "Own";
    const ID: ComponentId = ComponentId::of(None, None, "", "Own", 1, 1);
    const BIT: Signature = Self::ID.bit();
    const HOOKS: Hooks<Self> = engine::Debt::HOOKS;
}
impl Bundle for Own {
    const PARTS: &'static [Part] = &[];
    fn into_parts(self) -> impl Parts { One::new(self) }
}
fn main() {}
