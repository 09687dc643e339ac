use ecs::{Component, Query, World};

macro_rules! stored_in_columns {
    ($name:ident, $module:ident { $($field:ident: $ty:ty),* }) => {
        #[derive(Component, Clone)]
        #[component(layout = "soa", fields = $module)]
        struct $name { $($field: $ty),* }
    };
}

stored_in_columns!(Health, life { points: u32, shield: u32 });

fn inside() -> u32 {
    #[derive(Component)]
    #[component(layout = "soa")]
    struct Proximity { distance: u32, pub angle: u32 }

    #[derive(Query)]
    struct Near<'w>(#[query(column = proximity::distance)] &'w u32, ProximityRef<'w>);

    let mut world = World::new();
    world.spawn(Proximity { distance: 2, angle: 3 });
    let Near(distance, whole) = world.view::<Near>().single().unwrap();
    distance + whole.angle
}

pub(super) fn main() {
    let mut world = World::new();
    world.spawn(Health { points: 1, shield: 2 });
    world.view_mut::<(&mut life::points, &life::shield)>().for_each(|(_, it, by)| *it += by);
    assert_eq!(*world.view::<Health>().single().unwrap().1.points, 3);
    assert_eq!(inside(), 5);
}
