use ecs::__private::{InColumns, Internal};
use engine::Account;

fn main() {
    Account::put_together(Internal::CALL, (1_000_000, 7));
}
