const _: () = {
    const __ID: ::ecs::__private::ComponentId = ::ecs::__private::ComponentId::of(
            ::core::option_env!("CARGO_PKG_NAME"),
            ::core::option_env!("CARGO_PKG_VERSION"),
            ::core::module_path!(),
            "Holder",
            ::core::line!(),
            ::core::column!(),
        )
        .in_binary(::core::option_env!("CARGO_BIN_NAME"))
        .inexact();
    impl<__Place, T> ::ecs::__private::Lists<Holder<T>, __Place>
    for ::ecs::__private::Registry {
        type This = Holder<T>;
    }
    #[automatically_derived]
    impl<T> ::ecs::__private::AnyComponent for Holder<T>
    where
        ::ecs::__private::Threads: ::ecs::__private::MayShare<Self>,
        Self: 'static,
        Slot<T>: ::ecs::__private::AnyComponent + ::ecs::__private::ByDefault,
        List<T>: ::ecs::__private::AnyComponent,
    {
        type Storage = ::ecs::__private::VecStorage<Self>;
        type Requires = ();
        const NAME: &'static ::core::primitive::str = "Holder";
        const ID: ::ecs::__private::ComponentId = __ID;
        const BIT: ::ecs::__private::Signature = __ID.bit();
        const SHAPE: &'static ::core::primitive::str = "<T\n(\n0:T";
        const HANDLE_FIELDS: &'static [::ecs::__private::HandleField] = {
            &[
                ::ecs::__private::HandleField::probed(
                    "0",
                    "T",
                    ::core::option::Option::None,
                    false,
                ),
            ]
        };
        const REQUIRES: ::core::primitive::bool = true;
        fn require(
            _: ::ecs::__private::Internal<Self>,
            __target: &mut impl ::ecs::__private::Requirer,
        ) {
            ::ecs::__private::Requirer::require::<
                Slot<T>,
            >(__target, || -> Slot<T> { ::ecs::__private::by_default() });
            ::ecs::__private::Requirer::require::<
                Count,
            >(__target, || -> Count { ::ecs::__private::by_default() });
            ::ecs::__private::Requirer::require::<
                List<T>,
            >(__target, || -> List<T> { (List::new()) });
        }
        const RULES: &'static [::ecs::__private::DeclaredRule] = &[
            {
                use ::ecs::__private::UnseenRule as _;
                ::ecs::__private::SeenRule::<Slot<T>>::REQUIRES
            },
            {
                use ::ecs::__private::UnseenRule as _;
                ::ecs::__private::SeenRule::<Count>::REQUIRES
            },
            {
                use ::ecs::__private::UnseenRule as _;
                ::ecs::__private::SeenRule::<List<T>>::REQUIRES
            },
        ];
        const RULED: ::core::primitive::bool = true;
    }
    #[automatically_derived]
    impl<T> ::ecs::__private::Component for Holder<T>
    where
        ::ecs::__private::Threads: ::ecs::__private::MayShare<Self>,
        Self: 'static,
        Slot<T>: ::ecs::__private::AnyComponent + ::ecs::__private::ByDefault,
        List<T>: ::ecs::__private::AnyComponent,
    {}
    #[automatically_derived]
    impl<T> ::ecs::__private::Contents<Self> for Holder<T>
    where
        ::ecs::__private::Threads: ::ecs::__private::MayShare<Self>,
        Self: 'static,
        Slot<T>: ::ecs::__private::AnyComponent + ::ecs::__private::ByDefault,
        List<T>: ::ecs::__private::AnyComponent,
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
    impl<T> ::ecs::__private::Term for Holder<T>
    where
        Self: ::ecs::__private::AnyComponent,
    {
        type Fetch = ::ecs::__private::Read<Self>;
        type WithEntity = (::ecs::__private::EntityFetch, ::ecs::__private::Read<Self>);
    }
};
