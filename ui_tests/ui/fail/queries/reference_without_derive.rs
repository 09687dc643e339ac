use ecs::World;

struct Mana(u32);

fn main() {
    World::new().view_mut::<&mut Mana>();
}
