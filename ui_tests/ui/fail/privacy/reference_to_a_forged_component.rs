use ecs::__private::InColumns;
use engine::Account;

fn main() {
    assert_eq!(Account::shown((&1_000_000, &7)).balance(), 1_000_000);
}
