const _: () = {
    #[automatically_derived]
    impl engine::__private::StructQuery for Tagged {
        type Terms = engine::__private::FetchIf<(Entity, Has<Tag>), { __ARE_FIELDS }>;
        type Filter = ();
        type Item<'__w> = Tagged;
        const NAME: &'static ::core::primitive::str = "Tagged";
        const FIELDS: &'static [&'static ::core::primitive::str] = &["entity", "tagged"];
        #[inline]
        fn build<'__w>(
            _: engine::__private::Internal<Self>,
            __items: <<Self as engine::__private::StructQuery>::Terms as engine::__private::Fetch>::Item<
                '__w,
            >,
        ) -> <Self as engine::__private::StructQuery>::Item<'__w> {
            let (__0, __1) = engine::__private::ItemIf::<{ __ARE_FIELDS }, _>(__items)
                .__ecs_take();
            Tagged { entity: __0, tagged: __1 }
        }
    }
    impl engine::__private::Lists<Tagged, engine::__private::InQueries>
    for engine::__private::Registry {
        type This = Tagged;
    }
    #[automatically_derived]
    impl engine::__private::Term for Tagged {
        type Fetch = engine::__private::Derived<Tagged>;
        type WithEntity = engine::__private::Derived<Tagged>;
    }
    use engine::__private::NoField as _;
    const __ARE_FIELDS: ::core::primitive::bool = engine::__private::FieldProbe::<
        (Entity, Has<Tag>),
        (Entity, Has<Tag>),
    >::__ECS_ARE_FIELDS;
    const _: () = {
        engine::__private::check_value::<Entity>();
        engine::__private::check_value::<engine::__private::Has<Tag>>();
        engine::__private::check_field::<Tagged>(0usize);
        engine::__private::check_field::<Tagged>(1usize);
    };
};
