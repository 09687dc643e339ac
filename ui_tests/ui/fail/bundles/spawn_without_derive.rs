use ecs::World;

struct Mana(u32);

fn main() {
    World::new().spawn(Mana(3));
}
