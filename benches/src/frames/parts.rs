//! Components of the frames' entities, and loops over them.
#![expect(clippy::trivially_copy_pass_by_ref, reason = "loops get references to components")]
#![expect(
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    reason = "all numbers are small"
)]

use crate::components::frame::{
    Ai, Burning, Damage, Health, Hitbox, Item, Life, Place, Speed, Sprite,
};

/// Hands the components of an entity to a macro; `$kind` is a number below 100.
macro_rules! for_kind {
    ($kind:expr, $macro:ident) => {
        match $kind {
            0..55 => $macro!(Place, Sprite),
            55..70 => $macro!(Place, Sprite, Speed),
            70..75 => $macro!(Place, Sprite, Speed, Hitbox),
            75..85 => $macro!(Place, Sprite, Speed, Health, Ai),
            85..90 => $macro!(Place, Sprite, Health, Hitbox),
            90..95 => $macro!(Place, Speed, Life, Damage),
            _ => $macro!(Place, Sprite, Item),
        }
    };
}
pub(crate) use for_kind;

/// Hands all components to a macro.
macro_rules! for_parts {
    ($macro:ident) => {
        $macro!(Place Sprite Speed Health Ai Life Damage Item Burning Hitbox)
    };
}
pub(crate) use for_parts;

/// Hands the loops to a macro: whether one writes its first component or reads both, the function that it calls, and
/// the two components.
macro_rules! for_loops {
    ($macro:ident) => {
        $macro! {
            write step Place Speed;
            write aim Ai Place;
            write steer Speed Ai;
            write fade Life Speed;
            write hurt Health Burning;
            write heat Burning Place;
            read strike Place Damage;
            read mend Place Health;
            read touch Place Hitbox;
            read draw Place Sprite;
            read collect Place Item;
        }
    };
}
pub(crate) use for_loops;

#[inline]
pub fn step(place: &mut Place, speed: &Speed) {
    place.0[0] += speed.0[0];
    place.0[1] += speed.0[1];
}

#[inline]
pub fn aim(ai: &mut Ai, place: &Place) {
    ai.0.1 += place.0[0];
}

#[inline]
pub fn steer(speed: &mut Speed, ai: &Ai) {
    speed.0[0] = speed.0[0] * 0.99 + ai.0.1 * 1e-9;
}

#[inline]
pub fn fade(life: &mut Life, speed: &Speed) {
    life.0 -= speed.0[0] * 0.01;
}

#[inline]
pub fn hurt(health: &mut Health, burning: &Burning) {
    health.0 -= burning.0 as i32;
}

#[inline]
pub fn heat(burning: &mut Burning, place: &Place) {
    burning.0 += place.0[2] * 0.0625;
}

// Sums are of small whole numbers, so they are exact in any order.

#[inline]
pub fn strike(place: &Place, damage: &Damage) -> f32 {
    place.0[2] * damage.0 as f32
}

#[inline]
pub fn mend(place: &Place, health: &Health) -> f32 {
    place.0[3] + health.0 as f32
}

#[inline]
pub fn touch(place: &Place, hitbox: &Hitbox) -> f32 {
    place.0[2] * hitbox.0[0]
}

#[inline]
pub fn draw(place: &Place, sprite: &Sprite) -> f32 {
    place.0[2] + sprite.0[0] as f32
}

#[inline]
pub fn collect(place: &Place, item: &Item) -> f32 {
    place.0[3] + item.0 as f32
}

/// A component of the frames.
pub trait Part {
    /// Returns the component of the entity with this number.
    fn of(number: u32) -> Self;
    /// Returns the bits of all fields.
    fn bits(&self) -> u64;
}

/// Returns a number from 1 to `end`, determined by `number` and the field.
const fn digit(number: u32, field: u32, end: u32) -> u8 {
    ((number >> field) % end + 1) as u8
}

macro_rules! parts {
    ($($name:ident |$number:ident| $of:expr, |$fields:ident| $bits:expr;)*) => {$(
        impl Part for $name {
            fn of($number: u32) -> Self {
                Self($of)
            }
            fn bits(&self) -> u64 {
                let $fields = &self.0;
                $bits.into_iter().fold(0, |sum, bits| sum * 31 + u64::from(bits))
            }
        }
    )*};
}
parts! {
    Place |it| [0, 1, 2, 3].map(|field| f32::from(digit(it, field, 2))), |it| it.map(f32::to_bits);
    Sprite |it| [1, 2].map(|field| digit(it, field, 2).into()), |it| *it;
    Speed |it| [0, 1].map(|field| f32::from(digit(it, field, 3)) - 2.0), |it| it.map(f32::to_bits);
    Health |it| 10 + i32::from(digit(it, 0, 10)), |it| [it.cast_unsigned()];
    Ai |it| (it, 0.0), |it| [it.0, it.1.to_bits()];
    Life |it| f32::from(digit(it, 0, 100)), |it| [it.to_bits()];
    Damage |it| digit(it, 0, 3).into(), |it| [it.cast_unsigned()];
    Item |it| digit(it, 0, 3).into(), |it| [*it];
    Burning |_it| 0.0, |it| [it.to_bits()];
    Hitbox |it| [0, 1].map(|field| f32::from(digit(it, field, 2))), |it| it.map(f32::to_bits);
}
