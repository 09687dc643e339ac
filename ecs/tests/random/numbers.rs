//! Random numbers from a seed, by the linear congruential generator of Knuth's MMIX.

#[derive(Default)]
pub struct Random(pub u64);

impl Random {
    /// Returns a number from 0 up to `end`, which it does not reach.
    pub fn below(&mut self, end: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as usize) % end
    }
}
