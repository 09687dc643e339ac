use ecs::__private::StructQuery;
use engine::{Account, Audit};

fn main() {
    let mut world = ecs::World::new();
    let entity = world.spawn(Account::new(7)).id();
    let account = world.get::<Account>(entity).unwrap();
    let _: Audit = Audit::build((account,));
}
