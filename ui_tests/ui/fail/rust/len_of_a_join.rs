use ecs::{Component, World};

#[derive(Component)]
struct Health(u32);
#[derive(Component)]
struct Armour(u32);

fn main() {
    World::new().view::<(&Health, &Armour)>().len();
}
