const _: () = {
    #[automatically_derived]
    impl ::ecs::__private::StructQuery for Long<'static> {
        type Terms = (
            (
                <&'static A as ::ecs::__private::Field>::Fetch,
                <&'static B as ::ecs::__private::Field>::Fetch,
                <&'static C as ::ecs::__private::Field>::Fetch,
                <&'static D as ::ecs::__private::Field>::Fetch,
                <&'static E as ::ecs::__private::Field>::Fetch,
                <&'static F as ::ecs::__private::Field>::Fetch,
                <&'static G as ::ecs::__private::Field>::Fetch,
                <&'static H as ::ecs::__private::Field>::Fetch,
                <&'static I as ::ecs::__private::Field>::Fetch,
                <&'static J as ::ecs::__private::Field>::Fetch,
                <&'static K as ::ecs::__private::Field>::Fetch,
                <&'static L as ::ecs::__private::Field>::Fetch,
            ),
            (<&'static M as ::ecs::__private::Field>::Fetch,),
        );
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
            __items: <Self::Terms as ::ecs::__private::Fetch>::Item<'__w>,
        ) -> Self::Item<'__w> {
            let (
                (__0, __1, __2, __3, __4, __5, __6, __7, __8, __9, __10, __11),
                (__12,),
            ) = __items;
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
    #[automatically_derived]
    impl<'w> ::ecs::__private::Term for Long<'w> {
        type Fetch = ::ecs::__private::Derived<Long<'static>>;
        type WithEntity = ::ecs::__private::Derived<Long<'static>>;
    }
    const _: () = ::ecs::__private::check_field::<Long<'static>>(0usize);
    const _: () = ::ecs::__private::check_field::<Long<'static>>(1usize);
    const _: () = ::ecs::__private::check_field::<Long<'static>>(2usize);
    const _: () = ::ecs::__private::check_field::<Long<'static>>(3usize);
    const _: () = ::ecs::__private::check_field::<Long<'static>>(4usize);
    const _: () = ::ecs::__private::check_field::<Long<'static>>(5usize);
    const _: () = ::ecs::__private::check_field::<Long<'static>>(6usize);
    const _: () = ::ecs::__private::check_field::<Long<'static>>(7usize);
    const _: () = ::ecs::__private::check_field::<Long<'static>>(8usize);
    const _: () = ::ecs::__private::check_field::<Long<'static>>(9usize);
    const _: () = ::ecs::__private::check_field::<Long<'static>>(10usize);
    const _: () = ::ecs::__private::check_field::<Long<'static>>(11usize);
    const _: () = ::ecs::__private::check_field::<Long<'static>>(12usize);
};
