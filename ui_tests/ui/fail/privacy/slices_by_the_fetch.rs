use ecs::__private::{Fetch, Read};
use engine::{Account, AccountSlices};

fn main() {
    let _: AccountSlices = Read::<Account>::chunk((&[1_000_000], &[7]));
}
