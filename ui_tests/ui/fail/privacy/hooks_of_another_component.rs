use ecs::AnyComponent;
use ecs::__private::{ComponentId, Contents, Hooks, InBundles, Lists, Signature, VecStorage};
use ecs::__private::{One, Part, Parts, Registry};

struct Own;
impl AnyComponent for Own {
    type Storage = VecStorage<Self>;
    type Requires = ();
    const NAME: &'static str = "Own";
    const ID: ComponentId = ComponentId::of(None, None, "", "Own", 1, 1);
    const BIT: Signature = Self::ID.bit();
    const HOOKS: Hooks<Self> = engine::Debt::HOOKS;
}
impl Lists<Own, InBundles> for Registry { type This = Own; }
impl Contents<Self> for Own {
    const PARTS: &'static [Part] = &[];
    fn into_parts(this: Self) -> impl Parts { One::new(this) }
}
fn main() {}
