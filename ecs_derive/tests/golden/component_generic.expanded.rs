const _: () = {
    const __ID: ::ecs::__private::ComponentId = ::ecs::__private::ComponentId::of(
            ::core::option_env!("CARGO_PKG_NAME"),
            ::core::option_env!("CARGO_PKG_VERSION"),
            ::core::module_path!(),
            "Grid",
            ::core::line!(),
            ::core::column!(),
        )
        .in_binary(::core::option_env!("CARGO_BIN_NAME"))
        .inexact();
    impl<__Place, T: Clone, const N: usize> ::ecs::__private::Lists<Grid<T, N>, __Place>
    for ::ecs::__private::Registry
    where
        T: Default,
    {
        type This = Grid<T, N>;
    }
    #[automatically_derived]
    impl<T: Clone, const N: usize> ::ecs::__private::AnyComponent for Grid<T, N>
    where
        T: Default,
        ::ecs::__private::Threads: ::ecs::__private::MayShare<Self>,
        Self: 'static,
    {
        type Storage = ::ecs::__private::VecStorage<Self>;
        type Requires = ();
        const NAME: &'static ::core::primitive::str = "Grid";
        const ID: ::ecs::__private::ComponentId = __ID;
        const BIT: ::ecs::__private::Signature = __ID.bit();
        const SHAPE: &'static ::core::primitive::str = "<T\n<N\n(\n0:[T; N]";
        const HANDLE_FIELDS: &'static [::ecs::__private::HandleField] = {
            &[
                ::ecs::__private::HandleField::probed(
                    "0",
                    "[T; N]",
                    ::core::option::Option::None,
                    false,
                ),
            ]
        };
    }
    #[automatically_derived]
    impl<T: Clone, const N: usize> ::ecs::__private::Component for Grid<T, N>
    where
        T: Default,
        ::ecs::__private::Threads: ::ecs::__private::MayShare<Self>,
        Self: 'static,
    {}
    #[automatically_derived]
    impl<T: Clone, const N: usize> ::ecs::__private::Contents<Self> for Grid<T, N>
    where
        T: Default,
        ::ecs::__private::Threads: ::ecs::__private::MayShare<Self>,
        Self: 'static,
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
    impl<T: Clone, const N: usize> ::ecs::__private::Term for Grid<T, N>
    where
        T: Default,
        Self: ::ecs::__private::AnyComponent,
    {
        type Fetch = ::ecs::__private::Read<Self>;
        type WithEntity = (::ecs::__private::EntityFetch, ::ecs::__private::Read<Self>);
    }
};
