//! The one macro that repeats an item for tuples of every supported length.

/// Calls `$each!` with `A 0`, then `A 0, B 1`, up to twelve.
macro_rules! for_each_tuple {
    ($each:ident) => {
        $crate::tuples::for_each_tuple!(@grow $each []
            [A 0] [B 1] [C 2] [D 3] [E 4] [F 5] [G 6] [H 7] [I 8] [J 9] [K 10] [L 11]);
    };
    (@grow $each:ident [$($done:tt)*]) => {};
    (@grow $each:ident [$($done:tt)*] [$name:ident $index:tt] $($rest:tt)*) => {
        $each!($($done)* $name $index,);
        $crate::tuples::for_each_tuple!(@grow $each [$($done)* $name $index,] $($rest)*);
    };
}

pub(crate) use for_each_tuple;
