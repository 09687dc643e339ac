const _: () = {
    const __ID: ::ecs::__private::ComponentId = ::ecs::__private::ComponentId::of(
            ::core::option_env!("CARGO_PKG_NAME"),
            ::core::option_env!("CARGO_PKG_VERSION"),
            ::core::module_path!(),
            "Player",
            ::core::line!(),
            ::core::column!(),
        )
        .in_binary(::core::option_env!("CARGO_BIN_NAME"));
    impl<__Place> ::ecs::__private::Lists<Player, __Place>
    for ::ecs::__private::Registry {
        type This = Player;
    }
    #[automatically_derived]
    impl ::ecs::__private::AnyComponent for Player {
        type Storage = ::ecs::__private::VecStorage<Self>;
        type Requires = __Requires;
        const NAME: &'static ::core::primitive::str = "Player";
        const ID: ::ecs::__private::ComponentId = __ID;
        const BIT: ::ecs::__private::Signature = __ID.bit();
        #[inline]
        fn slot() -> ::core::option::Option<
            &'static ::ecs::__private::ComponentSlot<Self>,
        > {
            static __SLOT: ::ecs::__private::ComponentSlot<Player> = ::ecs::__private::ComponentSlot::new();
            ::core::option::Option::Some(&__SLOT)
        }
        const SHAPE: &'static ::core::primitive::str = "";
        const REQUIRES: ::core::primitive::bool = true;
        fn require(
            _: ::ecs::__private::Internal<Self>,
            __target: &mut impl ::ecs::__private::Requirer,
        ) {
            ::ecs::__private::Requirer::require::<
                Armour,
            >(__target, || -> Armour { ::ecs::__private::by_default() });
        }
        const RULES: &'static [::ecs::__private::DeclaredRule] = &[
            ::ecs::__private::DeclaredRule::needs::<Health>(),
            ::ecs::__private::DeclaredRule::excludes::<Enemy>(),
            ::ecs::__private::DeclaredRule::excludes::<Slot<u8>>(),
            ::ecs::__private::DeclaredRule::replaces::<Walking>(),
            {
                use ::ecs::__private::UnseenRule as _;
                ::ecs::__private::SeenRule::<Armour>::REQUIRES
            },
        ];
        const RULED: ::core::primitive::bool = true;
    }
    #[automatically_derived]
    impl ::ecs::__private::Component for Player {}
    pub enum __Requires {}
    #[automatically_derived]
    impl<__Steps> ::ecs::__private::RequiredWithin<__Steps> for __Requires
    where
        (
            Armour,
            ::ecs::__private::Needed<Health>,
        ): ::ecs::__private::RequiredWithin<__Steps>,
    {
        const TREE: ::ecs::__private::Required = <(
            Armour,
            ::ecs::__private::Needed<Health>,
        ) as ::ecs::__private::RequiredWithin<__Steps>>::TREE;
    }
    const _: () = {
        use ::ecs::__private::Unseen as _;
        ::ecs::__private::check_excluded::<Player, Enemy>();
        ::ecs::__private::check_excluded::<Player, Slot<u8>>();
        ::ecs::__private::check_requirements::<
            Player,
        >(&::ecs::__private::SeenRequirements::<Player>::TREE)
    };
    #[automatically_derived]
    impl ::ecs::__private::Contents<Self> for Player {
        const PARTS: &'static [::ecs::__private::Part] = &[
            ::ecs::__private::Part::of::<Self>(),
        ];
        #[inline(always)]
        fn into_parts(__this: Self) -> impl ::ecs::__private::Parts {
            ::ecs::__private::One::new(__this)
        }
    }
    #[automatically_derived]
    impl ::ecs::__private::Term for Player {
        type Fetch = ::ecs::__private::Read<Self>;
        type WithEntity = (::ecs::__private::EntityFetch, ::ecs::__private::Read<Self>);
    }
};
