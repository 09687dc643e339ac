const _: () = {
    const __ID: crate::engine::ecs::__private::ComponentId = crate::engine::ecs::__private::ComponentId::of(
            ::core::option_env!("CARGO_PKG_NAME"),
            ::core::option_env!("CARGO_PKG_VERSION"),
            ::core::module_path!(),
            "Health",
            ::core::line!(),
            ::core::column!(),
        )
        .in_binary(::core::option_env!("CARGO_BIN_NAME"));
    impl<__Place> crate::engine::ecs::__private::Lists<Health, __Place>
    for crate::engine::ecs::__private::Registry {
        type This = Health;
    }
    #[automatically_derived]
    impl crate::engine::ecs::__private::AnyComponent for Health {
        type Storage = crate::engine::ecs::__private::VecStorage<Self>;
        type Requires = ();
        const NAME: &'static ::core::primitive::str = "Health";
        const ID: crate::engine::ecs::__private::ComponentId = __ID;
        const BIT: crate::engine::ecs::__private::Signature = crate::engine::ecs::__private::Signature::bit(
            5,
        );
        #[inline]
        fn slot() -> ::core::option::Option<
            &'static crate::engine::ecs::__private::ComponentSlot<Self>,
        > {
            static __SLOT: crate::engine::ecs::__private::ComponentSlot<Health> = crate::engine::ecs::__private::ComponentSlot::new();
            ::core::option::Option::Some(&__SLOT)
        }
        const GUARDED: ::core::primitive::bool = true;
        fn permits_removal(
            _: crate::engine::ecs::__private::Internal<Self>,
            __value: &mut Self,
        ) -> ::core::primitive::bool {
            let __veto: fn(&mut Self) -> ::core::primitive::bool = Self::may_go;
            __veto(__value)
        }
        const SHAPE: &'static ::core::primitive::str = "|Alive\n(\n0:u32\n|Dead";
    }
    #[automatically_derived]
    impl crate::engine::ecs::__private::Component for Health {}
    #[automatically_derived]
    impl crate::engine::ecs::__private::Contents<Self> for Health {
        const PARTS: &'static [crate::engine::ecs::__private::Part] = &[
            crate::engine::ecs::__private::Part::of::<Self>(),
        ];
        #[inline(always)]
        fn into_parts(__this: Self) -> impl crate::engine::ecs::__private::Parts {
            crate::engine::ecs::__private::One::new(__this)
        }
    }
    #[automatically_derived]
    impl crate::engine::ecs::__private::Term for Health {
        type Fetch = crate::engine::ecs::__private::Read<Self>;
        type WithEntity = (
            crate::engine::ecs::__private::EntityFetch,
            crate::engine::ecs::__private::Read<Self>,
        );
    }
};
