use ecs::World;
use engine::{Account, Audit, Books, Customer, Seal};

ecs_ui_tests::component_around!(Own, Seal);

pub(super) fn main() {
    let mut world = World::new();
    let customer = world.spawn(Customer::new(7)).id();
    world.split_mut::<Books>().pay(3);
    assert_eq!(world.view::<Audit>().single().unwrap().balance(), 3);
    assert!(world.remove::<Account>(customer).is_none() && world.despawn(customer).is_err());
    for (_, owner) in world.view_mut::<&mut engine::account::owner>() {
        *owner += 1;
    }
    let account = world.get::<Account>(customer).unwrap();
    assert_eq!((*account.owner, account.balance()), (8, 3));

    world.insert(customer, Own(Seal::new())).unwrap();
    for (_, _seal) in world.view_mut::<&mut Own>() {}
    let Own(seal) = world.remove::<Own>(customer).unwrap();
    assert!(seal.is_whole());
    let _: Option<OwnColumn<()>> = None;
}
