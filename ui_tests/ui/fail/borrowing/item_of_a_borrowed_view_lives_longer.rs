use ecs::{Component, Entity, View};

#[derive(Component)]
struct Health(u32);

fn longer<'w>(view: &mut View<'w, &'static mut Health>, entity: Entity) -> &'w mut Health {
    view.get_mut(entity).unwrap().1
}

fn main() {}
