///Shared references to the fields of a `Proximity` that is stored in columns.
struct ProximityRef<'a> {
    ///The field `distance`.
    distance: &'a f32,
    ///The field `angle`.
    angle: &'a f32,
    ///The field `occlusion`.
    occlusion: &'a f32,
}
///Exclusive references to the fields of a `Proximity` that is stored in columns.
struct ProximityMut<'a> {
    ///The field `distance`.
    distance: &'a mut f32,
    ///The field `angle`.
    angle: &'a mut f32,
    ///The field `occlusion`.
    occlusion: &'a mut f32,
}
///The fields of neighbouring `Proximity`s, a slice a column.
struct ProximitySlices<'a> {
    ///The field `distance`.
    distance: &'a [f32],
    ///The field `angle`.
    angle: &'a [f32],
    ///The field `occlusion`.
    occlusion: &'a [f32],
}
///The fields of neighbouring `Proximity`s, to be changed, a slice a column.
struct ProximitySlicesMut<'a> {
    ///The field `distance`.
    distance: &'a mut [f32],
    ///The field `angle`.
    angle: &'a mut [f32],
    ///The field `occlusion`.
    occlusion: &'a mut [f32],
}
///The columns of `Proximity`: a query names one to borrow a single field.
mod proximity {
    ///The column of `distance`.
    pub(super) enum distance {}
    ///The column of `angle`.
    pub(super) enum angle {}
    ///The column of `occlusion`.
    pub(super) enum occlusion {}
}
const _: () = {
    const __ID: ::ecs::__private::ComponentId = ::ecs::__private::ComponentId::of(
            ::core::option_env!("CARGO_PKG_NAME"),
            ::core::option_env!("CARGO_PKG_VERSION"),
            ::core::module_path!(),
            "Proximity",
            ::core::line!(),
            ::core::column!(),
        )
        .in_binary(::core::option_env!("CARGO_BIN_NAME"));
    impl<__Place> ::ecs::__private::Lists<Proximity, __Place>
    for ::ecs::__private::Registry {
        type This = Proximity;
    }
    #[automatically_derived]
    impl ::ecs::__private::AnyComponent for Proximity {
        type Storage = ::ecs::__private::Columns<Self>;
        type Requires = ();
        const NAME: &'static ::core::primitive::str = "Proximity";
        const ID: ::ecs::__private::ComponentId = __ID;
        const BIT: ::ecs::__private::Signature = __ID.bit();
        #[inline]
        fn slot() -> ::core::option::Option<
            &'static ::ecs::__private::ComponentSlot<Self>,
        > {
            static __SLOT: ::ecs::__private::ComponentSlot<Proximity> = ::ecs::__private::ComponentSlot::new();
            ::core::option::Option::Some(&__SLOT)
        }
        const SHAPE: &'static ::core::primitive::str = "{\ndistance:f32\nangle:f32\nocclusion:f32";
    }
    #[automatically_derived]
    impl ::ecs::__private::Contents<Self> for Proximity {
        const PARTS: &'static [::ecs::__private::Part] = &[
            ::ecs::__private::Part::of::<Self>(),
        ];
        #[inline(always)]
        fn into_parts(__this: Self) -> impl ::ecs::__private::Parts {
            ::ecs::__private::One::new(__this)
        }
    }
    #[automatically_derived]
    impl ::ecs::__private::Term for Proximity {
        type Fetch = ::ecs::__private::Read<Self>;
        type WithEntity = (::ecs::__private::EntityFetch, ::ecs::__private::Read<Self>);
    }
    #[automatically_derived]
    impl ::ecs::__private::InColumns for Proximity {
        type Values = (f32, (f32, f32));
        type Columns = (
            ::ecs::__private::VecStorage<f32>,
            (::ecs::__private::VecStorage<f32>, ::ecs::__private::VecStorage<f32>),
        );
        type Ref<'a> = ProximityRef<'a>;
        type RefMut<'a> = ProximityMut<'a>;
        type Slices<'a> = ProximitySlices<'a>;
        type SlicesMut<'a> = ProximitySlicesMut<'a>;
        type Column<__M> = __Column<__M>;
        const FIELDS: &'static [(
            &'static ::core::primitive::str,
            ::core::primitive::bool,
        )] = &[("distance", false), ("angle", false), ("occlusion", false)];
        #[inline]
        fn take_apart(self, _: ::ecs::__private::Internal<Self>) -> Self::Values {
            use ::ecs::__private::ProbeOfWholes as _;
            let Self { distance: __0, angle: __1, occlusion: __2 } = ::ecs::__private::without_drop::<
                Self,
                _,
            >(self, ::ecs::__private::DropProbe::<Self>::NEW.__ecs_own_drop());
            (__0, (__1, __2))
        }
        #[inline]
        fn put_together(
            _: ::ecs::__private::Internal<Self>,
            (__0, (__1, __2)): Self::Values,
        ) -> Self {
            Self {
                distance: __0,
                angle: __1,
                occlusion: __2,
            }
        }
        #[inline]
        fn exchange(
            &mut self,
            _: ::ecs::__private::Internal<Self>,
            (__0, (__1, __2)): ::ecs::__private::RefMutTree<'_, Self>,
        ) {
            ::core::mem::swap(&mut self.distance, __0);
            ::core::mem::swap(&mut self.angle, __1);
            ::core::mem::swap(&mut self.occlusion, __2);
        }
        #[inline]
        fn shown<'a>(
            _: ::ecs::__private::Internal<Self>,
            (__0, (__1, __2)): ::ecs::__private::RefTree<'a, Self>,
        ) -> Self::Ref<'a> {
            ProximityRef {
                distance: __0,
                angle: __1,
                occlusion: __2,
            }
        }
        #[inline]
        fn shown_mut<'a>(
            _: ::ecs::__private::Internal<Self>,
            (__0, (__1, __2)): ::ecs::__private::RefMutTree<'a, Self>,
        ) -> Self::RefMut<'a> {
            ProximityMut {
                distance: __0,
                angle: __1,
                occlusion: __2,
            }
        }
        #[inline]
        fn shown_slices<'a>(
            _: ::ecs::__private::Internal<Self>,
            (__0, (__1, __2)): ::ecs::__private::SliceTree<'a, Self>,
        ) -> Self::Slices<'a> {
            ProximitySlices {
                distance: __0,
                angle: __1,
                occlusion: __2,
            }
        }
        #[inline]
        fn shown_mut_slices<'a>(
            _: ::ecs::__private::Internal<Self>,
            (__0, (__1, __2)): ::ecs::__private::SliceMutTree<'a, Self>,
        ) -> Self::SlicesMut<'a> {
            ProximitySlicesMut {
                distance: __0,
                angle: __1,
                occlusion: __2,
            }
        }
    }
    impl<'a> ProximityRef<'a> {
        ///The component, put together from clones of its fields.
        #[must_use]
        fn to_owned(self) -> Proximity
        where
            for<'__b> Proximity: ::ecs::__private::CloneField<'__b>,
            for<'__b> f32: ::ecs::__private::CloneField<'__b>,
            for<'__b> f32: ::ecs::__private::CloneField<'__b>,
            for<'__b> f32: ::ecs::__private::CloneField<'__b>,
        {
            Proximity {
                distance: ::ecs::__private::CloneField::clone_field(self.distance),
                angle: ::ecs::__private::CloneField::clone_field(self.angle),
                occlusion: ::ecs::__private::CloneField::clone_field(self.occlusion),
            }
        }
    }
    impl<'a> ProximityMut<'a> {
        ///Returns these references, to be read.
        #[must_use]
        #[inline]
        fn as_ref(&self) -> ProximityRef<'_> {
            ProximityRef {
                distance: &*self.distance,
                angle: &*self.angle,
                occlusion: &*self.occlusion,
            }
        }
        ///Returns these references, for a shorter time.
        #[must_use]
        #[inline]
        fn reborrow(&mut self) -> ProximityMut<'_> {
            ProximityMut {
                distance: &mut *self.distance,
                angle: &mut *self.angle,
                occlusion: &mut *self.occlusion,
            }
        }
        ///Puts this value in the place of the present one, which is dropped last.
        #[inline]
        fn set(&mut self, __value: Proximity) {
            let __old = self.replace(__value);
        }
        ///Puts this value in the place of the present one, which is returned.
        #[inline]
        fn replace(&mut self, mut __value: Proximity) -> Proximity {
            ::core::mem::swap(self.distance, &mut __value.distance);
            ::core::mem::swap(self.angle, &mut __value.angle);
            ::core::mem::swap(self.occlusion, &mut __value.occlusion);
            __value
        }
    }
    #[automatically_derived]
    impl<'a> ::core::fmt::Debug for ProximityRef<'a>
    where
        for<'__b> &'__b Proximity: ::core::fmt::Debug,
        for<'__b> &'__b f32: ::core::fmt::Debug,
        for<'__b> &'__b f32: ::core::fmt::Debug,
        for<'__b> &'__b f32: ::core::fmt::Debug,
    {
        fn fmt(&self, __f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
            let mut __list = ::core::fmt::Formatter::debug_struct(__f, "ProximityRef");
            ::core::fmt::DebugStruct::field(&mut __list, "distance", &&*self.distance);
            ::core::fmt::DebugStruct::field(&mut __list, "angle", &&*self.angle);
            ::core::fmt::DebugStruct::field(&mut __list, "occlusion", &&*self.occlusion);
            ::core::fmt::DebugStruct::finish(&mut __list)
        }
    }
    #[automatically_derived]
    impl<'a> ::core::fmt::Debug for ProximityMut<'a>
    where
        for<'__b> &'__b Proximity: ::core::fmt::Debug,
        for<'__b> &'__b f32: ::core::fmt::Debug,
        for<'__b> &'__b f32: ::core::fmt::Debug,
        for<'__b> &'__b f32: ::core::fmt::Debug,
    {
        fn fmt(&self, __f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
            let mut __list = ::core::fmt::Formatter::debug_struct(__f, "ProximityMut");
            ::core::fmt::DebugStruct::field(&mut __list, "distance", &&*self.distance);
            ::core::fmt::DebugStruct::field(&mut __list, "angle", &&*self.angle);
            ::core::fmt::DebugStruct::field(&mut __list, "occlusion", &&*self.occlusion);
            ::core::fmt::DebugStruct::finish(&mut __list)
        }
    }
    #[automatically_derived]
    impl<'a> ::core::clone::Clone for ProximityRef<'a> {
        #[inline]
        fn clone(&self) -> Self {
            *self
        }
    }
    #[automatically_derived]
    impl<'a> ::core::marker::Copy for ProximityRef<'a> {}
    #[automatically_derived]
    impl<'a> ::core::clone::Clone for ProximitySlices<'a> {
        #[inline]
        fn clone(&self) -> Self {
            *self
        }
    }
    #[automatically_derived]
    impl<'a> ::core::marker::Copy for ProximitySlices<'a> {}
    impl<'a> ::ecs::__private::Lists<ProximityRef<'a>, ::ecs::__private::InQueries>
    for ::ecs::__private::Registry {
        type This = ProximityRef<'a>;
    }
    #[automatically_derived]
    impl<'a> ::ecs::__private::Term for ProximityRef<'a> {
        type Fetch = ::ecs::__private::Read<Proximity>;
        type WithEntity = (
            ::ecs::__private::EntityFetch,
            ::ecs::__private::Read<Proximity>,
        );
    }
    impl<'a> ::ecs::__private::Lists<ProximityMut<'a>, ::ecs::__private::InQueries>
    for ::ecs::__private::Registry {
        type This = ProximityMut<'a>;
    }
    #[automatically_derived]
    impl<'a> ::ecs::__private::Term for ProximityMut<'a> {
        type Fetch = ::ecs::__private::Write<Proximity>;
        type WithEntity = (
            ::ecs::__private::EntityFetch,
            ::ecs::__private::Write<Proximity>,
        );
    }
    #[doc(hidden)]
    pub struct __Column<__M>(::core::marker::PhantomData<fn() -> __M>);
    impl ::ecs::__private::Lists<proximity::distance, ::ecs::__private::InQueries>
    for ::ecs::__private::Registry {
        type This = proximity::distance;
    }
    #[automatically_derived]
    impl ::ecs::__private::Target for proximity::distance {
        type Projection = ::ecs::__private::Column<Proximity, Self>;
        const NAME: &'static ::core::primitive::str = "proximity::distance";
    }
    #[automatically_derived]
    impl ::ecs::__private::ColumnAt for __Column<proximity::distance> {
        type Path = ::ecs::__private::Left<::ecs::__private::Here>;
    }
    #[automatically_derived]
    impl ::ecs::__private::Term for proximity::distance {
        type Fetch = ::ecs::__private::Read<Self>;
        type WithEntity = (::ecs::__private::EntityFetch, ::ecs::__private::Read<Self>);
    }
    impl ::ecs::__private::Lists<proximity::angle, ::ecs::__private::InQueries>
    for ::ecs::__private::Registry {
        type This = proximity::angle;
    }
    #[automatically_derived]
    impl ::ecs::__private::Target for proximity::angle {
        type Projection = ::ecs::__private::Column<Proximity, Self>;
        const NAME: &'static ::core::primitive::str = "proximity::angle";
    }
    #[automatically_derived]
    impl ::ecs::__private::ColumnAt for __Column<proximity::angle> {
        type Path = ::ecs::__private::Right<
            ::ecs::__private::Left<::ecs::__private::Here>,
        >;
    }
    #[automatically_derived]
    impl ::ecs::__private::Term for proximity::angle {
        type Fetch = ::ecs::__private::Read<Self>;
        type WithEntity = (::ecs::__private::EntityFetch, ::ecs::__private::Read<Self>);
    }
    impl ::ecs::__private::Lists<proximity::occlusion, ::ecs::__private::InQueries>
    for ::ecs::__private::Registry {
        type This = proximity::occlusion;
    }
    #[automatically_derived]
    impl ::ecs::__private::Target for proximity::occlusion {
        type Projection = ::ecs::__private::Column<Proximity, Self>;
        const NAME: &'static ::core::primitive::str = "proximity::occlusion";
    }
    #[automatically_derived]
    impl ::ecs::__private::ColumnAt for __Column<proximity::occlusion> {
        type Path = ::ecs::__private::Right<
            ::ecs::__private::Right<::ecs::__private::Here>,
        >;
    }
    #[automatically_derived]
    impl ::ecs::__private::Term for proximity::occlusion {
        type Fetch = ::ecs::__private::Read<Self>;
        type WithEntity = (::ecs::__private::EntityFetch, ::ecs::__private::Read<Self>);
    }
};
