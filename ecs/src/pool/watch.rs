//! Whose edits concern others than the pools: groups, relations, vetoes, hooks, observers, collectors, and who
//! reads changes.

use crate::component::set::ComponentSet;
use crate::entity::Entity;
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
/// While somebody is told of an edit, each set has all components: an edit then looks whether it meets one
/// that is being told of.
pub(crate) struct Watch {
    /// The bits of the first two sets.
    insertion_bits: Signature,
    removal_bits: Signature,
    insertions: ComponentSet,
    removals: ComponentSet,
    ends: ComponentSet,
    /// Of the ends, those before which somebody is asked or told, or others are looked for.
    asked: ComponentSet,
    /// The same, while nobody is told.
    idle: [ComponentSet; 3],
    idle_bits: [Signature; 2],
    /// The bit of each component that has a pool, by its number.
    bits: Vec<Signature>,
    /// What the sets consist of: who has a veto, what groups require or exclude, which are relations, and of
    /// what hooks, observers and collectors are told.
    vetoes: ComponentSet,
    grouped: ComponentSet,
    /// The relations, and what marks those that they point to.
    relations: ComponentSet,
    marks: ComponentSet,
    told_in: ComponentSet,
    told_out: ComponentSet,
    /// Of these, those of which not only collectors are told: somebody is called.
    called_in: ComponentSet,
    called_out: ComponentSet,
    hooked_in: ComponentSet,
    hooked_out: ComponentSet,
    /// Those whose changes somebody reads.
    tracked: ComponentSet,
    pub(crate) tracks: Tracks,
    is_telling: bool,
    /// Whether any insertion is to be looked at.
    is_any: bool,
    /// What observers are to be told of when the edit is complete; what is older was left by a panic.
    notes: Vec<Note>,
}

/// A component that an entity was given.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Note {
    pub(crate) entity: Entity,
    pub(crate) number: u32,
    /// Whether it had none before.
    pub(crate) is_new: bool,
}

impl Watch {
    pub(crate) const fn new() -> Self {
        const NONE: ComponentSet = ComponentSet::EMPTY;
        Self {
            insertion_bits: Signature::EMPTY,
            removal_bits: Signature::EMPTY,
            insertions: NONE,
            removals: NONE,
            ends: NONE,
            asked: NONE,
            idle: [NONE; 3],
            idle_bits: [Signature::EMPTY; 2],
            bits: Vec::new(),
            vetoes: NONE,
            grouped: NONE,
            relations: NONE,
            marks: NONE,
            told_in: NONE,
            told_out: NONE,
            called_in: NONE,
            called_out: NONE,
            hooked_in: NONE,
            hooked_out: NONE,
            tracked: NONE,
            tracks: Tracks::new(),
            is_telling: false,
            is_any: false,
            notes: Vec::new(),
        }
    }

    fn refresh(&mut self) {
        let kept = self.grouped.union(self.relations).union(self.tracked);
        self.asked = self.vetoes.union(self.told_out).union(self.marks);
        let ends = self.asked.union(self.relations).union(self.tracked);
        self.idle = [kept.union(self.told_in), kept.union(self.told_out), ends];
        let [insertions, removals, _] = self.idle;
        self.idle_bits = [insertions, removals].map(|components| self.bits_of(components));
        self.set_telling(self.is_telling);
    }

    /// The bits of these components; all, where one is not known.
    fn bits_of(&self, components: ComponentSet) -> Signature {
        let bit = |number: u32| match self.bits.get(number as usize) {
            Some(bit) if !bit.is_empty() && !ComponentSet::of(number).is_coarse() => *bit,
            _ => Signature::ALL,
        };
        components.numbers().map(bit).fold(Signature::EMPTY, Signature::union)
    }

    /// A component with this bit has a pool from now on.
    pub(crate) fn add_component(&mut self, number: u32, bit: Signature) {
        let place = number as usize;
        if place >= self.bits.len() {
            self.bits.resize(place + 1, Signature::EMPTY);
        }
        self.bits[place] = bit;
        if self.idle[0].contains(number) || self.idle[1].contains(number) {
            self.refresh();
        }
    }

    /// A component has a veto.
    pub(crate) fn add_veto(&mut self, number: u32) {
        self.vetoes.insert(number);
        self.refresh();
    }

    /// A component has hooks: of insertions, or of removals.
    pub(crate) fn add_hooks(&mut self, number: u32, insertions: bool, removals: bool) {
        let of = |is_hooked| if is_hooked { ComponentSet::of(number) } else { ComponentSet::EMPTY };
        self.hooked_in = self.hooked_in.union(of(insertions));
        self.hooked_out = self.hooked_out.union(of(removals));
        self.called_in = self.called_in.union(self.hooked_in);
        self.called_out = self.called_out.union(self.hooked_out);
        self.told_in = self.told_in.union(self.hooked_in);
        self.told_out = self.told_out.union(self.hooked_out);
        self.refresh();
    }

    /// Groups require or exclude these components from now on.
    pub(crate) fn set_grouped(&mut self, components: ComponentSet) {
        self.grouped = components;
        self.refresh();
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

    /// Whether an entity with these components may be pointed to by a relation.
    #[inline]
    pub(crate) fn is_marked(&self, components: &ComponentSet) -> bool {
        self.marks.intersects(components)
    }

    /// What an entity has that may be at either end of a relation.
    pub(crate) fn related(&self) -> ComponentSet {
        self.relations.union(self.marks)
    }

    /// Whether an entity with these components may be at either end of a relation.
    #[inline]
    pub(crate) fn relates(&self, components: &ComponentSet) -> bool {
        self.relations.intersects(components) || self.is_marked(components)
    }

    /// Of what observers are to be told from now on, and of what collectors: of insertions of these components,
    /// and of removals of those.
    pub(crate) fn set_observed(
        &mut self,
        observed: (ComponentSet, ComponentSet),
        collected: (ComponentSet, ComponentSet),
    ) {
        self.called_in = self.hooked_in.union(observed.0);
        self.called_out = self.hooked_out.union(observed.1);
        self.told_in = self.called_in.union(collected.0);
        self.told_out = self.called_out.union(collected.1);
        self.refresh();
    }

    /// Finds out the changes of which components are read.
    pub(crate) fn set_tracked(&mut self) {
        self.tracked = self.tracks.retain_read().collect();
        self.refresh();
    }

    /// Whether any component's changes are read.
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

    /// Whether several views at once may mark from now on.
    pub(crate) fn set_marking_shared(&mut self, is_shared: bool) {
        if self.is_tracking() {
            self.end_unread();
            self.tracks.iter_mut().for_each(|(_, track)| track.set_shared(is_shared));
        }
    }

    /// Whether the changes of one of these components are read.
    #[inline]
    pub(crate) fn tracks_any(&self, components: &ComponentSet) -> bool {
        self.tracked.intersects(components)
    }

    /// Those of these components whose changes are read.
    #[inline]
    pub(crate) fn tracked_among(&self, components: &ComponentSet) -> ComponentSet {
        self.tracked.intersection(*components)
    }

    /// Whether somebody is told of an edit now.
    #[inline(always)]
    pub(crate) const fn is_telling(&self) -> bool {
        self.is_telling
    }

    pub(crate) fn set_telling(&mut self, is_telling: bool) {
        self.is_telling = is_telling;
        let sets = if is_telling { [ComponentSet::ALL; 3] } else { self.idle };
        [self.insertions, self.removals, self.ends] = sets;
        let bits = if is_telling { [Signature::ALL; 2] } else { self.idle_bits };
        [self.insertion_bits, self.removal_bits] = bits;
        self.is_any = !self.insertions.is_empty();
    }

    /// Whether any insertion is to be looked at.
    #[inline(always)]
    pub(crate) const fn is_any(&self) -> bool {
        self.is_any
    }

    /// Whether insertions of components with these bits may have to be looked at.
    #[inline(always)]
    pub(crate) const fn may_be_insertion(&self, bits: Signature) -> bool {
        self.insertion_bits.intersects(bits)
    }

    /// Whether an insertion of this component is to be looked at: two instructions where none is.
    #[inline(always)]
    pub(crate) const fn insertion(&self, number: u32) -> bool {
        self.is_any && self.insertions.contains(number)
    }

    /// Whether removals of components with these bits may have to be looked at.
    #[inline(always)]
    pub(crate) const fn may_be_removal(&self, bits: Signature) -> bool {
        self.removal_bits.intersects(bits)
    }

    /// Whether the end of an entity with these components is to be looked at.
    #[inline(always)]
    pub(crate) fn end(&self, components: &ComponentSet) -> bool {
        self.ends.intersects(components)
    }

    /// Whether somebody may have to be asked or told before the end of an entity with these components, or
    /// others may end with it.
    #[inline]
    pub(crate) fn asks_at_end(&self, components: &ComponentSet) -> bool {
        self.is_telling || self.asked.intersects(components)
    }

    /// The components that have a veto.
    #[inline]
    pub(crate) const fn vetoes(&self) -> &ComponentSet {
        &self.vetoes
    }

    /// Whether hooks or observers are told of insertions of this component, or of other edits now.
    #[inline]
    pub(crate) const fn tells_insertion(&self, number: u32) -> bool {
        self.is_telling || self.told_in.contains(number)
    }

    /// As [`tells_insertion`](Self::tells_insertion), of one of these.
    #[inline]
    pub(crate) fn tells_insertions(&self, components: &ComponentSet) -> bool {
        self.is_telling || self.told_in.intersects(components)
    }

    /// Whether hooks or observers are told of removals of this component, or of other edits now.
    #[inline]
    pub(crate) const fn tells_removal(&self, number: u32) -> bool {
        self.is_telling || self.told_out.contains(number)
    }

    /// The components of whose removals hooks or observers are told.
    #[inline]
    pub(crate) const fn told_out(&self) -> &ComponentSet {
        &self.told_out
    }

    /// Whether a component has hooks: of what goes, or of other edits.
    #[inline]
    pub(crate) const fn has_hook(&self, number: u32, goes: bool) -> bool {
        if goes { self.hooked_out.contains(number) } else { self.hooked_in.contains(number) }
    }

    /// Whether hooks or observers, not only collectors, are told of insertions of this component.
    #[inline]
    pub(crate) const fn calls_of_insertion(&self, number: u32) -> bool {
        self.called_in.contains(number)
    }

    /// Whether hooks or observers, not only collectors, are told of removals of this component.
    #[inline]
    pub(crate) const fn calls_of_removal(&self, number: u32) -> bool {
        self.called_out.contains(number)
    }

    /// As [`calls_of_removal`](Self::calls_of_removal), of one of these.
    #[inline]
    pub(crate) fn calls_of_end(&self, components: &ComponentSet) -> bool {
        self.called_out.intersects(components)
    }

    /// Begins an edit: forgets what one left that panicked.
    #[inline]
    pub(crate) fn forget_notes(&mut self) {
        self.notes.clear();
    }

    /// Marks what was inserted, for those who read changes.
    pub(crate) fn track(&mut self, note: Note) {
        if let Some(track) = self.tracks.get_mut(note.number) {
            if track.is_read() {
                track.note(note.entity, note.is_new);
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

    /// Notes what observers are to be told of.
    pub(crate) fn note(&mut self, note: Note) {
        self.notes.push(note);
    }

    /// Notes what observers are to be told of, if they are; as the first of an edit that has `noted` nothing yet.
    /// Whether it has noted anything now.
    #[cold]
    #[inline(never)] // with what is in registers, so that edits need not be in memory
    pub(crate) fn note_next(&mut self, note: Note, noted: bool) -> bool {
        self.track(note);
        if !self.tells_insertion(note.number) {
            return noted;
        }
        if !noted {
            self.forget_notes();
        }
        self.note(note);
        true
    }

    /// Whether anything was noted.
    #[inline]
    pub(crate) fn has_notes(&self) -> bool {
        !self.notes.is_empty()
    }

    /// What was noted, to be given back by [`put_back`](Self::put_back).
    pub(crate) fn take_notes(&mut self) -> Vec<Note> {
        core::mem::take(&mut self.notes)
    }

    /// Keeps the room of a list.
    pub(crate) fn put_back(&mut self, mut notes: Vec<Note>) {
        notes.clear();
        self.notes = notes;
    }

    /// Bytes on the heap.
    pub(crate) fn memory(&self) -> usize {
        self.notes.capacity() * size_of::<Note>()
            + self.bits.capacity() * size_of::<Signature>()
            + self.tracks.memory()
    }

    pub(crate) fn shrink_to_fit(&mut self) {
        self.notes.shrink_to_fit();
    }
}
