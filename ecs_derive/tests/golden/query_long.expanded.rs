const _: () = {
    #[automatically_derived]
    impl ::ecs::__private::StructQuery for Long<'static> {
        type Terms = ::ecs::__private::FetchIf<
            (
                (
                    &'static A,
                    &'static B,
                    &'static C,
                    &'static D,
                    &'static E,
                    &'static F,
                    &'static G,
                    &'static H,
                    &'static I,
                    &'static J,
                    &'static K,
                    &'static L,
                ),
                (&'static M,),
            ),
            { __ARE_FIELDS },
        >;
        type Filter = ();
        type Item<'__w> = Long<'__w>;
        const NAME: &'static ::core::primitive::str = "Long";
        const FIELDS: &'static [&'static ::core::primitive::str] = &[
            "type",
            "b",
            "c",
            "d",
            "e",
            "f",
            "g",
            "h",
            "i",
            "j",
            "k",
            "l",
            "m",
        ];
        #[inline]
        fn build<'__w>(
            _: ::ecs::__private::Internal<Self>,
            __items: <<Self as ::ecs::__private::StructQuery>::Terms as ::ecs::__private::Fetch>::Item<
                '__w,
            >,
        ) -> <Self as ::ecs::__private::StructQuery>::Item<'__w> {
            let (
                (__0, __1, __2, __3, __4, __5, __6, __7, __8, __9, __10, __11),
                (__12,),
            ) = ::ecs::__private::ItemIf::<{ __ARE_FIELDS }, _>(__items).__ecs_take();
            Long {
                r#type: __0,
                b: __1,
                c: __2,
                d: __3,
                e: __4,
                f: __5,
                g: __6,
                h: __7,
                i: __8,
                j: __9,
                k: __10,
                l: __11,
                m: __12,
            }
        }
    }
    impl<'w> ::ecs::__private::Lists<Long<'w>, ::ecs::__private::InQueries>
    for ::ecs::__private::Registry {
        type This = Long<'w>;
    }
    #[automatically_derived]
    impl<'w> ::ecs::__private::Term for Long<'w> {
        type Fetch = ::ecs::__private::Derived<Long<'static>>;
        type WithEntity = ::ecs::__private::Derived<Long<'static>>;
    }
    use ::ecs::__private::NoField as _;
    const __ARE_FIELDS: ::core::primitive::bool = ::ecs::__private::FieldProbe::<
        (
            (
                &'static A,
                &'static B,
                &'static C,
                &'static D,
                &'static E,
                &'static F,
                &'static G,
                &'static H,
                &'static I,
                &'static J,
                &'static K,
                &'static L,
            ),
            (&'static M,),
        ),
        (
            (
                &'static A,
                &'static B,
                &'static C,
                &'static D,
                &'static E,
                &'static F,
                &'static G,
                &'static H,
                &'static I,
                &'static J,
                &'static K,
                &'static L,
            ),
            (&'static M,),
        ),
    >::__ECS_ARE_FIELDS;
    const _: () = {
        ::ecs::__private::check_reference::<&'static A>();
        ::ecs::__private::check_reference::<&'static B>();
        ::ecs::__private::check_reference::<&'static C>();
        ::ecs::__private::check_reference::<&'static D>();
        ::ecs::__private::check_reference::<&'static E>();
        ::ecs::__private::check_reference::<&'static F>();
        ::ecs::__private::check_reference::<&'static G>();
        ::ecs::__private::check_reference::<&'static H>();
        ::ecs::__private::check_reference::<&'static I>();
        ::ecs::__private::check_reference::<&'static J>();
        ::ecs::__private::check_reference::<&'static K>();
        ::ecs::__private::check_reference::<&'static L>();
        ::ecs::__private::check_reference::<&'static M>();
        ::ecs::__private::check_field::<Long<'static>>(0usize);
        ::ecs::__private::check_field::<Long<'static>>(1usize);
        ::ecs::__private::check_field::<Long<'static>>(2usize);
        ::ecs::__private::check_field::<Long<'static>>(3usize);
        ::ecs::__private::check_field::<Long<'static>>(4usize);
        ::ecs::__private::check_field::<Long<'static>>(5usize);
        ::ecs::__private::check_field::<Long<'static>>(6usize);
        ::ecs::__private::check_field::<Long<'static>>(7usize);
        ::ecs::__private::check_field::<Long<'static>>(8usize);
        ::ecs::__private::check_field::<Long<'static>>(9usize);
        ::ecs::__private::check_field::<Long<'static>>(10usize);
        ::ecs::__private::check_field::<Long<'static>>(11usize);
        ::ecs::__private::check_field::<Long<'static>>(12usize);
    };
};
