use ecs::__private::{ColumnAt, Here, InColumns, Left};
use engine::Account;

struct Balance;
impl ColumnAt for <Account as InColumns>::Column<Balance> {
    type Path = Left<Here>;
}

fn main() {}
