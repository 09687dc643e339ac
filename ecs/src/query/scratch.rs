//! Memory that iterators borrow while they live, so that iterating allocates nothing.

use alloc::boxed::Box;
use alloc::vec::Vec;
use core::cell::RefCell;
use core::mem::MaybeUninit;

type Memory = Box<[MaybeUninit<Word>]>;

/// What memory is made of: eight bytes, aligned so, which a `u64` is not everywhere.
#[repr(align(8))]
pub(super) struct Word(#[expect(dead_code, reason = "others write there")] u64);

/// How many a thread's stock holds: so many loops in loops allocate nothing. Without an end, a thread
/// that is always handed iterators of another one would keep the memory of all.
const MOST: usize = 16;

std::thread_local! {
    /// What the iterators that ended on this thread have left.
    static STOCK: RefCell<Vec<Memory>> = const { RefCell::new(Vec::new()) };
}

/// Memory out of the thread's stock, to which it goes back when this is dropped.
///
/// An iterator keeps its state in registers only if it holds no array. So what it has found is
/// kept here.
#[derive(Debug, Default)]
pub(super) struct Scratch(Memory);

impl Scratch {
    /// So many words, or more. By value, as all that an iterator hands out.
    #[cold]
    #[inline(never)]
    pub(super) fn of(words: usize) -> Self {
        let stock = STOCK.try_with(|stock| stock.borrow_mut().pop());
        let memory = stock.ok().flatten().filter(|memory| memory.len() >= words);
        Self(memory.unwrap_or_else(|| Box::new_uninit_slice(words)))
    }

    #[inline(always)]
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    #[inline(always)]
    pub(super) fn memory(&self) -> *const MaybeUninit<Word> {
        self.0.as_ptr()
    }

    #[inline(always)]
    pub(super) fn memory_mut(&mut self) -> *mut MaybeUninit<Word> {
        self.0.as_mut_ptr()
    }

    #[inline(never)]
    fn give_back(memory: Memory) {
        // A thread that is ending has no stock any more.
        let _ = STOCK.try_with(|stock| {
            let mut stock = stock.borrow_mut();
            if stock.len() < MOST {
                stock.push(memory);
            }
        });
    }
}

impl Drop for Scratch {
    #[inline(always)]
    fn drop(&mut self) {
        if !self.0.is_empty() {
            Self::give_back(core::mem::take(&mut self.0));
        }
    }
}
