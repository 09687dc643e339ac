use ecs::__private::InColumns;
use engine::{Account, AccountSlicesMut};

fn main() {
    let _: AccountSlicesMut = Account::shown_mut_slices((&mut [1_000_000], &mut [7]));
}
