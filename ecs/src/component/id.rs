//! The identity of a component type at compile time: a constant that no two types should share.

use crate::signature::Signature;

/// The identity of a component type as a constant: a 128-bit hash of the place of its declaration.
///
/// One type has one id in every build of a program. Two types with the same id would cause a spurious compile error
/// at worst: soundness does not depend on distinct ids. All instances of a generic type share an id, which then
/// [is not exact](Self::is_exact).
///
/// ```
/// use ecs::{AnyComponent, Component};
///
/// #[derive(Component)]
/// struct Health(u32);
/// #[derive(Component)]
/// struct Armour(u32);
///
/// assert_ne!(Health::ID, Armour::ID);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct ComponentId {
    hash: u128,
    exact: bool,
}

impl ComponentId {
    /// Returns the id of the type that is declared in this place: package, version, module path, name, line and
    /// column.
    #[doc(hidden)]
    #[must_use]
    #[inline]
    pub const fn of(
        package: Option<&str>,
        version: Option<&str>,
        module_path: &str,
        name: &str,
        line: u32,
        column: u32,
    ) -> Self {
        let mut hash = FNV_OFFSET;
        hash = fnv(hash, text(package));
        hash = fnv(hash, text(version));
        hash = fnv(hash, module_path.as_bytes());
        hash = fnv(hash, name.as_bytes());
        hash = fnv(hash, &line.to_le_bytes());
        hash = fnv(hash, &column.to_le_bytes());
        Self { hash, exact: true }
    }

    /// Returns this id for a type of this binary: a package may have a library of the same name, with the same modules.
    #[doc(hidden)]
    #[must_use]
    pub const fn in_binary(self, name: Option<&str>) -> Self {
        match name {
            Some(name) => Self { hash: fnv(self.hash, name.as_bytes()), exact: self.exact },
            None => self,
        }
    }

    /// Returns this id for a type before which `count` types of its name were declared in its crate: some may stand in
    /// the same place, where one macro wrote them.
    #[doc(hidden)]
    #[must_use]
    pub const fn namesake(self, count: u32) -> Self {
        Self { hash: fnv(self.hash, &count.to_le_bytes()), exact: self.exact }
    }

    /// Returns this id for a type that shares it with other types.
    #[doc(hidden)]
    #[must_use]
    pub const fn inexact(self) -> Self {
        Self { hash: self.hash, exact: false }
    }

    /// Returns `true` if only one type has this id, which means that the type is not generic.
    /// ```
    /// # use ecs::{AnyComponent, Component};
    /// #[derive(Component)]
    /// struct Health(u32);
    /// #[derive(Component)]
    /// struct Stock<T>(T);
    ///
    /// assert!(Health::ID.is_exact() && !Stock::<u8>::ID.is_exact());
    /// ```
    #[must_use]
    pub const fn is_exact(self) -> bool {
        self.exact
    }

    /// Returns `true` if both ids have the same hash. Ids of one type do; ids of different types hardly ever do.
    /// ```
    /// # use ecs::{AnyComponent, Component};
    /// #[derive(Component)]
    /// struct Stock<T>(T);
    ///
    /// assert!(Stock::<u8>::ID.same(Stock::<char>::ID)); // which says nothing: it is not exact
    /// ```
    #[must_use]
    pub const fn same(self, other: Self) -> bool {
        self.hash == other.hash
    }

    /// Returns `true` if this id sorts before the other one, in an arbitrary order.
    pub(crate) const fn is_before(self, other: Self) -> bool {
        self.hash < other.hash
    }

    /// Returns the component bit of this id, unless the type pins its own.
    /// ```
    /// # use ecs::{AnyComponent, Component};
    /// #[derive(Component)]
    /// struct Health(u32);
    /// #[derive(Component)]
    /// #[component(bit = 5)]
    /// struct Armour(u32);
    ///
    /// assert_eq!(Health::BIT, Health::ID.bit());
    /// assert_eq!(Armour::BIT.bits().next(), Some(5)); // pinned
    /// ```
    #[must_use]
    #[inline]
    pub const fn bit(self) -> Signature {
        // The upper bits of a multiplicative hash are the better mixed ones.
        Signature::bit((self.hash >> 122) as u32)
    }
}

const FNV_OFFSET: u128 = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d;
const FNV_PRIME: u128 = 0x0000_0000_0100_0000_0000_0000_0000_013b;

/// FNV-1a (Fowler, Noll, Vo) over one field, closed by a byte that UTF-8 never has, so that
/// `("ab", "c")` and `("a", "bc")` differ.
const fn fnv(mut hash: u128, bytes: &[u8]) -> u128 {
    let mut at = 0;
    while at < bytes.len() {
        hash = (hash ^ bytes[at] as u128).wrapping_mul(FNV_PRIME);
        at += 1;
    }
    (hash ^ 0xff).wrapping_mul(FNV_PRIME)
}

const fn text(text: Option<&str>) -> &[u8] {
    match text {
        Some(text) => text.as_bytes(),
        None => &[],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn id(module: &str, name: &str, line: u32) -> ComponentId {
        ComponentId::of(Some("p"), Some("1.0.0"), module, name, line, 1)
    }

    #[test]
    fn every_field_counts() {
        let ids = [
            id("a", "b", 1),
            id("ab", "", 1),
            id("a", "b", 2),
            ComponentId::of(None, None, "a", "b", 1, 1),
            ComponentId::of(Some("p"), Some("1.0.1"), "a", "b", 1, 1),
            ComponentId::of(Some("p"), Some("1.0.0"), "a", "b", 1, 2),
            id("a", "b", 1).in_binary(Some("p")),
            id("a", "b", 1).namesake(1),
            id("a", "b", 1).namesake(2),
        ];
        for (at, a) in ids.iter().enumerate() {
            assert!(ids[..at].iter().all(|b| !a.same(*b)));
        }
        assert!(id("a", "b", 1).same(id("a", "b", 1).inexact()));
        assert!(!id("a", "b", 1).inexact().is_exact());
    }

    #[test]
    fn bits_spread_over_similar_names() {
        let mut bits = Signature::EMPTY;
        for line in 0..64 {
            bits = bits.union(id("game::parts", "Part", line).bit());
        }
        assert!(bits.bits().count() > 32, "64 neighbours share too few bits: {bits:?}");
    }
}
