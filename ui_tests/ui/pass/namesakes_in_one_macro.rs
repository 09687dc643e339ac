use ecs::World;

macro_rules! modules {
    ($($module:ident)+) => {
        $(mod $module {
            #[derive(ecs::Component)]
            pub struct Position(pub f32);
        })+
    };
}
modules! { sea air }

pub(super) fn main() {
    let mut world = World::new();
    world.spawn_empty().insert((sea::Position(1.0), air::Position(2.0)));
    for (_, sea, air) in world.view_mut::<(&mut sea::Position, &mut air::Position)>() {
        std::mem::swap(&mut sea.0, &mut air.0);
    }
    assert_eq!(world.view::<sea::Position>().single().unwrap().1.0, 2.0);
}
