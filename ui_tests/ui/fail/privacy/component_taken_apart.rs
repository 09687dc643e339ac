use ecs::__private::InColumns;
use engine::Account;

fn main() {
    let (_balance, _owner) = Account::new(7).take_apart();
}
