const _: () = {
    #[automatically_derived]
    impl<'v, A: Component, B> game::ecs::__private::ViewSet for Pair<'v, A, B>
    where
        B: Component,
        A: 'static,
        B: 'static,
    {
        type Claims = (
            <View<'static, &'static mut A> as game::ecs::__private::ViewField>::Claim,
            <View<'static, Option<&'static B>> as game::ecs::__private::ViewField>::Claim,
        );
        type Views<'__w> = Pair<'__w, A, B>;
        const NAMES: &'static [&'static ::core::primitive::str] = &["0", "1"];
        #[inline]
        fn build<'__w>(
            _: game::ecs::__private::Internal<Self>,
            __claimed: <Self::Claims as game::ecs::__private::ClaimSet>::Claimed<'__w>,
        ) -> Self::Views<'__w> {
            let (__0, __1) = __claimed;
            Pair {
                0: ::core::convert::From::from(__0),
                1: ::core::convert::From::from(__1),
            }
        }
    }
};
