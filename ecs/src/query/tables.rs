//! What a join looks things up in, and what is asked of it to choose a way.

use crate::entities::Entities;
use crate::entity::Entity;
use crate::query::fetch::{Fetch, RunEntities, matches_at};
use crate::query::list::NO_KEYS;
use crate::query::row::{Member, Miss, RowEntity};
use crate::storage::keys::Keys;
use crate::storage::sparse_array::{PAGE_LEN, PageAt, offset_of, page_of};
use core::ops::Range;

/// The smallest pool drives the join when it has at most this many members a page. Measured, as
/// what follows: with one a page, looking them up took 0.2 to 0.6 of the time of joining the words,
/// with four 0.5 to 1 (1.3 where both pools are large and in different orders), with eight 0.8 to
/// 1.8.
const DENSE_MOST: usize = 4;
/// The members of a group that owns nothing are looked up one by one when there are fewer than
/// this many a page; more are found by the group's bits. With two a page it took 0.4 to 0.9 of the
/// time of joining the words, with four 1 to 1.2.
const LISTED_BELOW: usize = 2;
/// With so many members a page, or fewer, the only pool that is required leads the join.
const LEADS_ALWAYS: usize = 16;
/// Of more, so many are looked at to see whether it should.
const SAMPLES: usize = 32;
/// So many members are compared to see whether pools seem to be in step.
const STEPS: usize = 8;
/// Of so many pages, each is asked whether pools are in step: it takes as long as to walk by pages that
/// are.
const TOLD_PAGES: usize = 8;
/// Neighbours in a word, on average, that make it worth while to go by words.
const RUN_LONG: u32 = 24;

/// A match: where its values are, and its entity.
pub(super) type Match<'w, F> = (<F as Fetch>::Slot<'w>, RowEntity);

/// Whether pools are in step: their pages tell so, or some of their members.
pub(super) enum InStep {
    Told,
    Seemingly,
    Not,
}

/// What a join looks things up in.
///
/// * J1: `anchor` is the smallest pool that every match is in, or `None` if there is no such.
pub(super) struct Tables<'w, F: Fetch> {
    pub(super) window: F::Window<'w>,
    pub(super) anchor: Option<&'w Keys<Entity>>,
    pub(super) entities: &'w Entities,
    /// The matches, where a group lists them.
    pub(super) listed: Option<&'w Keys<Entity>>,
}

impl<F: Fetch> Clone for Tables<'_, F> {
    #[inline]
    fn clone(&self) -> Self {
        *self
    }
}
impl<F: Fetch> Copy for Tables<'_, F> {}

impl<'w, F: Fetch> Tables<'w, F> {
    /// Whether the matches are all of one pool.
    pub(super) const IS_SLICE: bool = F::POOLS == 1 && F::EXACT && F::PLAIN;

    /// What may be a match, if this entity is alive and in the smallest pool.
    #[inline]
    fn member(&self, entity: Entity) -> Option<Member<'w>> {
        let at = match self.anchor {
            Some(anchor) => anchor.find(entity)?,
            None => self.entities.record(entity).map(|_| 0)?,
        };
        Some(Member::new(entity, at, self.anchor))
    }

    #[inline]
    pub(super) fn contains(&self, entity: Entity) -> bool {
        self.member(entity).is_some_and(|member| F::accepts(&self.window, &member))
    }

    /// Whether `entity`, which is alive and a member of the pool that leads, matches.
    #[inline]
    pub(super) fn accepts(&self, entity: Entity, lead: Option<&'w Keys<Entity>>) -> bool {
        F::accepts(&self.window, &Member::new(entity, 0, lead))
    }

    /// Where the values of `entity` are, if it matches.
    #[inline]
    pub(super) fn find(&self, entity: Entity) -> Option<Match<'w, F>> {
        let slot = F::slot_if(&self.window, &self.member(entity)?)?;
        Some((slot, entity.into()))
    }

    /// The same of one that is read some time later.
    #[inline]
    pub(super) fn find_ahead(&self, entity: Entity) -> Option<Match<'w, F>> {
        let member = Member { is_ahead: true, ..self.member(entity)? };
        Some((F::slot_if(&self.window, &member)?, entity.into()))
    }

    /// The same of several; or the first of them that does not match or comes twice.
    pub(super) fn find_all<const N: usize>(
        &self,
        entities: [Entity; N],
    ) -> Result<[Match<'w, F>; N], (Entity, Miss)> {
        let mut rows = [const { None }; N];
        for (at, &entity) in entities.iter().enumerate() {
            if entities[..at].contains(&entity) {
                return Err((entity, Miss::Repeated));
            }
            rows[at] = Some(self.find(entity).ok_or((entity, Miss::NoMatch))?);
        }
        Ok(rows.map(|row| row.expect("all were found")))
    }

    /// A match, as a run of one that ends where its row does.
    #[inline(always)]
    pub(super) fn lone(&self, slot: F::Slot<'w>, row: *const RowEntity) -> F::Run<'w> {
        F::lone(slot, RunEntities::one(row, self.keys()))
    }

    /// The keys that every match is among, or none.
    #[inline(always)]
    pub(super) fn keys(&self) -> &'w Keys<Entity> {
        self.anchor.unwrap_or(&NO_KEYS)
    }

    /// Whether the only pool that is required leads, instead of the words of all.
    ///
    /// It does where it has few members, be it that not all of them match. Of many, some are
    /// looked at: words are better where few match, and where matches are neighbours in long runs.
    pub(super) fn leads(&self, anchor: &Keys<Entity>) -> bool {
        if F::POOLS != 1 {
            return false;
        }
        if anchor.len() <= anchor.page_count() * LEADS_ALWAYS {
            return true;
        }
        let (mut matches, mut neighbours) = (0, 0);
        for entity in anchor.dense().iter().step_by(anchor.len().div_ceil(SAMPLES)) {
            let (number, offset) = (page_of(entity.index()), offset_of(entity.index()));
            let cursor = F::cursor(&self.window, PageAt::far(number));
            matches += usize::from(matches_at::<F>(&cursor, offset));
            let bits = F::word(&cursor, (offset / 64) as usize);
            let runs = (bits & !(bits << 1)).count_ones();
            let is_long = bits.count_ones() >= runs * RUN_LONG;
            neighbours += usize::from(
                is_long && anchor.page(number).is_sequential() && F::forms(&cursor).sequential,
            );
        }
        let is_dense = anchor.len() > anchor.page_count() * PAGE_LEN / 4;
        let enough = if is_dense { SAMPLES * 5 / 8 } else { SAMPLES / 4 };
        matches >= enough && neighbours < SAMPLES / 2
    }

    /// Whether all pools, which have as many members, have the same in these positions.
    #[inline]
    pub(super) fn are_in_step(&self, at: Range<usize>) -> bool {
        self.anchor.is_some_and(|anchor| {
            F::all_keys(&self.window, &|keys| keys.is_in_step(anchor, at.clone()))
        })
    }

    /// Whether all pools have the same members in the same order, so that their values are read in a
    /// row.
    #[inline(never)]
    pub(super) fn in_step(&self) -> InStep {
        let Some(anchor) = self.anchor.filter(|_| F::POOLS > 1 && F::EXACT && F::PLAIN) else {
            return InStep::Not;
        };
        if !F::all_keys(&self.window, &|keys| keys.len() == anchor.len()) {
            return InStep::Not;
        }
        if self.are_told_in_step(anchor) {
            return InStep::Told;
        }
        if self.seem_in_step(anchor) { InStep::Seemingly } else { InStep::Not }
    }

    /// Whether there are few pages, and those tell that all pools are in step.
    #[inline]
    fn are_told_in_step(&self, anchor: &Keys<Entity>) -> bool {
        let pages = anchor.page_count();
        pages <= TOLD_PAGES
            && (0..pages).all(|number| {
                let page = anchor.page(number);
                F::all_keys(&self.window, &|keys| keys.page(number).is_in_step(page))
            })
    }

    /// Whether all pools, which have as many members as this one, seem to be in step with it, by some
    /// of those. Where pages tell as much, they do so for less.
    #[inline]
    fn seem_in_step(&self, anchor: &Keys<Entity>) -> bool {
        let mut is_told = true;
        for at in (0..anchor.len()).step_by(anchor.len().div_ceil(STEPS).max(1)) {
            let entity = anchor.dense()[at];
            if !F::all_keys(&self.window, &|keys| keys.dense()[at] == entity) {
                return false;
            }
            let number = page_of(entity.index());
            is_told &= anchor.page(number).is_sequential()
                && F::forms(&F::cursor(&self.window, PageAt::far(number))).sequential;
        }
        !is_told
    }

    /// Whether testing so many entities one by one takes less than joining the words of all pages.
    #[inline]
    pub(super) fn are_few(&self, entities: usize) -> bool {
        self.anchor.is_some_and(|anchor| entities <= anchor.page_count() * DENSE_MOST)
    }

    /// Whether looking up so many matches takes less than finding them by their bits.
    pub(super) fn are_few_matches(&self, entities: usize) -> bool {
        self.anchor.is_some_and(|anchor| entities < anchor.page_count() * LISTED_BELOW)
    }
}
