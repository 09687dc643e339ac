use ecs::{Bundle, Component, Entity, Query, World};

macro_rules! component {
    ($visibility:vis $name:ident($inner:ty)) => {
        #[derive(Component)]
        $visibility struct $name($visibility $inner);
    };
}
component!(pub Health(u32));
component!(Armour(Vec<u8>));

macro_rules! query {
    ($name:ident<$life:lifetime> { $($field:ident: $ty:ty),* }, without $($gone:path)?) => {
        #[derive(Query)]
        #[query(without($($gone)?))]
        struct $name<$life> {
            entity: Entity,
            $($field: $ty,)*
            fixed: &$life Armour,
        }
    };
}
query!(Living<'a> { health: &'a mut Health, maybe: Option<&'a Tag> }, without Dead);

macro_rules! bundle {
    ($name:ident = $($field:ident: $ty:ident)+) => {
        #[derive(Bundle)]
        struct $name { $($field: $ty),+ }
    };
}
bundle!(Hero = health: Health armour: Armour);

macro_rules! tags {
    ($($name:ident)+) => { $(#[derive(Component)] struct $name;)+ };
}
tags! { Tag Dead }

macro_rules! count {
    ($world:ident, $query:ty) => { $world.view_mut::<$query>().count() };
}

pub(super) fn main() {
    let mut world = World::new();
    world.spawn_empty().insert((Tag, Hero { health: Health(3), armour: Armour(vec![4]) }));
    world.spawn_empty().insert((Dead, Hero { health: Health(0), armour: Armour(vec![]) }));
    assert_eq!(count!(world, Living), 1);
    for living in world.view_mut::<Living>() {
        assert!(living.maybe.is_some() && living.entity.index() == 0);
        living.health.0 += u32::from(living.fixed.0[0]);
    }
    assert_eq!(count!(world, (&mut Health, &Armour, Option<&Tag>)), 2);
}
