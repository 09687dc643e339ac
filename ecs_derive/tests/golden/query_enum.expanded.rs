const _: () = {
    #[automatically_derived]
    impl ::ecs::__private::StructQuery for Shape<'static> {
        type Terms = (
            ::ecs::__private::Optional<
                ::ecs::__private::FetchIf<(&'static mut Circle,), { __ARE_FIELDS_0 }>,
            >,
            ::ecs::__private::Optional<
                ::ecs::__private::FetchIf<
                    (&'static Width, Option<&'static Height>),
                    { __ARE_FIELDS_1 },
                >,
            >,
        );
        type Filter = ();
        type Item<'__w> = Shape<'__w>;
        const NAME: &'static ::core::primitive::str = "Shape";
        const FIELDS: &'static [&'static ::core::primitive::str] = &["Round", "Flat"];
        #[inline]
        fn build<'__w>(
            _: ::ecs::__private::Internal<Self>,
            __items: <<Self as ::ecs::__private::StructQuery>::Terms as ::ecs::__private::Fetch>::Item<
                '__w,
            >,
        ) -> <Self as ::ecs::__private::StructQuery>::Item<'__w> {
            let (__variant_0, __variant_1) = __items;
            if let ::core::option::Option::Some(__items) = __variant_0 {
                let (__0,) = ::ecs::__private::ItemIf::<{ __ARE_FIELDS_0 }, _>(__items)
                    .__ecs_take();
                Shape::Round { 0: __0 }
            } else if let ::core::option::Option::Some(__items) = __variant_1 {
                let (__0, __1) = ::ecs::__private::ItemIf::<
                    { __ARE_FIELDS_1 },
                    _,
                >(__items)
                    .__ecs_take();
                Shape::Flat {
                    width: __0,
                    height: __1,
                }
            } else {
                Shape::Other
            }
        }
    }
    impl<'w> ::ecs::__private::Lists<Shape<'w>, ::ecs::__private::InQueries>
    for ::ecs::__private::Registry {
        type This = Shape<'w>;
    }
    #[automatically_derived]
    impl<'w> ::ecs::__private::Term for Shape<'w> {
        type Fetch = ::ecs::__private::Derived<Shape<'static>>;
        type WithEntity = ::ecs::__private::Derived<Shape<'static>>;
    }
    use ::ecs::__private::NoField as _;
    const __ARE_FIELDS_0: ::core::primitive::bool = ::ecs::__private::FieldProbe::<
        (&'static mut Circle,),
        (&'static mut Circle,),
    >::__ECS_ARE_FIELDS;
    const __ARE_FIELDS_1: ::core::primitive::bool = ::ecs::__private::FieldProbe::<
        (&'static Width, Option<&'static Height>),
        (&'static Width, Option<&'static Height>),
    >::__ECS_ARE_FIELDS;
    const _: () = {
        ::ecs::__private::check_reference::<&'static mut Circle>();
        ::ecs::__private::check_reference::<&'static Width>();
        ::ecs::__private::check_reference::<&'static Height>();
        ::ecs::__private::check_field::<Shape<'static>>(0usize);
        ::ecs::__private::check_field::<Shape<'static>>(1usize);
    };
};
