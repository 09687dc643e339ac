//! The requirements and needs of components as constants, for the checks that no component requires or needs itself.
//!
//! If a constant named everything that a type requires, a circle would define it by itself, which is an unclear
//! compile error. So the constants end at some depth.

use crate::component::id::ComponentId;
use crate::component::rules::{DeclaredRule, PartingRule, RuleKind, RuledComponent, RuledNumber};
use crate::component::{AnyComponent, index_of};
use crate::entity::EntityOf;
use crate::text::Text;
use crate::tuples::{each, for_each_tuple};
use core::cmp::Ordering;
use core::marker::PhantomData;

/// The requirements of a component: a tree.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub enum Required {
    Component {
        id: ComponentId,
        name: &'static str,
        rules: &'static [DeclaredRule],
        requires: &'static Self,
    },
    /// A component that is needed, but is not inserted.
    Needed(&'static Self),
    List(&'static [Self]),
}

/// A component that another one needs, among the components that it requires.
#[doc(hidden)]
#[derive(Debug)]
pub struct Needed<T>(PhantomData<T>);

/// The requirements that are reached within this many `Steps`.
#[doc(hidden)]
pub trait RequiredWithin<Steps> {
    const TREE: Required;
}

/// One step more.
#[doc(hidden)]
#[derive(Debug)]
pub struct RequirementStep<Others>(PhantomData<Others>);

/// The greatest number of components in a circle that is found. A longer circle compiles, and is harmless at run
/// time: only components that an entity lacks are inserted, with their requirements.
type Steps = RequirementStep<
    RequirementStep<
        RequirementStep<
            RequirementStep<RequirementStep<RequirementStep<RequirementStep<RequirementStep<()>>>>>,
        >,
    >,
>;

impl<T: AnyComponent> RequiredWithin<()> for T {
    const TREE: Required = Required::Component {
        id: T::ID,
        name: T::NAME,
        rules: T::RULES,
        requires: &Required::List(&[]),
    };
}

impl<N, T: AnyComponent<Requires: RequiredWithin<N>>> RequiredWithin<RequirementStep<N>> for T {
    const TREE: Required = Required::Component {
        id: T::ID,
        name: T::NAME,
        rules: T::RULES,
        requires: &T::Requires::TREE,
    };
}

impl<N, T: RequiredWithin<N>> RequiredWithin<N> for Needed<T> {
    const TREE: Required = Required::Needed(&T::TREE);
}

impl<N> RequiredWithin<N> for () {
    const TREE: Required = Required::List(&[]);
}

macro_rules! required_for_tuple {
    ($($name:ident $index:tt $next:tt,)+) => {
        #[diagnostic::do_not_recommend]
        impl<Steps, $($name: RequiredWithin<Steps>),+> RequiredWithin<Steps> for ($($name,)+) {
            const TREE: Required = Required::List(&[$($name::TREE),+]);
        }
    };
}
for_each_tuple!(required_for_tuple);

/// A component, and the chain of components that require it.
struct RequirementPath<'a> {
    id: ComponentId,
    name: &'static str,
    by: Option<&'a Self>,
}

impl RequirementPath<'_> {
    #[inline]
    const fn has(&self, id: ComponentId) -> bool {
        self.id.same(id)
            || match self.by {
                Some(by) => by.has(id),
                None => false,
            }
    }

    /// Returns `true` if no component of the path sorts before the first one, by name or id. So only one component of
    /// a circle reports it.
    #[inline]
    const fn has_none_before(&self, first: First) -> bool {
        let is_before = self.id.is_exact()
            && match compare(self.name.as_bytes(), first.0.as_bytes()) {
                Ordering::Less => true,
                Ordering::Equal => self.id.is_before(first.1),
                Ordering::Greater => false,
            };
        !is_before
            && match self.by {
                Some(by) => by.has_none_before(first),
                None => true,
            }
    }

    /// "`A` requires `B`, which requires `C`"
    #[inline]
    const fn push_to(&self, text: Text, verb: &str) -> Text {
        match self.by {
            None => text.push("`").push(self.name).push("`"),
            Some(by) => {
                let which = if by.by.is_some() { ", which " } else { " " };
                let text = by.push_to(text, verb).push(which).push(verb);
                text.push(" `").push(self.name).push("`")
            }
        }
    }
}

/// The component that a path begins with.
type First = (&'static str, ComponentId);

#[inline]
const fn compare(a: &[u8], b: &[u8]) -> Ordering {
    match (a, b) {
        ([], []) => Ordering::Equal,
        ([], _) => Ordering::Less,
        (_, []) => Ordering::Greater,
        ([a, others @ ..], [b, rest @ ..]) if *a == *b => compare(others, rest),
        ([a, ..], [b, ..]) => {
            if *a < *b {
                Ordering::Less
            } else {
                Ordering::Greater
            }
        }
    }
}

impl<T: AnyComponent> EntityOf<T> {
    /// Returns the handle as one of a component that `T` needs, by its attribute
    /// [`needs`](crate::guide::rules): each entity with a `T` has one.
    ///
    /// ```
    /// # use ecs::{Component, EntityOf, World};
    /// #[derive(Component)]
    /// struct Health(u32);
    /// #[derive(Component)]
    /// #[component(needs(Health))]
    /// struct Player;
    ///
    /// fn heal(world: &mut World, patient: EntityOf<Health>) {
    ///     world.get_mut_of(patient).unwrap().0 += 10;
    /// }
    /// let mut world = World::new();
    /// let player = world.spawn((Player, Health(1))).id();
    /// let player: EntityOf<Player> = world.handle_of(player).unwrap();
    /// heal(&mut world, player.needed());
    /// assert_eq!(world.get_of(player.needed::<Health>()).unwrap().0, 11);
    /// ```
    #[must_use]
    #[inline]
    pub const fn needed<N: AnyComponent>(self) -> EntityOf<N> {
        const { check_needed::<T, N>() };
        EntityOf::new(self.entity())
    }
}

/// Panics unless each entity with a `T` has an `N`, by a rule of `T`.
const fn check_needed<T: AnyComponent, N: AnyComponent>() {
    let component = RuledComponent { id: T::ID, name: T::NAME, rules: T::RULES };
    let needed = RuledComponent { id: N::ID, name: N::NAME, rules: N::RULES };
    if component.needing(&needed).is_none() {
        Text::new()
            .push("component `")
            .push(T::NAME)
            .push("` has no rule that it needs `")
            .push(N::NAME)
            .push("`: add `#[component(needs(")
            .push(N::NAME)
            .push("))]` to it")
            .panic()
    }
}

/// Panics if the last component of a path leads back to the first one, by requirements or, if it `needs`, by needs.
/// `is_needed` is `true` of needed components.
#[track_caller]
#[inline]
const fn refuse_circles(
    first: First,
    path: &RequirementPath<'_>,
    required: &Required,
    needs: bool,
    is_needed: bool,
) {
    match required {
        Required::List(all) => {
            each!(all, |required| refuse_circles(first, path, required, needs, false));
        }
        Required::Needed(needed) => refuse_circles(first, path, needed, needs, true),
        Required::Component { id, name, requires, .. } if needs == is_needed => {
            let longer = RequirementPath { id: *id, name, by: Some(path) };
            if id.is_exact() && id.same(first.1) {
                if longer.has_none_before(first) {
                    let (verb, end) = if needs {
                        ("needs", ": none of them could be inserted first; leave one of these out")
                    } else {
                        (
                            "requires",
                            ": a component cannot come with itself; leave one of these out",
                        )
                    };
                    longer.push_to(Text::new().push("component "), verb).push(end).panic()
                }
            } else if !id.is_exact() || !path.has(*id) {
                refuse_circles(first, &longer, requires, needs, false);
            }
        }
        Required::Component { .. } => {}
    }
}

/// The requirements of `T`, if all of them are components.
#[doc(hidden)]
#[derive(Debug)]
pub struct SeenRequirements<T>(PhantomData<T>);

impl<T: AnyComponent<Requires: RequiredWithin<Steps>>> SeenRequirements<T> {
    pub const TREE: Required = T::Requires::TREE;
}

/// Empty requirements, for a `T` that requires types which are not components. So the compiler reports these only
/// where they are inserted, and not again at the check.
#[doc(hidden)]
pub trait Unseen {
    const TREE: Required = Required::List(&[]);
}

impl<T> Unseen for SeenRequirements<T> {}

/// The rule of a component that requires `T`, if `T` is a component.
#[doc(hidden)]
#[derive(Debug)]
pub struct SeenRule<T>(PhantomData<T>);

impl<T: AnyComponent> SeenRule<T> {
    pub const REQUIRES: DeclaredRule = DeclaredRule::of::<T>(RuleKind::Requires);
}

/// Any rule, for a `T` that is no component, like [`Unseen`].
#[doc(hidden)]
pub trait UnseenRule {
    const REQUIRES: DeclaredRule = {
        let id = ComponentId::of(None, None, "", "", 0, 0);
        let (kind, number) = (RuleKind::Requires, RuledNumber::Named(u32::MAX));
        DeclaredRule { kind, id, bit: id.bit(), name: "", number, leads_on: false }
    };
}

impl<T> UnseenRule for SeenRule<T> {}

/// Checks that neither the requirements nor the needs of a component lead back to it, and that no rule forbids the
/// components that come with it. In a constant, a mistake is a compile error.
///
/// # Panics
/// When there is such a mistake.
#[doc(hidden)]
#[track_caller]
pub const fn check_requirements<T: AnyComponent>(required: &Required) {
    let path = RequirementPath { id: T::ID, name: T::NAME, by: None };
    refuse_circles((T::NAME, T::ID), &path, required, false, false);
    refuse_circles((T::NAME, T::ID), &path, required, true, false);
    refuse_contradictions::<T>(required);
}

impl DeclaredRule {
    const fn of<T: AnyComponent>(kind: RuleKind) -> Self {
        let number = RuledNumber::Typed(|| index_of::<T>().get());
        Self { kind, id: T::ID, bit: T::BIT, name: T::NAME, number, leads_on: T::REQUIRES }
    }

    #[must_use]
    pub const fn needs<T: AnyComponent>() -> Self {
        Self::of::<T>(RuleKind::Needs)
    }
    #[must_use]
    pub const fn excludes<T: AnyComponent>() -> Self {
        Self::of::<T>(RuleKind::Excludes)
    }
    #[must_use]
    pub const fn replaces<T: AnyComponent>() -> Self {
        Self::of::<T>(RuleKind::Replaces)
    }
    #[must_use]
    pub const fn points_to<T: AnyComponent>() -> Self {
        Self::of::<T>(RuleKind::PointsTo)
    }
}

impl Required {
    /// Returns the rule that parts one component of this tree from `one`, or from the components that come with it.
    #[inline]
    const fn parted_from(&self, one: &RuledComponent) -> Option<PartingRule> {
        match self {
            Self::List(all) => {
                each!(all, |part| if let found @ Some(_) = part.parted_from(one) {
                    return found;
                });
                None
            }
            Self::Needed(needed) => needed.parted_from(one),
            Self::Component { id, name, rules, requires } => {
                let own = RuledComponent { id: *id, name, rules };
                if let found @ Some(_) = one.parted_from(&own) {
                    return found;
                }
                requires.parted_from(one)
            }
        }
    }

    /// Returns the rule that parts two components of both trees.
    #[inline]
    const fn parted_from_tree(&self, other: &Self) -> Option<PartingRule> {
        match other {
            Self::List(all) => {
                each!(all, |part| if let found @ Some(_) = self.parted_from_tree(part) {
                    return found;
                });
                None
            }
            Self::Needed(needed) => self.parted_from_tree(needed),
            Self::Component { id, name, rules, requires } => {
                if let found @ Some(_) = self.parted_from(&RuledComponent { id: *id, name, rules })
                {
                    return found;
                }
                self.parted_from_tree(requires)
            }
        }
    }

    /// Returns the rule that parts two components of different branches. Nested lists are one list.
    #[inline]
    const fn parted_within(&self) -> Option<PartingRule> {
        let Self::List(all) = self else { return None };
        each!(all, |at, part| {
            if let found @ Some(_) = part.parted_within() {
                return found;
            }
            each!(all.split_at(at).0, |before| if let found @ Some(_) =
                before.parted_from_tree(part)
            {
                return found;
            });
        });
        None
    }
}

/// Panics if a rule forbids the components that come with a `T` or that it needs.
#[track_caller]
pub(crate) const fn refuse_contradictions<T: AnyComponent>(required: &Required) {
    let itself = RuledComponent { id: T::ID, name: T::NAME, rules: T::RULES };
    let found = match required.parted_from(&itself) {
        None => required.parted_within(),
        found => found,
    };
    if let Some((of, verb, other)) = found {
        Text::new()
            .push("no entity can have `")
            .push(T::NAME)
            .push("` with all that it needs and requires: `")
            .push(of)
            .push("` ")
            .push(verb)
            .push(" `")
            .push(other)
            .push("`; leave one of these rules out")
            .panic()
    }
}

/// Returns `true` if any of the required components has a rule.
#[doc(hidden)]
#[must_use]
#[inline]
pub const fn is_any_ruled(required: &Required) -> bool {
    match required {
        Required::List(all) => {
            each!(all, |part| if is_any_ruled(part) {
                return true;
            });
            false
        }
        Required::Needed(_) => true,
        Required::Component { rules, requires, .. } => {
            each!(rules, |rule| if !matches!(rule.kind, RuleKind::Requires | RuleKind::PointsTo) {
                return true;
            });
            is_any_ruled(requires)
        }
    }
}

/// Checks that an excluded component does not replace the one that excludes it. In a constant, that is a compile error.
///
/// # Panics
/// When it does.
#[doc(hidden)]
#[track_caller]
pub const fn check_excluded<T: AnyComponent, Other: AnyComponent>() {
    each!(Other::RULES, |rule| if matches!(rule.kind, RuleKind::Replaces)
        && rule.id.is_exact()
        && rule.id.same(T::ID)
    {
        Text::new()
            .push("`")
            .push(T::NAME)
            .push("` excludes `")
            .push(Other::NAME)
            .push("`, which replaces it: leave one of these rules out")
            .panic()
    });
}

/// A required component without a value in the attribute: it has a default.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "`{Self}` is required without a value, and has no `Default`",
    label = "has no `Default`",
    note = "add `#[derive(Default)]` to it, or name the value: `requires({Self} = ..)`"
)]
pub trait ByDefault: Default {}

#[diagnostic::do_not_recommend]
impl<T: Default> ByDefault for T {}

/// Returns the default of a required component.
#[doc(hidden)]
#[must_use]
pub fn by_default<T: ByDefault>() -> T {
    T::default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Component;

    #[derive(Component)]
    struct Plain;
    #[derive(Component)]
    #[component(replaces(Plain))]
    struct Ruled;

    #[test]
    fn rules_are_found_in_a_tree() {
        const PLAIN: Required = <Plain as RequiredWithin<()>>::TREE;
        const RULED: Required = <Ruled as RequiredWithin<()>>::TREE;
        assert!(!is_any_ruled(&PLAIN) && is_any_ruled(&Required::List(&[PLAIN, RULED])));
        assert!(is_any_ruled(&Required::Needed(&PLAIN)));
    }

    #[test]
    #[should_panic(expected = "`Plain` excludes `Ruled`, which replaces it: leave one of these")]
    fn a_replacing_component_is_not_excluded() {
        check_excluded::<Ruled, Plain>();
        check_excluded::<Plain, Ruled>();
    }
}
