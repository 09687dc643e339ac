//! Which way a view finds its matches, and how it tells people.

use crate::text::Counted;
use alloc::string::String;
use core::fmt;

/// The ways through a join.
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
    /// The pools that the query asks for, as slices: one pool, several that have the same members in
    /// the same order, or such with something optional, where a group owns all of it.
    All,
    /// The membership words of all pools, 64 entities at a time.
    Words,
    /// The members of the smallest pool or group, each looked up in the others.
    Dense,
    /// The members of a group that keeps the matches of the query, and no others.
    Group,
    /// All living entities: the query requires no component.
    Everyone,
}

/// How a view finds its matches, from [`View::explain`](crate::View::explain).
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
    /// The way that is taken.
    pub kind: PlanKind,
    /// The component with the smallest pool, in which every match is; `None` if no component is
    /// required, or the world has never had one that is. It is `Sources` where these are the targets of a relation.
    pub driver: Option<&'static str>,
    /// How many members, or entity indices, are tested, be it 64 at a time.
    pub candidates: usize,
    /// The group whose members are walked, as it prints.
    pub group: Option<String>,
    /// Where many candidates are tested for few matches: a group that would spare the tests, as it
    /// prints. It owns what the view reads, or nothing, where matches are very few; where another group
    /// owns one of these pools already, none is named.
    pub helpful: Option<String>,
}

impl fmt::Display for Plan {
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
            (PlanKind::Words, _) => {
                let words = Counted(candidates / 64, "word", "words");
                write!(f, "joins {words} of bits, driven by `{driver}`")
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
        match &self.helpful {
            Some(group) => write!(f, "; a {group} would spare most of the tests"),
            None => Ok(()),
        }
    }
}
