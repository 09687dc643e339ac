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
        fn insert(self, __target: &mut ::ecs::__private::Inserter<'_>) {
            let Self { 0: __0, 1: __1, 2: __2 } = self;
            <T as ::ecs::__private::Bundle>::insert(__0, __target);
            <Grid<T, N> as ::ecs::__private::Bundle>::insert(__1, __target);
            <Tag as ::ecs::__private::Bundle>::insert(__2, __target);
        }
        #[inline]
        fn reserve(__target: &mut ::ecs::__private::Reserver<'_>) {
            <T as ::ecs::__private::Bundle>::reserve(__target);
            <Grid<T, N> as ::ecs::__private::Bundle>::reserve(__target);
            <Tag as ::ecs::__private::Bundle>::reserve(__target);
        }
    }
};
