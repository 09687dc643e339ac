use ecs::__private::InColumns;
use engine::{Account, AccountSlices};

fn main() {
    let _: AccountSlices = Account::shown_slices((&[1_000_000], &[7]));
}
