use ecs::{Component, Entity, EntityRef, Has, PoolRef, Signature, With, Without, World};

#[derive(Component)]
struct Health(u32);
struct NotClone;

fn copies<T: Copy>() {}
fn is_shared<T: Send + Sync>() {}

pub(super) fn main() {
    copies::<Entity>();
    copies::<EntityRef<'_>>();
    copies::<PoolRef<'_, Health>>();
    copies::<Signature>();
    copies::<(Has<Health>, With<Health>, Without<NotClone>)>();
    is_shared::<World>();
    is_shared::<EntityRef<'_>>();
    is_shared::<ecs::EntityMut<'_>>();
    is_shared::<ecs::View<'_, (&mut Health, Option<&Health>)>>();
    is_shared::<ecs::iter::Items<'_, &mut Health>>();
    is_shared::<ecs::PoolMut<'_, Health>>();
    let _ = Health(0).0;
}
