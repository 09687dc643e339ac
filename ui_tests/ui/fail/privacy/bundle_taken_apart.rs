use ecs::__private::Contents;
use engine::{Account, Customer};

fn main() {
    let _: (Account,) = Customer::into_parts(Customer::new(7));
}
