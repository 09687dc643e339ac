//! Sets of component types, by their numbers in the process.

use core::fmt;

/// A number that no component type has: in an entity's set of components it is the mark of relation targets (E4).
pub(crate) const MARK: u32 = 0;

/// A set of component types: one bit for each of the numbers 1 to 254, and one bit for all greater ones. The bit of the
/// number 0 is the [mark](MARK) of relation targets.
///
/// The set is exact in processes with up to 254 component types. In others it may be a superset: code that needs an
/// exact set checks again if it [is coarse](Self::is_coarse).
#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub struct ComponentSet([u64; Self::WORDS]);

impl ComponentSet {
    pub(crate) const WORDS: usize = 4;
    pub(crate) const EMPTY: Self = Self([0; Self::WORDS]);
    pub(crate) const ALL: Self = Self([u64::MAX; Self::WORDS]);
    /// The mark of relation targets.
    pub(crate) const MARKED: Self = Self::of(MARK);
    /// The number that stands for all greater numbers as well.
    const LAST: u32 = 255;

    /// Returns the place of a number: a word, and a bit in it.
    #[inline(always)]
    pub(crate) const fn place(number: u32) -> (usize, u64) {
        let bit = if number < Self::LAST { number } else { Self::LAST };
        ((bit / 64) as usize, 1 << (bit % 64))
    }

    /// Returns the set with these words.
    #[inline(always)]
    pub(crate) const fn of_words(words: [u64; Self::WORDS]) -> Self {
        Self(words)
    }

    /// Returns the set of one number.
    #[inline]
    pub(crate) const fn of(number: u32) -> Self {
        let (word, bit) = Self::place(number);
        let mut words = [0; Self::WORDS];
        words[word] = bit;
        Self(words)
    }

    /// Returns the words, with the lowest numbers first.
    #[inline(always)]
    pub(crate) const fn words(self) -> [u64; Self::WORDS] {
        self.0
    }

    #[inline(always)]
    pub(crate) fn insert(&mut self, number: u32) {
        let (word, bit) = Self::place(number);
        self.0[word % Self::WORDS] |= bit;
    }

    #[inline(always)]
    pub(crate) const fn contains(&self, number: u32) -> bool {
        let (word, bit) = Self::place(number);
        self.0[word % Self::WORDS] & bit != 0
    }

    #[inline]
    pub(crate) fn union(self, other: Self) -> Self {
        let (a, b) = (self.0, other.0);
        Self([a[0] | b[0], a[1] | b[1], a[2] | b[2], a[3] | b[3]])
    }

    #[inline]
    pub(crate) fn difference(self, other: Self) -> Self {
        let (a, b) = (self.0, other.0);
        Self([a[0] & !b[0], a[1] & !b[1], a[2] & !b[2], a[3] & !b[3]])
    }

    #[inline]
    pub(crate) fn intersection(self, other: Self) -> Self {
        let (a, b) = (self.0, other.0);
        Self([a[0] & b[0], a[1] & b[1], a[2] & b[2], a[3] & b[3]])
    }

    /// Returns `true` if the set contains all of `other`.
    #[inline]
    pub(crate) fn includes(&self, other: &Self) -> bool {
        other.difference(*self).is_empty()
    }

    #[inline]
    pub(crate) fn intersects(&self, other: &Self) -> bool {
        let (a, b) = (self.0, other.0);
        a[0] & b[0] | a[1] & b[1] | a[2] & b[2] | a[3] & b[3] != 0
    }

    #[inline]
    pub(crate) fn is_empty(&self) -> bool {
        let [a, b, c, d] = self.0;
        a | b | c | d == 0
    }

    /// Returns `true` if both sets are equal. In contrast to `==`, needs neither set in memory.
    #[inline(always)]
    pub(crate) fn is_same(&self, other: &Self) -> bool {
        let (a, b) = (self.0, other.0);
        (a[0] ^ b[0]) | (a[1] ^ b[1]) | (a[2] ^ b[2]) | (a[3] ^ b[3]) == 0
    }

    /// Returns `true` if relations may point to an entity with this set.
    #[inline]
    pub(crate) const fn is_marked(&self) -> bool {
        self.contains(MARK)
    }

    /// Returns `true` if other numbers have the bit of this one.
    #[inline]
    pub(crate) const fn is_shared(number: u32) -> bool {
        number >= Self::LAST
    }

    /// Returns `true` if the set may be a superset: its greatest number stands for others, too.
    #[inline]
    pub(crate) fn is_coarse(&self) -> bool {
        self.contains(Self::LAST)
    }

    /// Returns the numbers in ascending order. The number 255 stands for itself and all greater ones.
    #[inline]
    pub(crate) fn numbers(self) -> impl Iterator<Item = u32> {
        let (mut words, mut first) = (self.0, 0_u32);
        core::iter::from_fn(move || {
            loop {
                let bits = words.get_mut(first as usize / 64)?;
                if *bits != 0 {
                    let number = first + bits.trailing_zeros();
                    *bits &= *bits - 1;
                    return Some(number);
                }
                first += 64;
            }
        })
    }
}

impl FromIterator<u32> for ComponentSet {
    fn from_iter<I: IntoIterator<Item = u32>>(numbers: I) -> Self {
        let mut set = Self::EMPTY;
        numbers.into_iter().for_each(|number| set.insert(number));
        set
    }
}

impl fmt::Debug for ComponentSet {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.numbers()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn set_operations() {
        let set = |numbers: &[u32]| numbers.iter().copied().collect::<ComponentSet>();
        let (a, b) = (set(&[0, 63, 64]), set(&[254, 7]));
        let both = a.union(b);
        assert!(both.includes(&a) && both.includes(&b) && both.includes(&ComponentSet::EMPTY));
        assert!(!a.includes(&both) && both.intersects(&a) && !a.intersects(&b));
        assert_eq!((both.difference(a), both.difference(both).is_empty()), (b, true));
        assert_eq!((both.intersection(a), a.intersection(b).is_empty()), (a, true));
        assert_eq!(both.numbers().collect::<Vec<_>>(), [0, 7, 63, 64, 254]);
        assert!(a.contains(64) && !a.contains(65) && a == ComponentSet::of_words(a.words()));
        assert_eq!(format!("{a:?}"), "{0, 63, 64}");
        assert_eq!(ComponentSet::of(70), set(&[70]));
    }

    #[test]
    fn numbers_without_a_bit_of_their_own_share_one() {
        assert!(!ComponentSet::of(254).is_coarse());
        for number in [255, 256, 10_000] {
            let set = ComponentSet::of(number);
            assert!(set.is_coarse() && set.contains(number) && set.contains(300));
            assert_eq!(set.numbers().collect::<Vec<_>>(), [255]);
        }
    }
}
