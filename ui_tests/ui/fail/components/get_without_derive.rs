use ecs::{Component, Entity, World};

#[derive(Component)]
struct Position(f32);
struct Mana(u32);

fn drain(world: &mut World, wizard: Entity) {
    world.get_mut::<Mana>(wizard);
}

fn main() {}
