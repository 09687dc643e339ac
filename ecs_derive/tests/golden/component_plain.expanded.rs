const _: () = {
    const __ID: ::ecs::__private::ComponentId = ::ecs::__private::ComponentId::of(
            ::core::option_env!("CARGO_PKG_NAME"),
            ::core::option_env!("CARGO_PKG_VERSION"),
            ::core::module_path!(),
            "Health",
            ::core::line!(),
            ::core::column!(),
        )
        .in_binary(::core::option_env!("CARGO_BIN_NAME"));
    impl<__Place> ::ecs::__private::Lists<Health, __Place>
    for ::ecs::__private::Registry {
        type This = Health;
    }
    #[automatically_derived]
    impl ::ecs::__private::AnyComponent for Health {
        type Storage = ::ecs::__private::VecStorage<Self>;
        type Requires = ();
        const NAME: &'static ::core::primitive::str = "Health";
        const ID: ::ecs::__private::ComponentId = __ID;
        const BIT: ::ecs::__private::Signature = __ID.bit();
        #[inline]
        fn slot() -> ::core::option::Option<
            &'static ::ecs::__private::ComponentSlot<Self>,
        > {
            static __SLOT: ::ecs::__private::ComponentSlot<Health> = ::ecs::__private::ComponentSlot::new();
            ::core::option::Option::Some(&__SLOT)
        }
        const SHAPE: &'static ::core::primitive::str = "(\n0:u32";
        ::ecs::__private::saving_bytes! {
            const SAVING : ::core::option::Option < ::ecs::__private::Saving > =
            ::core::option::Option::Some(::ecs::__private::Saving::by_bytes:: < Self >
            ("health", "", 1, 1924416391));
        }
    }
    #[automatically_derived]
    impl ::ecs::__private::Component for Health {}
    #[automatically_derived]
    impl ::ecs::__private::Contents<Self> for Health {
        const PARTS: &'static [::ecs::__private::Part] = &[
            ::ecs::__private::Part::of::<Self>(),
        ];
        #[inline(always)]
        fn into_parts(__this: Self) -> impl ::ecs::__private::Parts {
            ::ecs::__private::One::new(__this)
        }
    }
    #[automatically_derived]
    impl ::ecs::__private::Term for Health {
        type Fetch = ::ecs::__private::Read<Self>;
        type WithEntity = (::ecs::__private::EntityFetch, ::ecs::__private::Read<Self>);
    }
    #[automatically_derived]
    impl ::ecs::__private::Same for Health {
        #[inline]
        fn same(&self, __other: &Self) -> ::core::primitive::bool {
            use ::ecs::__private::UnknownField as _;
            true & ::ecs::__private::FieldOfTwo(&self.0, &__other.0).__ecs_same()
        }
    }
};
