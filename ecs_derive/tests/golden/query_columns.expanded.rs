const _: () = {
    #[automatically_derived]
    impl ::ecs::__private::StructQuery for Pan<'static> {
        type Terms = ::ecs::__private::FetchIf<
            (
                &'static proximity::angle,
                Option<&'static mut proximity::distance>,
                AudioMut<'static>,
            ),
            { __ARE_FIELDS },
        >;
        type Filter = ();
        type Item<'__w> = Pan<'__w>;
        const NAME: &'static ::core::primitive::str = "Pan";
        const FIELDS: &'static [&'static ::core::primitive::str] = &[
            "angle",
            "distance",
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
            Pan {
                angle: __0,
                distance: __1,
                audio: __2,
            }
        }
    }
    impl<'w> ::ecs::__private::Lists<Pan<'w>, ::ecs::__private::InQueries>
    for ::ecs::__private::Registry {
        type This = Pan<'w>;
    }
    #[automatically_derived]
    impl<'w> ::ecs::__private::Term for Pan<'w> {
        type Fetch = ::ecs::__private::Derived<Pan<'static>>;
        type WithEntity = ::ecs::__private::Derived<Pan<'static>>;
    }
    use ::ecs::__private::NoField as _;
    const __ARE_FIELDS: ::core::primitive::bool = ::ecs::__private::FieldProbe::<
        (
            &'static proximity::angle,
            Option<&'static mut proximity::distance>,
            AudioMut<'static>,
        ),
        (&'static f32, Option<&'static mut f32>, AudioMut<'static>),
    >::__ECS_ARE_FIELDS;
    const _: () = {
        ::ecs::__private::check_column::<&'static proximity::angle, &'static f32>();
        ::ecs::__private::check_column::<
            Option<&'static mut proximity::distance>,
            Option<&'static mut f32>,
        >();
        ::ecs::__private::check_value::<AudioMut<'static>>();
        ::ecs::__private::check_field::<Pan<'static>>(0usize);
        ::ecs::__private::check_field::<Pan<'static>>(1usize);
        ::ecs::__private::check_field::<Pan<'static>>(2usize);
    };
};
