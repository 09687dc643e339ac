//! The bounds of addresses through which unsafe code reads, for builds that check them.

/// Asserts a condition on which unsafe code relies, in checked builds: those with debug assertions, and those with
/// `--cfg ecs_checked`, which are optimised as well.
macro_rules! check {
    ($($condition:tt)+) => {
        if cfg!(any(debug_assertions, ecs_checked)) {
            assert!($($condition)+);
        }
    };
}
pub(crate) use check;

/// Returns an index, which must be below a length, in a form that an array of this length needs not test: it wraps
/// beyond. Panics in a checked build if it is not below the length.
///
/// This is a macro because the compiler does not always see through a function that the index is masked already.
macro_rules! masked {
    ($index:expr, $len:expr) => {{
        let index = $index;
        $crate::extent::check!(index < $len, "an index is out of bounds");
        index % $len
    }};
}
pub(crate) use masked;

/// The number of items around an address. Has a size in checked builds only.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub struct Extent {
    /// The number of items before the address; below zero, it wraps.
    #[cfg(any(debug_assertions, ecs_checked))]
    before: usize,
    /// The number of all items.
    #[cfg(any(debug_assertions, ecs_checked))]
    len: usize,
}

#[cfg_attr(
    not(any(debug_assertions, ecs_checked)),
    expect(
        unused_variables,
        clippy::unused_self,
        reason = "without checks there is nothing to compare"
    )
)]
impl Extent {
    /// Returns the extent of the address of the first of `len` items.
    #[inline(always)]
    pub(crate) const fn new(len: usize) -> Self {
        Self {
            #[cfg(any(debug_assertions, ecs_checked))]
            before: 0,
            #[cfg(any(debug_assertions, ecs_checked))]
            len,
        }
    }

    /// Returns the extent of an address behind some more items. Wraps like the address.
    #[inline(always)]
    pub(crate) const fn skip(self, items: usize) -> Self {
        Self {
            #[cfg(any(debug_assertions, ecs_checked))]
            before: self.before.wrapping_add(items),
            ..self
        }
    }

    /// Checks that there are `count` items from `at` on.
    ///
    /// # Panics
    /// Panics in a checked build if there are fewer.
    #[inline(always)]
    #[track_caller]
    pub(crate) const fn check(self, at: usize, count: usize) {
        #[cfg(any(debug_assertions, ecs_checked))]
        {
            let first = self.before.wrapping_add(at);
            let is_inside = first <= self.len && count <= self.len - first;
            assert!(is_inside, "a read through an address is out of bounds");
        }
    }
}

#[cfg(any(debug_assertions, ecs_checked))]
#[cfg(test)]
mod tests {
    #[test]
    fn an_index_beyond_the_length_is_refused() {
        let wrapped = |index: usize| masked!(index, 4);
        assert_eq!(wrapped(3), 3);
        assert!(std::panic::catch_unwind(|| wrapped(4)).is_err());
    }
}
