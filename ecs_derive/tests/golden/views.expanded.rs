const _: () = {
    #[automatically_derived]
    impl<'w> ::ecs::__private::ViewSet for Sides<'w> {
        type Joins = <(
            <View<
                'static,
                (&'static mut Health, With<Player>),
            > as ::ecs::__private::ViewField>::Query,
            <View<
                'static,
                (&'static mut Health, Without<Player>),
            > as ::ecs::__private::ViewField>::Query,
        ) as ::ecs::__private::ViewSet>::Joins;
        type Views<'__w> = Sides<'__w>;
        const NAMES: &'static [&'static ::core::primitive::str] = &["players", "others"];
        #[inline]
        fn build<'__w>(
            __joins: <Self::Joins as ::ecs::__private::JoinSet>::Joins<'__w>,
        ) -> Self::Views<'__w> {
            let (__0, __1) = <(
                <View<
                    'static,
                    (&'static mut Health, With<Player>),
                > as ::ecs::__private::ViewField>::Query,
                <View<
                    'static,
                    (&'static mut Health, Without<Player>),
                > as ::ecs::__private::ViewField>::Query,
            ) as ::ecs::__private::ViewSet>::build(__joins);
            Sides {
                players: ::ecs::__private::View::relabel(__0),
                others: ::ecs::__private::View::relabel(__1),
            }
        }
    }
    const _: () = ::ecs::__private::check_views::<Sides<'static>>();
};
