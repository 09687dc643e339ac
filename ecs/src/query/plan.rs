//! The ways in which a view finds its matches, and their descriptions.

use crate::text::Counted;
use alloc::string::String;
use core::fmt;

/// A way through a join.
///
/// ```
/// # use ecs::{Component, Group, PlanKind, World};
/// # #[derive(Component)] struct Position(f32);
/// # #[derive(Component)] struct Mass(f32);
/// let mut world = World::new();
/// world.spawn_batch((0..5_000).map(|_| Position(0.0)));
/// world.spawn((Position(1.0), Mass(2.0)));
/// assert_eq!(world.view::<(Position, Mass)>().explain().kind, PlanKind::Dense);
/// world.declare_group(Group::owning::<(Position, Mass)>()).unwrap();
/// assert_eq!(world.view::<(Position, Mass)>().explain().kind, PlanKind::Group);
/// assert_eq!(world.view::<Option<&Mass>>().explain().kind, PlanKind::Everyone);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum PlanKind {
    /// The pools of the query, as slices. Either there is one pool, or several with equal members in equal order.
    /// Optional pools are included if a group owns all of them.
    All,
    /// The stretches of members that lie alike in all pools of the query, as the world keeps them in one order.
    Runs,
    /// The membership words of all pools, 64 entities at a time.
    Words,
    /// The members of the smallest pool or group, each looked up in the others.
    Dense,
    /// The members of a group that has exactly the matches of the query.
    Group,
    /// All living entities: the query requires no component.
    Everyone,
}

/// The plan by which a view finds its matches, from [`View::explain`](crate::View::explain).
///
/// ```
/// # use ecs::{Component, Plan, PlanKind, World};
/// # #[derive(Component)] struct Position(f32);
/// let mut world = World::new();
/// world.spawn(Position(1.0));
/// let plan: Plan = world.view::<Position>().explain();
/// assert_eq!((plan.kind, plan.driver, plan.candidates), (PlanKind::All, Some("Position"), 1));
/// assert!(plan.group.is_none() && plan.helpful.is_none());
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Plan {
    /// The chosen way.
    pub kind: PlanKind,
    /// The component with the smallest pool, which contains every match. `None` if no component is required, or the
    /// world has never had one that is. `Sources` for the targets of a relation.
    pub driver: Option<&'static str>,
    /// The number of members, or entity indices, that are tested, maybe 64 at a time.
    pub candidates: usize,
    /// The group that supplies the candidates, as displayed.
    pub group: Option<String>,
    /// A group that would avoid most tests, as displayed, if many candidates are tested for few matches. It owns the
    /// pools that the view reads; or it owns nothing, for very few matches. `None` if another group owns one of these
    /// pools already.
    pub helpful: Option<String>,
    /// The length of the set that [`View::among`](crate::View::among) restricts the view to, or of the answer of an index;
    /// of several, the shortest. The entities of an answer are the candidates, if no pool of the query has fewer members. The
    /// pages of a set decide which candidates are tested.
    pub among: Option<usize>,
    /// The component with the index that gave the answer of this length, if it is one.
    pub index: Option<&'static str>,
    /// The first component of a scattered join whose pool was sorted by the program, or does not take part in ordering:
    /// so it cannot lie like the other pools. See [`PoolMut::set_ordering`](crate::PoolMut::set_ordering).
    pub pinned: Option<&'static str>,
}

impl Plan {
    /// Returns `true` if the candidates are the answer of an index.
    fn is_of_index(&self) -> bool {
        self.kind == PlanKind::Dense && self.index.is_some() && self.among == Some(self.candidates)
    }
}

impl fmt::Display for Plan {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (driver, candidates) = (self.driver.unwrap_or_default(), self.candidates);
        let members = Counted(candidates, "member", "members");
        match (self.kind, &self.group) {
            (PlanKind::Everyone, _) => {
                write!(f, "looks at the {}", Counted(candidates, "entity index", "entity indices"))
            }
            _ if driver.is_empty() => {
                write!(f, "walks nothing: the world has never had a component that is required")
            }
            (PlanKind::Runs, _) => {
                write!(
                    f,
                    "walks {members} in runs that lie alike in all pools, driven by `{driver}`"
                )
            }
            (PlanKind::Words, _) => {
                let words = Counted(candidates / 64, "word", "words");
                write!(f, "joins {words} of bits, driven by `{driver}`")
            }
            (PlanKind::Dense, _) if self.is_of_index() => {
                let (entities, index) =
                    (crate::text::entities(candidates), self.index.unwrap_or_default());
                write!(f, "looks up the {entities} of the index of `{index}`")
            }
            (PlanKind::Dense, Some(group)) => {
                write!(f, "looks up the {members} of the {group} in the other pools")
            }
            (PlanKind::Dense, None) => {
                write!(f, "looks up the {members} of `{driver}` in the other pools")
            }
            (_, Some(group)) => write!(f, "walks the {members} of the {group}"),
            (_, None) => write!(f, "walks the {members} of `{driver}`"),
        }?;
        match (self.among.map(crate::text::entities), self.index) {
            (None, _) => {}
            (Some(_), Some(_)) if self.is_of_index() => {}
            (Some(set), Some(index)) => {
                write!(f, "; only the {set} of the index of `{index}` may match")?;
            }
            (Some(set), None) => write!(f, "; only the {set} of a set may match")?,
        }
        if let Some(group) = &self.helpful {
            write!(f, "; a {group} would spare most of the tests")?;
        }
        match self.pinned {
            Some(name) => write!(f, "; the pool of `{name}` keeps an order of its own"),
            None => Ok(()),
        }
    }
}
