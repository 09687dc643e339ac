//! A hash table of the numbers of buckets. The keys are elsewhere, so the table is compiled once.

use alloc::vec;
use alloc::vec::Vec;
use core::hash::{Hash, Hasher};

/// A slot of the table: the hash of a bucket, and its number.
#[derive(Clone, Copy, Debug)]
struct TableSlot {
    hash: u32,
    bucket: u32,
}

/// The bucket of an empty slot.
const NONE: u32 = u32::MAX;

const EMPTY: TableSlot = TableSlot { hash: 0, bucket: NONE };

/// A hash table with linear probing: a bucket is in the first free slot from the one of its hash on. A removal moves
/// later buckets up, so that no search ends too early.
#[derive(Clone, Debug, Default)]
pub(super) struct BucketTable {
    /// A power of two of slots, at most three quarters of them full; or none.
    slots: Vec<TableSlot>,
    len: usize,
}

/// Returns the hash of a key.
#[inline]
pub(super) fn hash_of<K: Hash + ?Sized>(key: &K) -> u32 {
    // The address differs from run to run, so that a stranger who chooses keys knows less about their slots.
    static SEED: u8 = 0;
    let mut hasher = Folded(core::ptr::from_ref(&SEED).addr() as u64);
    key.hash(&mut hasher);
    (hasher.finish() >> 32) as u32
}

/// A hasher that multiplies, and folds the product: as wyhash and foldhash do.
struct Folded(u64);

/// An odd number with as many ones as zeros: the fraction of the golden ratio.
const FACTOR: u64 = 0x9E37_79B9_7F4A_7C15;

impl Hasher for Folded {
    #[inline]
    fn write(&mut self, bytes: &[u8]) {
        let (words, rest) = bytes.as_chunks::<8>();
        for word in words {
            self.write_u64(u64::from_le_bytes(*word));
        }
        let last = rest.iter().rev().fold(0, |last, byte| last << 8 | u64::from(*byte));
        self.write_u64(last ^ (bytes.len() as u64) << 56);
    }
    #[inline]
    fn write_u8(&mut self, number: u8) {
        self.write_u64(u64::from(number));
    }
    #[inline]
    fn write_u16(&mut self, number: u16) {
        self.write_u64(u64::from(number));
    }
    #[inline]
    fn write_u32(&mut self, number: u32) {
        self.write_u64(u64::from(number));
    }
    #[inline]
    fn write_u64(&mut self, number: u64) {
        let product = u128::from(self.0 ^ number) * u128::from(FACTOR);
        #[expect(clippy::cast_possible_truncation, reason = "the other half is added")]
        let folded = product as u64 ^ (product >> 64) as u64;
        self.0 = folded.rotate_left(23);
    }
    #[inline]
    fn write_usize(&mut self, number: usize) {
        self.write_u64(number as u64);
    }
    #[inline]
    fn finish(&self) -> u64 {
        self.0.wrapping_mul(FACTOR)
    }
}

impl BucketTable {
    #[inline]
    const fn mask(&self) -> usize {
        self.slots.len().wrapping_sub(1)
    }

    /// Returns the first result of `get` for the buckets with this hash.
    #[inline]
    pub(super) fn find<R>(&self, hash: u32, mut get: impl FnMut(u32) -> Option<R>) -> Option<R> {
        let mask = self.mask();
        let mut at = hash as usize & mask;
        loop {
            let slot = self.slots.get(at)?; // there is none in an empty table
            if slot.bucket == NONE {
                return None;
            }
            if slot.hash == hash
                && let found @ Some(_) = get(slot.bucket)
            {
                return found;
            }
            at = (at + 1) & mask;
        }
    }

    /// Adds a bucket, which is not in the table.
    #[inline]
    pub(super) fn insert(&mut self, hash: u32, bucket: u32) {
        if (self.len + 1) * 4 > self.slots.len() * 3 {
            let more = vec![EMPTY; (self.slots.len() * 2).max(8)];
            for slot in core::mem::replace(&mut self.slots, more) {
                if slot.bucket != NONE {
                    self.put(slot);
                }
            }
        }
        self.len += 1;
        self.put(TableSlot { hash, bucket });
    }

    #[inline]
    fn put(&mut self, slot: TableSlot) {
        let mask = self.mask();
        let mut at = slot.hash as usize & mask;
        while self.slots[at].bucket != NONE {
            at = (at + 1) & mask;
        }
        self.slots[at] = slot;
    }

    /// Removes a bucket, which is in the table with this hash.
    #[inline]
    pub(super) fn remove(&mut self, hash: u32, bucket: u32) {
        let mask = self.mask();
        let mut gap = hash as usize & mask;
        while self.slots[gap].bucket != bucket {
            gap = (gap + 1) & mask;
        }
        self.len -= 1;
        let mut at = gap;
        loop {
            at = (at + 1) & mask;
            let slot = self.slots[at];
            if slot.bucket == NONE {
                break;
            }
            // It may move up to its own slot, and no further.
            let distance = at.wrapping_sub(slot.hash as usize) & mask;
            if distance >= at.wrapping_sub(gap) & mask {
                self.slots[gap] = slot;
                gap = at;
            }
        }
        self.slots[gap] = EMPTY;
    }

    /// Returns the bytes on the heap.
    pub(super) fn memory(&self) -> usize {
        self.slots.capacity() * size_of::<TableSlot>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    #[test]
    fn buckets_are_found_after_any_edits() {
        let (mut table, mut model, mut state) = (BucketTable::default(), BTreeMap::new(), 7_u64);
        for step in 0..30_000_u32 {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            let random = (state >> 33) as u32;
            // Few hashes, so that buckets are displaced, around the end of the slots as well.
            let (bucket, hash) = (random % 500, (random % 500 * 7 % 60).wrapping_sub(30));
            if model.remove(&bucket).is_some() {
                table.remove(hash, bucket);
            } else if (step / 3_000).is_multiple_of(2) || random.is_multiple_of(3) {
                model.insert(bucket, hash);
                table.insert(hash, bucket);
            }
            let is_here = table.find(hash, |it| (it == bucket).then_some(())).is_some();
            assert_eq!(is_here, model.contains_key(&bucket));
        }
        assert_eq!(table.len, model.len());
        for (bucket, hash) in &model {
            assert_eq!(table.find(*hash, |it| (it == *bucket).then_some(it)), Some(*bucket));
        }
        assert!(BucketTable::default().find(3, Some).is_none());
        assert!(table.memory() >= 500 * 8);
    }

    #[test]
    fn hashes_of_similar_keys_differ() {
        let mut hashes: Vec<u32> = (0..100_000_u64).map(|key| hash_of(&(key << 20))).collect();
        hashes.extend((0..100_000_u32).map(|key| hash_of(&std::format!("key {key}"))));
        let low = |hashes: &[u32]| {
            let mut low: Vec<u32> = hashes.iter().map(|hash| hash % (1 << 18)).collect();
            low.sort_unstable();
            low.dedup();
            low.len()
        };
        // Random ones fill 0.317 of as many slots.
        assert!(low(&hashes[..100_000]) > 78_000 && low(&hashes[100_000..]) > 78_000);
        hashes.sort_unstable();
        hashes.dedup();
        assert!(hashes.len() > 199_900);
    }
}
