use ecs::World;
use ecs::__private::*;

struct Own(u32);
impl AnyComponent for Own {
    type Storage = VecStorage<Self>;
    type Requires = ();
    const NAME: &'static str = "Own";
    const ID: ComponentId = ComponentId::of(None, None, "", "Own", 1, 1);
    const BIT: Signature = Self::ID.bit();
}
impl Lists<Own, InBundles> for Registry { type This = Own; }
impl Contents<Self> for Own {
    const PARTS: &'static [Part] = &[];
    fn into_parts(this: Self) -> impl Parts { One::new(this) }
}
pub(super) fn main() {
    World::new().spawn((Own(1), Own(2)));
}
