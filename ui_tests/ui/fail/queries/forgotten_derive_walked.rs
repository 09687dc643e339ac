use ecs::World;

struct Mana(u32);

fn main() {
    for (_, mana) in World::new().view::<&Mana>() {
        println!("{}", mana.0);
    }
}
