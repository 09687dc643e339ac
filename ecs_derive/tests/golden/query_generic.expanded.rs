const _: () = {
    #[automatically_derived]
    impl<T, U, V: Clone, const N: usize> ::ecs::__private::StructQuery
    for Pair<'static, T, U, V, N>
    where
        V: Default,
        T: 'static,
        U: 'static,
        V: 'static,
        T: ::ecs::__private::Component,
        U: ::ecs::__private::Component,
        V: ::ecs::__private::AnyComponent,
        Grid<T, N>: ::core::marker::Send + ::core::marker::Sync + 'static,
    {
        type Terms = (
            <&'static mut T as ::ecs::__private::Field>::Fetch,
            <Option<(&'static U, Has<V>)> as ::ecs::__private::Field>::Fetch,
            <&'static Grid<T, N> as ::ecs::__private::Field>::Fetch,
            <inner::Nested<'static, T> as ::ecs::__private::Field>::Fetch,
            ::ecs::__private::FetchIf<Entity, { __IS_FIELD_4 }>,
        );
        type Filter = (
            ::ecs::__private::With<Tag>,
            ::ecs::__private::With<U>,
            ::ecs::__private::Without<Dead>,
        );
        type Item<'__w> = Pair<'__w, T, U, V, N>;
        const NAME: &'static ::core::primitive::str = "Pair";
        const FIELDS: &'static [&'static ::core::primitive::str] = &[
            "one",
            "two",
            "grid",
            "nested",
            "entity",
        ];
        #[inline]
        fn build<'__w>(
            _: ::ecs::__private::Internal<Self>,
            __items: <<Self as ::ecs::__private::StructQuery>::Terms as ::ecs::__private::Fetch>::Item<
                '__w,
            >,
        ) -> <Self as ::ecs::__private::StructQuery>::Item<'__w> {
            let (__0, __1, __2, __3, __4) = __items;
            Pair {
                one: __0,
                two: __1,
                grid: __2,
                nested: __3,
                entity: ::ecs::__private::ItemIf::<{ __IS_FIELD_4 }, _>(__4).__ecs_take(),
            }
        }
    }
    impl<
        'a,
        T,
        U,
        V: Clone,
        const N: usize,
    > ::ecs::__private::Lists<Pair<'a, T, U, V, N>, ::ecs::__private::InQueries>
    for ::ecs::__private::Registry
    where
        V: Default,
        T: 'static,
        U: 'static,
        V: 'static,
        T: ::ecs::__private::Component,
        U: ::ecs::__private::Component,
        V: ::ecs::__private::AnyComponent,
        Grid<T, N>: ::core::marker::Send + ::core::marker::Sync + 'static,
    {
        type This = Pair<'a, T, U, V, N>;
    }
    #[automatically_derived]
    impl<'a, T, U, V: Clone, const N: usize> ::ecs::__private::Term
    for Pair<'a, T, U, V, N>
    where
        V: Default,
        T: 'static,
        U: 'static,
        V: 'static,
        T: ::ecs::__private::Component,
        U: ::ecs::__private::Component,
        V: ::ecs::__private::AnyComponent,
        Grid<T, N>: ::core::marker::Send + ::core::marker::Sync + 'static,
    {
        type Fetch = ::ecs::__private::Derived<Pair<'static, T, U, V, N>>;
        type WithEntity = ::ecs::__private::Derived<Pair<'static, T, U, V, N>>;
    }
    use ::ecs::__private::NoField as _;
    const __IS_FIELD_4: ::core::primitive::bool = ::ecs::__private::FieldProbe::<
        Entity,
        Entity,
    >::__ECS_ARE_FIELDS;
    const _: () = {
        ::ecs::__private::check_value::<Entity>();
    };
};
