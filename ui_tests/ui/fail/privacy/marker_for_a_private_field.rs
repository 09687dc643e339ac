use ecs::__private::{Column, Target};
use engine::Account;

struct Balance;

impl Target for Balance {
    type Projection = Column<Account, Self>;
    const NAME: &'static str = "balance";
}

fn main() {}
