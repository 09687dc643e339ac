//! The macros that repeat: an item for tuples of every supported length, and a statement for the elements of a slice.

/// Calls `$each!` with `A 0 1`, then `A 0 1, B 1 2`, up to twelve: a name, its index, and the next index.
macro_rules! for_each_tuple {
    ($each:ident) => {
        $crate::tuples::for_each_tuple!(@grow $each []
            [A 0 1] [B 1 2] [C 2 3] [D 3 4] [E 4 5] [F 5 6]
            [G 6 7] [H 7 8] [I 8 9] [J 9 10] [K 10 11] [L 11 12]);
    };
    (@grow $each:ident [$($done:tt)*]) => {};
    (@grow $each:ident [$($done:tt)*] [$($part:tt)+] $($rest:tt)*) => {
        $each!($($done)* $($part)+,);
        $crate::tuples::for_each_tuple!(@grow $each [$($done)* $($part)+,] $($rest)*);
    };
}

pub(crate) use for_each_tuple;

/// Runs `$do` for each element of a slice, with its place if that is named, in a constant function: `for` does not compile
/// there. `$do` may return from the function.
macro_rules! each {
    ($list:expr, |$element:ident| $do:expr) => {
        $crate::tuples::each!($list, |_at, $element| $do)
    };
    ($list:expr, |$at:ident, $element:ident| $do:expr) => {{
        let (list, mut next) = ($list, 0);
        while next < list.len() {
            let ($at, $element) = (next, &list[next]);
            next += 1;
            $do;
        }
    }};
}

pub(crate) use each;
