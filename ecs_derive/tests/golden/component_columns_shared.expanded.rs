///Shared references to the fields of a `Buffer` that is stored in columns.
struct BufferRef<'a> {
    ///The field `bytes`.
    bytes: &'a Mutex<Vec<u8>>,
}
///Exclusive references to the fields of a `Buffer` that is stored in columns.
struct BufferMut<'a> {
    ///The field `bytes`.
    bytes: &'a mut Mutex<Vec<u8>>,
}
///The fields of neighbouring `Buffer`s, a slice a column.
struct BufferSlices<'a> {
    ///The field `bytes`.
    bytes: &'a [Mutex<Vec<u8>>],
}
///The fields of neighbouring `Buffer`s, to be changed, a slice a column.
struct BufferSlicesMut<'a> {
    ///The field `bytes`.
    bytes: &'a mut [Mutex<Vec<u8>>],
}
///The columns of `Buffer`: a query names one to borrow a single field.
mod buffer {
    ///The column of `bytes`.
    pub(super) enum bytes {}
}
const _: () = {
    const __ID: ::ecs::__private::ComponentId = ::ecs::__private::ComponentId::of(
            ::core::option_env!("CARGO_PKG_NAME"),
            ::core::option_env!("CARGO_PKG_VERSION"),
            ::core::module_path!(),
            "Buffer",
            ::core::line!(),
            ::core::column!(),
        )
        .in_binary(::core::option_env!("CARGO_BIN_NAME"));
    impl<__Place> ::ecs::__private::Lists<Buffer, __Place>
    for ::ecs::__private::Registry {
        type This = Buffer;
    }
    #[automatically_derived]
    impl ::ecs::__private::AnyComponent for Buffer
    where
        for<'__s> Mutex<Vec<u8>>: ::ecs::__private::Share<'__s>,
        for<'__s> Self: ::ecs::__private::Share<'__s>,
    {
        type Storage = ::ecs::__private::Columns<Self>;
        type Requires = ();
        const NAME: &'static ::core::primitive::str = "Buffer";
        const ID: ::ecs::__private::ComponentId = __ID;
        const BIT: ::ecs::__private::Signature = __ID.bit();
        #[inline]
        fn slot() -> ::core::option::Option<
            &'static ::ecs::__private::ComponentSlot<Self>,
        > {
            static __SLOT: ::ecs::__private::ComponentSlot<Buffer> = ::ecs::__private::ComponentSlot::new();
            ::core::option::Option::Some(&__SLOT)
        }
        const SHAPE: &'static ::core::primitive::str = "{\n~0 bytes:Mutex<Vec<u8>>";
        const HANDLE_FIELDS: &'static [::ecs::__private::HandleField] = {
            use ::ecs::__private::Unmapped as _;
            &[
                ::ecs::__private::HandleField::probed(
                    "bytes",
                    "Mutex<Vec<u8>>",
                    ::ecs::__private::HandleProbe::<Mutex<Vec<u8>>>::__ECS_MAPS,
                    ::ecs::__private::HandleProbe::<Mutex<Vec<u8>>>::__ECS_IS_FREE,
                ),
            ]
        };
        fn map_entities(
            _: ::ecs::__private::Internal<Self>,
            __value: &mut Self,
            __map: &mut dyn ::core::ops::FnMut(
                ::ecs::__private::Entity,
            ) -> ::ecs::__private::Entity,
        ) {
            use ::ecs::__private::UnmappedField as _;
            {
                let Self { bytes: __handles, .. } = __value;
                ::ecs::__private::MappedField(__handles).__ecs_map(__map);
            }
        }
        fn visit_entities(
            _: ::ecs::__private::Internal<Self>,
            __value: &Self,
            __visit: &mut dyn ::core::ops::FnMut(::ecs::__private::Entity),
        ) {
            use ::ecs::__private::UnmappedField as _;
            {
                let Self { bytes: __handles, .. } = __value;
                ::ecs::__private::VisitedField(__handles).__ecs_visit(__visit);
            }
        }
    }
    #[automatically_derived]
    impl ::ecs::__private::Contents<Self> for Buffer
    where
        for<'__s> Mutex<Vec<u8>>: ::ecs::__private::Share<'__s>,
        for<'__s> Self: ::ecs::__private::Share<'__s>,
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
    impl ::ecs::__private::Term for Buffer
    where
        for<'__s> Mutex<Vec<u8>>: ::ecs::__private::Share<'__s>,
        for<'__s> Self: ::ecs::__private::Share<'__s>,
    {
        type Fetch = ::ecs::__private::Read<Self>;
        type WithEntity = (::ecs::__private::EntityFetch, ::ecs::__private::Read<Self>);
    }
    #[automatically_derived]
    impl ::ecs::__private::InColumns for Buffer
    where
        for<'__s> Mutex<Vec<u8>>: ::ecs::__private::Share<'__s>,
        for<'__s> Self: ::ecs::__private::Share<'__s>,
    {
        type Values = Mutex<Vec<u8>>;
        type Columns = ::ecs::__private::VecStorage<Mutex<Vec<u8>>>;
        type Ref<'a> = BufferRef<'a>;
        type RefMut<'a> = BufferMut<'a>;
        type Slices<'a> = BufferSlices<'a>;
        type SlicesMut<'a> = BufferSlicesMut<'a>;
        type Column<__M> = __Column<__M>;
        const FIELDS: &'static [(
            &'static ::core::primitive::str,
            ::core::primitive::bool,
        )] = &[("bytes", false)];
        #[inline]
        fn take_apart(self, _: ::ecs::__private::Internal<Self>) -> Self::Values {
            use ::ecs::__private::ProbeOfWholes as _;
            let Self { bytes: __0 } = ::ecs::__private::without_drop::<
                Self,
                _,
            >(self, ::ecs::__private::DropProbe::<Self>::NEW.__ecs_own_drop());
            __0
        }
        #[inline]
        fn put_together(_: ::ecs::__private::Internal<Self>, __0: Self::Values) -> Self {
            Self { bytes: __0 }
        }
        #[inline]
        fn exchange(
            &mut self,
            _: ::ecs::__private::Internal<Self>,
            __0: ::ecs::__private::RefMutTree<'_, Self>,
        ) {
            ::core::mem::swap(&mut self.bytes, __0);
        }
        #[inline]
        fn shown<'a>(
            _: ::ecs::__private::Internal<Self>,
            __0: ::ecs::__private::RefTree<'a, Self>,
        ) -> Self::Ref<'a> {
            BufferRef { bytes: __0 }
        }
        #[inline]
        fn shown_mut<'a>(
            _: ::ecs::__private::Internal<Self>,
            __0: ::ecs::__private::RefMutTree<'a, Self>,
        ) -> Self::RefMut<'a> {
            BufferMut { bytes: __0 }
        }
        #[inline]
        fn shown_slices<'a>(
            _: ::ecs::__private::Internal<Self>,
            __0: ::ecs::__private::SliceTree<'a, Self>,
        ) -> Self::Slices<'a> {
            BufferSlices { bytes: __0 }
        }
        #[inline]
        fn shown_mut_slices<'a>(
            _: ::ecs::__private::Internal<Self>,
            __0: ::ecs::__private::SliceMutTree<'a, Self>,
        ) -> Self::SlicesMut<'a> {
            BufferSlicesMut { bytes: __0 }
        }
    }
    impl<'a> BufferRef<'a> {
        ///The component, put together from clones of its fields.
        #[must_use]
        fn to_owned(self) -> Buffer
        where
            for<'__b> Buffer: ::ecs::__private::CloneField<'__b>,
            for<'__b> Mutex<Vec<u8>>: ::ecs::__private::CloneField<'__b>,
        {
            Buffer {
                bytes: ::ecs::__private::CloneField::clone_field(self.bytes),
            }
        }
    }
    impl<'a> BufferMut<'a> {
        ///Returns these references, to be read.
        #[must_use]
        #[inline]
        fn as_ref(&self) -> BufferRef<'_> {
            BufferRef { bytes: &*self.bytes }
        }
        ///Returns these references, for a shorter time.
        #[must_use]
        #[inline]
        fn reborrow(&mut self) -> BufferMut<'_> {
            BufferMut {
                bytes: &mut *self.bytes,
            }
        }
        ///Puts this value in the place of the present one, which is dropped last.
        #[inline]
        fn set(&mut self, __value: Buffer)
        where
            for<'__s> Mutex<Vec<u8>>: ::ecs::__private::Share<'__s>,
            for<'__s> Buffer: ::ecs::__private::Share<'__s>,
        {
            let __old = self.replace(__value);
        }
        ///Puts this value in the place of the present one, which is returned.
        #[inline]
        fn replace(&mut self, mut __value: Buffer) -> Buffer
        where
            for<'__s> Mutex<Vec<u8>>: ::ecs::__private::Share<'__s>,
            for<'__s> Buffer: ::ecs::__private::Share<'__s>,
        {
            ::core::mem::swap(self.bytes, &mut __value.bytes);
            __value
        }
    }
    #[automatically_derived]
    impl<'a> ::core::fmt::Debug for BufferRef<'a>
    where
        for<'__b> &'__b Buffer: ::core::fmt::Debug,
        for<'__b> &'__b Mutex<Vec<u8>>: ::core::fmt::Debug,
    {
        fn fmt(&self, __f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
            let mut __list = ::core::fmt::Formatter::debug_struct(__f, "BufferRef");
            ::core::fmt::DebugStruct::field(&mut __list, "bytes", &&*self.bytes);
            ::core::fmt::DebugStruct::finish(&mut __list)
        }
    }
    #[automatically_derived]
    impl<'a> ::core::fmt::Debug for BufferMut<'a>
    where
        for<'__b> &'__b Buffer: ::core::fmt::Debug,
        for<'__b> &'__b Mutex<Vec<u8>>: ::core::fmt::Debug,
    {
        fn fmt(&self, __f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
            let mut __list = ::core::fmt::Formatter::debug_struct(__f, "BufferMut");
            ::core::fmt::DebugStruct::field(&mut __list, "bytes", &&*self.bytes);
            ::core::fmt::DebugStruct::finish(&mut __list)
        }
    }
    #[automatically_derived]
    impl<'a> ::core::clone::Clone for BufferRef<'a> {
        #[inline]
        fn clone(&self) -> Self {
            *self
        }
    }
    #[automatically_derived]
    impl<'a> ::core::marker::Copy for BufferRef<'a> {}
    #[automatically_derived]
    impl<'a> ::core::clone::Clone for BufferSlices<'a> {
        #[inline]
        fn clone(&self) -> Self {
            *self
        }
    }
    #[automatically_derived]
    impl<'a> ::core::marker::Copy for BufferSlices<'a> {}
    impl<'a> ::ecs::__private::Lists<BufferRef<'a>, ::ecs::__private::InQueries>
    for ::ecs::__private::Registry
    where
        for<'__s> Mutex<Vec<u8>>: ::ecs::__private::Share<'__s>,
        for<'__s> Buffer: ::ecs::__private::Share<'__s>,
    {
        type This = BufferRef<'a>;
    }
    #[automatically_derived]
    impl<'a> ::ecs::__private::Term for BufferRef<'a>
    where
        for<'__s> Mutex<Vec<u8>>: ::ecs::__private::Share<'__s>,
        for<'__s> Buffer: ::ecs::__private::Share<'__s>,
    {
        type Fetch = ::ecs::__private::Read<Buffer>;
        type WithEntity = (
            ::ecs::__private::EntityFetch,
            ::ecs::__private::Read<Buffer>,
        );
    }
    impl<'a> ::ecs::__private::Lists<BufferMut<'a>, ::ecs::__private::InQueries>
    for ::ecs::__private::Registry
    where
        for<'__s> Mutex<Vec<u8>>: ::ecs::__private::Share<'__s>,
        for<'__s> Buffer: ::ecs::__private::Share<'__s>,
    {
        type This = BufferMut<'a>;
    }
    #[automatically_derived]
    impl<'a> ::ecs::__private::Term for BufferMut<'a>
    where
        for<'__s> Mutex<Vec<u8>>: ::ecs::__private::Share<'__s>,
        for<'__s> Buffer: ::ecs::__private::Share<'__s>,
    {
        type Fetch = ::ecs::__private::Write<Buffer>;
        type WithEntity = (
            ::ecs::__private::EntityFetch,
            ::ecs::__private::Write<Buffer>,
        );
    }
    #[doc(hidden)]
    pub struct __Column<__M>(::core::marker::PhantomData<fn() -> __M>);
    impl ::ecs::__private::Lists<buffer::bytes, ::ecs::__private::InQueries>
    for ::ecs::__private::Registry
    where
        for<'__s> Mutex<Vec<u8>>: ::ecs::__private::Share<'__s>,
        for<'__s> Buffer: ::ecs::__private::Share<'__s>,
    {
        type This = buffer::bytes;
    }
    #[automatically_derived]
    impl ::ecs::__private::Target for buffer::bytes
    where
        for<'__s> Mutex<Vec<u8>>: ::ecs::__private::Share<'__s>,
        for<'__s> Buffer: ::ecs::__private::Share<'__s>,
    {
        type Projection = ::ecs::__private::Column<Buffer, Self>;
        const NAME: &'static ::core::primitive::str = "buffer::bytes";
    }
    #[automatically_derived]
    impl ::ecs::__private::ColumnAt for __Column<buffer::bytes>
    where
        for<'__s> Mutex<Vec<u8>>: ::ecs::__private::Share<'__s>,
        for<'__s> Buffer: ::ecs::__private::Share<'__s>,
    {
        type Path = ::ecs::__private::Here;
    }
    #[automatically_derived]
    impl ::ecs::__private::Term for buffer::bytes
    where
        for<'__s> Mutex<Vec<u8>>: ::ecs::__private::Share<'__s>,
        for<'__s> Buffer: ::ecs::__private::Share<'__s>,
    {
        type Fetch = ::ecs::__private::Read<Self>;
        type WithEntity = (::ecs::__private::EntityFetch, ::ecs::__private::Read<Self>);
    }
    const _: () = {
        ::ecs::__private::check_shared_column::<Mutex<Vec<u8>>>();
    };
};
