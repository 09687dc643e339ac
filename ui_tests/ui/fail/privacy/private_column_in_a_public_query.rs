//! Else another crate would find the column in the parts of the query.

pub mod bank {
    use ecs::{Component, Query};

    #[derive(Component)]
    #[component(layout = "soa")]
    pub struct Account { balance: u64, pub owner: u32 }

    #[derive(Query)]
    pub struct Deposit<'w>(#[query(column = account::balance)] &'w mut u64);
}

fn main() {}
