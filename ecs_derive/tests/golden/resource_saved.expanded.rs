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
        const CLONE: ::core::option::Option<fn(&Self) -> Self> = ::core::option::Option::Some(
            ::ecs::__private::clone_of,
        );
        ::ecs::__private::saving! {
            const SAVING : ::core::option::Option < ::ecs::__private::ResourceSaving > =
            ::core::option::Option::Some(::ecs::__private::ResourceSaving::by_serde:: <
            Self > ("score", "", 2, 3348991593)); const SAVED_BEFORE : & 'static
            [::ecs::__private::ResourceVersion] = &
            [::ecs::__private::ResourceVersion::by_serde:: < Self, Old > (1)];
        }
        #[inline]
        fn slot() -> ::core::option::Option<
            &'static ::ecs::__private::ResourceSlot<Self>,
        > {
            static __SLOT: ::ecs::__private::ResourceSlot<Score> = ::ecs::__private::ResourceSlot::new();
            ::core::option::Option::Some(&__SLOT)
        }
    }
};
