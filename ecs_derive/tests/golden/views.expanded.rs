const _: () = {
    #[automatically_derived]
    impl<'__w> ::ecs::__private::ViewSet for Sides<'__w> {
        type Supplies = (
            <::ecs::__private::ParamIf<
                __Field0,
                { __IS_PARAM_0 },
            > as ::ecs::__private::Param>::Supply,
            <::ecs::__private::ParamIf<
                __Field1,
                { __IS_PARAM_1 },
            > as ::ecs::__private::Param>::Supply,
        );
        type Views<'w> = Sides<'w>;
        const NAMES: &'static [&'static ::core::primitive::str] = &["players", "others"];
        #[inline]
        fn build<'w>(
            _: ::ecs::__private::Internal<Self>,
            __given: <Self::Supplies as ::ecs::__private::SupplySet>::Given<'w>,
        ) -> Self::Views<'w> {
            let (__0, __1) = __given;
            Sides::<'w> {
                players: ::ecs::__private::GivenIf::<
                    { __IS_PARAM_0 },
                    _,
                >::__ecs_into(__0),
                others: ::ecs::__private::GivenIf::<{ __IS_PARAM_1 }, _>::__ecs_into(__1),
            }
        }
    }
    #[automatically_derived]
    impl<'__w> ::ecs::__private::ListsParam<Sides<'__w>> for ::ecs::__private::Registry {
        type This = Sides<'__w>;
    }
    #[automatically_derived]
    impl<'__w> ::ecs::__private::ParamParts for Sides<'__w> {
        type Supply = ::ecs::__private::OfStruct<Sides<'static>>;
        type Item<'w> = Sides<'w>;
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
