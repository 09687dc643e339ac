//! The positions of a page's members: plain cells, or cells in the forms of the library's pages.

use super::page::{LEN, Membership, Paged, WORDS};
use super::set::{NOWHERE, number};

/// The positions of a page's members.
pub trait Cells: Default + 'static {
    /// The position of the member at an offset.
    fn position(&self, offset: usize, members: &Membership) -> u32;
    /// Returns the [`position`](Self::position), with code that stays small.
    #[inline(always)]
    fn position_lean(&self, offset: usize, members: &Membership) -> u32 {
        self.position(offset, members)
    }
    /// Notes the position of an offset that is about to become a member.
    fn put(&mut self, offset: usize, position: u32, generation: u32, members: &Membership);
    /// Notes the new position of a member.
    fn relocate(&mut self, offset: usize, position: u32, members: &Membership);
    /// Returns `true` if all members are of this generation.
    fn is_of(&self, generation: u32) -> bool;
}

/// One cell for each index.
#[derive(Debug)]
pub struct Plain([u32; LEN]);

impl Default for Plain {
    #[inline]
    fn default() -> Self {
        Self([0; LEN])
    }
}

impl Cells for Plain {
    #[inline]
    fn position(&self, offset: usize, _: &Membership) -> u32 {
        self.0[offset % LEN]
    }
    #[inline]
    fn put(&mut self, offset: usize, position: u32, _: u32, _: &Membership) {
        self.0[offset % LEN] = position;
    }
    #[inline]
    fn relocate(&mut self, offset: usize, position: u32, _: &Membership) {
        self.0[offset % LEN] = position;
    }
    #[inline]
    fn is_of(&self, _: u32) -> bool {
        false
    }
}

/// Cells in the form that takes the least room, and the generation that all members share, or 0.
#[derive(Debug, Default)]
pub struct Forms {
    form: Form,
    generation: u32,
}

#[derive(Debug)]
enum Form {
    /// Nothing is stored: members were added in index order.
    Sequential { base: u32 },
    /// Three bytes an index, and one more so that each can be read as four.
    Narrow(Box<[u8; 3 * LEN + 1]>),
    /// A cell a member.
    Packed(Packed),
}

/// Cells that are found by counting bits: `ranks` are the members in the words before. They are only
/// read: a change unpacks them.
#[derive(Debug)]
struct Packed {
    ranks: [u8; WORDS],
    cells: Box<[u32]>,
}

impl Packed {
    #[inline]
    fn position(&self, offset: usize, members: &Membership) -> u32 {
        let below = members.word(offset / 64) & ((1 << (offset % 64)) - 1);
        let rank = usize::from(self.ranks[offset / 64 % WORDS]) + below.count_ones() as usize;
        self.cells.get(rank).copied().unwrap_or(NOWHERE)
    }

    /// For code that stays small.
    #[inline(never)]
    fn position_by_call(&self, offset: usize, members: &Membership) -> u32 {
        self.position(offset, members)
    }
}

impl Default for Form {
    fn default() -> Self {
        Self::Sequential { base: 0 }
    }
}

#[inline]
fn narrow(cells: &[u8; 3 * LEN + 1], offset: usize) -> u32 {
    let at = 3 * (offset % LEN);
    u32::from_le_bytes([cells[at], cells[at + 1], cells[at + 2], cells[at + 3]]) & 0xff_ffff
}

#[inline]
fn write_narrow(cells: &mut [u8; 3 * LEN + 1], offset: usize, position: u32) {
    let at = 3 * (offset % LEN);
    let [a, b, c, _] = position.to_le_bytes();
    (cells[at], cells[at + 1], cells[at + 2]) = (a, b, c);
}

impl Forms {
    /// The position of the member at an offset; among packed cells that which `packed` finds.
    #[inline(always)]
    fn position_or(&self, offset: usize, packed: impl FnOnce(&Packed) -> u32) -> u32 {
        match &self.form {
            Form::Sequential { base } => base.wrapping_add(number(offset)),
            Form::Narrow(cells) => narrow(cells, offset),
            Form::Packed(cells) => packed(cells),
        }
    }

    #[cold]
    fn unpack(&mut self, members: &Membership) -> &mut [u8; 3 * LEN + 1] {
        let mut cells = Box::new([0; 3 * LEN + 1]);
        members.for_each(|offset| {
            write_narrow(&mut cells, offset, self.position(offset, members));
        });
        self.form = Form::Narrow(cells);
        let Form::Narrow(cells) = &mut self.form else { unreachable!("just made") };
        cells
    }

    /// Packs the cells of up to `most` members.
    fn pack(&mut self, most: usize, members: &Membership) {
        let mut cells = Vec::new();
        members.for_each(|offset| cells.push(self.position(offset, members)));
        if cells.len() > most || matches!(self.form, Form::Sequential { .. }) {
            return;
        }
        let (mut ranks, mut rank) = ([0; WORDS], 0);
        for (before, word) in ranks.iter_mut().zip(members.words()) {
            *before = rank;
            rank += u8::try_from(word.count_ones()).unwrap_or(0);
        }
        self.form = Form::Packed(Packed { ranks, cells: cells.into() });
    }
}

impl Paged<Forms> {
    /// Packs the cells of pages with few members, as many as the library has in a set of this size.
    pub fn pack(&mut self, size: usize) {
        let most = if size <= 1 << 15 { 64 } else { 128 };
        for page in self.pages_mut() {
            page.cells.pack(most, &page.members);
        }
    }
}

impl Cells for Forms {
    #[inline(always)]
    fn position(&self, offset: usize, members: &Membership) -> u32 {
        self.position_or(offset, |packed| packed.position(offset, members))
    }

    #[inline(always)]
    fn position_lean(&self, offset: usize, members: &Membership) -> u32 {
        self.position_or(offset, |packed| packed.position_by_call(offset, members))
    }

    #[inline]
    fn put(&mut self, offset: usize, position: u32, generation: u32, members: &Membership) {
        let base_here = position.wrapping_sub(number(offset));
        if members.summary() == 0 {
            (self.form, self.generation) = (Form::Sequential { base: base_here }, generation);
            return;
        }
        if self.generation != generation {
            self.generation = 0;
        }
        match &mut self.form {
            Form::Sequential { base } if *base == base_here => {}
            Form::Narrow(cells) => write_narrow(cells, offset, position),
            _ => write_narrow(self.unpack(members), offset, position),
        }
    }

    #[inline]
    fn relocate(&mut self, offset: usize, position: u32, members: &Membership) {
        match &mut self.form {
            Form::Narrow(cells) => write_narrow(cells, offset, position),
            Form::Sequential { base } if *base == position.wrapping_sub(number(offset)) => {}
            _ => write_narrow(self.unpack(members), offset, position),
        }
    }

    #[inline]
    fn is_of(&self, generation: u32) -> bool {
        self.generation == generation
    }
}
