const _: () = {
    #[automatically_derived]
    impl<T: Clone, const N: usize> ::ecs::__private::Bundle for Pair<T, N>
    where
        T: Default,
        T: ::ecs::__private::Bundle,
        Grid<T, N>: ::ecs::__private::Bundle,
        Self: ::core::marker::Send + ::core::marker::Sync + 'static,
    {
        const LABEL: &'static ::core::primitive::str = "Pair";
        const FIELDS: &'static [&'static ::core::primitive::str] = &["0", "1", "2"];
        const PARTS: &'static [::ecs::__private::Part] = &[
            <T as ::ecs::__private::Bundle>::PART,
            <Grid<T, N> as ::ecs::__private::Bundle>::PART,
            <Tag as ::ecs::__private::Bundle>::PART,
        ];
        #[inline]
        fn into_parts(self) -> impl ::ecs::__private::Parts {
            use ::ecs::__private::NoBundle as _;
            let Self { 0: __0, 1: __1, 2: __2 } = self;
            (
                ::ecs::__private::PartOf(__0).into_parts(),
                ::ecs::__private::PartOf(__1).into_parts(),
                ::ecs::__private::PartOf(__2).into_parts(),
            )
        }
    }
};
