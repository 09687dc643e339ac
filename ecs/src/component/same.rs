//! Equality of values to the last bit, as far as it can be found without writing them.

use crate::entity::Entity;
use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;

/// A comparison of two values. If it returns `true`, their saved bytes are equal, too; it may return `false` for any
/// values.
#[doc(hidden)]
pub trait Same {
    fn same(&self, other: &Self) -> bool;
}

macro_rules! same_by_eq {
    ($($name:ty),+) => {
        $(impl Same for $name {
            #[inline]
            fn same(&self, other: &Self) -> bool {
                self == other
            }
        })+
    };
}
same_by_eq!(
    (),
    bool,
    char,
    u8,
    u16,
    u32,
    u64,
    u128,
    usize,
    i8,
    i16,
    i32,
    i64,
    i128,
    isize,
    String,
    Entity
);

macro_rules! same_by_bits {
    ($($name:ty),+) => {
        $(impl Same for $name {
            /// Compares the bits: zeros differ by their sign, and a NaN is the same as itself.
            #[inline]
            fn same(&self, other: &Self) -> bool {
                self.to_bits() == other.to_bits()
            }
        })+
    };
}
same_by_bits!(f32, f64);

impl<T: Same> Same for [T] {
    fn same(&self, other: &Self) -> bool {
        self.len() == other.len() && self.iter().zip(other).all(|(a, b)| a.same(b))
    }
}

impl<T: Same, const LEN: usize> Same for [T; LEN] {
    /// Compares without branches, because most arrays are short.
    #[inline]
    fn same(&self, other: &Self) -> bool {
        self.iter().zip(other).fold(true, |same, (a, b)| same & a.same(b))
    }
}

impl<T: Same> Same for Vec<T> {
    fn same(&self, other: &Self) -> bool {
        self.as_slice().same(other.as_slice())
    }
}

impl<T: Same> Same for Option<T> {
    #[inline]
    fn same(&self, other: &Self) -> bool {
        match (self, other) {
            (Some(a), Some(b)) => a.same(b),
            (None, None) => true,
            _ => false,
        }
    }
}

impl<T: Same + ?Sized> Same for Box<T> {
    fn same(&self, other: &Self) -> bool {
        (**self).same(other)
    }
}

impl<A: Same, B: Same> Same for (A, B) {
    #[inline]
    fn same(&self, other: &Self) -> bool {
        self.0.same(&other.0) && self.1.same(&other.1)
    }
}

/// A field of two values. It has two methods of one name that compare it, and the compiler prefers the first. No
/// trait of a user has that name, because such a trait might be implemented for all types.
#[doc(hidden)]
#[derive(Debug)]
pub struct FieldOfTwo<'a, T>(pub &'a T, pub &'a T);

impl<T: Same> FieldOfTwo<'_, T> {
    #[inline]
    #[must_use]
    pub fn __ecs_same(&self) -> bool {
        self.0.same(self.1)
    }
}

/// The comparison of fields without [`Same`]: it always returns `false`.
#[doc(hidden)]
pub trait UnknownField {
    fn __ecs_same(&self) -> bool {
        false
    }
}
impl<T> UnknownField for FieldOfTwo<'_, T> {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_values_have_equal_bits() {
        assert!(f32::NAN.same(&f32::NAN) && !0.0_f64.same(&-0.0));
        assert!([Some(1_u8), None].same(&[Some(1), None]) && !Some(1).same(&None::<i32>));
        assert!(Vec::from(["a"; 2].map(String::from)).same(&Vec::from(["a"; 2].map(String::from))));
        assert!(
            !Vec::from([1, 2]).same(&Vec::from([1]))
                && !Box::new((1, 'a')).same(&Box::new((1, 'b')))
        );
    }

    #[test]
    fn other_types_are_not_compared() {
        struct Other;
        assert!(FieldOfTwo(&1, &1).__ecs_same() && !FieldOfTwo(&1, &2).__ecs_same());
        assert!(!FieldOfTwo(&Other, &Other).__ecs_same());
    }
}
