const _: () = {
    #[automatically_derived]
    impl ::ecs::__private::StructQuery for r#Tuple<'static> {
        type Terms = ::ecs::__private::FetchIf<
            (Entity, (&'static A, Option<&'static mut B>)),
            { __ARE_FIELDS },
        >;
        type Filter = ();
        type Item<'__w> = r#Tuple<'__w>;
        const NAME: &'static ::core::primitive::str = "Tuple";
        const FIELDS: &'static [&'static ::core::primitive::str] = &["0", "1"];
        #[inline]
        fn build<'__w>(
            _: ::ecs::__private::Internal<Self>,
            __items: <<Self as ::ecs::__private::StructQuery>::Terms as ::ecs::__private::Fetch>::Item<
                '__w,
            >,
        ) -> <Self as ::ecs::__private::StructQuery>::Item<'__w> {
            let (__0, __1) = ::ecs::__private::ItemIf::<{ __ARE_FIELDS }, _>(__items)
                .__ecs_take();
            r#Tuple { 0: __0, 1: __1 }
        }
    }
    impl<'w> ::ecs::__private::Lists<r#Tuple<'w>, ::ecs::__private::InQueries>
    for ::ecs::__private::Registry {
        type This = r#Tuple<'w>;
    }
    #[automatically_derived]
    impl<'w> ::ecs::__private::Term for r#Tuple<'w> {
        type Fetch = ::ecs::__private::Derived<r#Tuple<'static>>;
        type WithEntity = ::ecs::__private::Derived<r#Tuple<'static>>;
    }
    use ::ecs::__private::NoField as _;
    const __ARE_FIELDS: ::core::primitive::bool = ::ecs::__private::FieldProbe::<
        (Entity, (&'static A, Option<&'static mut B>)),
        (Entity, (&'static A, Option<&'static mut B>)),
    >::__ECS_ARE_FIELDS;
    const _: () = {
        ::ecs::__private::check_value::<Entity>();
        ::ecs::__private::check_reference::<&'static A>();
        ::ecs::__private::check_reference::<&'static mut B>();
        ::ecs::__private::check_field::<r#Tuple<'static>>(0usize);
        ::ecs::__private::check_field::<r#Tuple<'static>>(1usize);
    };
};
