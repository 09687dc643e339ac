use ecs::World;

struct Mana(u32);

fn main() {
    let mut world = World::new();
    let hero = world.spawn(Mana(3)).id();
    println!("{}", world.get::<Mana>(hero).unwrap().0);
}
