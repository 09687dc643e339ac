const _: () = {
    #[automatically_derived]
    impl<'w> ::ecs::__private::ViewSet for Sides<'w> {
        type Supplies = (
            <::ecs::__private::ParamIf<
                __Field0,
                __IS_PARAM_0,
            > as ::ecs::__private::Param>::Supply,
            <::ecs::__private::ParamIf<
                __Field1,
                __IS_PARAM_1,
            > as ::ecs::__private::Param>::Supply,
        );
        type Views<'__w> = Sides<'__w>;
        const NAMES: &'static [&'static ::core::primitive::str] = &["players", "others"];
        #[inline]
        fn build<'__w>(
            _: ::ecs::__private::Internal<Self>,
            __given: <Self::Supplies as ::ecs::__private::SupplySet>::Given<'__w>,
        ) -> Self::Views<'__w> {
            let (__0, __1) = __given;
            Sides {
                players: ::ecs::__private::GivenIf::<__IS_PARAM_0, _>(__0).__ecs_into(),
                others: ::ecs::__private::GivenIf::<__IS_PARAM_1, _>(__1).__ecs_into(),
            }
        }
    }
    #[automatically_derived]
    impl<'w> ::ecs::__private::Param for Sides<'w> {
        type Supply = ::ecs::__private::OfStruct<Sides<'static>>;
        type Item<'__w> = Sides<'__w>;
    }
    use ::ecs::__private::NoParam as _;
    type __Field0 = ::ecs::__private::Viewed<(&'static mut Health, With<Player>)>;
    const __IS_PARAM_0: ::core::primitive::bool = ::ecs::__private::ParamProbe::<
        __Field0,
    >::__ECS_IS_PARAM;
    type __Field1 = ::ecs::__private::Viewed<(&'static mut Health, Without<Player>)>;
    const __IS_PARAM_1: ::core::primitive::bool = ::ecs::__private::ParamProbe::<
        __Field1,
    >::__ECS_IS_PARAM;
    const _: () = { ::ecs::__private::check_views::<Sides<'static>>() };
};
