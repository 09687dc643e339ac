//! Programs that must compile with `ecs`, programs that must not, and the messages: see `tests/ui.rs`.

/// The code of the README compiles and runs. It belongs to no crate, so this one includes it.
#[cfg(doctest)]
#[doc = include_str!("../../README.md")]
mod readme {}

/// The examples of the derives. They run here, as `ecs_derive` cannot depend on `ecs`, and the package of `ecs` lacks them.
#[cfg(doctest)]
mod derives {
    #[doc = include_str!("../../ecs_derive/src/examples/bundle.md")]
    mod bundle {}
    #[doc = include_str!("../../ecs_derive/src/examples/component.md")]
    mod component {}
    #[doc = include_str!("../../ecs_derive/src/examples/map_entities.md")]
    mod map_entities {}
    #[doc = include_str!("../../ecs_derive/src/examples/query.md")]
    mod query {}
    #[doc = include_str!("../../ecs_derive/src/examples/resource.md")]
    mod resource {}
    #[doc = include_str!("../../ecs_derive/src/examples/schedule.md")]
    mod schedule {}
    #[doc = include_str!("../../ecs_derive/src/examples/views.md")]
    mod views {}
}

pub mod parts;

/// A component by hand, `$own`, around another, `$inner`, in whose columns it is stored.
/// `OwnColumn` lists its columns.
#[macro_export]
macro_rules! component_around {
    ($own:ident, $inner:ty) => {
        struct $own($inner);
        struct OwnColumn<M>(::core::marker::PhantomData<M>);

        const _: () = {
            use ::ecs::__private::{
                AnyComponent, Columns, ComponentId, Contents, InBundles, InColumns, Internal,
                Lists, One, Part, Parts, RefMutTree, RefTree, Registry, Signature, SliceMutTree,
                SliceTree,
            };

            impl InColumns for $own {
                type Values = $inner;
                type Columns = Columns<$inner>;
                type Ref<'a> = RefTree<'a, Self>;
                type RefMut<'a> = RefMutTree<'a, Self>;
                type Slices<'a> = SliceTree<'a, Self>;
                type SlicesMut<'a> = SliceMutTree<'a, Self>;
                type Column<M> = OwnColumn<M>;

                fn take_apart(self, _: Internal<Self>) -> $inner {
                    self.0
                }
                fn put_together(_: Internal<Self>, inner: $inner) -> Self {
                    Self(inner)
                }
                fn exchange(&mut self, _: Internal<Self>, _: RefMutTree<'_, Self>) {
                    unreachable!("no test replaces a value of it")
                }
                fn shown(_: Internal<Self>, inner: RefTree<'_, Self>) -> Self::Ref<'_> {
                    inner
                }
                fn shown_mut(_: Internal<Self>, inner: RefMutTree<'_, Self>) -> Self::RefMut<'_> {
                    inner
                }
                fn shown_slices(_: Internal<Self>, inner: SliceTree<'_, Self>) -> Self::Slices<'_> {
                    inner
                }
                fn shown_mut_slices(
                    _: Internal<Self>,
                    inner: SliceMutTree<'_, Self>,
                ) -> Self::SlicesMut<'_> {
                    inner
                }
            }

            impl AnyComponent for $own {
                type Storage = Columns<Self>;
                type Requires = ();
                const NAME: &'static str = stringify!($own);
                const ID: ComponentId =
                    ComponentId::of(None, None, module_path!(), stringify!($own), line!(), 1);
                const BIT: Signature = Self::ID.bit();
            }
            impl Lists<$own, InBundles> for Registry {
                type This = $own;
            }
            impl Contents<Self> for $own {
                const PARTS: &'static [Part] = &[Part::of::<Self>()];
                fn into_parts(this: Self) -> impl Parts {
                    One::new(this)
                }
            }
        };
    };
}
