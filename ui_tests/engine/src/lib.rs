//! A crate between `ecs` and its user. It knows the library as `renamed_ecs`, re-exports it as
//! `ecs`, and has components, queries, views and bundles of its own, some with private fields. Its derives find the
//! library by the manifest.
#![deny(missing_docs)]

pub use renamed_ecs as ecs;

use renamed_ecs::{Bundle, Component, Entity, Query, View, Views, World};

/// Has a namesake in the crates that use this one.
#[derive(Component, Clone, Copy, Debug, Default, PartialEq)]
pub struct Position(pub f32);

/// Reads the engine's [`Position`].
#[derive(Query)]
pub struct Placed<'w> {
    /// The position.
    pub position: &'w Position,
}

/// A bundle with the engine's [`Position`].
#[derive(Bundle, Default)]
pub struct Placement {
    /// The position.
    pub position: Position,
}

/// Money; other crates can read its owner only. It is never made out of nothing: no `Clone`.
#[derive(Component)]
#[component(layout = "soa", veto = Account::may_close)]
pub struct Account {
    balance: u64,
    /// The owner.
    pub owner: u32,
}

impl Account {
    /// An account without money.
    #[must_use]
    pub const fn new(owner: u32) -> Self {
        Self { balance: 0, owner }
    }

    fn may_close(AccountMut { balance, .. }: AccountMut<'_>) -> bool {
        *balance == 0
    }
}

impl AccountRef<'_> {
    /// Returns the amount.
    #[must_use]
    pub const fn balance(self) -> u64 {
        *self.balance
    }
}

/// Has one column, and that is private.
#[derive(Component)]
#[component(layout = "soa")]
pub struct Seal {
    code: u32,
}

impl Seal {
    /// Unbroken.
    #[must_use]
    pub const fn new() -> Self {
        Self { code: 7 }
    }

    /// Returns `true` if it is intact.
    #[must_use]
    pub const fn is_whole(&self) -> bool {
        self.code == 7
    }
}

impl Default for Seal {
    fn default() -> Self {
        Self::new()
    }
}

/// An account, as the engine found it.
#[derive(Query)]
pub struct Audit<'w> {
    account: AccountRef<'w>,
}

impl Audit<'_> {
    /// Returns the amount.
    #[must_use]
    pub const fn balance(&self) -> u64 {
        self.account.balance()
    }
}

/// All accounts, for the engine to change.
#[derive(Views)]
pub struct Books<'w> {
    accounts: View<'w, AccountMut<'w>>,
}

impl Books<'_> {
    /// Pays this amount to all.
    pub fn pay(&mut self, amount: u64) {
        for (_, account) in &mut self.accounts {
            *account.balance += amount;
        }
    }
}

/// A bundle with a new account.
#[derive(Bundle)]
pub struct Customer {
    account: Account,
}

impl Customer {
    /// With this number.
    #[must_use]
    pub const fn new(number: u32) -> Self {
        Self { account: Account::new(number) }
    }
}

/// A mark of a paid entity: only the end of a [`Debt`] inserts one.
#[derive(Component)]
pub struct Receipt(());

/// A debt to an entity. Its required component, its hook and the function at its end are private.
#[derive(Component)]
#[component(relation, requires(Receipt = Self::none()), on_remove = Self::pay, at_end = Self::forgive)]
#[ecs(crate = renamed_ecs)]
pub struct Debt(pub Entity);

impl Debt {
    const fn none() -> Receipt {
        Receipt(())
    }

    fn pay(world: &mut World, entity: Entity) {
        _ = world.insert(entity, Receipt(()));
    }

    fn forgive(world: &mut World, entity: Entity, _: Self) {
        Self::pay(world, entity);
    }
}
