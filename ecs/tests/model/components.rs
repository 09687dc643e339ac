//! The components, bundles and groups of the model. Each component is made of a number and an entity, and is read back
//! as one number, so that the model stores numbers only.

use super::venom;
use ecs::by_name::Kind;
use ecs::{AnyComponent, Component, Entity, MapEntities, Ref, Resource};
pub use ecs::{ChildOf, Group};
use serde::{Deserialize, Serialize};
use std::cell::RefCell;
use std::sync::Arc;

#[derive(
    Component, Serialize, Deserialize, Clone, Copy, Default, bytemuck::Pod, bytemuck::Zeroable,
)]
#[component(clone, save = "number", bytes, default)]
#[repr(transparent)]
pub struct Number(pub u64);
/// Is declared to be tracked, like a component of another crate.
#[derive(Component, Serialize, Deserialize, Clone)]
#[component(clone, save = "text")]
pub struct Text(pub String);
#[derive(Component, Serialize, Deserialize, Clone, Default)]
#[component(clone, save = "tag", default)]
pub struct Tag;
/// Shares its bit with `Right`.
#[derive(Component, Serialize, Deserialize, Clone)]
#[component(clone, save = "left", bit = 9, index(by = 0))]
pub struct Left(pub u8);
#[derive(Component, Serialize, Deserialize, Clone)]
#[component(clone, save = "right", bit = 9)]
pub struct Right(pub u16);
#[derive(Component, Serialize, Deserialize, Clone)]
#[component(clone, save = "aligned", index(ordered, by = 0))]
#[repr(align(64))]
pub struct Aligned(pub u32);
/// Stays while it is odd, and comes with two others.
#[derive(Component, Serialize, Deserialize, Clone)]
#[component(clone, save = "sticky", veto = Sticky::may_go, requires(Left = Left(4), Tag))]
pub struct Sticky(pub u32);
/// Has readers of its changes.
#[derive(Component, Serialize, Deserialize, Clone)]
#[component(clone, save = "marked", track)]
pub struct Marked(pub u64);
/// Stored in columns. The number is in each of them.
#[derive(Component, Serialize, Deserialize, Clone)]
#[component(clone, save = "columns", layout = "soa", track, default, requires(Marked = Marked(3)),
    index(by = number))]
pub struct Columns {
    pub number: u64,
    pub text: String,
    pub counted: Counted,
}
/// Names an entity twice, which may end, in a type of its own and outside of it. A third handle stays as it is.
#[derive(Component, Serialize, Deserialize, Clone)]
#[component(clone, save = "friend", layout = "soa", track)]
pub struct Friend {
    pub first: Option<Entity>,
    pub all: Vec<Link>,
    #[component(entities = ignore)]
    pub kept: Entity,
}
#[derive(MapEntities, Serialize, Deserialize, Clone)]
pub enum Link {
    Nobody,
    To { whom: Entity, how: How },
}
/// Has no handles, and no derive that says so.
#[derive(Serialize, Deserialize, Clone)]
pub struct How(pub Option<u8>);
/// A handle that stays as it is.
pub const KEPT: Entity = Entity::PLACEHOLDER;
/// Is lost when its target ends.
#[derive(Component, Serialize, Deserialize, Clone)]
#[component(clone, save = "on", relation)]
pub struct On(pub Entity);
/// Ends its entity with the target, which it names twice, and may form circles.
#[derive(Component, Serialize, Deserialize, Clone)]
#[component(clone, save = "part", relation, track, at_end = despawn)]
pub struct PartOf {
    #[component(target)]
    pub whole: Entity,
    pub named: Entity,
}
/// Is needed by `Guarded`, and no entity has it with `Ghost`.
#[derive(Component, Serialize, Deserialize, Clone)]
#[component(clone, save = "armour")]
pub struct Armour(pub u64);
#[derive(Component, Serialize, Deserialize, Clone)]
#[component(clone, save = "guarded", needs(Armour))]
pub struct Guarded(pub u64);
#[derive(Component, Serialize, Deserialize, Clone)]
#[component(clone, save = "ghost", excludes(Armour))]
pub struct Ghost(pub u64);
/// Replaces the other one, which replaces it.
#[derive(Component, Serialize, Deserialize, Clone)]
#[component(clone, save = "walking", replaces(Swimming))]
pub struct Walking(pub u64);
#[derive(Component, Serialize, Deserialize, Clone)]
#[component(clone, save = "swimming", replaces(Walking))]
pub struct Swimming(pub u64);
/// No two entities have equal ones.
#[derive(Component, Serialize, Deserialize, Clone)]
#[component(clone, save = "callsign", unique(by = 0))]
pub struct Callsign(pub u64);

/// An amount, and the entity that has it.
#[derive(Resource, Serialize, Deserialize, Clone, Copy, Debug, PartialEq)]
#[resource(clone, save = "gold")]
pub struct Gold(pub u64, pub Entity);

/// Is neither copied nor saved, and has no attribute that allows that.
#[derive(Resource)]
pub struct Forgotten;

impl Default for Columns {
    fn default() -> Self {
        Self::make(0, Entity::PLACEHOLDER)
    }
}

impl Sticky {
    fn may_go(&mut self) -> bool {
        self.0.is_multiple_of(2)
    }
}

/// A number with a count of its living copies.
#[derive(Serialize, Deserialize, Clone)]
#[serde(from = "u64", into = "u64")]
pub struct Counted(pub u64, #[expect(dead_code, reason = "it only counts")] Arc<()>);

thread_local! {
    /// Is shared by all values that the history of this thread made.
    pub static ALIVE: RefCell<Arc<()>> = RefCell::default();
}

impl From<u64> for Counted {
    fn from(number: u64) -> Self {
        Self(number, ALIVE.with_borrow(Arc::clone))
    }
}

impl From<Counted> for u64 {
    fn from(counted: Counted) -> Self {
        counted.0
    }
}

/// A component that the model can make and read.
pub trait Known: AnyComponent + Clone + Serialize {
    fn make(number: u64, to: Entity) -> Self;
    fn read(value: Ref<'_, Self>) -> u64;
}

macro_rules! components {
    ($($name:ident: $make:expr, $value:expr, $read:expr;)+) => {
        /// A component: of a type, or the defined one.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
        pub enum Comp { $($name,)+ Venom }

        /// The components of types.
        pub const COMPS: &[Comp] = &[$(Comp::$name),+];
        /// All components.
        pub const ALL: &[Comp] = &[$(Comp::$name,)+ Comp::Venom];

        impl Comp {
            pub const fn name(self) -> &'static str {
                match self { $(Self::$name => stringify!($name),)+ Self::Venom => "Venom" }
            }

            /// Returns the number that the model has for a component that is made of these.
            pub fn value(self, number: u64, to: Entity) -> u64 {
                let value: fn(u64, Entity) -> u64 =
                    match self { $(Self::$name => $value,)+ Self::Venom => venom::made };
                value(number, to)
            }
        }

        $(impl Known for $name {
            fn make(number: u64, to: Entity) -> Self {
                let make: fn(u64, Entity) -> Self = $make;
                make(number, to)
            }
            fn read(value: Ref<'_, Self>) -> u64 {
                let read: fn(Ref<'_, Self>) -> u64 = $read;
                read(value)
            }
        })+

        /// Evaluates an expression in which `$t` is the type of a component.
        macro_rules! typed {
            ($comp:expr, $t:ident => $body:expr) => {
                match $comp {
                    $(Comp::$name => { type $t = $name; $body })+
                    Comp::Venom => unreachable!("it has no type"),
                }
            };
        }
    };
}
components! {
    Number: |n, _| Self(n), |n, _| n, |it| it.0;
    Text: |n, _| Self(n.to_string()), |n, _| n, |it| it.0.parse().unwrap();
    Tag: |_, _| Self, |_, _| 0, |_| 0;
    Left: |n, _| Self(n.to_le_bytes()[0]), |n, _| n % 256, |it| it.0.into();
    Right: |n, _| Self(u16::try_from(n).unwrap()), |n, _| n, |it| it.0.into();
    Aligned: |n, _| Self(u32::try_from(n).unwrap()), |n, _| n, |it| it.0.into();
    Sticky: |n, _| Self(u32::try_from(n).unwrap()), |n, _| n, |it| it.0.into();
    Marked: |n, _| Self(n), |n, _| n, |it| it.0;
    Columns: |n, _| Self { number: n, text: n.to_string(), counted: n.into() }, |n, _| n, |it| {
        assert_eq!((it.text, it.counted.0), (&it.number.to_string(), *it.number), "one row");
        *it.number
    };
    Friend: |_, to| Self {
        first: Some(to),
        all: vec![Link::Nobody, Link::To { whom: to, how: How(None) }],
        kept: KEPT,
    }, |_, to| to.to_bits(), |it| {
        let [Link::Nobody, Link::To { whom, .. }] = it.all[..] else { panic!("two are there") };
        assert_eq!((*it.first, *it.kept), (Some(whom), KEPT));
        whom.to_bits()
    };
    On: |_, to| Self(to), |_, to| to.to_bits(), |it| it.0.to_bits();
    PartOf: |_, to| Self { whole: to, named: to }, |_, to| to.to_bits(), |it| {
        assert_eq!(it.whole, it.named);
        it.whole.to_bits()
    };
    ChildOf: |_, to| Self(to), |_, to| to.to_bits(), |it| it.0.to_bits();
    Armour: |n, _| Self(n), |n, _| n, |it| it.0;
    Guarded: |n, _| Self(n), |n, _| n, |it| it.0;
    Ghost: |n, _| Self(n), |n, _| n, |it| it.0;
    Walking: |n, _| Self(n), |n, _| n, |it| it.0;
    Swimming: |n, _| Self(n), |n, _| n, |it| it.0;
    Callsign: |n, _| Self(n), |n, _| n, |it| it.0;
}

impl Comp {
    /// Returns its kind, in a world whose `Venom` has this version.
    pub fn kind(self, version: usize) -> Kind {
        match self {
            Self::Venom => venom::kind(version),
            typed => typed!(typed, T => Kind::of::<T>()),
        }
    }

    /// Returns `true` if its values name entities that copies replace.
    pub fn names_entities(self) -> bool {
        RELATIONS.contains(&self) || matches!(self, Self::Friend | Self::Venom)
    }

    /// Returns the entity that a value names.
    pub fn named(self, value: u64) -> Option<Entity> {
        if self == Self::Venom { venom::target(value) } else { Entity::from_bits(value) }
    }

    /// Returns a value that names this entity in the place of the other.
    pub fn renamed(self, value: u64, to: Entity) -> u64 {
        if self == Self::Venom { venom::with_target(value, to) } else { to.to_bits() }
    }
}

/// The components whose changes are read.
pub const TRACKED: [Comp; 4] = [Comp::Marked, Comp::Columns, Comp::Friend, Comp::Venom];
/// The components that are inserted by default.
pub const DEFAULTS: [Comp; 3] = [Comp::Number, Comp::Tag, Comp::Columns];
/// The components that require others, with the values of these.
pub const REQUIRED: [(Comp, Comp, u64); 3] =
    [(Comp::Sticky, Comp::Left, 4), (Comp::Sticky, Comp::Tag, 0), (Comp::Columns, Comp::Marked, 3)];
/// The components that need others.
pub const NEEDS: [(Comp, Comp); 1] = [(Comp::Guarded, Comp::Armour)];
/// The pairs of components that no entity has both of.
pub const EXCLUDES: [(Comp, Comp); 2] =
    [(Comp::Ghost, Comp::Armour), (Comp::Walking, Comp::Swimming)];
/// The components that replace others.
pub const REPLACES: [(Comp, Comp); 2] =
    [(Comp::Walking, Comp::Swimming), (Comp::Swimming, Comp::Walking)];
/// The components that an entity may be refused.
pub const REFUSED: [Comp; 7] = [
    Comp::ChildOf,
    Comp::Armour,
    Comp::Guarded,
    Comp::Ghost,
    Comp::Walking,
    Comp::Swimming,
    Comp::Callsign,
];
/// The relations; the last may not form circles.
pub const RELATIONS: [Comp; 3] = [Comp::On, Comp::PartOf, Comp::ChildOf];

macro_rules! bundles {
    ($d:tt $($at:literal => ($($name:ident),+);)+) => {
        pub const BUNDLES: &[&[Comp]] = &[$(&[$(Comp::$name),+]),+];

        /// Evaluates an expression in which `$make` makes a bundle of a number and an entity.
        macro_rules! bundle {
            ($d which:expr, $d make:ident => $d body:expr) => {
                match $d which {
                    $($at => {
                        let $d make = |number: u64, to: Entity| ($($name::make(number, to),)+);
                        $d body
                    })+
                    _ => unreachable!("there is no such bundle"),
                }
            };
        }
    };
}
bundles! { $
    0 => (Number);
    1 => (Text, Tag);
    2 => (Left);
    3 => (Right);
    4 => (Aligned);
    5 => (Sticky);
    6 => (Columns);
    7 => (Marked);
    8 => (Text, Marked);
    9 => (Number, Tag);
    10 => (Right, Columns);
    11 => (Sticky, Text);
    12 => (Number, Aligned, Columns);
    13 => (Number, Text, Left);
    14 => (Friend);
    15 => (Friend, Marked);
    16 => (On);
    17 => (Marked, On, Left);
    18 => (PartOf, Number);
    19 => (ChildOf);
    20 => (ChildOf, Friend, Aligned);
    21 => (On, PartOf, Tag);
    22 => (Armour);
    23 => (Armour, Guarded);
    24 => (Ghost);
    25 => (Walking);
    26 => (Swimming, Number);
    27 => (Callsign);
    28 => (Callsign, Walking, Left);
    29 => (Ghost, Swimming, Sticky);
}
/// Bundles before it name no entity.
pub const FIRST_NAMING: usize = 14;

macro_rules! groups {
    ($d:tt $($at:literal => $group:expr, [$($owned:ident),*], [$($with:ident),*], [$($without:ident),*];)+) => {
        /// The owned, observed and excluded components of each group.
        pub const GROUPS: &[[&[Comp]; 3]] =
            &[$([&[$(Comp::$owned),*], &[$(Comp::$with),*], &[$(Comp::$without),*]]),+];

        /// Evaluates an expression in which `$group` is a group.
        macro_rules! grouped {
            ($d which:expr, $d group:ident => $d body:expr) => {
                match $d which {
                    $($at => { let $d group = $group; $d body })+
                    _ => unreachable!("there is no such group"),
                }
            };
        }
    };
}
groups! { $
    0 => Group::owning::<(Number, Tag)>(), [Number, Tag], [], [];
    1 => Group::owning::<(Tag, Number, Text)>(), [Tag, Number, Text], [], [];
    2 => Group::owning::<(Number, Tag)>().with::<Text>().without::<Aligned>(),
        [Number, Tag], [Text], [Aligned];
    3 => Group::observing::<(Left, Right)>(), [], [Left, Right], [];
    4 => Group::observing::<(Number, Tag)>().without::<(Left, Sticky)>(),
        [], [Number, Tag], [Left, Sticky];
    5 => Group::owning::<Left>().with::<Right>().without::<Text>(), [Left], [Right], [Text];
    6 => Group::owning::<(Aligned, Right)>().without::<Left>(), [Aligned, Right], [], [Left];
    7 => Group::owning::<(Left, Number)>(), [Left, Number], [], [];
    8 => Group::owning::<Number>().without::<Sticky>(), [Number], [], [Sticky];
    9 => Group::owning::<(Number, Tag, Aligned, Text)>(), [Number, Tag, Aligned, Text], [], [];
    10 => Group::owning::<Number>().with::<Text>(), [Number], [Text], [];
    11 => Group::owning::<Marked>().with::<On>(), [Marked], [On], [];
    12 => Group::owning::<(Marked, Friend)>().without::<ChildOf>(), [Marked, Friend], [], [ChildOf];
    13 => Group::owning::<Columns>().with::<Aligned>(), [Columns], [Aligned], [];
    14 => Group::observing::<PartOf>().without::<Tag>(), [], [PartOf], [Tag];
    15 => Group::owning::<Number>().without::<Marked>(), [Number], [], [Marked];
    16 => Group::owning::<(Number, Right)>().without::<Marked>(), [Number, Right], [], [Marked];
    17 => Group::owning::<(Number, Right, Aligned)>().without::<Marked>(),
        [Number, Right, Aligned], [], [Marked];
    18 => Group::owning::<Number>(), [Number], [], [];
    19 => Group::owning::<Number>().without::<(Marked, Text)>(), [Number], [], [Marked, Text];
    20 => Group::owning::<(Number, Aligned)>().without::<(Marked, Text)>(),
        [Number, Aligned], [], [Marked, Text];
    21 => Group::owning::<Number>().with::<Right>(), [Number], [Right], [];
    22 => Group::owning::<(Number, Right)>().with::<Aligned>().without::<Marked>(),
        [Number, Right], [Aligned], [Marked];
    23 => Group::owning::<Right>(), [Right], [], [];
    24 => Group::owning::<(Right, Aligned)>(), [Right, Aligned], [], [];
    25 => Group::owning::<(Right, Aligned, Text)>(), [Right, Aligned, Text], [], [];
    26 => Group::owning::<(Right, Aligned, Text, Number)>(),
        [Right, Aligned, Text, Number], [], [];
    27 => Group::owning::<(Number, Right)>().with::<Text>(), [Number, Right], [Text], [];
    28 => Group::owning::<(Number, Right, Aligned)>().with::<Text>(),
        [Number, Right, Aligned], [Text], [];
    29 => Group::owning::<(Number, Right)>().without::<Text>(), [Number, Right], [], [Text];
    30 => Group::observing::<(Number, Aligned)>().without::<Text>(),
        [], [Number, Aligned], [Text];
    31 => Group::owning::<Aligned>().with::<Number>().without::<Marked>(),
        [Aligned], [Number], [Marked];
}
/// Chains of groups; each encloses the next one.
pub const CHAINS: [&[usize]; 6] = [
    &[15, 16, 17],     // all exclude one component
    &[18, 15, 19, 20], // two differ only in their excluded components
    &[21, 16, 22],     // a group observes a component that the next one owns
    &[23, 24, 25, 26],
    &[10, 27, 28],     // all observe a component, whose pool has its own order
    &[18, 29, 30, 31], // two nested groups, and two that own other pools or none
];
