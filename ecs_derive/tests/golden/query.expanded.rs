const _: () = {
    #[automatically_derived]
    impl ::ecs::__private::StructQuery for Noisy<'static> {
        type Terms = ::ecs::__private::FetchIf<
            (Entity, &'static Proximity, &'static mut Audio),
            { __ARE_FIELDS },
        >;
        type Filter = ();
        type Item<'__w> = Noisy<'__w>;
        const NAME: &'static ::core::primitive::str = "Noisy";
        const FIELDS: &'static [&'static ::core::primitive::str] = &[
            "entity",
            "proximity",
            "audio",
        ];
        #[inline]
        fn build<'__w>(
            _: ::ecs::__private::Internal<Self>,
            __items: <<Self as ::ecs::__private::StructQuery>::Terms as ::ecs::__private::Fetch>::Item<
                '__w,
            >,
        ) -> <Self as ::ecs::__private::StructQuery>::Item<'__w> {
            let (__0, __1, __2) = ::ecs::__private::ItemIf::<
                { __ARE_FIELDS },
                _,
            >(__items)
                .__ecs_take();
            Noisy {
                entity: __0,
                proximity: __1,
                audio: __2,
            }
        }
    }
    impl<'w> ::ecs::__private::Lists<Noisy<'w>, ::ecs::__private::InQueries>
    for ::ecs::__private::Registry {
        type This = Noisy<'w>;
    }
    #[automatically_derived]
    impl<'w> ::ecs::__private::Term for Noisy<'w> {
        type Fetch = ::ecs::__private::Derived<Noisy<'static>>;
        type WithEntity = ::ecs::__private::Derived<Noisy<'static>>;
    }
    use ::ecs::__private::NoField as _;
    const __ARE_FIELDS: ::core::primitive::bool = ::ecs::__private::FieldProbe::<
        (Entity, &'static Proximity, &'static mut Audio),
        (Entity, &'static Proximity, &'static mut Audio),
    >::__ECS_ARE_FIELDS;
    const _: () = {
        ::ecs::__private::check_value::<Entity>();
        ::ecs::__private::check_reference::<&'static Proximity>();
        ::ecs::__private::check_reference::<&'static mut Audio>();
        ::ecs::__private::check_field::<Noisy<'static>>(0usize);
        ::ecs::__private::check_field::<Noisy<'static>>(1usize);
        ::ecs::__private::check_field::<Noisy<'static>>(2usize);
    };
};
