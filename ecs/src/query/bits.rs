//! Taking words of bits apart, by the processor's own instructions where it has them.

use crate::storage::sparse_array::{PAGE_LEN, WORDS};
#[cfg(all(target_arch = "x86_64", feature = "std"))]
use core::sync::atomic::{AtomicU8, Ordering};

/// The membership words of a page, or the matches there.
pub(super) type Words = [u64; WORDS];

/// So many scattered matches fill a block. Measured: with 64, a call for each block costs a tenth of a
/// join that is in the caches; with 512, nothing is gained.
pub(super) const BLOCK: usize = 256;
/// Room for those, and for the matches of one more word.
pub(super) const ROOM: usize = BLOCK + 64;

/// Which cell each match of a block has, be it all of a page. A power of two, so that no bounds are checked.
pub(super) type Noted = [u16; PLACES];
pub(super) const PLACES: usize = PAGE_LEN;

/// What is compiled twice: as it is, and with the processor's own instructions for bits and whole
/// registers. Only `std` can ask the processor; without it there is one copy, for what the compiler is
/// told that the processor has.
///
/// All that [`run`](Self::run) calls is to be inlined: what is not, is compiled without them.
pub(super) trait Task {
    type Output;
    fn run(self) -> Self::Output;
}

/// Runs a task, by the processor's own instructions where it has them.
#[inline(always)]
pub(super) fn by_own_instructions<T: Task>(task: T) -> T::Output {
    /// Out of line, so that who asks needs no stack.
    #[inline(never)]
    fn portable<T: Task>(task: T) -> T::Output {
        task.run()
    }
    #[cfg(all(target_arch = "x86_64", feature = "std"))]
    {
        #![expect(unsafe_code, reason = "what instructions there are shows when the program runs")]
        #[target_feature(enable = "avx2,popcnt,bmi1,bmi2,lzcnt")]
        fn by_own<T: Task>(task: T) -> T::Output {
            task.run()
        }
        if has_own_instructions() {
            // SAFETY: the processor was just asked, and has all instructions that `by_own` is compiled for.
            return unsafe { by_own(task) };
        }
    }
    portable(task)
}

/// Whether the processor has them: 2, or 1 if not, or 0 as long as it was not asked.
#[cfg(all(target_arch = "x86_64", feature = "std"))]
static OWN: AtomicU8 = AtomicU8::new(0);

#[cfg(all(target_arch = "x86_64", feature = "std"))]
#[inline(always)]
fn has_own_instructions() -> bool {
    #[cold]
    fn ask() -> u8 {
        let has = std::arch::is_x86_feature_detected!("avx2")
            && std::arch::is_x86_feature_detected!("popcnt")
            && std::arch::is_x86_feature_detected!("bmi1")
            && std::arch::is_x86_feature_detected!("bmi2")
            && std::arch::is_x86_feature_detected!("lzcnt");
        OWN.store(1 + u8::from(has), Ordering::Relaxed);
        1 + u8::from(has)
    }
    match OWN.load(Ordering::Relaxed) {
        0 => ask() == 2,
        known => known == 2,
    }
}

/// Notes the numbers of the bits of some words, each times `STEP`, behind `count` others. How many there are
/// then.
#[inline(always)]
#[expect(clippy::cast_possible_truncation, reason = "a block has some thousand bytes")]
pub(super) fn note<const STEP: u16>(
    words: impl IntoIterator<Item = (usize, u64)>,
    noted: &mut Noted,
    mut count: usize,
) -> usize {
    for (word, mut bits) in words {
        while bits != 0 {
            noted[count % PLACES] = (word as u16 * 64 + bits.trailing_zeros() as u16) * STEP;
            bits &= bits - 1;
            count += 1;
        }
    }
    count
}

/// The first bits, so many.
#[inline(always)]
pub(super) fn first_bits<const N: usize>(len: usize) -> [u64; N] {
    core::array::from_fn(|word| match len.saturating_sub(word * 64) {
        rest @ 0..64 => (1 << rest) - 1,
        _ => !0,
    })
}

/// One bit a word: whether any of its bits is set.
#[inline(always)]
pub(super) fn summary(words: &Words) -> u64 {
    let mut summary = 0;
    for (word, bits) in words.iter().enumerate() {
        summary |= if *bits == 0 { 0 } else { 1 << word };
    }
    summary
}
