//! Components that are defined while the program runs: definitions, and values field by field.

use crate::by_name::defined_rules::{NewDefinitions, state_like};
use crate::by_name::kind::{KindError, Value};
use crate::by_name::rows::Row;
#[cfg(feature = "serde")]
use crate::component::defined::fingerprint_of_fields;
use crate::component::defined::{DefineError, Definition, FieldNode, FieldValue, Fields};
use crate::component::redefined::Redefinition;
use crate::entity::Entity;
#[cfg(feature = "serde")]
use crate::format::header::Schema;
use crate::pool::WorldPool;
use crate::pool::defined::{DefinedPool, KindVeto};
use crate::pool::field_columns::FieldColumns;
use crate::pool::kind::Kind;
use crate::pool::pools::Pools;
use crate::pool::watch::Fact;
use crate::world::World;
use alloc::borrow::{Cow, ToOwned};
use alloc::format;
use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;

/// # Components without a Rust type
impl World {
    /// Defines a component, which has no type in Rust, by its name and fields. Returns its kind. O(pools).
    ///
    /// The world stores it like a component in [columns](crate::Component#layouts), and all methods that take a [`Kind`]
    /// work for it. It is copied, shown, saved under its name, tracked, and inserted by default. Handles in it are
    /// replaced where they come into another world.
    ///
    /// A component that is defined again with the same fields is the same kind, in any world. A definition is kept as
    /// long as the process. If the world has a component of a type in Rust that is saved under this name, with the same
    /// fields and rules, the kind of that is returned.
    ///
    /// [`Fields`] also state the components that it requires, and the [rules](crate::guide::rules) about others. They hold in
    /// each way in which a value comes. Files carry no rules.
    ///
    /// # Errors
    /// Returns an error, and changes nothing, if a name is wrong or there twice, or if another component of this world has the
    /// name. So it does if a rule names a component that the world does not know, or rules cannot hold.
    ///
    /// ```
    /// use ecs::World;
    /// use ecs::by_name::{FieldValue, Fields};
    ///
    /// let mut world = World::new();
    /// let poison = world.define("Poison", Fields::new().f32("damage").entity("by").text("source"))?;
    /// let snake = world.spawn_empty().id();
    /// let hero = world.spawn_empty().id();
    /// world.insert_fields(poison, hero, &[2.5_f32.into(), snake.into(), "bite".into()])?;
    ///
    /// world.set_field(poison, hero, "damage", 3.0_f32)?;
    /// let value = world.kind_value(poison, hero).unwrap();
    /// assert_eq!(value.field("damage"), Some(FieldValue::F32(3.0)));
    /// assert_eq!(format!("{value:?}"), "Poison { damage: 3.0, by: Some(0v1), source: \"bite\" }");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[inline]
    #[expect(
        clippy::needless_pass_by_value,
        reason = "fields are written in the place of the call"
    )]
    pub fn define(&mut self, name: &str, fields: Fields) -> Result<Kind, DefineError> {
        Ok(self.define_each(&[(name, &fields)])?[0])
    }

    /// Defines several components like [`define`](Self::define), whose rules may name each other. Returns their kinds, in
    /// order. O(pools), and O(definitions²).
    ///
    /// # Errors
    /// Returns an error like [`define`](Self::define), and defines none then.
    ///
    /// ```
    /// use ecs::World;
    /// use ecs::by_name::Fields;
    ///
    /// let mut world = World::new();
    /// let walking = ("Walking", Fields::new().f32("speed").replaces("Swimming"));
    /// let swimming = ("Swimming", Fields::new().f32("depth").replaces("Walking"));
    /// let kinds = world.define_all(&[walking, swimming])?;
    ///
    /// let hero = world.spawn_empty().id();
    /// world.insert_kind_default(kinds[0], hero)?;
    /// world.insert_kind_default(kinds[1], hero)?;
    /// assert!(world.kind_value(kinds[0], hero).is_none());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[inline]
    pub fn define_all(&mut self, all: &[(&str, Fields)]) -> Result<Vec<Kind>, DefineError> {
        let all: Vec<(&str, &Fields)> = all.iter().map(|(name, fields)| (*name, fields)).collect();
        self.define_each(&all)
    }

    #[inline]
    fn define_each(&mut self, all: &[(&str, &Fields)]) -> Result<Vec<Kind>, DefineError> {
        let (mut new, mut found) = (Vec::<(&str, &Fields)>::new(), Vec::new());
        for &(name, fields) in all {
            Definition::check(name, fields)?;
            let here = self.with_definition(name, fields)?;
            let before = new.iter().position(|(other, _)| *other == name);
            found.push(match (here, before) {
                (Some(kind), _) => Ok(kind),
                (None, Some(at)) if new[at].1 == fields => Err(at),
                (None, Some(_)) => return Err(DefineError::Differs(name.to_owned())),
                (None, None) => {
                    new.push((name, fields));
                    Err(new.len() - 1)
                }
            });
        }
        let new = NewDefinitions::new(self, new)?.keep();
        new.iter().for_each(|kind| self.know(*kind));
        Ok(found.into_iter().map(|found| found.unwrap_or_else(|at| new[at])).collect())
    }

    /// Returns the component of this name, if the world has it with this definition.
    ///
    /// # Errors
    /// Returns an error if it has another one.
    #[inline]
    fn with_definition(&self, name: &str, fields: &Fields) -> Result<Option<Kind>, DefineError> {
        let named = |kind: &Kind| kind.name() == name || kind.is_called(name);
        let Some(other) = self.kinds().find(named) else { return Ok(None) };
        let is_same = match other.definition() {
            Some(own) => own.fields == fields,
            None if is_saved_with(other, name, fields) => state_like(fields, other, self),
            None => return Err(DefineError::Taken(name.to_owned(), other.type_name())),
        };
        if is_same { Ok(Some(other)) } else { Err(DefineError::Differs(name.to_owned())) }
    }

    /// Changes the fields of a [defined](Self::define) component, and all its values in this world. Returns its new kind; the
    /// old one stays usable, but queries that were made of it are refused. O(values).
    ///
    /// The version of the fields is raised by one. Saved worlds, deltas and change sets of the versions before are read by
    /// the same changes. So a program that starts defines the first fields, and makes all changes since. Readers of changes
    /// find all values changed. Values that were taken out before follow the changes when they are inserted again. Observers,
    /// groups, vetoes, rules and requirements stay as they are.
    ///
    /// # Errors
    /// Returns an error, and changes nothing, if a change names no field, or cannot be made, or the value of an entity cannot
    /// be converted. Returns an error if the component has a type in Rust.
    ///
    /// See [`Redefinition`] for an example.
    #[inline]
    pub fn redefine(&mut self, kind: Kind, changes: &Redefinition) -> Result<Kind, DefineError> {
        self.know(kind);
        let number = kind.number;
        let pool = self.pools.defined_mut(number).ok_or(DefineError::NotDefined(kind.name()))?;
        let before = pool.definition;
        let (fields, steps) = changes.applied(before.fields)?;
        let fields = fields.version(before.version().saturating_add(1));
        Definition::check(before.name, &fields)?;
        let kind = pool.kind().redefined(&fields);
        let redefined = pool.redefine(kind, steps);
        redefined.map_err(|(entity, path, what)| DefineError::NotConverted(entity, path, what))?;
        self.pools.mark_all(number);
        Ok(kind)
    }

    /// Inserts a value of a [defined](Self::define) component into an entity: the values of its fields, in order. O(fields).
    ///
    /// # Errors
    /// Returns an error if there is no such entity, the component is not defined so, or the values are not of the types
    /// of its fields. Returns an error if a [rule](crate::guide::rules) between components forbids it.
    ///
    /// ```
    /// # use ecs::World;
    /// # use ecs::by_name::{FieldValue, Fields};
    /// let mut world = World::new();
    /// let place = world.define("Place", Fields::new().f32("x").f32("y"))?;
    /// let entity = world.spawn_empty().id();
    /// world.insert_fields(place, entity, &[1.0_f32.into(), 2.0_f32.into()])?;
    /// let error = world.insert_fields(place, entity, &[1.0_f32.into(), 2_i32.into()]).unwrap_err();
    /// assert_eq!(error.to_string(), "no `Place` was read: `y`: expected a value of the type `f32`, not `i32`");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[inline]
    pub fn insert_fields(
        &mut self,
        kind: Kind,
        entity: Entity,
        values: &[FieldValue],
    ) -> Result<(), KindError> {
        let Self { pools, entities, .. } = self;
        // Rules are watched, too. By way of an inserter it would take a fifth more instructions.
        if !pools.watch.watches_insertion(kind.number)
            && !pools.watch.is_notifying()
            && let Some(pool) = pools.defined_mut(kind.number)
            && !pool.kind().requires_any()
            && pool.push_plain(values)
        {
            let is_alive = pool.enter_pushed(entities, entity);
            return is_alive.then_some(()).ok_or(KindError::NoSuchEntity(entity));
        }
        self.kind_inserter(kind)?.insert_parts(entity, Cow::Borrowed(values))
    }

    /// Replaces the value of a field of an entity's component, which is [defined](Self::define). A field of a record is
    /// named behind it: `at.x`. No observer is notified, like where a component is lent to be written; readers of changes
    /// find it. O(fields).
    ///
    /// # Errors
    /// Returns an error if the entity lacks the component, the component is not defined so or has no such field, or the
    /// value is of another type.
    ///
    /// See [`define`](Self::define) for an example.
    #[inline]
    pub fn set_field(
        &mut self,
        kind: Kind,
        entity: Entity,
        path: &str,
        value: impl Into<FieldValue>,
    ) -> Result<(), KindError> {
        if !self.is_alive(entity) {
            return Err(KindError::NoSuchEntity(entity));
        }
        set_field(&mut self.pools, kind, entity, path, &value.into())
    }
}

impl World {
    /// Sets the veto of a [defined](Self::define) component: it is called before a removal and before a despawn, and `false`
    /// keeps the component, or the entity. It replaces the veto that the component had in this world. A copy of the world
    /// has it, too.
    ///
    /// # Errors
    /// Returns an error if the component is not defined so: one of a type in Rust names its veto in its attribute.
    ///
    /// ```
    /// # use ecs::World;
    /// # use ecs::by_name::{FieldValue, Fields};
    /// let mut world = World::new();
    /// let curse = world.define("Curse", Fields::new().u32("days"))?;
    /// world.set_kind_veto(curse, |value| value.field("days") == Some(FieldValue::U32(0)))?;
    /// let hero = world.spawn_empty().id();
    /// world.insert_fields(curse, hero, &[2_u32.into()])?;
    /// assert!(world.remove_kind(curse, hero).is_err() && world.despawn(hero).is_err());
    /// world.set_field(curse, hero, "days", 0_u32)?;
    /// world.remove_kind(curse, hero)?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn set_kind_veto(
        &mut self,
        kind: Kind,
        veto: impl Fn(Value<'_>) -> bool + Send + Sync + 'static,
    ) -> Result<(), KindError> {
        self.set_veto(kind, Arc::new(move |pool, entity| Value::of(pool, entity).is_none_or(&veto)))
    }

    #[inline]
    fn set_veto(&mut self, kind: Kind, veto: Arc<KindVeto>) -> Result<(), KindError> {
        self.know(kind);
        let pool = self.pools.defined_mut(kind.number);
        pool.ok_or(KindError::NotDefined(kind.name()))?.veto = Some(veto);
        self.pools.watch.add(Fact::Vetoed, kind.number);
        Ok(())
    }
}

/// Returns `true` if a type is saved under this name, with these fields.
#[cfg(feature = "serde")]
fn is_saved_with(kind: Kind, name: &str, fields: &Fields) -> bool {
    let fingerprint = fingerprint_of_fields(fields);
    let schema = Schema { version: fields.saved_version(), fingerprint };
    kind.saving().is_some_and(|(own, own_schema)| own.is(name) && own_schema == schema)
}

/// Returns `false`, as no type is saved.
#[cfg(not(feature = "serde"))]
const fn is_saved_with(_: Kind, _: &str, _: &Fields) -> bool {
    false
}

/// Replaces the value of a field, and marks the component as changed. A unique component is refused a value that another
/// entity has.
#[inline]
pub(super) fn set_field(
    pools: &mut Pools,
    kind: Kind,
    entity: Entity,
    path: &str,
    value: &FieldValue,
) -> Result<(), KindError> {
    let (number, name) = (kind.number, kind.name());
    let not_read = |what| KindError::NotRead(name, what);
    let at = pools.keys_at(number).find(entity).ok_or(KindError::Missing(entity, name))?;
    let mut pool = pools.defined_mut(number).ok_or(KindError::NotDefined(name))?;
    if pool.kind().is_unique() {
        let whole = pool.with_field(at, path, value).map_err(not_read)?;
        pools.check_unique_all(number, &[(&[entity], &whole)], &|_| false)?;
        pool = pools.defined_mut(number).ok_or(KindError::NotDefined(name))?;
    }
    pool.set_field(at, path, value).map_err(not_read)?;
    pools.mark(number, entity);
    Ok(())
}

impl Value<'_> {
    /// Returns the value of a field of a component that is [defined](World::define): `None` if it is another one, or has no
    /// such field. A field of a record is named behind it: `at.x`. O(fields).
    ///
    /// See [`World::define`] for an example.
    #[must_use]
    #[inline]
    pub fn field(self, path: &str) -> Option<FieldValue> {
        let (pool, at) = self.place();
        pool.as_any().downcast_ref::<DefinedPool>()?.field(at, path)
    }
}

impl Row<'_> {
    /// Replaces the value of a field of the match's component, which is [defined](World::define). A field of a record is
    /// named behind it: `at.x`. O(fields).
    ///
    /// # Errors
    /// Returns an error if the query does not write the component, the match lacks it, it has no such field, or the value
    /// is of another type.
    ///
    /// ```
    /// # use ecs::World;
    /// # use ecs::by_name::{FieldValue, Fields, KindQuery};
    /// let mut world = World::new();
    /// let place = world.define("Place", Fields::new().f32("x").f32("y"))?;
    /// let entity = world.spawn_empty().id();
    /// world.insert_kind_default(place, entity)?;
    /// world.for_each_row(&KindQuery::new().write(place), |row| row.set_field(place, "x", 3.0_f32).unwrap())?;
    /// assert_eq!(world.kind_value(place, entity).unwrap().field("x"), Some(FieldValue::F32(3.0)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[inline]
    pub fn set_field(
        &mut self,
        kind: Kind,
        path: &str,
        value: impl Into<FieldValue>,
    ) -> Result<(), KindError> {
        let entity = self.entity();
        let pools = self.written(kind).ok_or(KindError::NotWritten(kind.name()))?;
        set_field(pools, kind, entity, path, &value.into())
    }
}

impl DefinedPool {
    /// Returns the value of the field with this path, of the value at this position.
    #[inline]
    fn field(&self, at: usize, path: &str) -> Option<FieldValue> {
        let (node, first) = self.definition.tree.find(path)?;
        Some(self.set.with_values(|values| values.node_at(node, *first, at)))
    }

    /// Replaces the value of the field with this path, of the value at this position.
    #[inline]
    fn set_field(&mut self, at: usize, path: &str, value: &FieldValue) -> Result<(), String> {
        let (node, first) = self.checked_field(path, value)?;
        self.set.values_mut().set_node(node, first, at, value);
        Ok(())
    }

    /// Returns a copy of the value at this position, with another value of the field with this path.
    #[inline]
    fn with_field(
        &self,
        at: usize,
        path: &str,
        value: &FieldValue,
    ) -> Result<FieldColumns, String> {
        let (node, first) = self.checked_field(path, value)?;
        let mut copy = FieldColumns::new(self.definition);
        self.set.with_values(|values| copy.copy_rows(values, &[at]));
        copy.set_node(node, first, 0, value);
        Ok(copy)
    }

    /// Returns the field with this path and the number of its first leaf, if it may have this value.
    #[inline]
    fn checked_field(
        &self,
        path: &str,
        value: &FieldValue,
    ) -> Result<(&'static FieldNode, usize), String> {
        let Some((node, first)) = self.definition.tree.find(path) else {
            return Err(format!("it has no field `{path}`"));
        };
        node.check(value).map_err(|what| format!("`{path}`: {what}"))?;
        Ok((node, *first))
    }
}
