#[derive(ecs::Component)]
pub struct Local(pub u32);
