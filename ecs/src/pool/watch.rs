//! The listeners to edits beyond the pools: groups, relations, vetoes, hooks, observers, collectors, and readers of
//! changes.
//!
//! ```text
//! facts     Tracked [3 7]   Relation [3]   HookedRemoval [9]        the components of which each is true
//!              │  Question::FACTS: the facts that answer a question of an edit with yes
//!              v
//! answers   Insertion [3 7]   End [0 3 7 9]                 a set for each question
//!              v
//! first     the bits of insertions, removals and updates            what most edits test, and nothing else
//! ```

use crate::component::rules::DeclaredRule;
use crate::component::set::ComponentSet;
use crate::component::{Hook, HookList};
use crate::entity::Entity;
use crate::notify::change_log::{Change, ChangeLog, ChangeRow};
use crate::pool::track::{Track, TrackList};
use crate::signature::Signature;
use alloc::vec::Vec;

/// A fact about a component that edits depend on.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Fact {
    /// It has a veto.
    Vetoed,
    /// Groups require or exclude it.
    Grouped,
    /// It is a relation.
    Relation,
    /// It is the mark of relation targets, and there is a relation.
    Target,
    /// It has readers of changes.
    Tracked,
    /// It has a hook that is called on insertion or update.
    HookedInsertion,
    /// It has a hook that is called on removal.
    HookedRemoval,
    /// It has a rule that insertions may break.
    Ruled,
    /// Another component needs it.
    Needed,
    /// It has observers or collectors of insertions or updates.
    ObservedInsertion,
    /// It has observers or collectors of removals.
    ObservedRemoval,
}

impl Fact {
    const COUNT: usize = Self::ObservedRemoval as usize + 1;
}

/// A question of an edit about a component: the answer is yes if one of the question's [facts](Self::FACTS) is true.
/// During a notification, all answers are yes: an edit must then find out if it meets one that is under way.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Question {
    /// Has the insertion effects beyond pools and records?
    Insertion,
    /// Has the removal effects beyond its pool?
    Removal,
    /// Are hooks, observers or collectors notified of the insertion?
    NotifiedInsertion,
    /// Are hooks, observers or collectors notified of the removal?
    NotifiedRemoval,
    /// Is the insertion marked, or does it add rows?
    Row,
    /// Has the end of an entity with it effects beyond pools, records and groups?
    End,
    /// Must vetoes or listeners be called before such an end, or may other entities end with this one?
    CheckedEnd,
}

impl Question {
    /// The facts that answer each question with yes, in the order of the questions.
    const FACTS: [&[Fact]; 7] = {
        use Fact::{
            Grouped, HookedInsertion, HookedRemoval, Needed, ObservedInsertion, ObservedRemoval,
            Relation, Ruled, Target, Tracked, Vetoed,
        };
        [
            &[Grouped, Relation, Ruled, Tracked, HookedInsertion, ObservedInsertion],
            &[Grouped, Relation, Needed, Tracked, HookedRemoval, ObservedRemoval],
            &[HookedInsertion, ObservedInsertion],
            &[HookedRemoval, ObservedRemoval],
            &[Tracked, HookedInsertion, ObservedInsertion],
            &[Vetoed, Relation, Target, Tracked, HookedRemoval, ObservedRemoval],
            &[Vetoed, Target, HookedRemoval, ObservedRemoval],
        ]
    };
    /// The facts that make edits look beyond the bits: for insertions, updates and removals. A hook that is the only
    /// listener to insertions or updates is none of them: the code that inserts or changes the component calls it.
    const FACTS_OF_BITS: [&[Fact]; Change::COUNT] = {
        use Fact::{
            Grouped, HookedRemoval, Needed, ObservedInsertion, ObservedRemoval, Relation, Ruled,
            Tracked,
        };
        [
            &[Grouped, Relation, Ruled, Tracked, ObservedInsertion],
            &[Tracked, ObservedInsertion],
            &[Grouped, Relation, Needed, Tracked, HookedRemoval, ObservedRemoval],
        ]
    };
}

/// The tests that an edit begins with. Most edits need no other.
#[derive(Clone, Copy)]
struct FirstTests {
    /// The bits of the components with watched insertions, updates and removals.
    bits: [Signature; Change::COUNT],
    /// `true` if any insertion is watched, and if any end is.
    is_any: bool,
    is_any_end: bool,
}

/// The facts about components, and the answers that each edit needs.
///
/// Code that is compiled for given components tests their bits first, which takes an instruction or two for any number
/// of components. Components share bits, so the bits may match too often: then the answers decide. Each question has
/// a set, so that a removal does not pay for listeners to insertions only.
pub(crate) struct Watch {
    first: FirstTests,
    is_notifying: bool,
    /// The components for which the answer to each question is yes when no listener is being notified.
    answers: [ComponentSet; Question::FACTS.len()],
    /// For each fact, the components that have it.
    facts: [ComponentSet; Fact::COUNT],
    /// The first tests when no listener is being notified.
    idle: FirstTests,
    /// The components that have a pool, by number.
    listeners: Vec<Listeners>,
    pub(crate) tracks: TrackList,
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
        const NOTHING: FirstTests = FirstTests {
            bits: [Signature::EMPTY; Change::COUNT],
            is_any: false,
            is_any_end: false,
        };
        Self {
            first: NOTHING,
            is_notifying: false,
            answers: [ComponentSet::EMPTY; Question::FACTS.len()],
            facts: [ComponentSet::EMPTY; Fact::COUNT],
            idle: NOTHING,
            listeners: Vec::new(),
            tracks: TrackList::new(),
            log: ChangeLog::new(),
        }
    }

    /// Derives the answers and the first tests from the facts.
    fn refresh(&mut self) {
        let bits = Question::FACTS_OF_BITS.map(|facts| self.bits_of(self.any_of(facts)));
        let answers = Question::FACTS.map(|facts| self.any_of(facts));
        let is_any = |question| !answers[question as usize].is_empty();
        let (is_any, is_any_end) = (is_any(Question::Insertion), is_any(Question::End));
        (self.answers, self.idle) = (answers, FirstTests { bits, is_any, is_any_end });
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
        let hooks =
            [(Fact::HookedInsertion, on_insert.or(on_update)), (Fact::HookedRemoval, on_remove)];
        for (fact, _) in hooks.into_iter().filter(|(_, hook)| hook.is_some()) {
            self.facts[fact as usize].insert(number);
        }
        self.refresh(); // also without hooks: the component has its own bit from now on
    }

    /// Notes a rule of the component with this number. The other component may have no pool yet.
    pub(crate) fn add_rule(&mut self, number: u32, rule: &DeclaredRule) {
        let other = rule.number();
        let place = other as usize;
        if place >= self.listeners.len() {
            self.listeners.resize(place + 1, Listeners::NOTHING);
        }
        self.listeners[place].bit = rule.bit;
        self.facts[Fact::Ruled as usize].insert(number);
        let fact = if rule.keeps_other() { Fact::Needed } else { Fact::Ruled };
        self.add(fact, other);
    }

    /// Notes a fact about one more component.
    pub(crate) fn add(&mut self, fact: Fact, number: u32) {
        self.facts[fact as usize].insert(number);
        self.refresh();
    }

    /// Sets the components that have each of these facts.
    pub(crate) fn set<const N: usize>(&mut self, facts: [(Fact, ComponentSet); N]) {
        let before = self.facts;
        for (fact, components) in facts {
            self.facts[fact as usize] = components;
        }
        if self.facts != before {
            self.refresh();
        }
    }

    /// Sets the components that groups require or exclude.
    pub(crate) fn set_grouped(&mut self, grouped: ComponentSet) {
        self.set([(Fact::Grouped, grouped)]);
    }

    /// Updates the set of components with readers of changes.
    pub(crate) fn set_tracked(&mut self) {
        let tracked = self.tracks.retain_read().collect();
        self.set([(Fact::Tracked, tracked)]);
    }

    /// Returns the components that have a fact.
    #[inline(always)]
    pub(crate) const fn of(&self, fact: Fact) -> &ComponentSet {
        &self.facts[fact as usize]
    }

    /// Returns the components that have one of these facts.
    #[inline]
    pub(crate) fn any_of(&self, facts: &[Fact]) -> ComponentSet {
        facts.iter().fold(ComponentSet::EMPTY, |all, fact| all.union(*self.of(*fact)))
    }

    /// Returns `true` if a fact is true of a component.
    #[inline(always)]
    pub(crate) const fn is(&self, fact: Fact, number: u32) -> bool {
        self.of(fact).contains(number)
    }

    /// Returns the components for which the answer to a question is yes when no listener is being notified.
    #[inline(always)]
    pub(crate) const fn idle_answer(&self, question: Question) -> &ComponentSet {
        &self.answers[question as usize]
    }

    /// Returns the answer to a question about a component.
    #[inline(always)]
    pub(crate) const fn answer(&self, question: Question, number: u32) -> bool {
        self.is_notifying || self.idle_answer(question).contains(number)
    }

    /// Returns `true` if the answer to a question is yes for one of these components.
    #[inline(always)]
    pub(crate) fn answer_any(&self, question: Question, components: &ComponentSet) -> bool {
        self.is_notifying || self.idle_answer(question).intersects(components)
    }

    /// Returns `true` if any component has readers of changes.
    #[inline]
    pub(crate) fn is_tracking(&self) -> bool {
        !self.of(Fact::Tracked).is_empty()
    }

    /// Stops marking changes that no reader reads any more.
    #[inline]
    pub(crate) fn end_unread(&mut self) {
        if !self.tracks.are_read() {
            self.set_tracked();
        }
    }

    /// Allows or forbids several views to mark simultaneously from now on.
    #[inline]
    pub(crate) fn set_marking_shared(&mut self, is_shared: bool) {
        if self.is_tracking() {
            self.end_unread();
            self.tracks.iter_mut().for_each(|(_, track)| track.set_shared(is_shared));
        }
    }

    /// Returns `true` if listeners are being notified of an edit now.
    #[inline(always)]
    pub(crate) const fn is_notifying(&self) -> bool {
        self.is_notifying
    }

    #[inline]
    pub(crate) const fn set_notifying(&mut self, is_notifying: bool) {
        const ALL: FirstTests =
            FirstTests { bits: [Signature::ALL; Change::COUNT], is_any: true, is_any_end: true };
        self.is_notifying = is_notifying;
        self.first = if is_notifying { ALL } else { self.idle };
    }

    /// Returns `true` if any insertion is watched.
    #[inline(always)]
    pub(crate) const fn is_any(&self) -> bool {
        self.first.is_any
    }

    /// Returns `true` if such changes of components with these bits may be watched. Hooks of insertions and updates
    /// without further listeners are not included: the inserting or changing code calls them.
    #[inline(always)]
    pub(crate) const fn may_be(&self, change: Change, bits: Signature) -> bool {
        self.first.bits[change as usize].intersects(bits)
    }

    /// Returns `true` if insertions of this component are watched; takes two instructions if none are.
    #[inline(always)]
    pub(crate) const fn watches_insertion(&self, number: u32) -> bool {
        self.is_any() && self.answer(Question::Insertion, number)
    }

    /// Returns `true` if the end of an entity with these components is watched; takes two instructions if none is.
    /// During a notification, the end of an entity without components is watched, too.
    #[inline(always)]
    pub(crate) fn watches_end(&self, components: &ComponentSet) -> bool {
        self.first.is_any_end
            && (self.idle_answer(Question::End).intersects(components) || self.is_notifying)
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

    /// Calls `note` with the marks of a component, if it has readers of changes.
    #[inline]
    pub(crate) fn track(&mut self, number: u32, note: impl FnOnce(&mut Track)) {
        match self.tracks.get_mut(number) {
            Some(track) if track.is_read() => note(track),
            Some(_) => self.set_tracked(),
            None => {}
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
        if self.is(Fact::Tracked, number) {
            self.track(number, |track| track.note(entity, is_new));
        }
        if !self.answer(Question::NotifiedInsertion, number) {
            return has_rows;
        }
        if !has_rows {
            self.log.begin();
        }
        self.log.add(ChangeRow::new(entity, number, Change::inserted(is_new)));
        true
    }

    /// Returns the bytes on the heap.
    #[inline]
    pub(crate) fn memory(&self) -> usize {
        self.log.memory()
            + self.listeners.capacity() * size_of::<Listeners>()
            + self.tracks.memory()
    }

    #[inline]
    pub(crate) fn shrink_to_fit(&mut self) {
        self.log.shrink_to_fit();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::component::set::MARK;
    use crate::world::World;

    fn ignore(_: &mut World, _: Entity) {}

    /// The facts of a watch, with each answer as a plain formula.
    #[derive(Clone, Default)]
    struct Model {
        vetoes: ComponentSet,
        grouped: ComponentSet,
        relations: ComponentSet,
        marks: ComponentSet,
        tracked: ComponentSet,
        ruled: ComponentSet,
        needed: ComponentSet,
        hooked_insertions: ComponentSet,
        hooked_removals: ComponentSet,
        observed_insertions: ComponentSet,
        observed_removals: ComponentSet,
        is_notifying: bool,
        /// The components with a pool, and their bits.
        bits: Vec<(u32, Signature)>,
    }

    impl Model {
        fn watched(&self) -> ComponentSet {
            self.grouped.union(self.relations).union(self.tracked)
        }
        fn notified_insertions(&self) -> ComponentSet {
            self.hooked_insertions.union(self.observed_insertions)
        }
        fn notified_removals(&self) -> ComponentSet {
            self.hooked_removals.union(self.observed_removals)
        }
        fn insertions(&self) -> ComponentSet {
            self.watched().union(self.ruled).union(self.notified_insertions())
        }
        fn checked_ends(&self) -> ComponentSet {
            self.vetoes.union(self.notified_removals()).union(self.marks)
        }
        fn ends(&self) -> ComponentSet {
            self.checked_ends().union(self.relations).union(self.tracked)
        }

        /// Returns `true` if one of these components may have one of these bits.
        fn have_bit(&self, components: ComponentSet, bits: Signature) -> bool {
            self.is_notifying
                || components.numbers().any(|number| {
                    let own = self.bits.iter().find(|it| it.0 == number && number < 255);
                    own.is_none_or(|(_, bit)| bit.intersects(bits))
                })
        }

        fn check(&self, watch: &Watch, number: u32, some: &ComponentSet, bits: Signature) {
            let is_notifying = self.is_notifying;
            let (watched, insertions) = (self.watched(), self.insertions());
            let (inserted, removed) = (self.notified_insertions(), self.notified_removals());
            assert_eq!(watch.is_notifying(), is_notifying);
            assert_eq!(watch.is_any(), is_notifying || !insertions.is_empty());
            assert_eq!(watch.is_tracking(), !self.tracked.is_empty());

            let insertion = watched.union(self.ruled).union(self.observed_insertions);
            assert_eq!(watch.may_be(Change::Insert, bits), self.have_bit(insertion, bits));
            let removal = watched.union(self.needed).union(removed);
            assert_eq!(watch.may_be(Change::Remove, bits), self.have_bit(removal, bits));
            let update = self.tracked.union(self.observed_insertions);
            assert_eq!(watch.may_be(Change::Update, bits), self.have_bit(update, bits));

            let is_watched = is_notifying || insertions.contains(number);
            assert_eq!(watch.watches_insertion(number), is_watched);
            let is_watched = is_notifying || self.ends().intersects(some);
            assert_eq!(watch.watches_end(some), is_watched);

            let answer = |question| watch.answer(question, number);
            let follows = is_notifying || insertions.contains(number);
            assert_eq!(answer(Question::Insertion), follows);
            let follows = is_notifying || removal.contains(number);
            assert_eq!(answer(Question::Removal), follows);
            let notifies = is_notifying || inserted.contains(number);
            assert_eq!(answer(Question::NotifiedInsertion), notifies);
            let notifies = is_notifying || removed.contains(number);
            assert_eq!(answer(Question::NotifiedRemoval), notifies);

            let answer = |question| watch.answer_any(question, some);
            let needs_rows =
                is_notifying || inserted.intersects(some) || self.tracked.intersects(some);
            assert_eq!(answer(Question::Row), needs_rows);
            let is_checked = is_notifying || self.checked_ends().intersects(some);
            assert_eq!(answer(Question::CheckedEnd), is_checked);

            assert_eq!(*watch.idle_answer(Question::NotifiedRemoval), removed);

            assert_eq!(watch.is(Fact::Vetoed, number), self.vetoes.contains(number));
            assert_eq!(watch.is(Fact::Relation, number), self.relations.contains(number));
            assert_eq!(watch.is(Fact::Tracked, number), self.tracked.contains(number));
        }

        /// Notes a random fact in the model and in the watch.
        fn note(&mut self, watch: &mut Watch, random: &mut impl FnMut(u32) -> u32) {
            let number = component(random);
            match random(9) {
                0 | 1 if self.bits.iter().all(|it| it.0 != number) => {
                    let mut hook = || (random(4) == 0).then_some(&ignore as Hook);
                    let (on_insert, on_update, on_remove) = (hook(), hook(), hook());
                    let bit = Signature::bit(random(8));
                    watch.add_component(number, bit, HookList { on_insert, on_update, on_remove });
                    self.bits.push((number, bit));
                    if on_insert.is_some() || on_update.is_some() {
                        self.hooked_insertions.insert(number);
                    }
                    if on_remove.is_some() {
                        self.hooked_removals.insert(number);
                    }
                }
                2 => {
                    watch.add(Fact::Vetoed, number);
                    self.vetoes.insert(number);
                }
                3 => {
                    watch.add(Fact::Relation, number);
                    watch.add(Fact::Target, MARK);
                    self.relations.insert(number);
                    self.marks = ComponentSet::MARKED;
                }
                4 => {
                    self.grouped = components(random);
                    watch.set_grouped(self.grouped);
                }
                5 => {
                    self.observed_insertions = components(random);
                    self.observed_removals = components(random);
                    watch.set([
                        (Fact::ObservedInsertion, self.observed_insertions),
                        (Fact::ObservedRemoval, self.observed_removals),
                    ]);
                }
                7 if random(2) == 0 => {
                    watch.add(Fact::Ruled, number);
                    self.ruled.insert(number);
                }
                7 => {
                    watch.add(Fact::Needed, number);
                    self.needed.insert(number);
                }
                6 => {
                    self.tracked = components(random);
                    watch.set([(Fact::Tracked, self.tracked)]);
                }
                _ => {
                    self.is_notifying = random(3) == 0;
                    watch.set_notifying(self.is_notifying);
                }
            }
        }
    }

    /// Returns the number of a component: a few have a bit of their own, others share one.
    fn component(random: &mut impl FnMut(u32) -> u32) -> u32 {
        [1, 2, 3, 63, 64, 70, 200, 254, 255, 256, 300, 1_000][random(12) as usize]
    }

    fn components(random: &mut impl FnMut(u32) -> u32) -> ComponentSet {
        (0..random(4)).map(|_| component(random)).collect()
    }

    /// `ECS_WATCH_STATES` gives the number of states.
    #[test]
    fn each_test_of_an_edit_follows_from_the_facts() {
        let states = std::env::var("ECS_WATCH_STATES").map_or(100_000, |it| it.parse().unwrap());
        let mut seed = 7_u64;
        let mut random = |below: u32| {
            seed = seed.wrapping_mul(0x5851_F42D_4C95_7F2D).wrapping_add(0x1405_7B7E_F767_814F);
            u32::try_from(seed >> 33).unwrap() % below
        };
        let (mut watch, mut model) = (Watch::new(), Model::default());
        for state in 0..states {
            if state % 40 == 0 {
                (watch, model) = (Watch::new(), Model::default());
            }
            model.note(&mut watch, &mut random);
            let mut some = components(&mut random);
            if random(4) == 0 {
                some.insert(MARK);
            }
            let bits = Signature::bit(random(8)).union(Signature::bit(random(8)));
            model.check(&watch, component(&mut random), &some, bits);
        }
    }
}
