//! Lists of saved components and resources with different names.

use crate::component::AnyComponent;
use crate::component::data::SavingName;
use crate::pool::pools::Pools;
use crate::resource::{Res, Resource, Resources};
use crate::text::Text;
use crate::tuples::{each, for_each_tuple};

/// A component with `#[component(save = "name")]`; the [`Res<T>`](Res) of a resource with
/// `#[resource(save = "name")]`; or a tuple of up to twelve such lists, for
/// [`World::register`](crate::World::register).
///
/// ```
/// # use ecs::{ChildOf, Name, World};
/// # use ecs::save::SavedList;
/// fn world_of<L: SavedList>() -> World {
///     let mut world = World::new();
///     world.register::<L>();
///     world
/// }
/// assert_eq!(world_of::<(Name, (ChildOf,))>().kinds().count(), 2);
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is neither a saved component nor a tuple of up to 12, which may be nested for more",
    label = "names no component",
    note = "name the component itself: `world.register::<(Health, (Armour, Position))>()`, or a resource as `Res<Score>`"
)]
pub trait SavedList: sealed::Sealed + 'static {
    /// The names under which the components and resources are saved.
    #[doc(hidden)]
    const NAMES: SavedNames;
    /// Creates the pools of the components, and registers how resources are saved.
    #[doc(hidden)]
    fn create(pools: &mut Pools, resources: &mut Resources);
}

/// A tree of saved names, each with the name of its type, and the attribute that declares it.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub enum SavedNames {
    One(&'static str, &'static str, Option<SavingName>),
    All(&'static [Self]),
}

impl SavedNames {
    const fn len(&self) -> usize {
        match self {
            Self::One(..) => 1,
            Self::All(all) => {
                let mut len = 0;
                each!(all, |names| len += names.len());
                len
            }
        }
    }

    /// Returns the name at this place.
    const fn get(&self, mut place: usize) -> (&'static str, &'static str, Option<SavingName>) {
        match self {
            Self::One(of, attribute, name) => (of, attribute, *name),
            Self::All(all) => {
                let mut at = 0;
                while place >= all[at].len() {
                    place -= all[at].len();
                    at += 1;
                }
                all[at].get(place)
            }
        }
    }

    /// Panics if a component or resource is not saved, or two have one name.
    #[track_caller]
    pub(crate) const fn check(&self) {
        let mut at = 0;
        while at < self.len() {
            let (of, attribute, name) = self.get(at);
            let Some(name) = name else {
                Text::new()
                    .push("`")
                    .push(of)
                    .push("` is not saved: add `#[")
                    .push(attribute)
                    .push("(save = \"name\")]` to it")
                    .panic()
            };
            let mut before = 0;
            while before < at {
                let (other, _, same) = self.get(before);
                if let Some(same) = same
                    && is_equal(same.base, name.base)
                    && is_equal(same.instance, name.instance)
                {
                    refuse(other, of, name)
                }
                before += 1;
            }
            at += 1;
        }
    }
}

#[track_caller]
const fn refuse(one: &str, other: &str, name: SavingName) -> ! {
    Text::new()
        .push("`")
        .push(one)
        .push("` and `")
        .push(other)
        .push("` are both saved as \"")
        .push(name.base)
        .push(if name.instance.is_empty() { "" } else { "<" })
        .push(name.instance)
        .push(if name.instance.is_empty() { "" } else { ">" })
        .push("\": name each once, and give each a name of its own")
        .panic()
}

const fn is_equal(a: &str, b: &str) -> bool {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    let mut at = 0;
    while at < a.len() && at < b.len() && a[at] == b[at] {
        at += 1;
    }
    at == a.len() && at == b.len()
}

#[diagnostic::do_not_recommend]
impl<T: AnyComponent> SavedList for T {
    const NAMES: SavedNames = SavedNames::One(
        T::NAME,
        "component",
        match T::SAVING {
            Some(saving) => Some(saving.name),
            None => None,
        },
    );
    fn create(pools: &mut Pools, _: &mut Resources) {
        pools.get_or_create::<T>();
    }
}

impl<T: Resource> SavedList for Res<T> {
    const NAMES: SavedNames = SavedNames::One(
        T::NAME,
        "resource",
        match T::SAVING {
            Some(saving) => Some(saving.name),
            None => None,
        },
    );
    fn create(_: &mut Pools, resources: &mut Resources) {
        resources.register::<T>();
    }
}

macro_rules! list_for_tuple {
    ($($name:ident $index:tt $next:tt,)+) => {
        #[diagnostic::do_not_recommend]
        impl<$($name: SavedList),+> SavedList for ($($name,)+) {
            const NAMES: SavedNames = SavedNames::All(&[$($name::NAMES),+]);
            fn create(pools: &mut Pools, resources: &mut Resources) {
                $($name::create(pools, resources);)+
            }
        }
    };
}
for_each_tuple!(list_for_tuple);

mod sealed {
    use super::SavedList;
    use crate::component::AnyComponent;
    use crate::resource::{Res, Resource};
    use crate::tuples::for_each_tuple;

    pub trait Sealed {}
    impl<T: AnyComponent> Sealed for T {}
    impl<T: Resource> Sealed for Res<T> {}

    macro_rules! sealed_for_tuple {
        ($($name:ident $index:tt $next:tt,)+) => {
            impl<$($name: SavedList),+> Sealed for ($($name,)+) {}
        };
    }
    for_each_tuple!(sealed_for_tuple);
}
