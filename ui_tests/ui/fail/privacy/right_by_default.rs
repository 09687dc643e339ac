use ecs::__private::InColumns;
use engine::Account;

fn main() {
    Account::put_together(Default::default(), (1_000_000, 7));
}
