const _: () = {
    const __ID: ::ecs::__private::ComponentId = ::ecs::__private::ComponentId::of(
            ::core::option_env!("CARGO_PKG_NAME"),
            ::core::option_env!("CARGO_PKG_VERSION"),
            ::core::module_path!(),
            "Callsign",
            ::core::line!(),
            ::core::column!(),
        )
        .in_binary(::core::option_env!("CARGO_BIN_NAME"));
    impl<__Place> ::ecs::__private::Lists<Callsign, __Place>
    for ::ecs::__private::Registry {
        type This = Callsign;
    }
    #[automatically_derived]
    impl ::ecs::__private::AnyComponent for Callsign {
        type Storage = ::ecs::__private::VecStorage<Self>;
        type Requires = ();
        const NAME: &'static ::core::primitive::str = "Callsign";
        const ID: ::ecs::__private::ComponentId = __ID;
        const BIT: ::ecs::__private::Signature = __ID.bit();
        #[inline]
        fn slot() -> ::core::option::Option<
            &'static ::ecs::__private::ComponentSlot<Self>,
        > {
            static __SLOT: ::ecs::__private::ComponentSlot<Callsign> = ::ecs::__private::ComponentSlot::new();
            ::core::option::Option::Some(&__SLOT)
        }
        const INDEX: ::core::option::Option<::ecs::__private::IndexRule> = ::core::option::Option::Some(
            ::ecs::__private::IndexRule::unique::<Self, _>(),
        );
        const SHAPE: &'static ::core::primitive::str = "(\n0:String";
    }
    #[automatically_derived]
    impl ::ecs::__private::Component for Callsign {}
    #[automatically_derived]
    impl ::ecs::__private::Contents<Self> for Callsign {
        const PARTS: &'static [::ecs::__private::Part] = &[
            ::ecs::__private::Part::of::<Self>(),
        ];
        #[inline(always)]
        fn into_parts(__this: Self) -> impl ::ecs::__private::Parts {
            ::ecs::__private::One::new(__this)
        }
    }
    #[automatically_derived]
    impl ::ecs::__private::Term for Callsign {
        type Fetch = ::ecs::__private::Read<Self>;
        type WithEntity = (::ecs::__private::EntityFetch, ::ecs::__private::Read<Self>);
    }
    #[automatically_derived]
    impl ::ecs::__private::Indexed for Callsign {
        type Key = String;
        type Index = ::ecs::__private::Hashed<String>;
        #[inline]
        fn with_key<__R>(
            _: ::ecs::__private::Internal<Self>,
            __value: ::ecs::__private::Ref<'_, Self>,
            __read: impl ::core::ops::FnOnce(&String) -> __R,
        ) -> __R {
            __read(
                &{
                    let __key: String = (Callsign::text)(__value);
                    __key
                },
            )
        }
    }
};
