//! Lists the set bits of words, with special instructions if the processor has them.

use crate::extent::masked;
use crate::storage::sparse_array::{PAGE_LEN, WORDS};
#[cfg(all(target_arch = "x86_64", feature = "std"))]
use core::sync::atomic::{AtomicU8, Ordering};

/// The membership words of a page, or the matches there.
pub(super) type Words = [u64; WORDS];

/// The number of scattered matches that fill a block. Measured: with 64, a call for each block costs a tenth of a join
/// of data in the caches; with 512, nothing is gained.
pub(super) const BLOCK: usize = 256;
/// The room for a full block, and for the matches of one more word.
pub(super) const ROOM: usize = BLOCK + 64;

/// The cell of each match of a block, which may contain a whole page. The length is a power of two, so that no bounds
/// are checked.
pub(super) type NotedPlaces = [u16; PLACES];
pub(super) const PLACES: usize = PAGE_LEN;

/// Code that is compiled twice: for any processor, and with instructions for bits and wide registers. Detection needs
/// `std`. Without it there is one copy, for the features that the compiler is given.
///
/// All functions that [`run`](Self::run) calls must be inlined: others are compiled without those instructions.
pub(super) trait Multiversioned {
    type Output;
    /// The code for processors that lack instructions. It may serve several tasks: few processors need it.
    type Portable: Multiversioned<Output = Self::Output>;
    fn run(self) -> Self::Output;
    #[cfg_attr(
        not(all(target_arch = "x86_64", feature = "std")),
        expect(dead_code, reason = "there is one copy")
    )]
    fn portable(self) -> Self::Portable;
}

/// Runs a task, with the special instructions if the processor has them.
#[inline(always)]
pub(super) fn by_own_instructions<T: Multiversioned>(task: T) -> T::Output {
    /// Not inlined, so that the test before it needs no stack.
    #[inline(never)]
    fn portable<T: Multiversioned>(task: T) -> T::Output {
        task.run()
    }
    #[cfg(all(target_arch = "x86_64", feature = "std"))]
    {
        #![expect(unsafe_code, reason = "the available instructions are detected at run time")]
        #[target_feature(enable = "avx2,popcnt,bmi1,bmi2,lzcnt")]
        fn by_own<T: Multiversioned>(task: T) -> T::Output {
            task.run()
        }
        if has_own_instructions() {
            // SAFETY: the processor was just tested, and has all instructions for which `by_own` is compiled.
            return unsafe { by_own(task) };
        }
        portable(task.portable())
    }
    #[cfg(not(all(target_arch = "x86_64", feature = "std")))]
    portable(task)
}

/// The result of detection: 2 if the processor has the instructions, 1 if not, 0 before detection.
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

/// Appends the numbers of the set bits of some words, each times `STEP`, behind `count` others. Returns the resulting
/// number.
#[inline(always)]
#[expect(clippy::cast_possible_truncation, reason = "a block has some thousand bytes")]
pub(super) fn note<const STEP: u16>(
    words: impl IntoIterator<Item = (usize, u64)>,
    noted: &mut NotedPlaces,
    mut count: usize,
) -> usize {
    for (word, mut bits) in words {
        while bits != 0 {
            noted[masked!(count, PLACES)] =
                (word as u16 * 64 + bits.trailing_zeros() as u16) * STEP;
            bits &= bits - 1;
            count += 1;
        }
    }
    count
}

/// Returns words in which the first `len` bits are set.
#[inline(always)]
pub(super) fn first_bits<const N: usize>(len: usize) -> [u64; N] {
    core::array::from_fn(|word| match len.saturating_sub(word * 64) {
        rest @ 0..64 => (1 << rest) - 1,
        _ => !0,
    })
}

/// Returns one bit for each word: 1 if any of its bits is set.
#[inline(always)]
pub(super) fn summary(words: &Words) -> u64 {
    let mut summary = 0;
    for (word, bits) in words.iter().enumerate() {
        summary |= if *bits == 0 { 0 } else { 1 << word };
    }
    summary
}
