const _: () = {
    #[automatically_derived]
    impl<'w> ::ecs::__private::ViewSet for Sides<'w> {
        type Joins = (
            <View<
                'static,
                (&'static mut Health, With<Player>),
            > as ::ecs::__private::ViewField>::Fetch,
            <View<
                'static,
                (&'static mut Health, Without<Player>),
            > as ::ecs::__private::ViewField>::Fetch,
        );
        type Views<'__w> = Sides<'__w>;
        const NAMES: &'static [&'static ::core::primitive::str] = &["players", "others"];
        #[inline]
        fn build<'__w>(
            _: ::ecs::__private::Internal<Self>,
            __joins: <Self::Joins as ::ecs::__private::JoinSet>::Joins<'__w>,
        ) -> Self::Views<'__w> {
            let (__0, __1) = __joins;
            Sides {
                players: ::ecs::__private::View::new(__0),
                others: ::ecs::__private::View::new(__1),
            }
        }
    }
    const _: () = ::ecs::__private::check_views::<Sides<'static>>();
};
