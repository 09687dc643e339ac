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
        for<'__s> Self: ::ecs::__private::Share<'__s>,
    {
        type Storage = ::ecs::__private::VecStorage<Self>;
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
        const SHAPE: &'static ::core::primitive::str = "(\n~0 0:Mutex<Vec<u8>>\n~1 1:*mut u8";
        const HANDLE_FIELDS: &'static [::ecs::__private::HandleField] = {
            use ::ecs::__private::Unmapped as _;
            &[
                ::ecs::__private::HandleField::probed(
                    "0",
                    "Mutex<Vec<u8>>",
                    ::ecs::__private::HandleProbe::<Mutex<Vec<u8>>>::__ECS_MAPS,
                    ::ecs::__private::HandleProbe::<Mutex<Vec<u8>>>::__ECS_IS_FREE,
                ),
                ::ecs::__private::HandleField::probed(
                    "1",
                    "*mut u8",
                    ::ecs::__private::HandleProbe::<*mut u8>::__ECS_MAPS,
                    ::ecs::__private::HandleProbe::<*mut u8>::__ECS_IS_FREE,
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
                let Self { 0: __handles, .. } = __value;
                ::ecs::__private::MappedField(__handles).__ecs_map(__map);
            }
            {
                let Self { 1: __handles, .. } = __value;
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
                let Self { 0: __handles, .. } = __value;
                ::ecs::__private::VisitedField(__handles).__ecs_visit(__visit);
            }
            {
                let Self { 1: __handles, .. } = __value;
                ::ecs::__private::VisitedField(__handles).__ecs_visit(__visit);
            }
        }
    }
    #[automatically_derived]
    impl ::ecs::__private::Component for Buffer
    where
        for<'__s> Self: ::ecs::__private::Share<'__s>,
    {}
    #[automatically_derived]
    impl ::ecs::__private::Contents<Self> for Buffer
    where
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
        for<'__s> Self: ::ecs::__private::Share<'__s>,
    {
        type Fetch = ::ecs::__private::Read<Self>;
        type WithEntity = (::ecs::__private::EntityFetch, ::ecs::__private::Read<Self>);
    }
    const _: () = {
        use ::ecs::__private::NotShared as _;
        const __IS_SHARED: ::core::primitive::bool = ::ecs::__private::ShareProbe::<
            Buffer,
        >::__ECS_IS_SHARED;
        ::ecs::__private::check_shared::<Mutex<Vec<u8>>, { __IS_SHARED }>();
        ::ecs::__private::check_shared::<*mut u8, { __IS_SHARED }>();
    };
};
