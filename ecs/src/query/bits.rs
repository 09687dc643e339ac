//! Taking words of bits apart, by the processor's own instructions where it has them.
#![expect(unsafe_code, reason = "what instructions there are shows when the program runs")]

use crate::storage::sparse_array::{PAGE_LEN, WORDS};
#[cfg(all(target_arch = "x86_64", feature = "std"))]
use core::sync::atomic::{AtomicU8, Ordering};

/// The membership words of a page, or the matches there.
pub(super) type Words = [u64; WORDS];

/// So many scattered matches fill a block. Measured: with 64, a call for each block costs a tenth of a
/// join that is in the caches; with 512, nothing is gained.
pub(super) const BLOCK: usize = 256;
/// Room for those, and for the matches of one more page.
pub(super) const ROOM: usize = BLOCK + PAGE_LEN;

/// A place for each match of a block, for those of one more word, and for seven more, as eight are noted
/// at a time.
pub(super) type Noted = [u16; PLACES];
pub(super) const PLACES: usize = ROOM + 64 + 8;

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
        #[target_feature(enable = "avx2,popcnt,bmi1,bmi2,lzcnt")]
        fn by_own<T: Task>(task: T) -> T::Output {
            task.run()
        }
        if has_own_instructions() {
            // SAFETY: the processor has what the function is compiled for.
            return unsafe { by_own(task) };
        }
    }
    portable(task)
}

/// What is searched in several ways, and what is found then.
pub(super) trait Finder {
    type State<'w>;
    type Found;
}

/// A way to find something, compiled in the same two ways.
pub(super) trait Way<S: Finder> {
    fn find(state: &mut S::State<'_>, wants_words: bool) -> S::Found;
}

/// Such a way, chosen when the program runs.
///
/// It aborts where a panic would leave it: so a loop need not be ready for that, and can keep what it sums
/// up in registers. No code of a user runs.
pub(super) struct Find<S: Finder>(Pointer<S>);

type Pointer<S> = unsafe extern "C" fn(&mut <S as Finder>::State<'_>, bool) -> <S as Finder>::Found;

impl<S: Finder> Clone for Find<S> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<S: Finder> Copy for Find<S> {}

impl<S: Finder> Find<S> {
    /// This way, by the processor's own instructions where it has them.
    #[inline(always)]
    pub(super) fn by<W: Way<S>>() -> Self {
        #[cfg(all(target_arch = "x86_64", feature = "std"))]
        {
            #[target_feature(enable = "avx2,popcnt,bmi1,bmi2,lzcnt")]
            extern "C" fn by_own<S: Finder, W: Way<S>>(
                state: &mut S::State<'_>,
                wants_words: bool,
            ) -> S::Found {
                W::find(state, wants_words)
            }
            if has_own_instructions() {
                return Self(by_own::<S, W>);
            }
        }
        Self::portable::<W>()
    }

    /// The same without them.
    pub(super) const fn portable<W: Way<S>>() -> Self {
        extern "C" fn portable<S: Finder, W: Way<S>>(
            state: &mut S::State<'_>,
            wants_words: bool,
        ) -> S::Found {
            W::find(state, wants_words)
        }
        Self(portable::<S, W>)
    }

    #[inline(always)]
    pub(super) fn call(self, state: &mut S::State<'_>, wants_words: bool) -> S::Found {
        // SAFETY: the processor has what the function was chosen for.
        unsafe { (self.0)(state, wants_words) }
    }
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

/// For each byte the numbers of the bits that are set, and zeros.
static NUMBERS: [[u16; 8]; 256] = {
    let (mut numbers, mut byte) = ([[0; 8]; 256], 0);
    while byte < 256 {
        let (mut bit, mut count) = (0, 0);
        while bit < 8 {
            if byte >> bit & 1 != 0 {
                numbers[byte][count] = bit;
                count += 1;
            }
            bit += 1;
        }
        byte += 1;
    }
    numbers
};

/// With so many bits set, a word's are noted eight at a time.
const MANY: u32 = 14;

/// Notes the numbers of the bits of a page's words, each times `STEP`, behind `count` others. How many
/// there are then.
#[inline(always)]
pub(super) fn note_page<const STEP: u16>(
    word: impl Fn(usize) -> u64,
    noted: &mut Noted,
    mut count: usize,
) -> usize {
    assert!(count <= BLOCK, "a full block gets no more matches");
    for first in (0..WORDS).step_by(4) {
        for at in first..first + 4 {
            let bits = word(at);
            if bits != 0 {
                // SAFETY: a page has at most 1,024 bits, for which there is room behind a block.
                count = unsafe { note_unchecked::<STEP>(at * 64, bits, noted, count) };
            }
        }
    }
    count
}

/// Notes the numbers of the bits of a word, each times `STEP`, from a number on, behind `count` others.
/// How many there are then.
#[inline(always)]
pub(super) fn note<const STEP: u16>(
    first: usize,
    bits: u64,
    noted: &mut Noted,
    count: usize,
) -> usize {
    assert!(count <= ROOM, "a block has room for its matches");
    // SAFETY: behind that room is room for 64.
    unsafe { note_unchecked::<STEP>(first, bits, noted, count) }
}

/// As [`note`].
///
/// # Safety
/// There is room for as many more as bits are set, and for eight.
#[inline(always)]
#[expect(clippy::cast_possible_truncation, reason = "a block has some thousand bytes")]
unsafe fn note_unchecked<const STEP: u16>(
    first: usize,
    mut bits: u64,
    noted: &mut Noted,
    mut count: usize,
) -> usize {
    let mut at = first as u16 * STEP;
    if bits.count_ones() >= MANY {
        core::hint::cold_path();
        for byte in bits.to_le_bytes() {
            for (next, number) in (count..).zip(&NUMBERS[byte as usize]) {
                // SAFETY: so says the caller.
                unsafe { *noted.get_unchecked_mut(next) = at + number * STEP };
            }
            count += byte.count_ones() as usize;
            at += 8 * STEP;
        }
        return count;
    }
    while bits != 0 {
        let number = bits.trailing_zeros() as u16;
        // SAFETY: as above.
        unsafe { *noted.get_unchecked_mut(count) = at + number * STEP };
        bits &= bits - 1;
        count += 1;
    }
    count
}

/// One bit a word: whether any of its bits is set.
#[inline(always)]
pub(super) fn summary(words: &Words) -> u16 {
    let mut summary = 0;
    for (word, bits) in words.iter().enumerate() {
        summary |= u16::from(*bits != 0) << word;
    }
    summary
}
