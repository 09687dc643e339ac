//! The rules that a component declares about others, as constants.

use crate::component::id::ComponentId;
use crate::signature::Signature;
use crate::tuples::each;
use core::error::Error;
use core::fmt;

/// A rule between two components, which their attributes declare: see the [guide](crate::guide::rules). Errors name the
/// rule that an edit would break. [`Kind::rules`](crate::by_name::Kind::rules) lists the rules of a component.
///
/// ```
/// # use ecs::{ComponentRule, Component, RelateError, World};
/// #[derive(Component)]
/// #[component(excludes(Enemy))]
/// struct Ally;
/// #[derive(Component)]
/// struct Enemy;
///
/// let mut world = World::new();
/// let entity = world.spawn(Ally).id();
/// let rule = ComponentRule::Excludes("Ally", "Enemy");
/// assert_eq!(world.try_insert(entity, Enemy), Err(RelateError::Rule(entity, rule)));
/// assert_eq!(rule.to_string(), "`Ally` excludes `Enemy`");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ComponentRule {
    /// An entity with the first component always has the second one.
    Needs(&'static str, &'static str),
    /// No entity has both components.
    Excludes(&'static str, &'static str),
    /// No entity has both components: an insertion of the first one takes the second one away, and while an entity has
    /// the first one, it is refused the second one.
    Replaces(&'static str, &'static str),
    /// Each entity to which the first component, a relation, points has the second one.
    PointsTo(&'static str, &'static str),
}

impl fmt::Display for ComponentRule {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (of, verb, other) = match self {
            Self::Needs(of, other) => (of, RuleKind::Needs.verb(), other),
            Self::Excludes(of, other) => (of, RuleKind::Excludes.verb(), other),
            Self::Replaces(of, other) => (of, RuleKind::Replaces.verb(), other),
            Self::PointsTo(of, other) => (of, RuleKind::PointsTo.verb(), other),
        };
        write!(f, "`{of}` {verb} `{other}`")
    }
}

impl Error for ComponentRule {}

/// A rule of a component, or a requirement, without its type.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub struct DeclaredRule {
    pub(crate) kind: RuleKind,
    /// The other component: its id, its bit, its name, and its number in this process.
    pub(crate) id: ComponentId,
    pub(crate) bit: Signature,
    pub(crate) name: &'static str,
    pub(crate) number: RuledNumber,
    /// `true` if the other component requires more.
    pub(crate) leads_on: bool,
}

/// The number of a component in this process.
#[derive(Clone, Copy, Debug)]
pub(crate) enum RuledNumber {
    /// The result of this function: a type gets its number when it is first used.
    Typed(fn() -> u32),
    /// This one, of a component that a definition names.
    Named(u32),
}

/// The kinds of rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RuleKind {
    Needs,
    Excludes,
    Replaces,
    /// The component of the targets of a relation.
    PointsTo,
    /// A requirement, which holds at the insertion only.
    Requires,
}

impl RuleKind {
    pub(crate) const fn verb(self) -> &'static str {
        match self {
            Self::Needs => "needs",
            Self::Excludes => "excludes",
            Self::Replaces => "replaces",
            Self::PointsTo => "points to entities with",
            Self::Requires => "requires",
        }
    }

    /// Returns `true` if no entity has both components.
    pub(crate) const fn parts(self) -> bool {
        matches!(self, Self::Excludes | Self::Replaces)
    }

    /// Returns the rule of two components with these names.
    pub(crate) const fn between(self, of: &'static str, other: &'static str) -> ComponentRule {
        match self {
            Self::Needs | Self::Requires => ComponentRule::Needs(of, other),
            Self::Excludes => ComponentRule::Excludes(of, other),
            Self::Replaces => ComponentRule::Replaces(of, other),
            Self::PointsTo => ComponentRule::PointsTo(of, other),
        }
    }
}

impl DeclaredRule {
    /// Returns the number of the other component.
    #[inline]
    pub(crate) fn number(&self) -> u32 {
        match self.number {
            RuledNumber::Typed(number) => number(),
            RuledNumber::Named(number) => number,
        }
    }

    pub(crate) const fn is_need(&self) -> bool {
        matches!(self.kind, RuleKind::Needs)
    }

    /// Returns `true` if the rule may forbid a removal of the other component.
    pub(crate) const fn keeps_other(&self) -> bool {
        matches!(self.kind, RuleKind::Needs | RuleKind::PointsTo)
    }

    /// Returns the rule for the targets of a relation with these rules, if there is one.
    #[inline]
    pub(crate) const fn of_targets(rules: &'static [Self]) -> Option<&'static Self> {
        each!(rules, |rule| if matches!(rule.kind, RuleKind::PointsTo) {
            return Some(rule);
        });
        None
    }
}

/// A component as checks compare it: its id, name and rules.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RuledComponent {
    pub(crate) id: ComponentId,
    pub(crate) name: &'static str,
    pub(crate) rules: &'static [DeclaredRule],
}

/// A rule that parts two components: the name of the declaring one, its verb, and the other name.
pub(crate) type PartingRule = (&'static str, &'static str, &'static str);

impl RuledComponent {
    /// Returns the rule by which no entity has both components, by ids; `None` if an id is not exact.
    #[inline]
    pub(crate) const fn parted_from(&self, other: &Self) -> Option<PartingRule> {
        if let found @ Some(_) = self.parts_from(other) {
            return found;
        }
        other.parts_from(self)
    }

    /// Returns the own rule by which each entity with this component has the other one, by ids.
    pub(crate) const fn needing(&self, other: &Self) -> Option<PartingRule> {
        each!(
            self.rules,
            |rule| if rule.is_need() && rule.id.is_exact() && rule.id.same(other.id) {
                return Some((self.name, rule.kind.verb(), other.name));
            }
        );
        None
    }

    /// Returns the own rule by which no entity has both components.
    const fn parts_from(&self, other: &Self) -> Option<PartingRule> {
        each!(self.rules, |rule| if rule.kind.parts()
            && self.id.is_exact()
            && rule.id.is_exact()
            && rule.id.same(other.id)
        {
            return Some((self.name, rule.kind.verb(), other.name));
        });
        None
    }

    /// Returns `true` if the component is this one, or may insert it as a requirement.
    pub(crate) const fn may_bring(&self, needed: &DeclaredRule) -> bool {
        if self.id.same(needed.id) {
            return true;
        }
        each!(self.rules, |rule| if matches!(rule.kind, RuleKind::Requires)
            && (rule.leads_on || rule.id.same(needed.id))
        {
            return true;
        });
        false
    }
}
