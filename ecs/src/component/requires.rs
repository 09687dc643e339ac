//! The requirements of components as constants, for the check that no component requires itself.
//!
//! If a constant named everything that a type requires, a circle would define it by itself, which is an unclear
//! compile error. So the constants end at some depth.

use crate::component::AnyComponent;
use crate::component::id::ComponentId;
use crate::text::Text;
use crate::tuples::{each, for_each_tuple};
use core::cmp::Ordering;
use core::marker::PhantomData;

/// The requirements of a component: a tree.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub enum Required {
    Component { id: ComponentId, name: &'static str, requires: &'static Self },
    List(&'static [Self]),
}

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
    const TREE: Required =
        Required::Component { id: T::ID, name: T::NAME, requires: &Required::List(&[]) };
}

impl<N, T: AnyComponent<Requires: RequiredWithin<N>>> RequiredWithin<RequirementStep<N>> for T {
    const TREE: Required =
        Required::Component { id: T::ID, name: T::NAME, requires: &T::Requires::TREE };
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
    const fn has(&self, id: ComponentId) -> bool {
        self.id.same(id)
            || match self.by {
                Some(by) => by.has(id),
                None => false,
            }
    }

    /// Returns `true` if no component of the path sorts before the first one, by name or id. So only one component of
    /// a circle reports it.
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
    const fn push_to(&self, text: Text) -> Text {
        match self.by {
            None => text.push("`").push(self.name).push("`"),
            Some(by) => {
                let verb = if by.by.is_some() { ", which requires `" } else { " requires `" };
                by.push_to(text).push(verb).push(self.name).push("`")
            }
        }
    }
}

/// The component that a path begins with.
type First = (&'static str, ComponentId);

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

/// Panics if the last component of a path leads back to the first one.
#[track_caller]
const fn refuse_circles(first: First, path: &RequirementPath<'_>, required: &Required) {
    match required {
        Required::List(all) => each!(all, |required| refuse_circles(first, path, required)),
        Required::Component { id, name, requires } => {
            let longer = RequirementPath { id: *id, name, by: Some(path) };
            if id.is_exact() && id.same(first.1) {
                if longer.has_none_before(first) {
                    longer
                        .push_to(Text::new().push("component "))
                        .push(": a component cannot come with itself; leave one of these out")
                        .panic()
                }
            } else if !id.is_exact() || !path.has(*id) {
                refuse_circles(first, &longer, requires);
            }
        }
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

/// Checks that the requirements of a component do not lead back to it. In a constant, a circle is a compile error.
///
/// # Panics
/// When the requirements lead back to it.
#[doc(hidden)]
#[track_caller]
pub const fn check_requirements<T: AnyComponent>(required: &Required) {
    let path = RequirementPath { id: T::ID, name: T::NAME, by: None };
    refuse_circles((T::NAME, T::ID), &path, required);
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
