mod prelude {
    pub(crate) use ecs as library;
}

use ecs::{Component, World};

#[derive(Component)]
#[ecs(crate = crate::crate_behind_a_module::prelude::library)]
struct Health(u32);

mod inner {
    #[derive(ecs::Component)]
    #[ecs(crate = super::prelude::library)]
    pub struct Armour(pub u32);
}

pub(super) fn main() {
    let mut world = World::new();
    world.spawn_empty().insert((Health(3), inner::Armour(4)));
    let (_, health, armour) = world.view::<(Health, inner::Armour)>().single().unwrap();
    assert_eq!(health.0 + armour.0, 7);
}
