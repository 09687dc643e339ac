//! Pools of components that are defined while a program runs, and the kinds of these.
//!
//! Each name of such a component has a number in the process, which belongs to no type (P1 of `pools`). Each definition of
//! the name is a kind, for all worlds. A pool has one definition at a time.

use crate::component::data::{Copying, IndexRule, Loose, Together};
use crate::component::defined::{Definition, FieldValue, Fields};
use crate::component::redefined::{Redefined, ValueStep};
use crate::component::rules::DeclaredRule;
use crate::component::slot::new_number;
use crate::entities::Entities;
use crate::entity::Entity;
use crate::pool::WorldPool;
use crate::pool::field_columns::{FieldColumns, FieldsAt, LeafValues};
use crate::pool::kind::{About, Kind, Operations};
use crate::storage::copies::CopyStorage;
use crate::storage::keys::Keys;
use crate::storage::sparse_set::SparseSet;
use crate::storage::untyped::{SetMut, UntypedValues};
use crate::storage::values::{Container, Lasting};
use alloc::borrow::ToOwned;
use alloc::boxed::Box;
use alloc::format;
use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::any::Any;
use core::cmp::Ordering;

/// The entities with a defined component, and their values.
pub(crate) type DefinedSet = SparseSet<LeafValues, Entity, FieldColumns>;

/// All components of one definition in a world.
pub(crate) struct DefinedPool {
    kind: Kind,
    pub(crate) definition: &'static Definition,
    pub(crate) set: DefinedSet,
    pub(crate) veto: Option<Arc<KindVeto>>,
    /// The definitions that the component had before in this world, each with the steps to the next one.
    pub(crate) history: Arc<Vec<Redefined>>,
}

/// Saves and reads the values of definitions.
#[cfg(feature = "serde")]
pub(crate) struct DefinedValues;

/// Returns `true` if the component of an entity in this pool may be removed.
pub(crate) type KindVeto = dyn Fn(&dyn WorldPool, Entity) -> bool + Send + Sync;

/// The names of defined components in the process: a search tree, in which a place is filled once.
static NAMES: NameBranch = NameBranch::new();

type NameBranch = Lasting<DefinedName>;

struct DefinedName {
    name: &'static str,
    number: u32,
    /// The kinds of the name, in the order in which they were defined.
    kinds: Lasting<DefinedKind>,
    before: NameBranch,
    behind: NameBranch,
}

struct DefinedKind {
    about: About,
    definition: &'static Definition,
    next: Lasting<DefinedKind>,
}

/// Returns the value of a place. If it is empty, it is filled with the one that `make` makes, unless there is no `make`.
/// Another thread may fill it at the same time; then the value that was made is kept for nothing.
fn filled<T: Sync>(place: &Lasting<T>, make: Option<impl FnOnce() -> T>) -> Option<&'static T> {
    if let (None, Some(make)) = (place.get(), make) {
        place.fill(Box::leak(Box::new(make())));
    }
    place.get()
}

/// Returns the entry of a name, which is made if there is none and it `may_be_new`.
#[inline]
fn named(name: &str, may_be_new: bool) -> Option<&'static DefinedName> {
    let mut place = &NAMES;
    loop {
        let make = || DefinedName {
            name: name.to_owned().leak(),
            number: new_number(),
            kinds: Lasting::new(),
            before: NameBranch::new(),
            behind: NameBranch::new(),
        };
        let here = filled(place, may_be_new.then_some(make))?;
        place = match name.cmp(here.name) {
            Ordering::Less => &here.before,
            Ordering::Equal => return Some(here),
            Ordering::Greater => &here.behind,
        };
    }
}

impl Kind {
    /// Returns the kind of the component with this name, these fields, which were checked, and all that these state. Equal
    /// definitions are one kind.
    #[inline]
    pub(crate) fn defined(name: &str, fields: &Fields, stated: Stated<'_>) -> Self {
        Self::find_defined(name, fields, stated, true).expect("it may be new")
    }

    /// Returns the kind of a definition like [`defined`](Self::defined); `None` if there is none and it may not be new.
    #[inline]
    pub(crate) fn find_defined(
        name: &str,
        fields: &Fields,
        Stated { rules, required, index }: Stated<'_>,
        may_be_new: bool,
    ) -> Option<Self> {
        let DefinedName { name, number, kinds, .. } = named(name, may_be_new)?;
        let mut place = kinds;
        loop {
            let make = || {
                let definition = Definition::kept(name, fields.clone());
                let (rules, required) = (rules.to_vec().leak(), required.to_vec().leak());
                let about = About::of_definition(
                    definition,
                    rules,
                    required,
                    index,
                    Operations::of_definitions(),
                );
                DefinedKind { about, definition, next: Lasting::new() }
            };
            let here = filled(place, may_be_new.then_some(make))?;
            let kind = Self::with_about(*number, &here.about);
            // Names may stand for other components in another world.
            let numbers = |rules: &[DeclaredRule]| -> Vec<u32> {
                rules.iter().map(DeclaredRule::number).collect()
            };
            if here.definition.fields == fields && numbers(kind.declared_rules()) == numbers(rules)
            {
                return Some(kind);
            }
            place = &here.next;
        }
    }

    /// Returns the kind with other fields, which were checked, and all that this one states, which must be defined.
    #[inline]
    pub(crate) fn redefined(self, fields: &Fields) -> Self {
        let (rules, index) = (self.declared_rules(), self.index_rule());
        Self::defined(self.name(), fields, Stated { rules, required: &self.required(), index })
    }
}

/// The rules and the index that fields state, and the components that they require.
#[derive(Clone, Copy)]
pub(crate) struct Stated<'a> {
    pub(crate) rules: &'a [DeclaredRule],
    pub(crate) required: &'a [Kind],
    pub(crate) index: Option<IndexRule>,
}

impl Stated<'_> {
    /// States nothing.
    #[cfg(any(feature = "serde", test))]
    pub(crate) const NOTHING: Self = Self { rules: &[], required: &[], index: None };
}

/// Returns the number of defined components with this name, and the name, which lasts; `None` if there is none and it may
/// not be new.
#[inline]
pub(crate) fn number_of_name(name: &str, may_be_new: bool) -> Option<(u32, &'static str)> {
    named(name, may_be_new).map(|named| (named.number, named.name))
}

impl DefinedPool {
    /// Returns an empty pool of this kind, which must be defined.
    #[inline]
    pub(crate) fn of_kind(kind: Kind) -> Self {
        let definition = kind.definition().expect("the kind is of a defined component");
        let (set, history) = (DefinedSet::default(), Arc::default());
        Self { kind, definition, set, veto: None, history }
    }

    /// Returns values that were made with other fields as ones with the fields of this pool; `None` if they have these, or
    /// cannot be converted.
    #[inline]
    fn adapted(&self, values: &FieldColumns) -> Option<FieldColumns> {
        let of = values.definition().filter(|of| !core::ptr::eq(*of, self.definition))?;
        let first = self.history.iter().position(|step| core::ptr::eq(step.from, of))?;
        self.renewed(values, first).ok()
    }

    /// Returns values of a definition in the history as values of the present one. If that fails, returns the position of
    /// the value that cannot be converted, the path of its field, and the reason.
    #[inline]
    pub(crate) fn renewed(
        &self,
        values: &FieldColumns,
        first: usize,
    ) -> Result<FieldColumns, (usize, String, String)> {
        converted(values, &self.history[first..], self.definition)
    }

    /// Changes the fields, and all values. Changes nothing if a value cannot be converted.
    #[inline]
    pub(crate) fn redefine(
        &mut self,
        kind: Kind,
        steps: Vec<ValueStep>,
    ) -> Result<(), (Entity, String, String)> {
        let definition = kind.definition().expect("the kind is of a defined component");
        let step = Redefined { from: self.definition, steps };
        let values = self.set.with_values(|values| {
            let converted = converted(values, core::slice::from_ref(&step), definition);
            converted.map_err(|(at, path, what)| (self.set.keys()[at], path, what))
        })?;
        let pool: &dyn WorldPool = self;
        if let (Some(rule), Some(mut keys)) = (pool.unique(), pool.index()) {
            let entities = self.set.keys();
            let all = Together { world: None, entities, values: &values, lose: &|_| false };
            (rule.check)(all, &mut *keys).map_err(|(entity, other)| {
                let path = definition.index.as_ref().map_or("", |index| index.path);
                (entity, path.to_owned(), format!("it is unique, and equals the one of {other}"))
            })?;
        }
        *self.set.values_mut() = values;
        Arc::make_mut(&mut self.history).push(step);
        (self.kind, self.definition) = (kind, definition);
        Ok(())
    }

    /// Empties the pool, and takes the definition of another one.
    #[inline]
    pub(crate) fn take_definition(&mut self, from: &Self) {
        self.set = DefinedSet::default();
        (self.kind, self.definition) = (from.kind, from.definition);
    }

    /// Appends a value whose fields have no parts: their values. Returns `false`, and appends nothing, if they are of other
    /// types, or have parts. The caller [enters](Self::enter_pushed) it immediately.
    #[inline]
    pub(crate) fn push_plain(&mut self, values: &[FieldValue]) -> bool {
        self.columns_mut().push_plain(values)
    }

    /// Returns the columns. A row that is appended is [entered](Self::enter_pushed) immediately.
    #[inline]
    pub(crate) fn columns_mut(&mut self) -> &mut FieldColumns {
        let columns = self.set.values_mut();
        columns.begin(self.definition);
        columns
    }

    /// Makes the value that was just appended the one of an entity. Drops it, and returns `false`, if the entity is not
    /// alive.
    #[inline]
    pub(crate) fn enter_pushed(&mut self, entities: &mut Entities, entity: Entity) -> bool {
        let is_alive = entities.add_if_alive(entity, self.kind.number);
        if !is_alive {
            let len = self.set.len();
            self.set.values_mut().truncate(len);
        } else if let Some(at) = self.set.enter_key(entity) {
            self.set.values_mut().replace_by_last(at);
        }
        is_alive
    }

    /// Inserts a value that was checked into an entity, whose record is up to date: the values of its fields.
    #[inline]
    pub(crate) fn put_fields(&mut self, entity: Entity, values: &[FieldValue]) {
        let definition = self.definition;
        let at = self.set.enter_key(entity);
        let columns = self.set.values_mut();
        if let Some(at) = at {
            columns.set_fields(&definition.tree, at, values);
        } else {
            columns.begin(definition);
            columns.push_fields(&definition.tree, values);
        }
    }
}

/// Returns values after these steps, which end with a definition.
#[inline]
fn converted(
    values: &FieldColumns,
    steps: &[Redefined],
    to: &'static Definition,
) -> Result<FieldColumns, (usize, String, String)> {
    let mut all = FieldColumns::new(to);
    let Some(first) = steps.first() else { return Ok(all) };
    all.reserve(values.len());
    for at in 0..values.len() {
        let mut value = values.value_at(&first.from.tree, at);
        for step in steps.iter().flat_map(|step| &step.steps) {
            step.change(&mut value).map_err(|(path, what)| (at, path, what))?;
        }
        all.push_value(&to.tree, value);
    }
    Ok(all)
}

impl WorldPool for DefinedPool {
    fn kind(&self) -> Kind {
        self.kind
    }
    #[inline]
    fn raw_keys(&self) -> &Keys<Entity> {
        self.set.raw_keys()
    }
    #[inline]
    fn values(&self) -> &dyn UntypedValues {
        self.set.raw_values()
    }
    #[inline]
    fn set_mut(&mut self) -> SetMut<'_, Entity> {
        self.set.untyped()
    }
    #[inline]
    fn remove(&mut self, entity: Entity) {
        self.set.take::<true>(entity); // by P4, as for other pools
    }
    #[inline]
    fn as_any(&self) -> &dyn Any {
        self
    }
    #[inline]
    fn check(&self) -> Result<(), &'static str> {
        self.set.check()?;
        let is_earlier = |step: &Redefined| step.from.version() < self.definition.version();
        if !self.kind.definition().is_some_and(|of| core::ptr::eq(of, self.definition))
            || !self.history.iter().all(is_earlier)
        {
            return Err("its kind or its history is of another definition");
        }
        self.set.with_values(|values| values.check(self.definition))
    }
    fn is_guarded(&self) -> bool {
        self.veto.is_some()
    }
    fn target(&self, _: Entity) -> Option<Entity> {
        None
    }
    #[inline]
    fn permits_removal(&mut self, entity: Entity) -> bool {
        self.veto.as_ref().is_none_or(|veto| veto(&*self, entity))
    }
    #[inline]
    fn empty(&self) -> Box<dyn WorldPool> {
        let (veto, history) = (self.veto.clone(), Arc::clone(&self.history));
        Box::new(Self { veto, history, ..Self::of_kind(self.kind) })
    }
    #[inline]
    fn as_any_mut(&mut self) -> &mut dyn Any {
        self
    }
    #[inline]
    fn takes(&self, values: &Loose) -> bool {
        let values = values.downcast_ref::<FieldColumns>();
        let has_these = |of: &Definition| core::ptr::eq(of, self.definition);
        values.is_none_or(|values| {
            values.definition().is_none_or(has_these) || self.adapted(values).is_some()
        })
    }
    #[inline]
    fn adapted_loose(&self, values: &Loose) -> Option<Box<Loose>> {
        let adapted = self.adapted(values.downcast_ref()?)?;
        Some(Box::new(adapted))
    }
    #[inline]
    fn take_history(&mut self, from: &dyn Any) {
        if let Some(from) = from.downcast_ref::<Self>() {
            self.history = Arc::clone(&from.history);
        }
    }
}

impl Definition {
    /// Returns an untyped storage with this value: the values of its fields, which were checked.
    #[inline]
    pub(crate) fn loose_of(&'static self, values: Vec<FieldValue>) -> FieldColumns {
        let mut columns = FieldColumns::new(self);
        columns.push_value(&self.tree, values);
        columns
    }
}

impl Operations {
    /// Returns the operations of all definitions.
    #[inline]
    fn of_definitions() -> Self {
        Self {
            look_at: Some(|values, at, look| look(&fields_at(values, at))),
            default: Some(|kind| {
                let definition = kind.definition().expect("the kind is of a defined component");
                let values = definition.fields.iter().map(|(_, ty)| ty.default_value());
                Box::new(definition.loose_of(values.collect()))
            }),
            copied: Some(Copying {
                all: |copies, from| {
                    if let Some(copies) = copies.downcast_mut::<FieldColumns>() {
                        copies.copy_all(columns_of(from));
                    }
                },
                some: |from, positions, times| {
                    let from = columns_of(from);
                    let mut copies =
                        from.definition().map_or_else(Default::default, FieldColumns::new);
                    copies.reserve(positions.len() * times);
                    (0..times).for_each(|_| copies.copy_rows(from, positions));
                    Box::new(copies)
                },
                keep_targets: None,
            }),
            #[cfg(feature = "serde")]
            saved: Some(&DefinedValues),
            map: Some(|mut values, map| {
                if let Some(values) = values.downcast_mut::<FieldColumns>() {
                    values.map_entities(map);
                }
                values
            }),
        }
    }
}

/// Returns the value at a position of an untyped storage.
#[inline]
pub(crate) fn fields_at(values: &Loose, at: usize) -> FieldsAt<'_> {
    let columns = columns_of(values);
    let tree = &columns.definition().expect("there is a value").tree;
    FieldsAt { tree, columns, at }
}

/// Returns the untyped values of a definition.
#[inline]
pub(crate) fn columns_of(values: &Loose) -> &FieldColumns {
    values.downcast_ref().expect("the values are of a definition")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn defined(name: &str, fields: &Fields) -> Kind {
        Kind::defined(name, fields, Stated::NOTHING)
    }

    #[test]
    fn equal_definitions_are_one_kind_on_every_thread() {
        let fields = Fields::new().f32("x");
        let kinds: Vec<Kind> = std::thread::scope(|scope| {
            let threads: Vec<_> =
                (0..4).map(|_| scope.spawn(|| defined("OfThreads", &fields))).collect();
            IntoIterator::into_iter(threads).map(|thread| thread.join().unwrap()).collect()
        });
        let first = kinds[0].definition().unwrap();
        assert!(kinds.iter().all(|kind| core::ptr::eq(kind.definition().unwrap(), first)));
        let other = defined("OfThreads", &Fields::new().f64("x"));
        assert!(other.number == kinds[0].number && other != kinds[0]);
        assert_ne!(defined("OfOthers", &fields).number, other.number);
    }
}
