//! Mutations that keep most of a format valid, so that they reach beyond its first check.

use crate::numbers::Random;
use libfuzzer_sys::fuzzer_mutate;
use std::ops::Range;

/// Mutates the first `len` bytes in place, to at most `most`, and returns their new number.
pub type Mutate = fn(&mut [u8], usize, usize, &[Vec<u8>], &mut Random) -> usize;

/// Mutates bytes of any meaning.
pub fn bytes(bytes: &mut [u8], len: usize, most: usize, _: &[Vec<u8>], _: &mut Random) -> usize {
    fuzzer_mutate(bytes, len, most)
}

/// Mutates one part of a binary format, and repairs the length before it, of eight bytes.
pub fn parts(
    bytes: &mut [u8],
    len: usize,
    most: usize,
    seeds: &[Vec<u8>],
    random: &mut Random,
) -> usize {
    let own = part_ranges(&bytes[..len]);
    if own.is_empty() || random.below(4) == 0 {
        return fuzzer_mutate(bytes, len, most);
    }
    let part = own[random.below(own.len())].clone();
    let room = most - (len - part.len());
    let mut new = bytes[part.clone()].to_vec();
    if random.below(8) == 0 && !seeds.is_empty() {
        let seed = &seeds[random.below(seeds.len())];
        let others = part_ranges(seed);
        if !others.is_empty() {
            new = seed[others[random.below(others.len())].clone()].to_vec();
            new.truncate(room);
        }
    } else {
        let before = new.len();
        new.resize(room, 0);
        let after = fuzzer_mutate(&mut new, before, room);
        new.truncate(after);
    }
    let end = bytes[part.end..len].to_vec();
    let length = new.len() as u64;
    bytes[part.start - 8..part.start].copy_from_slice(&length.to_le_bytes());
    let all = [new, end].concat();
    bytes[part.start..part.start + all.len()].copy_from_slice(&all);
    part.start + all.len()
}

/// Returns the ranges of bytes before which their number seems to stand.
fn part_ranges(bytes: &[u8]) -> Vec<Range<usize>> {
    let range = |(at, length): (usize, &[u8])| {
        let length = usize::try_from(u64::from_le_bytes(length.try_into().unwrap())).ok()?;
        let range = at + 8..(at + 8).checked_add(length)?;
        (length > 0 && range.end <= bytes.len()).then_some(range)
    };
    bytes.windows(8).enumerate().filter_map(range).collect()
}

/// Repeats, leaves out, exchanges and replaces words of a text, and brackets with all that is within.
pub fn words(
    bytes: &mut [u8],
    len: usize,
    most: usize,
    seeds: &[Vec<u8>],
    random: &mut Random,
) -> usize {
    let text = bytes[..len].to_vec();
    let own = word_ranges(&text);
    if own.is_empty() || random.below(6) == 0 {
        return fuzzer_mutate(bytes, len, most);
    }
    let any = |random: &mut Random| own[random.below(own.len())].clone();
    let (from, to) = (any(random), any(random));
    let mut other = text[from.clone()].to_vec();
    if random.below(2) == 0 && !seeds.is_empty() {
        let seed = &seeds[random.below(seeds.len())];
        let words = word_ranges(seed);
        other = seed[words[random.below(words.len())].clone()].to_vec();
    }
    let new = match random.below(4) {
        0 => [&text[..to.start], &text[to.end..]].concat(),
        1 => [&text[..to.start], &other, &text[to.end..]].concat(),
        2 => [&text[..to.end], b" ", &other, &text[to.end..]].concat(),
        // With a word behind it: an item of a list with its comma.
        _ => [&text[..to.end], b",", &other, &text[to.end..]].concat(),
    };
    let len = new.len().min(most);
    bytes[..len].copy_from_slice(&new[..len]);
    len
}

/// Returns the ranges of words, of other signs, and of pairs of brackets.
fn word_ranges(text: &[u8]) -> Vec<Range<usize>> {
    let (mut ranges, mut open, mut at) = (Vec::new(), Vec::new(), 0);
    let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
    while at < text.len() {
        let start = at;
        at += 1;
        match text[start] {
            b'"' => at += text[at..].iter().position(|byte| *byte == b'"').map_or(0, |it| it + 1),
            b'{' | b'[' | b'(' => open.push(start),
            b'}' | b']' | b')' => ranges.extend(open.pop().map(|start| start..at)),
            byte if is_word(&byte) => at += text[at..].iter().take_while(|it| is_word(it)).count(),
            _ => {}
        }
        if !text[start].is_ascii_whitespace() {
            ranges.push(start..at);
        }
    }
    ranges
}
