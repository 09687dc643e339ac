const _: () = {
    impl<
        T: Clone,
        const N: usize,
    > ::ecs::__private::Lists<Pair<T, N>, ::ecs::__private::InBundles>
    for ::ecs::__private::Registry
    where
        T: Default,
    {
        type This = Pair<T, N>;
    }
    #[automatically_derived]
    impl<T: Clone, const N: usize> ::ecs::__private::Contents<Self> for Pair<T, N>
    where
        T: Default,
        T: ::ecs::__private::Bundle,
        Grid<T, N>: ::ecs::__private::Bundle,
        ::ecs::__private::Threads: ::ecs::__private::MayShare<Self>,
        Self: 'static,
    {
        const LABEL: &'static ::core::primitive::str = "Pair";
        const FIELDS: &'static [&'static ::core::primitive::str] = &["0", "1", "2"];
        const PARTS: &'static [::ecs::__private::Part] = &[
            ::ecs::__private::Part::of_bundle::<T>(),
            ::ecs::__private::Part::of_bundle::<Grid<T, N>>(),
            ::ecs::__private::Part::of_bundle::<Tag>(),
        ];
        #[inline]
        fn into_parts(__bundle: Self) -> impl ::ecs::__private::Parts {
            use ::ecs::__private::NoBundle as _;
            let Self { 0: __0, 1: __1, 2: __2 } = __bundle;
            (
                ::ecs::__private::PartOf(__0).into_parts(),
                ::ecs::__private::PartOf(__1).into_parts(),
                ::ecs::__private::PartOf(__2).into_parts(),
            )
        }
    }
};
