//! Disjoint accesses: columns beside each other, and the whole component beside read columns.

use ecs::{Component, Query, View, Views, World};

#[derive(Component, Clone)]
#[component(layout = "soa")]
struct Proximity { distance: f32, angle: f32, occlusion: f32 }

#[derive(Query)]
struct Turn<'w> {
    #[query(column = proximity::distance)]
    distance: &'w mut f32,
    #[query(column = proximity::angle)]
    angle: Option<&'w mut f32>,
    nested: Seen<'w>,
}

#[derive(Query)]
struct Seen<'w>(#[query(column = proximity::occlusion)] &'w f32);

#[derive(Query)]
struct Read<'w>(ProximityRef<'w>, #[query(column = proximity::angle)] &'w f32);

#[derive(Views)]
struct Both<'w> {
    distances: View<'w, &'w mut proximity::distance>,
    angles: View<'w, (&'w mut proximity::angle, &'w proximity::occlusion)>,
}

ecs::check_query!((&mut proximity::distance, &mut proximity::angle, proximity::occlusion));

pub(super) fn main() {
    let mut world = World::new();
    let entity = world.spawn(Proximity { distance: 1.0, angle: 2.0, occlusion: 3.0 }).id();
    for turn in world.view_mut::<Turn>() {
        *turn.distance += *turn.angle.unwrap() * turn.nested.0;
    }
    let Both { distances, mut angles } = world.split_mut::<Both>();
    for (entity, distance) in distances {
        *angles.get_mut(entity).unwrap().1 = *distance;
    }
    let Read(whole, angle) = world.view::<Read>().single().unwrap();
    assert_eq!((*whole.distance, *angle), (7.0, 7.0));
    let (a, b) = world.split_mut::<(&mut proximity::distance, (&proximity::angle, &proximity::occlusion))>();
    assert_eq!((a.count(), b.count()), (1, 1));
    assert_eq!(world.view::<(Proximity, proximity::angle)>().get(entity).unwrap().2, &7.0);
}
