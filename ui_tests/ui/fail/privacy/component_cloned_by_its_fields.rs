use engine::Account;

fn main() {
    let mut world = ecs::World::new();
    let entity = world.spawn(Account::new(7)).id();
    world.get::<Account>(entity).unwrap().to_owned();
}
