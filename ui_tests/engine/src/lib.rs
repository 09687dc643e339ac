//! A crate between `ecs` and its user. It knows the library as `renamed_ecs`, re-exports it as
//! `ecs`, and has components, queries, views and bundles of its own, some with private fields.
#![deny(missing_docs)]

pub use renamed_ecs as ecs;

use renamed_ecs::{Bundle, Component, Entity, Query, View, Views, World};

/// Has a namesake in the crates that use this one.
#[derive(Component, Clone, Copy, Debug, Default, PartialEq)]
#[ecs(crate = renamed_ecs)]
pub struct Position(pub f32);

/// Reads the engine's [`Position`].
#[derive(Query)]
#[ecs(crate = renamed_ecs)]
pub struct Placed<'w> {
    /// Where.
    pub position: &'w Position,
}

/// Gives an entity the engine's [`Position`].
#[derive(Bundle, Default)]
#[ecs(crate = renamed_ecs)]
pub struct Placement {
    /// Where.
    pub position: Position,
}

/// Money, of which others know the owner only. It is never made out of nothing: no `Clone`.
#[derive(Component)]
#[component(layout = "soa", veto = Account::may_close)]
#[ecs(crate = renamed_ecs)]
pub struct Account {
    balance: u64,
    /// Whose it is.
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
    /// How much there is.
    #[must_use]
    pub const fn balance(self) -> u64 {
        *self.balance
    }
}

/// Has one column, and that is private.
#[derive(Component)]
#[component(layout = "soa")]
#[ecs(crate = renamed_ecs)]
pub struct Seal {
    code: u32,
}

impl Seal {
    /// Unbroken.
    #[must_use]
    pub const fn new() -> Self {
        Self { code: 7 }
    }

    /// Returns `true` if nobody broke it.
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
#[ecs(crate = renamed_ecs)]
pub struct Audit<'w> {
    account: AccountRef<'w>,
}

impl Audit<'_> {
    /// How much there is.
    #[must_use]
    pub const fn balance(&self) -> u64 {
        self.account.balance()
    }
}

/// All accounts, for the engine to change.
#[derive(Views)]
#[ecs(crate = renamed_ecs)]
pub struct Books<'w> {
    accounts: View<'w, AccountMut<'w>>,
}

impl Books<'_> {
    /// Gives everybody this much.
    pub fn pay(&mut self, amount: u64) {
        for (_, account) in &mut self.accounts {
            *account.balance += amount;
        }
    }
}

/// Gives an entity a new account.
#[derive(Bundle)]
#[ecs(crate = renamed_ecs)]
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

/// Says that an entity was paid: only a [`Debt`] that ends gives one.
#[derive(Component)]
#[ecs(crate = renamed_ecs)]
pub struct Receipt(());

/// Who is owed. What it requires, what its hook does, and what its end calls is nobody else's.
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
