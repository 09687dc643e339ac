//! Whose edits concern others than the pools: groups, relations, vetoes, hooks, observers, collectors, and who
//! reads changes.

use crate::component::set::ComponentSet;
use crate::component::{Hook, HookList};
use crate::entity::Entity;
use crate::pool::change_log::{Change, ChangeLog, Row};
use crate::pool::track::Tracks;
use crate::signature::Signature;
use alloc::vec::Vec;

/// Which components somebody watches, and what those are to be told of the edit at hand.
///
/// An edit tests one set: of insertions, of removals, or of ends of entities. They are apart, so that a
/// removal does not pay for those who only want to hear of insertions.
///
/// What knows its components when it is compiled tests their bits first, which is an instruction or two, however
/// many they are. Components share bits, so these may say too much: then the sets are asked.
///
/// While somebody is told of an edit, the bits are all there are, and so are those whose end is looked at: an
/// edit then looks whether it meets one that is being told of.
pub(crate) struct Watch {
    /// The bits of the first two sets.
    insertion_bits: Signature,
    removal_bits: Signature,
    insertions: ComponentSet,
    ends: ComponentSet,
    /// The components whose removals are more than counted.
    removals: ComponentSet,
    /// Of the ends, those before which somebody is asked or told, or others are looked for.
    asked: ComponentSet,
    /// The same, while nobody is told.
    idle_bits: [Signature; 2],
    idle_ends: ComponentSet,
    /// The components that have a pool, by their numbers.
    known: Vec<Known>,
    /// What the sets consist of: who has a veto, what groups require or exclude, which are relations, and of
    /// what hooks, observers and collectors are told.
    vetoes: ComponentSet,
    grouped: ComponentSet,
    /// Those whose edits are counted.
    counted: ComponentSet,
    /// The relations, and what marks those that they point to.
    relations: ComponentSet,
    marks: ComponentSet,
    told_in: ComponentSet,
    notified_removals: ComponentSet,
    hooked_in: ComponentSet,
    hooked_out: ComponentSet,
    /// The components of whose insertions others than hooks are notified.
    heard_in: ComponentSet,
    /// Those whose changes somebody reads.
    tracked: ComponentSet,
    pub(crate) tracks: Tracks,
    is_notifying: bool,
    /// `true` if any insertion is to be looked at.
    is_any: bool,
    /// The changes that listeners are notified of.
    pub(crate) log: ChangeLog,
}

/// What is known of a component when its pool is made.
#[derive(Clone, Copy)]
struct Known {
    bit: Signature,
    hooks: HookList,
    /// The only listener of each change.
    notified: [Notified; Change::COUNT],
}

/// Who is told of something.
#[derive(Clone, Copy)]
pub(crate) enum Notified {
    /// Several, or others than these.
    Others,
    /// One hook or observer that captures nothing, and nobody else.
    Hook(Hook),
    /// One observer that captures, is told entity by entity, and nobody else.
    Closure,
    /// No listener that is called, only collectors if any.
    Collectors,
}

impl From<Option<Hook>> for Notified {
    fn from(hook: Option<Hook>) -> Self {
        hook.map_or(Self::Collectors, Self::Hook)
    }
}

impl Known {
    const NOTHING: Self = Self {
        bit: Signature::EMPTY,
        hooks: HookList::NONE,
        notified: [Notified::Collectors; Change::COUNT],
    };
}

impl Watch {
    pub(crate) const fn new() -> Self {
        const NONE: ComponentSet = ComponentSet::EMPTY;
        Self {
            insertion_bits: Signature::EMPTY,
            removal_bits: Signature::EMPTY,
            insertions: NONE,
            ends: NONE,
            removals: NONE,
            asked: NONE,
            idle_bits: [Signature::EMPTY; 2],
            idle_ends: NONE,
            known: Vec::new(),
            vetoes: NONE,
            grouped: NONE,
            counted: NONE,
            relations: NONE,
            marks: NONE,
            told_in: NONE,
            notified_removals: NONE,
            hooked_in: NONE,
            hooked_out: NONE,
            heard_in: NONE,
            tracked: NONE,
            tracks: Tracks::new(),
            is_notifying: false,
            is_any: false,
            log: ChangeLog::new(),
        }
    }

    fn refresh(&mut self) {
        let kept = self.grouped.union(self.relations).union(self.tracked);
        self.removals = kept.union(self.notified_removals);
        let kept = kept.union(self.counted);
        let removals = kept.union(self.notified_removals);
        self.insertions = kept.union(self.told_in);
        self.asked = self.vetoes.union(self.notified_removals).union(self.marks);
        self.idle_ends = self.asked.union(self.relations).union(self.tracked).union(self.counted);
        self.idle_bits = [kept.union(self.heard_in), removals].map(|set| self.bits_of(set));
        self.set_notifying(self.is_notifying);
    }

    /// The bits of these components; all, where one is not known.
    fn bits_of(&self, components: ComponentSet) -> Signature {
        let bit = |number: u32| match self.known.get(number as usize) {
            Some(it) if !it.bit.is_empty() && !ComponentSet::of(number).is_coarse() => it.bit,
            _ => Signature::ALL,
        };
        components.numbers().map(bit).fold(Signature::EMPTY, Signature::union)
    }

    /// A component with this bit and these hooks has a pool from now on.
    pub(crate) fn add_component(&mut self, number: u32, bit: Signature, hooks: HookList) {
        let place = number as usize;
        if place >= self.known.len() {
            self.known.resize(place + 1, Known::NOTHING);
        }
        let HookList { on_insert, on_update, on_remove } = hooks;
        self.known[place] =
            Known { bit, hooks, notified: [on_insert, on_update, on_remove].map(Notified::from) };
        let of = |hook: Option<Hook>| {
            if hook.is_some() { ComponentSet::of(number) } else { ComponentSet::EMPTY }
        };
        self.hooked_in = self.hooked_in.union(of(on_insert.or(on_update)));
        self.hooked_out = self.hooked_out.union(of(on_remove));
        self.told_in = self.told_in.union(self.hooked_in);
        self.notified_removals = self.notified_removals.union(self.hooked_out);
        self.refresh();
    }

    /// A component has a veto.
    pub(crate) fn add_veto(&mut self, number: u32) {
        self.vetoes.insert(number);
        self.refresh();
    }

    /// From now on, groups require or exclude the first of these components, and edits of the others are counted.
    pub(crate) fn set_grouped(&mut self, grouped: ComponentSet, counted: ComponentSet) {
        if (self.grouped, self.counted) != (grouped, counted) {
            (self.grouped, self.counted) = (grouped, counted);
            self.refresh();
        }
    }

    /// A component is a relation; what it points to has this mark among its components.
    pub(crate) fn add_relation(&mut self, number: u32, mark: u32) {
        self.relations.insert(number);
        self.marks.insert(mark);
        self.refresh();
    }

    /// The components that are relations.
    #[inline]
    pub(crate) const fn relations(&self) -> &ComponentSet {
        &self.relations
    }

    /// Returns `true` if an entity with these components may be pointed to by a relation.
    #[inline]
    pub(crate) fn is_marked(&self, components: &ComponentSet) -> bool {
        self.marks.intersects(components)
    }

    /// Returns the components of which one is tracked or counted, or shows that its entity may be at an end of a relation.
    pub(crate) fn watched_ends(&self) -> ComponentSet {
        self.relations.union(self.marks).union(self.tracked).union(self.counted)
    }

    /// Returns `true` if an entity with these components may be at either end of a relation.
    #[inline]
    pub(crate) fn relates(&self, components: &ComponentSet) -> bool {
        self.relations.intersects(components) || self.is_marked(components)
    }

    /// Sets the components of whose insertions or updates, and of whose removals, observers and collectors are notified.
    pub(crate) fn set_observed(&mut self, insertions: ComponentSet, removals: ComponentSet) {
        self.heard_in = insertions;
        self.told_in = self.hooked_in.union(insertions);
        self.notified_removals = self.hooked_out.union(removals);
        self.refresh();
    }

    /// Finds out the changes of which components are read.
    pub(crate) fn set_tracked(&mut self) {
        self.tracked = self.tracks.retain_read().collect();
        self.refresh();
    }

    /// Returns `true` if any component's changes are read.
    #[inline]
    pub(crate) fn is_tracking(&self) -> bool {
        !self.tracked.is_empty()
    }

    /// Keeps marks no longer of what nobody reads any more.
    #[inline]
    pub(crate) fn end_unread(&mut self) {
        if !self.tracks.are_read() {
            self.set_tracked();
        }
    }

    /// Sets whether several views may mark at the same time from now on.
    pub(crate) fn set_marking_shared(&mut self, is_shared: bool) {
        if self.is_tracking() {
            self.end_unread();
            self.tracks.iter_mut().for_each(|(_, track)| track.set_shared(is_shared));
        }
    }

    /// The components whose edits are counted.
    #[inline]
    pub(crate) const fn counted(&self) -> &ComponentSet {
        &self.counted
    }

    /// Returns `true` if the changes of this component are read.
    #[inline]
    pub(crate) const fn tracks(&self, number: u32) -> bool {
        self.tracked.contains(number)
    }

    /// Returns `true` if the changes of one of these components are read.
    #[inline]
    pub(crate) fn tracks_any(&self, components: &ComponentSet) -> bool {
        self.tracked.intersects(components)
    }

    /// Those of these components whose changes are read.
    #[inline]
    pub(crate) fn tracked_among(&self, components: &ComponentSet) -> ComponentSet {
        self.tracked.intersection(*components)
    }

    /// Returns `true` if somebody is told of an edit now.
    #[inline(always)]
    pub(crate) const fn is_notifying(&self) -> bool {
        self.is_notifying
    }

    #[inline]
    pub(crate) fn set_notifying(&mut self, is_notifying: bool) {
        self.is_notifying = is_notifying;
        self.ends = if is_notifying { ComponentSet::ALL } else { self.idle_ends };
        let bits = if is_notifying { [Signature::ALL; 2] } else { self.idle_bits };
        [self.insertion_bits, self.removal_bits] = bits;
        self.is_any = is_notifying || !self.insertions.is_empty();
    }

    /// Returns `true` if any insertion is to be looked at.
    #[inline(always)]
    pub(crate) const fn is_any(&self) -> bool {
        self.is_any
    }

    /// Returns `true` if insertions of components with these bits may have to be looked at. Where only a hook would be called,
    /// whoever inserts does so.
    #[inline(always)]
    pub(crate) const fn may_be_insertion(&self, bits: Signature) -> bool {
        self.insertion_bits.intersects(bits)
    }

    /// Returns `true` if an insertion of this component is to be looked at: two instructions where none is.
    #[inline(always)]
    pub(crate) const fn watches_insertion(&self, number: u32) -> bool {
        self.is_any && (self.is_notifying || self.insertions.contains(number))
    }

    /// Returns `true` if removals of components with these bits may have to be looked at.
    #[inline(always)]
    pub(crate) const fn may_be_removal(&self, bits: Signature) -> bool {
        self.removal_bits.intersects(bits)
    }

    /// Returns `true` if a removal of this component, which may have to be looked at, is more than counted.
    #[inline]
    pub(crate) const fn follows_removal(&self, number: u32) -> bool {
        self.is_notifying || self.removals.contains(number)
    }

    /// Returns `true` if the end of an entity with these components is to be looked at.
    #[inline(always)]
    pub(crate) fn end(&self, components: &ComponentSet) -> bool {
        self.ends.intersects(components)
    }

    /// Returns `true` if somebody may have to be asked or told before the end of an entity with these components, or
    /// others may end with it.
    #[inline]
    pub(crate) fn asks_at_end(&self, components: &ComponentSet) -> bool {
        self.is_notifying || self.asked.intersects(components)
    }

    /// The components that have a veto.
    #[inline]
    pub(crate) const fn vetoes(&self) -> &ComponentSet {
        &self.vetoes
    }

    /// Returns `true` if hooks or observers are told of insertions of this component, or of other edits now.
    #[inline]
    pub(crate) const fn notifies_insertion(&self, number: u32) -> bool {
        self.is_notifying || self.told_in.contains(number)
    }

    /// Returns `true` if insertions of one of these components are marked, counted, or add rows.
    #[inline]
    pub(crate) fn needs_rows(&self, components: &ComponentSet) -> bool {
        self.is_notifying
            || self.told_in.intersects(components)
            || self.tracked.intersects(components)
            || self.counted.intersects(components)
    }

    /// Returns `true` if hooks or observers are told of removals of this component, or of other edits now.
    #[inline]
    pub(crate) const fn notifies_removal(&self, number: u32) -> bool {
        self.is_notifying || self.notified_removals.contains(number)
    }

    /// The components of whose removals hooks or observers are told.
    #[inline]
    pub(crate) const fn notified_removals(&self) -> &ComponentSet {
        &self.notified_removals
    }

    /// The hooks of a component that has a pool.
    #[inline]
    pub(crate) fn hooks(&self, number: u32) -> &HookList {
        self.known.get(number as usize).map_or(&HookList::NONE, |known| &known.hooks)
    }

    /// The listeners of a change.
    #[inline]
    pub(crate) fn notified(&self, number: u32, change: Change) -> Notified {
        let known = self.known.get(number as usize);
        known.map_or(Notified::Others, |known| known.notified[change as usize])
    }

    /// Finds out anew the only listener of each change of a component, by its number and its hooks.
    pub(crate) fn set_notified(
        &mut self,
        find: impl Fn(u32, &HookList) -> [Notified; Change::COUNT],
    ) {
        for (number, known) in (0..).zip(&mut self.known) {
            known.notified = find(number, &known.hooks);
        }
    }

    /// Marks an insertion, for those who read changes.
    pub(crate) fn track(&mut self, entity: Entity, number: u32, is_new: bool) {
        if let Some(track) = self.tracks.get_mut(number) {
            if track.is_read() {
                track.note(entity, is_new);
            } else {
                self.set_tracked();
            }
        }
    }

    /// Keeps that an entity is about to lose a component, for those who read changes.
    pub(crate) fn track_removal(&mut self, entity: Entity, number: u32) {
        if let Some(track) = self.tracks.get_mut(number) {
            if track.is_read() {
                track.note_removal(entity);
            } else {
                self.set_tracked();
            }
        }
    }

    /// Marks an insertion and adds its row, as far as it is watched; the first of an edit that `has_rows` no rows yet
    /// begins it. Returns `true` if the edit has rows now.
    #[inline]
    pub(crate) fn add_insertion(
        &mut self,
        entity: Entity,
        number: u32,
        is_new: bool,
        has_rows: bool,
    ) -> bool {
        if self.tracks(number) {
            self.track(entity, number, is_new);
        }
        if !self.notifies_insertion(number) {
            return has_rows;
        }
        if !has_rows {
            self.log.begin();
        }
        self.log.add(Row::new(entity, number, Change::inserted(is_new)));
        true
    }

    /// Bytes on the heap.
    pub(crate) fn memory(&self) -> usize {
        self.log.memory() + self.known.capacity() * size_of::<Known>() + self.tracks.memory()
    }

    pub(crate) fn shrink_to_fit(&mut self) {
        self.log.shrink_to_fit();
    }
}
