use ecs::__private::InColumns;
use engine::Account;

fn main() {
    let _: Account = InColumns::put_together((1_000_000, 7));
}
