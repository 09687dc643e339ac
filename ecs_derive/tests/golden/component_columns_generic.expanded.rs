///Shared references to the fields of a `Grid` that is stored in columns.
pub struct GridSeen<'a, T: Clone = u8, const N: usize = 4>
where
    T: Default,
{
    ///The field `cells`.
    pub(super) cells: &'a [T; N],
    ///The field `type`.
    pub r#type: &'a u8,
}
///Exclusive references to the fields of a `Grid` that is stored in columns.
pub struct GridChanged<'a, T: Clone = u8, const N: usize = 4>
where
    T: Default,
{
    ///The field `cells`.
    pub(super) cells: &'a mut [T; N],
    ///The field `type`.
    pub r#type: &'a mut u8,
}
///The fields of neighbouring `Grid`s, a slice a column.
pub struct GridParts<'a, T: Clone = u8, const N: usize = 4>
where
    T: Default,
{
    ///The field `cells`.
    pub(super) cells: &'a [[T; N]],
    ///The field `type`.
    pub r#type: &'a [u8],
}
///The fields of neighbouring `Grid`s, to be changed, a slice a column.
pub struct GridPartsMut<'a, T: Clone = u8, const N: usize = 4>
where
    T: Default,
{
    ///The field `cells`.
    pub(super) cells: &'a mut [[T; N]],
    ///The field `type`.
    pub r#type: &'a mut [u8],
}
///The columns of `Grid`: a query names one to borrow a single field.
pub mod grid_columns {
    ///The column of `cells`.
    pub(in super::super) struct cells<T: ?::core::marker::Sized, const N: usize> {
        __of: ::core::marker::PhantomData<fn() -> (*const T,)>,
    }
    ///The column of `type`.
    pub struct r#type<T: ?::core::marker::Sized, const N: usize> {
        __of: ::core::marker::PhantomData<fn() -> (*const T,)>,
    }
}
const _: () = {
    const __ID: ::ecs::__private::ComponentId = ::ecs::__private::ComponentId::of(
            ::core::option_env!("CARGO_PKG_NAME"),
            ::core::option_env!("CARGO_PKG_VERSION"),
            ::core::module_path!(),
            "Grid",
            ::core::line!(),
            ::core::column!(),
        )
        .in_binary(::core::option_env!("CARGO_BIN_NAME"))
        .inexact();
    impl<__Place, T: Clone, const N: usize> ::ecs::__private::Lists<Grid<T, N>, __Place>
    for ::ecs::__private::Registry
    where
        T: Default,
    {
        type This = Grid<T, N>;
    }
    #[automatically_derived]
    impl<T: Clone, const N: usize> ::ecs::__private::AnyComponent for Grid<T, N>
    where
        T: Default,
        T: 'static,
        [T; N]: ::core::marker::Send + ::core::marker::Sync + 'static,
        Self: ::core::marker::Send + ::core::marker::Sync + 'static,
    {
        type Storage = ::ecs::__private::Columns<Self>;
        type Requires = ();
        const NAME: &'static ::core::primitive::str = "Grid";
        const ID: ::ecs::__private::ComponentId = __ID;
        const BIT: ::ecs::__private::Signature = __ID.bit();
        const GUARDED: ::core::primitive::bool = true;
        fn permits_removal(
            _: ::ecs::__private::Internal<Self>,
            __value: GridChanged<'_, T, N>,
        ) -> ::core::primitive::bool {
            let __veto: fn(GridChanged<'_, T, N>) -> ::core::primitive::bool = Self::may_go;
            __veto(__value)
        }
        const SHAPE: &'static ::core::primitive::str = "<T\n<N\n{\ncells:[T; N]\ntype:u8";
        const HANDLE_FIELDS: &'static [::ecs::__private::HandleField] = {
            &[
                ::ecs::__private::HandleField::probed(
                    "cells",
                    "[T; N]",
                    ::core::option::Option::None,
                    false,
                ),
            ]
        };
    }
    #[automatically_derived]
    impl<T: Clone, const N: usize> ::ecs::__private::Contents<Self> for Grid<T, N>
    where
        T: Default,
        T: 'static,
        [T; N]: ::core::marker::Send + ::core::marker::Sync + 'static,
        Self: ::core::marker::Send + ::core::marker::Sync + 'static,
    {
        const PARTS: &'static [::ecs::__private::Part] = &[
            ::ecs::__private::Part::of::<Self>(),
        ];
        #[inline(always)]
        fn into_parts(__this: Self) -> impl ::ecs::__private::Parts {
            ::ecs::__private::One::new(__this)
        }
    }
    #[automatically_derived]
    impl<T: Clone, const N: usize> ::ecs::__private::Term for Grid<T, N>
    where
        T: Default,
        Self: ::ecs::__private::AnyComponent,
    {
        type Fetch = ::ecs::__private::Read<Self>;
        type WithEntity = (::ecs::__private::EntityFetch, ::ecs::__private::Read<Self>);
    }
    #[automatically_derived]
    impl<T: Clone, const N: usize> ::ecs::__private::InColumns for Grid<T, N>
    where
        T: Default,
        T: 'static,
        [T; N]: ::core::marker::Send + ::core::marker::Sync + 'static,
        Self: ::core::marker::Send + ::core::marker::Sync + 'static,
    {
        type Values = ([T; N], u8);
        type Columns = (
            ::ecs::__private::VecStorage<[T; N]>,
            ::ecs::__private::VecStorage<u8>,
        );
        type Ref<'a> = GridSeen<'a, T, N>;
        type RefMut<'a> = GridChanged<'a, T, N>;
        type Slices<'a> = GridParts<'a, T, N>;
        type SlicesMut<'a> = GridPartsMut<'a, T, N>;
        type Column<__M> = __Column<__M>;
        const FIELDS: &'static [(
            &'static ::core::primitive::str,
            ::core::primitive::bool,
        )] = &[("cells", false), ("type", true)];
        #[inline]
        fn take_apart(self, _: ::ecs::__private::Internal<Self>) -> Self::Values {
            use ::ecs::__private::ProbeOfWholes as _;
            let Self { cells: __0, r#type: __1 } = ::ecs::__private::without_drop::<
                Self,
                _,
            >(self, ::ecs::__private::DropProbe::<Self>::NEW.__ecs_own_drop());
            (__0, __1)
        }
        #[inline]
        fn put_together(
            _: ::ecs::__private::Internal<Self>,
            (__0, __1): Self::Values,
        ) -> Self {
            Self { cells: __0, r#type: __1 }
        }
        #[inline]
        fn exchange(
            &mut self,
            _: ::ecs::__private::Internal<Self>,
            (__0, __1): ::ecs::__private::RefMutTree<'_, Self>,
        ) {
            ::core::mem::swap(&mut self.cells, __0);
            ::core::mem::swap(&mut self.r#type, __1);
        }
        #[inline]
        fn shown<'a>(
            _: ::ecs::__private::Internal<Self>,
            (__0, __1): ::ecs::__private::RefTree<'a, Self>,
        ) -> Self::Ref<'a> {
            GridSeen {
                cells: __0,
                r#type: __1,
            }
        }
        #[inline]
        fn shown_mut<'a>(
            _: ::ecs::__private::Internal<Self>,
            (__0, __1): ::ecs::__private::RefMutTree<'a, Self>,
        ) -> Self::RefMut<'a> {
            GridChanged {
                cells: __0,
                r#type: __1,
            }
        }
        #[inline]
        fn shown_slices<'a>(
            _: ::ecs::__private::Internal<Self>,
            (__0, __1): ::ecs::__private::SliceTree<'a, Self>,
        ) -> Self::Slices<'a> {
            GridParts {
                cells: __0,
                r#type: __1,
            }
        }
        #[inline]
        fn shown_mut_slices<'a>(
            _: ::ecs::__private::Internal<Self>,
            (__0, __1): ::ecs::__private::SliceMutTree<'a, Self>,
        ) -> Self::SlicesMut<'a> {
            GridPartsMut {
                cells: __0,
                r#type: __1,
            }
        }
    }
    impl<'a, T: Clone, const N: usize> GridSeen<'a, T, N>
    where
        T: Default,
    {
        ///The component, put together from clones of its fields.
        #[must_use]
        pub fn to_owned(self) -> Grid<T, N>
        where
            for<'__b> Grid<T, N>: ::ecs::__private::CloneField<'__b>,
            for<'__b> [T; N]: ::ecs::__private::CloneField<'__b>,
            for<'__b> u8: ::ecs::__private::CloneField<'__b>,
        {
            Grid {
                cells: ::ecs::__private::CloneField::clone_field(self.cells),
                r#type: ::ecs::__private::CloneField::clone_field(self.r#type),
            }
        }
    }
    impl<'a, T: Clone, const N: usize> GridChanged<'a, T, N>
    where
        T: Default,
    {
        ///Returns these references, to be read.
        #[must_use]
        #[inline]
        pub fn as_ref(&self) -> GridSeen<'_, T, N> {
            GridSeen {
                cells: &*self.cells,
                r#type: &*self.r#type,
            }
        }
        ///Returns these references, for a shorter time.
        #[must_use]
        #[inline]
        pub fn reborrow(&mut self) -> GridChanged<'_, T, N> {
            GridChanged {
                cells: &mut *self.cells,
                r#type: &mut *self.r#type,
            }
        }
        ///Puts this value in the place of the present one, which is dropped last.
        #[inline]
        pub fn set(&mut self, __value: Grid<T, N>)
        where
            T: 'static,
            [T; N]: ::core::marker::Send + ::core::marker::Sync + 'static,
            Grid<T, N>: ::core::marker::Send + ::core::marker::Sync + 'static,
        {
            let __old = self.replace(__value);
        }
        ///Puts this value in the place of the present one, which is returned.
        #[inline]
        pub fn replace(&mut self, mut __value: Grid<T, N>) -> Grid<T, N>
        where
            T: 'static,
            [T; N]: ::core::marker::Send + ::core::marker::Sync + 'static,
            Grid<T, N>: ::core::marker::Send + ::core::marker::Sync + 'static,
        {
            ::core::mem::swap(self.cells, &mut __value.cells);
            ::core::mem::swap(self.r#type, &mut __value.r#type);
            __value
        }
    }
    #[automatically_derived]
    impl<'a, T: Clone, const N: usize> ::core::fmt::Debug for GridSeen<'a, T, N>
    where
        T: Default,
        for<'__b> &'__b Grid<T, N>: ::core::fmt::Debug,
        for<'__b> &'__b [T; N]: ::core::fmt::Debug,
        for<'__b> &'__b u8: ::core::fmt::Debug,
    {
        fn fmt(&self, __f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
            let mut __list = ::core::fmt::Formatter::debug_struct(__f, "GridSeen");
            ::core::fmt::DebugStruct::field(&mut __list, "cells", &&*self.cells);
            ::core::fmt::DebugStruct::field(&mut __list, "type", &&*self.r#type);
            ::core::fmt::DebugStruct::finish(&mut __list)
        }
    }
    #[automatically_derived]
    impl<'a, T: Clone, const N: usize> ::core::fmt::Debug for GridChanged<'a, T, N>
    where
        T: Default,
        for<'__b> &'__b Grid<T, N>: ::core::fmt::Debug,
        for<'__b> &'__b [T; N]: ::core::fmt::Debug,
        for<'__b> &'__b u8: ::core::fmt::Debug,
    {
        fn fmt(&self, __f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
            let mut __list = ::core::fmt::Formatter::debug_struct(__f, "GridChanged");
            ::core::fmt::DebugStruct::field(&mut __list, "cells", &&*self.cells);
            ::core::fmt::DebugStruct::field(&mut __list, "type", &&*self.r#type);
            ::core::fmt::DebugStruct::finish(&mut __list)
        }
    }
    #[automatically_derived]
    impl<'a, T: Clone, const N: usize> ::core::clone::Clone for GridSeen<'a, T, N>
    where
        T: Default,
    {
        #[inline]
        fn clone(&self) -> Self {
            *self
        }
    }
    #[automatically_derived]
    impl<'a, T: Clone, const N: usize> ::core::marker::Copy for GridSeen<'a, T, N>
    where
        T: Default,
    {}
    #[automatically_derived]
    impl<'a, T: Clone, const N: usize> ::core::clone::Clone for GridParts<'a, T, N>
    where
        T: Default,
    {
        #[inline]
        fn clone(&self) -> Self {
            *self
        }
    }
    #[automatically_derived]
    impl<'a, T: Clone, const N: usize> ::core::marker::Copy for GridParts<'a, T, N>
    where
        T: Default,
    {}
    impl<
        'a,
        T: Clone,
        const N: usize,
    > ::ecs::__private::Lists<GridSeen<'a, T, N>, ::ecs::__private::InQueries>
    for ::ecs::__private::Registry
    where
        T: Default,
        T: 'static,
        [T; N]: ::core::marker::Send + ::core::marker::Sync + 'static,
        Grid<T, N>: ::core::marker::Send + ::core::marker::Sync + 'static,
    {
        type This = GridSeen<'a, T, N>;
    }
    #[automatically_derived]
    impl<'a, T: Clone, const N: usize> ::ecs::__private::Term for GridSeen<'a, T, N>
    where
        T: Default,
        T: 'static,
        [T; N]: ::core::marker::Send + ::core::marker::Sync + 'static,
        Grid<T, N>: ::core::marker::Send + ::core::marker::Sync + 'static,
    {
        type Fetch = ::ecs::__private::Read<Grid<T, N>>;
        type WithEntity = (
            ::ecs::__private::EntityFetch,
            ::ecs::__private::Read<Grid<T, N>>,
        );
    }
    impl<
        'a,
        T: Clone,
        const N: usize,
    > ::ecs::__private::Lists<GridChanged<'a, T, N>, ::ecs::__private::InQueries>
    for ::ecs::__private::Registry
    where
        T: Default,
        T: 'static,
        [T; N]: ::core::marker::Send + ::core::marker::Sync + 'static,
        Grid<T, N>: ::core::marker::Send + ::core::marker::Sync + 'static,
    {
        type This = GridChanged<'a, T, N>;
    }
    #[automatically_derived]
    impl<'a, T: Clone, const N: usize> ::ecs::__private::Term for GridChanged<'a, T, N>
    where
        T: Default,
        T: 'static,
        [T; N]: ::core::marker::Send + ::core::marker::Sync + 'static,
        Grid<T, N>: ::core::marker::Send + ::core::marker::Sync + 'static,
    {
        type Fetch = ::ecs::__private::Write<Grid<T, N>>;
        type WithEntity = (
            ::ecs::__private::EntityFetch,
            ::ecs::__private::Write<Grid<T, N>>,
        );
    }
    #[doc(hidden)]
    pub struct __Column<__M>(::core::marker::PhantomData<fn() -> __M>);
    impl<
        T: Clone,
        const N: usize,
    > ::ecs::__private::Lists<grid_columns::cells<T, N>, ::ecs::__private::InQueries>
    for ::ecs::__private::Registry
    where
        T: Default,
        T: 'static,
        [T; N]: ::core::marker::Send + ::core::marker::Sync + 'static,
        Grid<T, N>: ::core::marker::Send + ::core::marker::Sync + 'static,
    {
        type This = grid_columns::cells<T, N>;
    }
    #[automatically_derived]
    impl<T: Clone, const N: usize> ::ecs::__private::Target for grid_columns::cells<T, N>
    where
        T: Default,
        T: 'static,
        [T; N]: ::core::marker::Send + ::core::marker::Sync + 'static,
        Grid<T, N>: ::core::marker::Send + ::core::marker::Sync + 'static,
    {
        type Projection = ::ecs::__private::Column<Grid<T, N>, Self>;
        const NAME: &'static ::core::primitive::str = "grid_columns::cells";
    }
    #[automatically_derived]
    impl<T: Clone, const N: usize> ::ecs::__private::ColumnAt
    for __Column<grid_columns::cells<T, N>>
    where
        T: Default,
        T: 'static,
        [T; N]: ::core::marker::Send + ::core::marker::Sync + 'static,
        Grid<T, N>: ::core::marker::Send + ::core::marker::Sync + 'static,
    {
        type Path = ::ecs::__private::Left<::ecs::__private::Here>;
    }
    #[automatically_derived]
    impl<T: Clone, const N: usize> ::ecs::__private::Term for grid_columns::cells<T, N>
    where
        T: Default,
        T: 'static,
        [T; N]: ::core::marker::Send + ::core::marker::Sync + 'static,
        Grid<T, N>: ::core::marker::Send + ::core::marker::Sync + 'static,
    {
        type Fetch = ::ecs::__private::Read<Self>;
        type WithEntity = (::ecs::__private::EntityFetch, ::ecs::__private::Read<Self>);
    }
    impl<
        T: Clone,
        const N: usize,
    > ::ecs::__private::Lists<grid_columns::r#type<T, N>, ::ecs::__private::InQueries>
    for ::ecs::__private::Registry
    where
        T: Default,
        T: 'static,
        [T; N]: ::core::marker::Send + ::core::marker::Sync + 'static,
        Grid<T, N>: ::core::marker::Send + ::core::marker::Sync + 'static,
    {
        type This = grid_columns::r#type<T, N>;
    }
    #[automatically_derived]
    impl<T: Clone, const N: usize> ::ecs::__private::Target
    for grid_columns::r#type<T, N>
    where
        T: Default,
        T: 'static,
        [T; N]: ::core::marker::Send + ::core::marker::Sync + 'static,
        Grid<T, N>: ::core::marker::Send + ::core::marker::Sync + 'static,
    {
        type Projection = ::ecs::__private::Column<Grid<T, N>, Self>;
        const NAME: &'static ::core::primitive::str = "grid_columns::type";
    }
    #[automatically_derived]
    impl<T: Clone, const N: usize> ::ecs::__private::ColumnAt
    for __Column<grid_columns::r#type<T, N>>
    where
        T: Default,
        T: 'static,
        [T; N]: ::core::marker::Send + ::core::marker::Sync + 'static,
        Grid<T, N>: ::core::marker::Send + ::core::marker::Sync + 'static,
    {
        type Path = ::ecs::__private::Right<::ecs::__private::Here>;
    }
    #[automatically_derived]
    impl<T: Clone, const N: usize> ::ecs::__private::Term for grid_columns::r#type<T, N>
    where
        T: Default,
        T: 'static,
        [T; N]: ::core::marker::Send + ::core::marker::Sync + 'static,
        Grid<T, N>: ::core::marker::Send + ::core::marker::Sync + 'static,
    {
        type Fetch = ::ecs::__private::Read<Self>;
        type WithEntity = (::ecs::__private::EntityFetch, ::ecs::__private::Read<Self>);
    }
};
