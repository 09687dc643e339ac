use ecs::{Component, Entity, World};

#[derive(Component)]
struct Health(u32);
#[derive(Component)]
struct Armour(u32);

fn show(world: &World, hero: Entity) {
    world.get::<(Health, Armour)>(hero).unwrap();
}

fn main() {}
