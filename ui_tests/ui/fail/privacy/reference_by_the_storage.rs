use ecs::Storage;
use engine::{Account, AccountRef};

fn show<'a, S: Storage<Account, Ref<'a> = AccountRef<'a>>>() -> AccountRef<'a> {
    S::shown((&1_000_000, &7))
}

fn main() {
    show::<ecs::__private::Columns<Account>>();
}
