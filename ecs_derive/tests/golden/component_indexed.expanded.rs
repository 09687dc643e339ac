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
    impl<__Place> ::ecs::__private::Lists<Score, __Place>
    for ::ecs::__private::Registry {
        type This = Score;
    }
    #[automatically_derived]
    impl ::ecs::__private::AnyComponent for Score {
        type Storage = ::ecs::__private::VecStorage<Self>;
        type Requires = ();
        const NAME: &'static ::core::primitive::str = "Score";
        const ID: ::ecs::__private::ComponentId = __ID;
        const BIT: ::ecs::__private::Signature = __ID.bit();
        #[inline]
        fn slot() -> ::core::option::Option<
            &'static ::ecs::__private::ComponentSlot<Self>,
        > {
            static __SLOT: ::ecs::__private::ComponentSlot<Score> = ::ecs::__private::ComponentSlot::new();
            ::core::option::Option::Some(&__SLOT)
        }
        const GUARDED: ::core::primitive::bool = true;
        fn permits_removal(
            _: ::ecs::__private::Internal<Self>,
            __value: &mut Self,
        ) -> ::core::primitive::bool {
            let __veto: fn(&Self) -> ::core::primitive::bool = Score::may_go;
            __veto(__value)
        }
        const INDEX: ::core::option::Option<::ecs::__private::IndexRule> = ::core::option::Option::Some(
            ::ecs::__private::IndexRule::of::<Self>(),
        );
        const SHAPE: &'static ::core::primitive::str = "{\npoints:u32";
    }
    #[automatically_derived]
    impl ::ecs::__private::Component for Score {}
    #[automatically_derived]
    impl ::ecs::__private::Contents<Self> for Score {
        const PARTS: &'static [::ecs::__private::Part] = &[
            ::ecs::__private::Part::of::<Self>(),
        ];
        #[inline(always)]
        fn into_parts(__this: Self) -> impl ::ecs::__private::Parts {
            ::ecs::__private::One::new(__this)
        }
    }
    #[automatically_derived]
    impl ::ecs::__private::Term for Score {
        type Fetch = ::ecs::__private::Read<Self>;
        type WithEntity = (::ecs::__private::EntityFetch, ::ecs::__private::Read<Self>);
    }
    #[automatically_derived]
    impl ::ecs::__private::Indexed for Score {
        type Key = u32;
        type Index = ::ecs::__private::Ordered<u32>;
        #[inline]
        fn with_key<__R>(
            _: ::ecs::__private::Internal<Self>,
            __value: ::ecs::__private::Ref<'_, Self>,
            __read: impl ::core::ops::FnOnce(&u32) -> __R,
        ) -> __R {
            __read(&__value.points)
        }
    }
};
