use ecs::__private::InColumns;
use engine::{Account, AccountMut};

fn main() {
    let _: AccountMut = Account::shown_mut((&mut 1_000_000, &mut 7));
}
