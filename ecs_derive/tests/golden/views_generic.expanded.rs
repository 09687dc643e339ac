const _: () = {
    #[automatically_derived]
    impl<'v, A: Component, B> game::ecs::__private::ViewSet for Pair<'v, A, B>
    where
        B: Component,
        A: 'static,
        B: 'static,
    {
        type Supplies = (
            <View<'static, &'static mut A> as game::ecs::__private::Param>::Supply,
            <View<'static, Option<&'static B>> as game::ecs::__private::Param>::Supply,
        );
        type Views<'__w> = Pair<'__w, A, B>;
        const NAMES: &'static [&'static ::core::primitive::str] = &["0", "1"];
        #[inline]
        fn build<'__w>(
            _: game::ecs::__private::Internal<Self>,
            __given: <Self::Supplies as game::ecs::__private::SupplySet>::Given<'__w>,
        ) -> Self::Views<'__w> {
            let (__0, __1) = __given;
            Pair::<'__w, A, B> {
                0: ::core::convert::From::from(__0),
                1: ::core::convert::From::from(__1),
            }
        }
    }
    #[automatically_derived]
    impl<'v, A: Component, B> game::ecs::__private::ListsParam<Pair<'v, A, B>>
    for game::ecs::__private::Registry
    where
        B: Component,
        A: 'static,
        B: 'static,
    {
        type This = Pair<'v, A, B>;
    }
    #[automatically_derived]
    impl<'v, A: Component, B> game::ecs::__private::ParamParts for Pair<'v, A, B>
    where
        B: Component,
        A: 'static,
        B: 'static,
    {
        type Supply = game::ecs::__private::OfStruct<Pair<'static, A, B>>;
        type Item<'__w> = Pair<'__w, A, B>;
    }
};
