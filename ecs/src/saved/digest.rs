//! Hashes of a world's values: two runs of a program compare them.

use crate::entity::Entity;
use crate::saved::error::SaveError;
use crate::saved::save::Save;
use alloc::string::{String, ToString};
use alloc::sync::Arc;
use alloc::vec::Vec;

/// A world at one moment, as hashes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct WorldDigest {
    /// The hash of the saved world.
    pub(crate) whole: u64,
    /// The hash of the handles that are alive, and of the free ones.
    pub(crate) entities: u64,
    /// Components in the order of their names, then resources. Equal parts of two frames are stored once.
    pub(crate) parts: Vec<Arc<PartDigest>>,
}

/// A component or a resource, as hashes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct PartDigest {
    pub(crate) name: String,
    /// The members; `None` for a resource.
    pub(crate) keys: Option<Arc<[Entity]>>,
    /// The hash of each member's value, or of the resource.
    pub(crate) values: Vec<u32>,
}

/// A part of a world that differs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum DigestDifference {
    /// The component of this name differs, or is missing in one world.
    Component(String, Entity, bool),
    Resource(String),
    Entities,
    Order,
}

impl Save<'_> {
    /// Returns the hashes of all that is saved. A part that is equal in `before` shares its memory. O(size of the saved
    /// world).
    #[inline]
    pub(crate) fn digest(&self, before: Option<&WorldDigest>) -> Result<WorldDigest, SaveError> {
        let mut bytes = Vec::new();
        self.to_bytes(&mut bytes)?;
        let whole = hash(&bytes);
        bytes.clear();
        self.write_entities(&mut bytes);
        let entities = hash(&bytes);
        let mut parts = Vec::new();
        let find = |name: &str, is_resource| {
            let mut all = before.into_iter().flat_map(|before| &before.parts);
            all.find(|part| part.name == name && part.keys.is_none() == is_resource)
        };
        for part in self.parts()?.0 {
            let (name, count) = (part.name.to_string(), part.pool.len());
            let (mut positions, mut starts) = (0..count, Vec::with_capacity(count + 1));
            bytes.clear();
            let mut next = |start| {
                starts.push(start);
                positions.next()
            };
            let written = part.pool.as_saved().write(&mut next, &mut bytes);
            written.map_err(|(at, error)| {
                SaveError::new(&name, part.pool.keys().get(at).copied(), &error)
            })?;
            let spans = starts.windows(2).map(|span| &bytes[span[0]..span[1]]);
            let before = find(&name, false);
            let same = before.and_then(|before| before.keys.as_ref());
            let same = same.filter(|keys| ***keys == *part.pool.keys());
            let keys = Some(same.map_or_else(|| part.pool.keys().into(), Arc::clone));
            push(&mut parts, before, PartDigest { name, keys, values: spans.map(short).collect() });
        }
        for resource in self.resources()?.0 {
            let name = resource.saving.name.to_string();
            bytes.clear();
            let written = resource.write(&mut bytes);
            written.map_err(|error| SaveError::new(&name, None, &error))?;
            let before = find(&name, true);
            push(
                &mut parts,
                before,
                PartDigest { name, keys: None, values: [short(&bytes)].into() },
            );
        }
        Ok(WorldDigest { whole, entities, parts })
    }
}

/// Adds a part, or `before` if that is equal.
#[inline]
fn push(parts: &mut Vec<Arc<PartDigest>>, before: Option<&Arc<PartDigest>>, part: PartDigest) {
    let equal = before.filter(|before| ***before == part);
    parts.push(equal.map_or_else(|| Arc::new(part), Arc::clone));
}

/// Returns the most telling difference of two worlds.
#[inline]
pub(crate) fn difference(a: &WorldDigest, b: &WorldDigest) -> Option<DigestDifference> {
    if a == b {
        return None;
    }
    let all = || a.parts.iter().chain(&b.parts);
    let in_both = all().filter_map(|part| {
        let find = |of: &WorldDigest| {
            let mut parts = of.parts.iter().cloned();
            parts.find(|it| it.name == part.name && it.keys.is_none() == part.keys.is_none())
        };
        let (of_a, of_b) = (find(a), find(b));
        (of_a != of_b).then(|| part_difference(part, of_a.as_deref(), of_b.as_deref()))?
    });
    in_both.min_by_key(|it| matches!(it, DigestDifference::Resource(_))).or_else(|| {
        let are_others_alive = a.entities != b.entities;
        Some(if are_others_alive { DigestDifference::Entities } else { DigestDifference::Order })
    })
}

/// Returns the difference of a component or a resource: the member of the lowest index. `None` if only orders differ.
#[inline]
fn part_difference(
    part: &PartDigest,
    a: Option<&PartDigest>,
    b: Option<&PartDigest>,
) -> Option<DigestDifference> {
    if part.keys.is_none() {
        return Some(DigestDifference::Resource(part.name.clone()));
    }
    let members = |of: Option<&PartDigest>| {
        let keys = of.and_then(|of| Some((of.keys.as_deref()?, &of.values)));
        let (keys, values) = keys.unzip();
        let all = keys.into_iter().flatten().copied().zip(values.into_iter().flatten().copied());
        let mut all: Vec<(Entity, u32)> = all.collect();
        all.sort_unstable();
        all
    };
    let (a, b) = (members(a), members(b));
    let at = a.iter().zip(&b).position(|(a, b)| a != b).unwrap_or(a.len().min(b.len()));
    let (entity, is_missing) = match (a.get(at), b.get(at)) {
        (Some(a), Some(b)) if a.0 == b.0 => (a.0, false),
        (a, b) => ([a, b].into_iter().flatten().min()?.0, true),
    };
    Some(DigestDifference::Component(part.name.clone(), entity, is_missing))
}

/// Returns a hash of these bytes, equal on every machine.
#[inline]
fn hash(bytes: &[u8]) -> u64 {
    let mix =
        |hash: u64, word: u64| (hash ^ word).wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(29);
    let (words, rest) = bytes.as_chunks::<8>();
    let hash =
        words.iter().fold(bytes.len() as u64, |hash, word| mix(hash, u64::from_le_bytes(*word)));
    let hash = rest.iter().fold(hash, |hash, byte| mix(hash, u64::from(*byte)));
    mix(hash, hash >> 32)
}

/// Returns the higher half of a hash.
#[inline]
fn short(bytes: &[u8]) -> u32 {
    (hash(bytes) >> 32) as u32
}
