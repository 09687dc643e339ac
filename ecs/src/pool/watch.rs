//! The listeners to edits beyond the pools: groups, relations, vetoes, hooks, observers, collectors, and readers of
//! changes.

use crate::component::set::ComponentSet;
use crate::component::{Hook, HookList};
use crate::entity::Entity;
use crate::pool::change_log::{Change, ChangeLog, Row};
use crate::pool::track::Tracks;
use crate::signature::Signature;
use alloc::vec::Vec;

/// The watched components, and the listeners to each change.
///
/// An edit tests one set: of insertions, of removals, or of ends of entities. The sets are separate, so that a removal
/// does not pay for listeners to insertions only.
///
/// Code that is compiled for given components tests their bits first, which takes an instruction or two for any number
/// of components. Components share bits, so the bits may match too often: then the sets decide.
///
/// During a notification, all bits are set, and all ends are checked: an edit must then find out if it meets one that
/// is under way.
pub(crate) struct Watch {
    /// The bits of the first two sets, and of the components with listeners to their changes in place.
    insertion_bits: Signature,
    removal_bits: Signature,
    update_bits: Signature,
    insertions: ComponentSet,
    ends: ComponentSet,
    /// The components with insertions, and with removals, that are more than counted.
    followed_insertions: ComponentSet,
    removals: ComponentSet,
    /// The components before the end of which vetoes or listeners are called, or sources are searched.
    checked_ends: ComponentSet,
    /// The bits when no listener is being notified.
    idle_bits: [Signature; 3],
    idle_ends: ComponentSet,
    /// The components that have a pool, by number.
    listeners: Vec<Listeners>,
    /// The parts of the sets: components with vetoes, in groups, that are relations, and with hooks, observers or
    /// collectors.
    vetoes: ComponentSet,
    grouped: ComponentSet,
    /// The components with counted edits.
    counted: ComponentSet,
    relations: ComponentSet,
    /// The mark of relation targets, if there is a relation.
    marks: ComponentSet,
    notified_insertions: ComponentSet,
    notified_removals: ComponentSet,
    hooked_insertions: ComponentSet,
    hooked_removals: ComponentSet,
    /// The components with listeners other than hooks to their insertions.
    observed_insertions: ComponentSet,
    /// The components with readers of changes.
    tracked: ComponentSet,
    pub(crate) tracks: Tracks,
    is_notifying: bool,
    /// `true` if any insertion is watched, and if any end is.
    is_any: bool,
    is_any_end: bool,
    /// The changes that listeners are notified of.
    pub(crate) log: ChangeLog,
}

/// The listeners of a component, stored when its pool is made.
#[derive(Clone, Copy)]
struct Listeners {
    bit: Signature,
    hooks: HookList,
    /// The only listener of each change.
    notified: [Notified; Change::COUNT],
}

/// The listeners to a change.
#[derive(Clone, Copy)]
pub(crate) enum Notified {
    /// Several listeners, or one that no other variant describes.
    Others,
    /// One hook or observer that captures nothing.
    Hook(Hook),
    /// One observer that captures, and is called entity by entity.
    Closure,
    /// No listener that is called, only collectors if any.
    Collectors,
}

impl From<Option<Hook>> for Notified {
    fn from(hook: Option<Hook>) -> Self {
        hook.map_or(Self::Collectors, Self::Hook)
    }
}

impl Listeners {
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
            update_bits: Signature::EMPTY,
            insertions: NONE,
            ends: NONE,
            followed_insertions: NONE,
            removals: NONE,
            checked_ends: NONE,
            idle_bits: [Signature::EMPTY; 3],
            idle_ends: NONE,
            listeners: Vec::new(),
            vetoes: NONE,
            grouped: NONE,
            counted: NONE,
            relations: NONE,
            marks: NONE,
            notified_insertions: NONE,
            notified_removals: NONE,
            hooked_insertions: NONE,
            hooked_removals: NONE,
            observed_insertions: NONE,
            tracked: NONE,
            tracks: Tracks::new(),
            is_notifying: false,
            is_any: false,
            is_any_end: false,
            log: ChangeLog::new(),
        }
    }

    fn refresh(&mut self) {
        let watched = self.grouped.union(self.relations).union(self.tracked);
        self.followed_insertions = watched.union(self.notified_insertions);
        self.removals = watched.union(self.notified_removals);
        let watched = watched.union(self.counted);
        let removals = watched.union(self.notified_removals);
        let updates = self.tracked.union(self.observed_insertions);
        self.insertions = watched.union(self.notified_insertions);
        self.checked_ends = self.vetoes.union(self.notified_removals).union(self.marks);
        self.idle_ends =
            self.checked_ends.union(self.relations).union(self.tracked).union(self.counted);
        self.idle_bits =
            [watched.union(self.observed_insertions), removals, updates].map(|it| self.bits_of(it));
        self.set_notifying(self.is_notifying);
    }

    /// Returns the bits of these components; all bits, if a component has no pool.
    fn bits_of(&self, components: ComponentSet) -> Signature {
        let bit = |number: u32| match self.listeners.get(number as usize) {
            Some(it) if !it.bit.is_empty() && !ComponentSet::is_shared(number) => it.bit,
            _ => Signature::ALL,
        };
        components.numbers().map(bit).fold(Signature::EMPTY, Signature::union)
    }

    /// Adds a component with this bit and these hooks, when its pool is made.
    pub(crate) fn add_component(&mut self, number: u32, bit: Signature, hooks: HookList) {
        let place = number as usize;
        if place >= self.listeners.len() {
            self.listeners.resize(place + 1, Listeners::NOTHING);
        }
        let HookList { on_insert, on_update, on_remove } = hooks;
        self.listeners[place] = Listeners {
            bit,
            hooks,
            notified: [on_insert, on_update, on_remove].map(Notified::from),
        };
        let of = |hook: Option<Hook>| {
            if hook.is_some() { ComponentSet::of(number) } else { ComponentSet::EMPTY }
        };
        self.hooked_insertions = self.hooked_insertions.union(of(on_insert.or(on_update)));
        self.hooked_removals = self.hooked_removals.union(of(on_remove));
        self.notified_insertions = self.notified_insertions.union(self.hooked_insertions);
        self.notified_removals = self.notified_removals.union(self.hooked_removals);
        self.refresh();
    }

    /// Notes that a component has a veto.
    pub(crate) fn add_veto(&mut self, number: u32) {
        self.vetoes.insert(number);
        self.refresh();
    }

    /// Sets the components that groups require or exclude, and those with counted edits.
    pub(crate) fn set_grouped(&mut self, grouped: ComponentSet, counted: ComponentSet) {
        if (self.grouped, self.counted) != (grouped, counted) {
            (self.grouped, self.counted) = (grouped, counted);
            self.refresh();
        }
    }

    /// Notes that a component is a relation.
    pub(crate) fn add_relation(&mut self, number: u32) {
        self.relations.insert(number);
        self.marks = ComponentSet::MARKED;
        self.refresh();
    }

    /// Returns the components that are relations.
    #[inline]
    pub(crate) const fn relations(&self) -> &ComponentSet {
        &self.relations
    }

    /// Returns the components that are tracked or counted, or show that their entity may be at an end of a relation.
    pub(crate) fn watched_ends(&self) -> ComponentSet {
        self.relations.union(self.marks).union(self.tracked).union(self.counted)
    }

    /// Returns `true` if an entity with these components may be at either end of a relation.
    #[inline]
    pub(crate) fn relates(&self, components: &ComponentSet) -> bool {
        self.relations.intersects(components) || components.is_marked()
    }

    /// Sets the components with observers or collectors of insertions or updates, and of removals.
    pub(crate) fn set_observed(&mut self, insertions: ComponentSet, removals: ComponentSet) {
        self.observed_insertions = insertions;
        self.notified_insertions = self.hooked_insertions.union(insertions);
        self.notified_removals = self.hooked_removals.union(removals);
        self.refresh();
    }

    /// Updates the set of components with readers of changes.
    pub(crate) fn set_tracked(&mut self) {
        self.tracked = self.tracks.retain_read().collect();
        self.refresh();
    }

    /// Returns `true` if any component has readers of changes.
    #[inline]
    pub(crate) fn is_tracking(&self) -> bool {
        !self.tracked.is_empty()
    }

    /// Stops marking changes that no reader reads any more.
    #[inline]
    pub(crate) fn end_unread(&mut self) {
        if !self.tracks.are_read() {
            self.set_tracked();
        }
    }

    /// Allows or forbids several views to mark simultaneously from now on.
    pub(crate) fn set_marking_shared(&mut self, is_shared: bool) {
        if self.is_tracking() {
            self.end_unread();
            self.tracks.iter_mut().for_each(|(_, track)| track.set_shared(is_shared));
        }
    }

    /// Returns the components with counted edits.
    #[inline]
    pub(crate) const fn counted(&self) -> &ComponentSet {
        &self.counted
    }

    /// Returns `true` if this component has readers of changes.
    #[inline]
    pub(crate) const fn tracks(&self, number: u32) -> bool {
        self.tracked.contains(number)
    }

    /// Returns `true` if one of these components has readers of changes.
    #[inline]
    pub(crate) fn tracks_any(&self, components: &ComponentSet) -> bool {
        self.tracked.intersects(components)
    }

    /// Returns those of these components that have readers of changes.
    #[inline]
    pub(crate) fn tracked_among(&self, components: &ComponentSet) -> ComponentSet {
        self.tracked.intersection(*components)
    }

    /// Returns `true` if listeners are being notified of an edit now.
    #[inline(always)]
    pub(crate) const fn is_notifying(&self) -> bool {
        self.is_notifying
    }

    #[inline]
    pub(crate) fn set_notifying(&mut self, is_notifying: bool) {
        self.is_notifying = is_notifying;
        self.ends = if is_notifying { ComponentSet::ALL } else { self.idle_ends };
        let bits = if is_notifying { [Signature::ALL; 3] } else { self.idle_bits };
        [self.insertion_bits, self.removal_bits, self.update_bits] = bits;
        self.is_any = is_notifying || !self.insertions.is_empty();
        self.is_any_end = !self.ends.is_empty();
    }

    /// Returns `true` if any insertion is watched.
    #[inline(always)]
    pub(crate) const fn is_any(&self) -> bool {
        self.is_any
    }

    /// Returns `true` if insertions of components with these bits may be watched. Hooks without further listeners are
    /// not included: the inserting code calls them.
    #[inline(always)]
    pub(crate) const fn may_be_insertion(&self, bits: Signature) -> bool {
        self.insertion_bits.intersects(bits)
    }

    /// Returns `true` if changes in place of components with these bits may have listeners beside a lone hook, which the
    /// changing code calls.
    #[inline(always)]
    pub(crate) const fn may_be_update(&self, bits: Signature) -> bool {
        self.update_bits.intersects(bits)
    }

    /// Returns `true` if insertions of this component are watched; takes two instructions if none are.
    #[inline(always)]
    pub(crate) const fn watches_insertion(&self, number: u32) -> bool {
        self.is_any && (self.is_notifying || self.insertions.contains(number))
    }

    /// Returns `true` if removals of components with these bits may be watched.
    #[inline(always)]
    pub(crate) const fn may_be_removal(&self, bits: Signature) -> bool {
        self.removal_bits.intersects(bits)
    }

    /// Returns `true` if an insertion of this component, which is watched, is more than counted.
    #[inline]
    pub(crate) const fn follows_insertion(&self, number: u32) -> bool {
        self.is_notifying || self.followed_insertions.contains(number)
    }

    /// Returns `true` if a removal of this component, which may be watched, is more than counted.
    #[inline]
    pub(crate) const fn follows_removal(&self, number: u32) -> bool {
        self.is_notifying || self.removals.contains(number)
    }

    /// Returns `true` if the end of an entity with these components is watched; takes two instructions if none is.
    /// During a notification, the end of an entity without components is watched, too.
    #[inline(always)]
    pub(crate) fn end(&self, components: &ComponentSet) -> bool {
        self.is_any_end && (self.ends.intersects(components) || self.is_notifying)
    }

    /// Returns `true` if vetoes or listeners may have to be called before the end of an entity with these components,
    /// or if other entities may end with it.
    #[inline]
    pub(crate) fn checks_end(&self, components: &ComponentSet) -> bool {
        self.is_notifying || self.checked_ends.intersects(components)
    }

    /// Returns the components that have a veto.
    #[inline]
    pub(crate) const fn vetoes(&self) -> &ComponentSet {
        &self.vetoes
    }

    /// Returns `true` if hooks or observers are notified of insertions of this component, or are being notified of
    /// another edit.
    #[inline]
    pub(crate) const fn notifies_insertion(&self, number: u32) -> bool {
        self.is_notifying || self.notified_insertions.contains(number)
    }

    /// Returns `true` if insertions of one of these components are marked, or add rows.
    #[inline]
    pub(crate) fn needs_rows(&self, components: &ComponentSet) -> bool {
        self.is_notifying
            || self.notified_insertions.intersects(components)
            || self.tracked.intersects(components)
    }

    /// Returns `true` if hooks or observers are notified of removals of this component, or are being notified of
    /// another edit.
    #[inline]
    pub(crate) const fn notifies_removal(&self, number: u32) -> bool {
        self.is_notifying || self.notified_removals.contains(number)
    }

    /// Returns the components with hooks or observers of removals.
    #[inline]
    pub(crate) const fn notified_removals(&self) -> &ComponentSet {
        &self.notified_removals
    }

    /// Returns the hooks of a component that has a pool.
    #[inline]
    pub(crate) fn hooks(&self, number: u32) -> &HookList {
        self.listeners.get(number as usize).map_or(&HookList::NONE, |it| &it.hooks)
    }

    /// Returns the listeners to a change.
    #[inline]
    pub(crate) fn notified(&self, number: u32, change: Change) -> Notified {
        let found = self.listeners.get(number as usize);
        found.map_or(Notified::Others, |it| it.notified[change as usize])
    }

    /// Updates the only listener of each change of a component, by its number and its hooks.
    pub(crate) fn set_notified(
        &mut self,
        find: impl Fn(u32, &HookList) -> [Notified; Change::COUNT],
    ) {
        for (number, listeners) in (0..).zip(&mut self.listeners) {
            listeners.notified = find(number, &listeners.hooks);
        }
    }

    /// Marks an insertion, for readers of changes.
    pub(crate) fn track(&mut self, entity: Entity, number: u32, is_new: bool) {
        if let Some(track) = self.tracks.get_mut(number) {
            if track.is_read() {
                track.note(entity, is_new);
            } else {
                self.set_tracked();
            }
        }
    }

    /// Notes that an entity is about to lose a component, for readers of changes.
    pub(crate) fn track_removal(&mut self, entity: Entity, number: u32) {
        if let Some(track) = self.tracks.get_mut(number) {
            if track.is_read() {
                track.note_removal(entity);
            } else {
                self.set_tracked();
            }
        }
    }

    /// Marks an insertion and adds its row, as far as it is watched. Begins the edit if it `has_rows` no rows yet.
    /// Returns `true` if the edit has rows now.
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

    /// Returns the bytes on the heap.
    pub(crate) fn memory(&self) -> usize {
        self.log.memory()
            + self.listeners.capacity() * size_of::<Listeners>()
            + self.tracks.memory()
    }

    pub(crate) fn shrink_to_fit(&mut self) {
        self.log.shrink_to_fit();
    }
}
