const _: () = {
    #[automatically_derived]
    impl<'w> ::ecs::__private::ViewSet for Sides<'w> {
        type Claims = (
            <View<
                'static,
                (&'static mut Health, With<Player>),
            > as ::ecs::__private::ViewField>::Claim,
            <View<
                'static,
                (&'static mut Health, Without<Player>),
            > as ::ecs::__private::ViewField>::Claim,
        );
        type Views<'__w> = Sides<'__w>;
        const NAMES: &'static [&'static ::core::primitive::str] = &["players", "others"];
        #[inline]
        fn build<'__w>(
            _: ::ecs::__private::Internal<Self>,
            __claimed: <Self::Claims as ::ecs::__private::ClaimSet>::Claimed<'__w>,
        ) -> Self::Views<'__w> {
            let (__0, __1) = __claimed;
            Sides {
                players: ::core::convert::From::from(__0),
                others: ::core::convert::From::from(__1),
            }
        }
    }
    const _: () = ::ecs::__private::check_views::<Sides<'static>>();
};
