use ecs::{Query, World};

mod sea {
    #[derive(ecs::Component)]
    pub struct Position(pub f32);
}
mod air {
    #[derive(ecs::Component)]
    pub struct Position(pub f32);
}

#[derive(Query)]
struct Both<'w> {
    sea: &'w mut sea::Position,
    air: &'w air::Position,
}

pub(super) fn main() {
    let mut world = World::new();
    world.spawn_empty().insert((sea::Position(1.0), air::Position(2.0)));
    world.view_mut::<Both>().for_each(|both| both.sea.0 += both.air.0);
    world.view_mut::<(&sea::Position, &mut air::Position)>().for_each(|(_, _, air)| air.0 = 0.0);
    assert_eq!(world.view::<sea::Position>().single().unwrap().1.0, 3.0);
}
