const _: () = {
    #[automatically_derived]
    impl<'w> ::ecs::__private::ViewSet for Sides<'w> {
        type Claims = (
            <::ecs::__private::FieldIf<
                __Field0,
                __IS_VIEW_0,
            > as ::ecs::__private::ViewField>::Claim,
            <::ecs::__private::FieldIf<
                __Field1,
                __IS_VIEW_1,
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
                players: ::ecs::__private::ClaimedIf::<__IS_VIEW_0, _>(__0).__ecs_into(),
                others: ::ecs::__private::ClaimedIf::<__IS_VIEW_1, _>(__1).__ecs_into(),
            }
        }
    }
    use ::ecs::__private::NoView as _;
    type __Field0 = ::ecs::__private::Viewed<(&'static mut Health, With<Player>)>;
    const __IS_VIEW_0: ::core::primitive::bool = ::ecs::__private::ViewProbe::<
        __Field0,
    >::__ECS_IS_VIEW;
    type __Field1 = ::ecs::__private::Viewed<(&'static mut Health, Without<Player>)>;
    const __IS_VIEW_1: ::core::primitive::bool = ::ecs::__private::ViewProbe::<
        __Field1,
    >::__ECS_IS_VIEW;
    const _: () = { ::ecs::__private::check_views::<Sides<'static>>() };
};
