//! What makes a type a component.

pub(crate) mod fields;
pub(crate) mod id;
pub(crate) mod slot;

use crate::component::id::ComponentId;
use crate::component::slot::ComponentIndex;
use crate::signature::Signature;
use crate::storage::values::Storage;

/// Data that an entity can have, one value a type.
///
/// Implemented by `#[derive(Component)]`, on structs, tuple structs, unit structs (tags: they
/// take no memory) and enums. A component is `Send`, `Sync` and `'static`.
///
/// Attributes:
///
/// * `#[component(bit = 5)]` pins the [`Signature`] bit, 0 to 63, otherwise chosen by a hash;
/// * `#[component(veto = path)]` names a `fn(&mut Self) -> bool` that is asked before a removal:
///   `false` keeps the component;
/// * `#[ecs(crate = path)]` says where this crate is, if not at `::ecs`.
///
/// ```
/// use ecs::{Component, World};
///
/// #[derive(Component, Default, Debug, PartialEq)]
/// #[component(veto = Health::may_go)]
/// struct Health(u32);
///
/// impl Health {
///     fn may_go(&mut self) -> bool {
///         self.0 == 0
///     }
/// }
///
/// let mut world = World::new();
/// let entity = world.spawn().insert(Health(3)).id();
/// assert_eq!(world.remove::<Health>(entity), None); // kept
/// world.get_mut::<Health>(entity).unwrap().0 = 0;
/// assert_eq!(world.remove::<Health>(entity), Some(Health(0)));
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a component",
    label = "not a component",
    note = "if the type is yours, add `#[derive(Component)]` to it; wrap others in a struct of yours"
)]
pub trait Component: Sized + Send + Sync + 'static {
    /// What holds the values of this type in a pool, and how a value is referred to.
    type Storage: Storage<Self>;
    /// The type's name, for messages.
    const NAME: &'static str;
    /// The type's identity at compile time.
    const ID: ComponentId;
    /// The type's bit in signatures.
    const BIT: Signature;
    /// Whether [`permits_removal`](Self::permits_removal) has anything to say.
    #[doc(hidden)]
    const GUARDED: bool = false;

    /// The type's number in this process.
    #[doc(hidden)]
    fn index() -> ComponentIndex<Self>;

    /// Whether this value may be removed from its entity.
    #[doc(hidden)]
    fn permits_removal(value: RefMut<'_, Self>) -> bool {
        let _ = value;
        true
    }
}

/// A shared reference to a component of type `T`: `&'a T` unless its layout is another.
pub type Ref<'a, T> = <<T as Component>::Storage as Storage<T>>::Ref<'a>;
/// An exclusive reference to a component of type `T`: `&'a mut T` unless its layout is another.
pub type RefMut<'a, T> = <<T as Component>::Storage as Storage<T>>::RefMut<'a>;
/// The values of neighbouring components of type `T`: `&'a [T]` unless its layout is another.
pub type Slice<'a, T> = <<T as Component>::Storage as Storage<T>>::Slice<'a>;
/// The same, to be changed: `&'a mut [T]` unless its layout is another.
pub type SliceMut<'a, T> = <<T as Component>::Storage as Storage<T>>::SliceMut<'a>;
