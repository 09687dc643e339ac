use ecs::Bundle;
use engine::{Account, Customer};

fn main() {
    let _: (Account,) = Customer::new(7).into_parts();
}
