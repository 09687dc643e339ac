use ecs::{Component, Entity, View};

#[derive(Component)]
struct Health(u32);

fn broken(mut view: View<'_, &mut Health>, entity: Entity) -> u32 {
    let (_, health) = view.get_mut(entity).unwrap();
    drop(view);
    health.0
}

fn main() {}
