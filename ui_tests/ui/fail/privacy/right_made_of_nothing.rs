use ecs::__private::{InColumns, Internal};
use engine::Account;

fn main() {
    Account::put_together(Internal(std::marker::PhantomData), (1_000_000, 7));
}
