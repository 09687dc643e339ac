//! Random numbers from a hash, which are equal on every thread and in every order of calls.

use super::{STRIDE, Stride};
use ecs::Resource;

/// The seed that all draws of a step share.
#[derive(Resource)]
pub struct Town {
    pub seed: u64,
    pub step: u32,
    /// Its length and its width.
    pub side: u16,
}

/// The subject of a draw. Draws of different subjects are independent.
#[derive(Clone, Copy)]
pub enum Draw {
    Home,
    Turn,
    Stride,
    Catch,
}

impl Town {
    /// Two numbers from 0 to 1, 1 not included, for the person of this index, now.
    #[expect(clippy::cast_precision_loss, reason = "24 bits are exact")]
    pub fn draw(&self, who: u32, what: Draw) -> [f32; 2] {
        let who_and_when = (u64::from(who) << 32) | u64::from(self.step);
        let bits = mix(mix(self.seed ^ ((what as u64) << 56)) ^ who_and_when);
        [bits >> 40, bits & 0xff_ffff].map(|bits| bits as f32 / 16_777_216.0)
    }

    /// A direction and a pace.
    pub fn stride(&self, who: u32) -> Stride {
        Stride(self.draw(who, Draw::Stride).map(|part| (2.0 * part - 1.0) * STRIDE))
    }
}

/// Returns a number whose bits each depend on all bits of the argument, equal for equal arguments: a step of
/// `SplitMix64`, by Steele, Lea and Flood.
pub const fn mix(number: u64) -> u64 {
    let mut mixed = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}
