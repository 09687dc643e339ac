//! The coordinates of points.

use core::fmt::Debug;
use core::ops::{Add, Mul, Sub};

/// A coordinate of a point: `f32` or `f64`.
///
/// ```
/// fn is_a_coordinate<S: ecs_space::Coordinate>() {}
/// is_a_coordinate::<f32>();
/// is_a_coordinate::<f64>();
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be a coordinate of a point",
    label = "neither `f32` nor `f64`"
)]
pub trait Coordinate: Float {}
impl Coordinate for f32 {}
impl Coordinate for f64 {}

/// The arithmetic of a coordinate. It is private, so other crates cannot implement [`Coordinate`].
pub trait Float:
    Copy
    + Debug
    + PartialOrd
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Send
    + Sync
    + 'static
{
    const ZERO: Self;
    const INFINITY: Self;
    const NAN: Self;
    /// The difference between 1 and the next number.
    const EPSILON: Self;
    /// More than the error of a distance whose square is too small for all digits.
    const TINY: Self;
    /// The bounds of a grid lie within this number and its negative, so that differences of bounds are finite.
    const BOUND: Self;

    fn is_finite(self) -> bool;
    fn smaller(self, other: Self) -> Self;
    fn larger(self, other: Self) -> Self;
    fn abs(self) -> Self;
    /// Returns the integer part; 0 for negative numbers and NaN.
    fn whole(self) -> u32;
    /// Returns a number that orders numbers that are not negative.
    fn rank(self) -> u64;
    /// Returns the number with this rank.
    fn of_rank(rank: u64) -> Self;
    fn of(number: f64) -> Self;
    fn wide(self) -> f64;
}

macro_rules! floats {
    ($($float:ident, $bits:ident, $tiny:expr;)+) => {
        $(
            impl Float for $float {
                const ZERO: Self = 0.0;
                const INFINITY: Self = $float::INFINITY;
                const NAN: Self = $float::NAN;
                const EPSILON: Self = $float::EPSILON;
                const TINY: Self = $tiny;
                const BOUND: Self = $float::MAX / 4.0;

                #[inline(always)]
                fn is_finite(self) -> bool {
                    $float::is_finite(self)
                }
                #[inline(always)]
                fn smaller(self, other: Self) -> Self {
                    self.min(other)
                }
                #[inline(always)]
                fn larger(self, other: Self) -> Self {
                    self.max(other)
                }
                #[inline(always)]
                fn abs(self) -> Self {
                    $float::abs(self)
                }
                #[inline(always)]
                #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "wanted")]
                fn whole(self) -> u32 {
                    self as u32
                }
                #[inline(always)]
                fn rank(self) -> u64 {
                    self.to_bits().into()
                }
                #[inline(always)]
                #[allow(clippy::cast_possible_truncation, reason = "it was widened")]
                fn of_rank(rank: u64) -> Self {
                    Self::from_bits(rank as $bits)
                }
                #[inline(always)]
                #[allow(clippy::cast_possible_truncation, reason = "rounds to the nearest")]
                fn of(number: f64) -> Self {
                    number as $float
                }
                #[inline(always)]
                fn wide(self) -> f64 {
                    self.into()
                }
            }
        )+
    };
}
floats! {
    f32, u32, 1e-17;
    f64, u64, 1e-145;
}
