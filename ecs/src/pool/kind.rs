//! Component types as values: their names, properties and untyped operations.

use crate::component::AnyComponent;
use crate::component::data::{Copying, IndexRule, LookAt, Loose};
#[cfg(feature = "serde")]
use crate::component::data::{SavedValues, SavingName};
use crate::component::defined::{Definition, Fields};
use crate::component::handles::{self, HandleField};
use crate::component::id::ComponentId;
use crate::component::rules::{ComponentRule, DeclaredRule, RuleKind, RuledNumber};
use crate::component::shape::Shape;
use crate::component::slot;
use crate::component::{AtTargetEnd, Creator, EntityEdit, HookList, Requirer};
#[cfg(feature = "serde")]
use crate::component::{FilteredEdit, requiring_some};
use crate::component::{index_of, requiring, sealed};
use crate::entity::Entity;
#[cfg(feature = "serde")]
use crate::format::header::Schema;
use crate::internal::Internal;
use crate::relation::ends::{IsTarget, Pointing};
use crate::signature::Signature;
use crate::storage::values::Container;
use alloc::boxed::Box;
use alloc::string::String;
#[cfg(feature = "serde")]
use alloc::string::ToString;
use alloc::vec::Vec;
use core::any::{TypeId, type_name};
use core::{fmt, mem};

/// A component type as a value: its names, its size, and the operations on its values. Returned by
/// [`World::kind`](crate::World::kind) for a name, and by [`Kind::of`] for a type.
///
/// It belongs to the process, not to a world: kinds of one type are equal, from any world. Each method is O(1).
///
/// ```
/// use ecs::Component;
/// use ecs::by_name::Kind;
///
/// #[derive(Component, Debug, Default)]
/// #[component(debug, default)]
/// struct Place { x: f32, y: f32 }
///
/// let kind = Kind::of::<Place>();
/// assert_eq!((kind.name(), kind.size()), ("Place", 8));
/// assert!(kind.is_shown() && kind.has_default() && !kind.is_copied());
/// assert!(kind.type_name().ends_with("::Place"));
/// ```
#[derive(Clone, Copy)]
pub struct Kind {
    pub(crate) number: u32,
    about: &'static About,
}

/// The properties of a component.
#[expect(clippy::struct_excessive_bools, reason = "each is a key of the attribute")]
#[derive(Clone, Copy)]
pub(crate) struct About {
    name: &'static str,
    /// Returns the full name of its type; `None` for a defined component, which has no type.
    type_name: Option<fn() -> &'static str>,
    id: ComponentId,
    bit: Signature,
    shape: &'static str,
    size: usize,
    is_in_columns: bool,
    /// The fields that are stored separately, in the order of their columns, and `true` for public ones.
    fields: &'static [(&'static str, bool)],
    pub(crate) operations: Operations,
    pub(crate) skips_copies: bool,
    pub(crate) skips_saves: bool,
    pub(crate) is_tracked: bool,
    index: Option<IndexRule>,
    /// `true` if changes are found by comparing values.
    #[cfg(feature = "serde")]
    pub(crate) is_compared: bool,
    hooks: HookList,
    relation: Option<RelationFacts>,
    #[cfg(feature = "serde")]
    pub(crate) saved_as: Option<(SavingName, Schema)>,
    /// Creates its pool. Only this names the pools of defined components, so that programs without definitions do not
    /// compile them.
    create: Creator<Kind>,
    /// Its definition, if it has no type.
    definition: Option<&'static Definition>,
    /// Inserts the components that this component requires into an entity.
    require: Option<EntityEdit>,
    #[cfg(feature = "serde")]
    require_some: Option<FilteredEdit>,
    /// Its rules about other components.
    rules: &'static [DeclaredRule],
    required: Requirements,
    /// The fields that may hold handles.
    handle_fields: &'static [HandleField],
    /// `true` if a declaration says that handles that nothing replaces stay as they are.
    pub(crate) ignores_entities: bool,
}

/// The untyped operations that only some components have. So others do not compile them.
#[derive(Clone, Copy)]
pub(crate) struct Operations {
    /// Shows its values.
    pub(crate) look_at: Option<LookAt>,
    /// Makes an untyped storage with the default of the kind.
    pub(crate) default: Option<fn(Kind) -> Box<Loose>>,
    /// Copies its values.
    pub(crate) copied: Option<Copying>,
    /// Saves and reads its values.
    #[cfg(feature = "serde")]
    pub(crate) saved: Option<&'static dyn SavedValues>,
    /// Replaces handles in untyped values.
    pub(crate) map: Option<MapValues>,
}

pub(crate) type MapValues = fn(Box<Loose>, MapLoose<'_>) -> Box<Loose>;

/// Returns the replacement for a handle, in the value with this position.
pub(crate) type MapLoose<'a> = &'a mut dyn FnMut(usize, Entity) -> Entity;

impl Operations {
    /// Returns the operations that the derive of a `T` declares.
    const fn of<T: AnyComponent>() -> Self {
        Self {
            look_at: match T::DEBUGGING {
                Some(debugging) => Some(debugging.0),
                None => None,
            },
            default: if T::DEFAULT.is_some() { Some(default_of::<T>) } else { None },
            copied: T::COPYING,
            #[cfg(feature = "serde")]
            saved: match const { &T::SAVING } {
                Some(saving) => Some(saving),
                None => None,
            },
            map: if T::HOLDS_ENTITIES { Some(map_values::<T>) } else { None },
        }
    }
}

fn default_of<T: AnyComponent>(_: Kind) -> Box<Loose> {
    loose_of((T::DEFAULT.expect("it has a default"))())
}

fn map_values<T: AnyComponent>(mut values: Box<Loose>, map: MapLoose<'_>) -> Box<Loose> {
    if let Some(values) = values.downcast_mut::<T::Storage>() {
        let old = mem::take(values);
        values.reserve(old.len());
        for (at, mut value) in Container::into_iter(old).enumerate() {
            T::map_entities(Internal::CALL, &mut value, &mut |entity| map(at, entity));
            values.push(value);
        }
    }
    values
}

/// The facts of a relation.
#[derive(Clone, Copy)]
struct RelationFacts {
    /// The effect on sources when their target ends.
    at_end: AtTargetEnd,
    /// `true` if it may not form cycles.
    acyclic: bool,
    /// Returns the number that stands for its targets.
    targets_number: fn() -> u32,
    /// Returns the targets of untyped values.
    pointings: fn(&Loose) -> Vec<Pointing>,
}

fn pointings_of<T: AnyComponent>(values: &Loose) -> Vec<Pointing> {
    let (Some(rule), Some(values)) = (T::RELATION, values.downcast_ref::<T::Storage>()) else {
        return Vec::new();
    };
    values.iter().map(|it| Pointing::to((rule.target_at)(it), &rule)).collect()
}

/// The components that a component itself requires.
#[derive(Clone, Copy)]
enum Requirements {
    /// The result of this function, for a type.
    Typed(fn() -> Vec<Kind>),
    Listed(&'static [Kind]),
}

impl Kind {
    /// Returns the kind of the components of this type.
    ///
    /// ```
    /// # use ecs::{Name, World};
    /// # use ecs::by_name::Kind;
    /// let mut world = World::new();
    /// world.spawn_named("Bob");
    /// assert_eq!(world.kind("Name"), Ok(Kind::of::<Name>()));
    /// ```
    #[must_use]
    pub fn of<T: AnyComponent>() -> Self {
        let about = declared_or(TypeId::of::<T>(), About::of::<T>());
        Self { number: index_of::<T>().get(), about }
    }

    /// Returns the name as declared. Other components may have it, too.
    #[must_use]
    pub const fn name(self) -> &'static str {
        self.about.name
    }

    /// Returns the full name of the type, with its parameters; unique in most programs.
    ///
    /// ```
    /// # use ecs::Component;
    /// # use ecs::by_name::Kind;
    /// #[derive(Component)]
    /// struct Stock<T>(T);
    ///
    /// assert!(Kind::of::<Stock<u8>>().type_name().ends_with("::Stock<u8>"));
    /// assert_eq!(Kind::of::<Stock<u8>>().name(), "Stock");
    /// ```
    #[must_use]
    pub fn type_name(self) -> &'static str {
        self.about.type_name.map_or(self.about.name, |name| name())
    }

    /// Returns the component's id.
    #[must_use]
    pub const fn id(self) -> ComponentId {
        self.about.id
    }

    /// Returns its bit in signatures.
    #[must_use]
    pub const fn bit(self) -> Signature {
        self.about.bit
    }

    /// Returns its fields and variants. O(their number).
    ///
    /// ```
    /// # use ecs::Component;
    /// # use ecs::by_name::{Kind, Shape};
    /// #[derive(Component)]
    /// struct Place { x: f32, y: f32 }
    ///
    /// let Shape::Struct(fields) = Kind::of::<Place>().shape() else { panic!("its fields have names") };
    /// assert_eq!((fields[1].name, &*fields[1].type_text), ("y", "f32"));
    /// ```
    #[must_use]
    #[inline]
    pub fn shape(self) -> Shape {
        Shape::read(self.about.shape, self.type_name(), self.about.handle_fields)
    }

    /// Returns the number of bytes of a value, without memory that it owns.
    #[must_use]
    pub const fn size(self) -> usize {
        self.about.size
    }

    /// Returns `true` if it is stored [in columns](crate::Component#layouts).
    #[must_use]
    pub const fn is_in_columns(self) -> bool {
        self.about.is_in_columns
    }

    /// Returns `true` if its values can be displayed: `#[component(debug)]`.
    #[must_use]
    pub const fn is_shown(self) -> bool {
        self.about.operations.look_at.is_some()
    }

    /// Returns `true` if it can be inserted without a value: `#[component(default)]`.
    #[must_use]
    pub const fn has_default(self) -> bool {
        self.about.operations.default.is_some()
    }

    /// Returns `true` if its values may be copied: `#[component(clone)]`.
    #[must_use]
    pub const fn is_copied(self) -> bool {
        self.about.operations.copied.is_some()
    }

    /// Returns `true` if copies omit it on purpose: `#[component(clone = skip)]`.
    #[must_use]
    pub const fn skips_copies(self) -> bool {
        self.about.skips_copies
    }

    /// Returns `true` if files omit it on purpose: `#[component(save = skip)]`.
    #[cfg(feature = "serde")]
    #[must_use]
    pub const fn skips_saves(self) -> bool {
        self.about.skips_saves
    }

    /// Returns the names of the fields that are stored separately, in the order of their columns, and `true` for public
    /// ones.
    #[inline]
    pub(crate) fn fields(self) -> impl Iterator<Item = (&'static str, bool)> + Clone {
        let leaves = self.about.definition.map_or(&[][..], |definition| &definition.leaves);
        let leaves = leaves.iter().map(|leaf| (&*leaf.path, true));
        self.about.fields.iter().copied().chain(leaves)
    }

    /// Returns `true` if its changes can be read: `#[component(track)]`.
    #[must_use]
    pub const fn is_tracked(self) -> bool {
        self.about.is_tracked
    }

    /// Returns `true` if it has an index: `#[component(index)]`, or [`Fields::index`](crate::by_name::Fields::index).
    #[must_use]
    pub const fn is_indexed(self) -> bool {
        self.about.index.is_some()
    }

    /// Returns `true` if no two entities have equal values: `#[component(unique)]`, or
    /// [`Fields::unique`](crate::by_name::Fields::unique).
    #[must_use]
    pub const fn is_unique(self) -> bool {
        matches!(self.about.index, Some(IndexRule { unique: Some(_), .. }))
    }

    /// Returns the rule of its index, if it has one.
    pub(crate) const fn index_rule(self) -> Option<IndexRule> {
        self.about.index
    }

    /// Returns `true` if its changes are marked, for readers or its index.
    pub(crate) const fn is_marked(self) -> bool {
        self.about.is_tracked || self.is_indexed()
    }

    /// Returns `true` if its changes are found by comparing values, as no code that writes them marks them.
    #[cfg(feature = "serde")]
    pub(crate) const fn is_compared(self) -> bool {
        self.about.is_compared
    }

    /// Returns `true` if it is a [relation](crate::Relation).
    #[must_use]
    pub const fn is_relation(self) -> bool {
        self.about.relation.is_some()
    }

    /// Returns, for a relation, the effect on sources when their target ends, and `true` if it may not form cycles.
    pub(crate) const fn relation(self) -> Option<(AtTargetEnd, bool)> {
        match self.about.relation {
            Some(RelationFacts { at_end, acyclic, .. }) => Some((at_end, acyclic)),
            None => None,
        }
    }

    /// Returns the number that stands for the targets of the component, if it is a relation.
    pub(crate) fn targets_number(self) -> Option<u32> {
        self.about.relation.map(|facts| (facts.targets_number)())
    }

    /// Returns the targets of untyped values, if it is a relation.
    #[inline]
    pub(crate) fn pointings(self, values: &Loose) -> Vec<Pointing> {
        self.about.relation.map_or_else(Vec::new, |facts| (facts.pointings)(values))
    }

    /// Returns the operations on its pools and untyped values.
    pub(crate) const fn operations(self) -> &'static Operations {
        &self.about.operations
    }

    /// Returns the default, if it declares one.
    #[inline]
    pub(crate) fn default_value(self) -> Option<Box<Loose>> {
        Some(self.about.operations.default?(self))
    }

    /// Replaces each handle in untyped values by the result of `map`, which is also called with the position of the value.
    #[inline]
    pub(crate) fn map_loose(self, values: Box<Loose>, map: MapLoose<'_>) -> Box<Loose> {
        match self.about.operations.map {
            Some(map_values) => map_values(values, map),
            None => values,
        }
    }

    /// Returns the component's hooks, which are called first for insertions and last for removals.
    pub(crate) const fn hooks(self) -> HookList {
        self.about.hooks
    }

    /// Returns the name and the version under which it is saved, if it is: `#[component(save = "name")]`. All instances
    /// of a generic component share the name.
    #[cfg(feature = "serde")]
    #[must_use]
    pub fn saved_as(self) -> Option<(&'static str, u32)> {
        self.about.saved_as.map(|(name, schema)| (name.base, schema.version))
    }

    /// Returns the whole name under which it is saved, including the name of its instance if it is generic. The name is
    /// unique among saved kinds, and [`World::kind`](crate::World::kind) finds it.
    ///
    /// ```
    /// # use ecs::by_name::Kind;
    /// assert_eq!(Kind::of::<ecs::ChildOf>().saved_name().unwrap(), "ecs::ChildOf");
    /// ```
    #[cfg(feature = "serde")]
    #[must_use]
    pub fn saved_name(self) -> Option<String> {
        self.about.saved_as.map(|(name, _)| name.to_string())
    }

    /// Returns `true` if `name` is the name under which it is saved, or its full name.
    pub(crate) fn is_called(self, name: &str) -> bool {
        #[cfg(feature = "serde")]
        if self.about.saved_as.is_some_and(|(saved, _)| saved.is(name)) {
            return true;
        }
        self.type_name() == name
    }

    /// Returns the name in files, and the version with its fingerprint, of a component that is saved.
    #[cfg(feature = "serde")]
    pub(crate) const fn saving(self) -> Option<(SavingName, Schema)> {
        self.about.saved_as
    }

    /// Returns its definition, if it is [defined](crate::World::define) and has no type.
    pub(crate) const fn definition(self) -> Option<&'static Definition> {
        self.about.definition
    }

    /// Returns the fields of a component that is [defined](crate::World::define); `None` if it has a type in Rust.
    ///
    /// ```
    /// # use ecs::{ChildOf, World};
    /// # use ecs::by_name::{Fields, Kind};
    /// let fields = Fields::new().f32("x").f32("y");
    /// let place = World::new().define("Place", fields.clone()).unwrap();
    /// assert_eq!(place.defined_fields(), Some(&fields));
    /// assert_eq!(Kind::of::<ChildOf>().defined_fields(), None);
    /// ```
    #[must_use]
    pub const fn defined_fields(self) -> Option<&'static Fields> {
        match self.about.definition {
            Some(definition) => Some(definition.fields),
            None => None,
        }
    }

    /// Returns the kind with this number, and these properties.
    pub(crate) const fn with_about(number: u32, about: &'static About) -> Self {
        Self { number, about }
    }

    /// Returns the function that creates the pool of such components.
    pub(crate) fn creating(self) -> Creator<Self> {
        self.about.create
    }

    /// Returns the edit that inserts the components that this component requires, if it requires any.
    pub(crate) fn requiring(self) -> Option<EntityEdit> {
        self.about.require
    }

    /// Returns the edit that inserts some of the components that this component requires, if it is saved and requires
    /// any.
    #[cfg(feature = "serde")]
    pub(crate) fn requiring_some(self) -> Option<FilteredEdit> {
        self.about.require_some
    }

    /// Returns the rules about other components that it declares: `#[component(needs(..))]` and the like.
    ///
    /// ```
    /// # use ecs::Component;
    /// # use ecs::by_name::Kind;
    /// # #[derive(Component)] struct Health(u32);
    /// #[derive(Component)]
    /// #[component(needs(Health), excludes(Ghost))]
    /// struct Player;
    /// #[derive(Component)]
    /// struct Ghost;
    ///
    /// let rules: Vec<String> = Kind::of::<Player>().rules().map(|rule| rule.to_string()).collect();
    /// assert_eq!(rules, ["`Player` needs `Health`", "`Player` excludes `Ghost`"]);
    /// assert_eq!(Kind::of::<Ghost>().rules().count(), 0); // the other side
    /// ```
    pub fn rules(self) -> impl Iterator<Item = ComponentRule> {
        let rules = self.declared_rules().iter().filter(|rule| rule.kind != RuleKind::Requires);
        rules.map(move |rule| rule.kind.between(self.name(), rule.name))
    }

    /// Returns its rules about other components, and its requirements.
    pub(crate) const fn declared_rules(self) -> &'static [DeclaredRule] {
        self.about.rules
    }

    /// Returns `true` if its insertion takes the other component away.
    pub(crate) fn replaces(self, other: Self) -> bool {
        let mut rules = self.declared_rules().iter();
        rules.any(|rule| rule.kind == RuleKind::Replaces && rule.number() == other.number)
    }

    /// Returns the components that this component itself [requires](crate::Component#required-components). O(their
    /// number).
    ///
    /// ```
    /// # use ecs::Component;
    /// # use ecs::by_name::Kind;
    /// # #[derive(Component, Default)] struct Health(u32);
    /// #[derive(Component)]
    /// #[component(requires(Health))]
    /// struct Player;
    ///
    /// assert_eq!(Kind::of::<Player>().required(), [Kind::of::<Health>()]);
    /// ```
    #[must_use]
    pub fn required(self) -> Vec<Self> {
        match self.about.required {
            Requirements::Typed(required) => required(),
            Requirements::Listed(required) => required.to_vec(),
        }
    }

    /// Returns `true` if it requires any component.
    pub(crate) const fn requires_any(self) -> bool {
        !matches!(self.about.required, Requirements::Listed([]))
    }

    /// Returns the names in files of the saved components that this component itself requires.
    #[cfg(feature = "serde")]
    pub(crate) fn required_names(self) -> Vec<String> {
        let name = |kind: &Self| Some(kind.saving()?.0.to_string());
        self.required().iter().filter_map(name).collect()
    }

    /// Returns `true` if its values may contain handles that are replaced when they enter another world: handles
    /// of relations, and of fields whose types implement [`MapEntities`](crate::MapEntities).
    ///
    /// ```
    /// # use ecs::{ChildOf, Name};
    /// # use ecs::by_name::Kind;
    /// assert!(Kind::of::<ChildOf>().holds_entities() && !Kind::of::<Name>().holds_entities());
    /// ```
    #[must_use]
    pub const fn holds_entities(self) -> bool {
        handles::any_mapped(self.about.handle_fields)
    }

    /// Returns `true` if some of its fields may hold handles.
    #[cfg(feature = "serde")]
    pub(crate) const fn may_hold_handles(self) -> bool {
        !self.about.handle_fields.is_empty()
    }

    /// Returns `true` if handles in some of its fields stay as they are on purpose.
    #[cfg(feature = "serde")]
    pub(crate) const fn keeps_entities(self) -> bool {
        self.about.ignores_entities || handles::any_kept(self.about.handle_fields)
    }

    /// Returns the error for values that leave their world, if they may hold handles that nothing replaces.
    #[inline]
    pub(crate) fn handle_error(self) -> Option<String> {
        if self.about.ignores_entities {
            return None;
        }
        let field = handles::forgotten(self.about.handle_fields)?;
        let stay = "`#[component(entities = ignore)]`, or declare it by `by_name::Declaration`";
        Some(field.refusal(self.name(), stay).as_str().into())
    }
}

impl PartialEq for Kind {
    fn eq(&self, other: &Self) -> bool {
        let definition = |kind: &Self| kind.about.definition.map(core::ptr::from_ref);
        self.number == other.number && definition(self) == definition(other)
    }
}
impl Eq for Kind {}

/// Displays the full name of the type.
impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.type_name())
    }
}

impl fmt::Debug for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Kind({})", self.type_name())
    }
}

impl About {
    pub(crate) fn of<T: AnyComponent>() -> &'static Self {
        const {
            &Self {
                name: T::NAME,
                type_name: Some(type_name::<T>),
                id: T::ID,
                bit: T::BIT,
                shape: T::SHAPE,
                size: size_of::<T>(),
                is_in_columns: <T::Storage as Container<T>>::IN_COLUMNS,
                fields: <T::Storage as Container<T>>::FIELDS,
                operations: Operations::of::<T>(),
                skips_copies: T::SKIPS_COPIES,
                skips_saves: T::SKIPS_SAVES,
                is_tracked: T::TRACKED,
                index: T::INDEX,
                #[cfg(feature = "serde")]
                is_compared: false,
                hooks: T::HOOKS.list,
                relation: match T::RELATION {
                    Some(rule) => Some(RelationFacts {
                        at_end: rule.at_end,
                        acyclic: rule.acyclic,
                        targets_number: IsTarget::<T>::number,
                        pointings: pointings_of::<T>,
                    }),
                    None => None,
                },
                #[cfg(feature = "serde")]
                saved_as: match T::SAVING {
                    Some(saving) => Some((saving.name, saving.schema)),
                    None => None,
                },
                create: |world, _| world.create_pool::<T>(),
                definition: None,
                require: requiring::<T>(),
                #[cfg(feature = "serde")]
                require_some: requiring_some::<T>(),
                rules: T::RULES,
                required: if T::REQUIRES {
                    Requirements::Typed(required_by::<T>)
                } else {
                    Requirements::Listed(&[])
                },
                handle_fields: T::HANDLE_FIELDS,
                ignores_entities: false,
            }
        }
    }
}

impl About {
    /// Returns the properties of a defined component with these rules and this index, which requires these components.
    #[inline]
    pub(crate) fn of_definition(
        definition: &'static Definition,
        rules: &'static [DeclaredRule],
        required: &'static [Kind],
        index: Option<IndexRule>,
        operations: Operations,
    ) -> Self {
        let id = id_of_name(definition.name);
        Self {
            name: definition.name,
            type_name: None,
            id,
            bit: id.bit(),
            shape: &definition.shape,
            size: definition.size,
            is_in_columns: true,
            fields: &[],
            operations,
            skips_copies: false,
            skips_saves: false,
            is_tracked: true,
            index,
            #[cfg(feature = "serde")]
            is_compared: false,
            hooks: HookList::NONE,
            relation: None,
            #[cfg(feature = "serde")]
            saved_as: Some((
                SavingName { base: definition.name, instance: "" },
                Schema { version: definition.version(), fingerprint: definition.fingerprint() },
            )),
            create: |world, kind| world.pools.create_defined(kind),
            definition: Some(definition),
            require: None,
            #[cfg(feature = "serde")]
            require_some: None,
            rules,
            required: Requirements::Listed(required),
            handle_fields: &definition.handles,
            ignores_entities: false,
        }
    }
}

/// Returns the id of the defined component with this name.
fn id_of_name(name: &'static str) -> ComponentId {
    ComponentId::of(None, None, "", name, 0, 0)
}

impl DeclaredRule {
    /// Returns a rule about a component of this kind.
    pub(crate) fn about(rule: RuleKind, other: Kind) -> Self {
        let number = RuledNumber::Named(other.number);
        let About { id, bit, name, .. } = *other.about;
        Self { kind: rule, id, bit, name, number, leads_on: other.requires_any() }
    }

    /// Returns a rule about the defined component with this name and number.
    pub(crate) fn about_name(rule: RuleKind, name: &'static str, number: u32) -> Self {
        let (id, number) = (id_of_name(name), RuledNumber::Named(number));
        Self { kind: rule, id, bit: id.bit(), name, number, leads_on: false }
    }
}

/// A declaration, made at start-up for the whole process.
pub(crate) struct Declared {
    /// All of it, as keys of the attribute.
    pub(crate) keys: String,
    /// The properties of the component, declared ones among them.
    pub(crate) about: About,
}

/// Returns the declaration of the component type with this id, if there is one. One load, if nothing is declared in the
/// process.
#[inline]
pub(crate) fn declared(id: TypeId) -> Option<&'static Declared> {
    #[cold]
    #[inline]
    fn find(id: TypeId) -> Option<&'static Declared> {
        slot::declared_of(id)?.downcast_ref()
    }
    if slot::is_any_declared() { find(id) } else { None }
}

/// Returns the declared properties of the component type with this id, or else its `own`.
#[inline]
fn declared_or(id: TypeId, own: &'static About) -> &'static About {
    match declared(id) {
        Some(declared) => &declared.about,
        None => own,
    }
}

/// Collects the kinds of the components that a component requires, without making any.
struct RequiredKinds(Vec<Kind>);

impl sealed::Sealed for RequiredKinds {}

impl Requirer for RequiredKinds {
    fn require<T: AnyComponent>(&mut self, _: impl FnOnce() -> T) {
        self.0.push(Kind::of::<T>());
    }
}

fn required_by<T: AnyComponent>() -> Vec<Kind> {
    let mut required = RequiredKinds(Vec::new());
    T::require(Internal::CALL, &mut required);
    required.0
}

/// Returns an untyped storage with this value.
pub(crate) fn loose_of<T: AnyComponent>(value: T) -> Box<Loose> {
    let mut values = T::Storage::default();
    values.push(value);
    Box::new(values)
}
