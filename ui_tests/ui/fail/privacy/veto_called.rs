use ecs::AnyComponent;
use engine::Account;

fn main() {
    let mut world = ecs::World::new();
    let entity = world.spawn(Account::new(7)).id();
    Account::permits_removal(world.get_mut(entity).unwrap());
}
