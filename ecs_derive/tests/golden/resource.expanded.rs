const _: () = {
    const __ID: ::ecs::__private::ComponentId = ::ecs::__private::ComponentId::of(
            ::core::option_env!("CARGO_PKG_NAME"),
            ::core::option_env!("CARGO_PKG_VERSION"),
            ::core::module_path!(),
            "Score",
            ::core::line!(),
            ::core::column!(),
        )
        .in_binary(::core::option_env!("CARGO_BIN_NAME"));
    #[automatically_derived]
    impl ::ecs::__private::Resource for Score {
        const NAME: &'static ::core::primitive::str = "Score";
        const ID: ::ecs::__private::ComponentId = __ID;
        #[inline]
        fn slot() -> ::core::option::Option<
            &'static ::ecs::__private::ResourceSlot<Self>,
        > {
            static __SLOT: ::ecs::__private::ResourceSlot<Score> = ::ecs::__private::ResourceSlot::new();
            ::core::option::Option::Some(&__SLOT)
        }
    }
};
