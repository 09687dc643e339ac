//! Old values that become several components.

use crate::component::data::{Late, Loose, OldSave};
use crate::component::loose::values_mut_of;
use crate::component::{AnyComponent, FilteredEdit};
use crate::edit::bundle::{Bundle, Contents, Parts, This, parts_of};
use crate::entity::Entity;
use crate::format::budget::{Budget, GROWING};
use crate::format::limited::read_within;
use crate::format::reader::{ReadError, Reader};
use crate::pool::kind::Kind;
use crate::storage::values::Container;
use crate::tuples::for_each_tuple;
use crate::world::World;
use alloc::boxed::Box;
use alloc::vec::Vec;
use serde::de::DeserializeOwned;

/// A tuple of a component and others that are made together with it.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no tuple of components",
    note = "name the component itself first, and then the others: `from(1 = Old as (Self, Shield))`"
)]
pub trait Several {
    type First;
    type Others: Bundle;
    fn split(self) -> (Self::First, Self::Others);
}

macro_rules! several_for_tuple {
    ($first:ident 0 1, $($name:ident $index:tt $next:tt,)*) => {
        #[diagnostic::do_not_recommend]
        impl<$first, $($name: Bundle),*> Several for ($first, $($name,)*) {
            type First = $first;
            type Others = ($($name,)*);
            fn split(self) -> ($first, Self::Others) {
                (self.0, ($(self.$index,)*))
            }
        }
    };
}
for_each_tuple!(several_for_tuple);

impl OldSave {
    /// Returns the way to read values of this old version: by serde into an `Old`, from which the component and others
    /// are made.
    #[must_use]
    pub const fn into_several<T, Old, All>(version: u32) -> Self
    where
        T: AnyComponent,
        Old: DeserializeOwned,
        All: From<Old> + Several<First = T>,
    {
        Self {
            version,
            read: |reader: &mut Reader, count, values, late| {
                for _ in 0..count {
                    let old = reader.whole::<Old>()?;
                    add::<T, All>(old.into(), values, late, &mut reader.budget)?;
                }
                Ok(())
            },
            parse: |from, budget, values, late| {
                let old = read_within::<Old>(from, budget)?;
                add::<T, All>(old.into(), values, late, budget)
            },
        }
    }
}

/// Inserts the other components that an old value became. Returns the edits that insert the components that
/// these require.
type LateEdit = Box<dyn FnOnce(&mut World, Entity) -> Vec<FilteredEdit>>;

/// Inserts the other components that an old value became, if the entity is alive. Returns the edits that insert the
/// components that these require. They run when the whole file is inserted, because present components are not
/// replaced.
pub(super) fn insert_late(world: &mut World, entity: Entity, late: Late) -> Vec<FilteredEdit> {
    match late.downcast::<LateEdit>() {
        Ok(edit) if world.is_alive(entity) => edit(world, entity),
        _ => Vec::new(),
    }
}

fn add<T: AnyComponent, All: Several<First = T>>(
    all: All,
    values: &mut Loose,
    late: &mut Vec<Late>,
    budget: &mut Budget,
) -> Result<(), ReadError> {
    let requiring = This::<All::Others>::PARTS.len() * size_of::<(Entity, FilteredEdit)>();
    budget.pay(GROWING, size_of::<Late>() + size_of::<All::Others>() + requiring)?;
    let (value, others) = all.split();
    Container::push(values_mut_of::<T>(values), value);
    let edit: LateEdit = Box::new(|world, entity| insert(others, world, entity));
    late.push(Box::new(edit));
    Ok(())
}

/// Inserts the components among these that the entity lacks. Like all loaded components, they notify no
/// observer.
fn insert(others: impl Bundle, world: &mut World, entity: Entity) -> Vec<FilteredEdit> {
    fn insert<P: Parts>(parts: P, world: &mut World, entity: Entity) -> Vec<FilteredEdit> {
        const {
            assert!(
                !P::RELATES,
                "no relation is made of an old value: its target may not be there yet"
            );
        }
        let mut absent = Vec::new();
        P::numbers(&mut |number| {
            if P::REQUIRES && !world.pools.has(number, entity) {
                absent.push(number);
            }
        });
        world.with_silent_inserter(entity, |inserter| parts.insert_absent(inserter));
        let kinds = absent.iter().map(|number| world.pools.at(*number).kind());
        kinds.filter_map(Kind::requiring_some).collect()
    }
    insert(parts_of(others), world, entity)
}
