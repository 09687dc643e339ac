const _: () = {
    const __ID: ::ecs::__private::ComponentId = ::ecs::__private::ComponentId::of(
            ::core::option_env!("CARGO_PKG_NAME"),
            ::core::option_env!("CARGO_PKG_VERSION"),
            ::core::module_path!(),
            "Ship",
            ::core::line!(),
            ::core::column!(),
        )
        .in_binary(::core::option_env!("CARGO_BIN_NAME"));
    impl<__Place> ::ecs::__private::Lists<Ship, __Place> for ::ecs::__private::Registry {
        type This = Ship;
    }
    #[automatically_derived]
    impl ::ecs::__private::AnyComponent for Ship {
        type Storage = ::ecs::__private::VecStorage<Self>;
        type Requires = __Requires;
        const NAME: &'static ::core::primitive::str = "Ship";
        const ID: ::ecs::__private::ComponentId = __ID;
        const BIT: ::ecs::__private::Signature = __ID.bit();
        #[inline]
        fn slot() -> ::core::option::Option<
            &'static ::ecs::__private::ComponentSlot<Self>,
        > {
            static __SLOT: ::ecs::__private::ComponentSlot<Ship> = ::ecs::__private::ComponentSlot::new();
            ::core::option::Option::Some(&__SLOT)
        }
        const SHAPE: &'static ::core::primitive::str = "";
        const REQUIRES: ::core::primitive::bool = true;
        fn require(
            _: ::ecs::__private::Internal<Self>,
            __target: &mut impl ::ecs::__private::Requirer,
        ) {
            ::ecs::__private::Requirer::require::<
                Velocity,
            >(__target, || -> Velocity { ::ecs::__private::by_default() });
            ::ecs::__private::Requirer::require::<
                parts::Health,
            >(__target, || -> parts::Health { (Health(Self::FULL)) });
        }
        const RULES: &'static [::ecs::__private::DeclaredRule] = &[
            {
                use ::ecs::__private::UnseenRule as _;
                ::ecs::__private::SeenRule::<Velocity>::REQUIRES
            },
            {
                use ::ecs::__private::UnseenRule as _;
                ::ecs::__private::SeenRule::<parts::Health>::REQUIRES
            },
        ];
        const RULED: ::core::primitive::bool = {
            use ::ecs::__private::Unseen as _;
            ::ecs::__private::is_any_ruled(
                &::ecs::__private::SeenRequirements::<Self>::TREE,
            )
        };
    }
    #[automatically_derived]
    impl ::ecs::__private::Component for Ship {}
    pub enum __Requires {}
    #[automatically_derived]
    impl<__Steps> ::ecs::__private::RequiredWithin<__Steps> for __Requires
    where
        (Velocity, parts::Health): ::ecs::__private::RequiredWithin<__Steps>,
    {
        const TREE: ::ecs::__private::Required = <(
            Velocity,
            parts::Health,
        ) as ::ecs::__private::RequiredWithin<__Steps>>::TREE;
    }
    const _: () = {
        use ::ecs::__private::Unseen as _;
        ::ecs::__private::check_requirements::<
            Ship,
        >(&::ecs::__private::SeenRequirements::<Ship>::TREE)
    };
    #[automatically_derived]
    impl ::ecs::__private::Contents<Self> for Ship {
        const PARTS: &'static [::ecs::__private::Part] = &[
            ::ecs::__private::Part::of::<Self>(),
        ];
        #[inline(always)]
        fn into_parts(__this: Self) -> impl ::ecs::__private::Parts {
            ::ecs::__private::One::new(__this)
        }
    }
    #[automatically_derived]
    impl ::ecs::__private::Term for Ship {
        type Fetch = ::ecs::__private::Read<Self>;
        type WithEntity = (::ecs::__private::EntityFetch, ::ecs::__private::Read<Self>);
    }
};
