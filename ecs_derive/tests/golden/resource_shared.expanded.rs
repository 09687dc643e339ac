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
    #[automatically_derived]
    impl ::ecs::__private::Resource for Buffer
    where
        for<'__s> Self: ::ecs::__private::Share<'__s>,
    {
        const NAME: &'static ::core::primitive::str = "Buffer";
        const ID: ::ecs::__private::ComponentId = __ID;
        #[inline]
        fn slot() -> ::core::option::Option<
            &'static ::ecs::__private::ResourceSlot<Self>,
        > {
            static __SLOT: ::ecs::__private::ResourceSlot<Buffer> = ::ecs::__private::ResourceSlot::new();
            ::core::option::Option::Some(&__SLOT)
        }
    }
    const _: () = {
        use ::ecs::__private::NotShared as _;
        const __IS_SHARED: ::core::primitive::bool = ::ecs::__private::ShareProbe::<
            Buffer,
        >::__ECS_IS_SHARED;
        ::ecs::__private::check_shared_resource::<Mutex<Vec<u8>>, { __IS_SHARED }>();
    };
};
