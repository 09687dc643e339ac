const _: () = {
    #[automatically_derived]
    impl<'v, A: Component, B> game::ecs::__private::ViewSet for Pair<'v, A, B>
    where
        B: Component,
        A: 'static,
        B: 'static,
    {
        type Joins = (
            <View<'static, &'static mut A> as game::ecs::__private::ViewField>::Fetch,
            <View<'static, Option<&'static B>> as game::ecs::__private::ViewField>::Fetch,
        );
        type Views<'__w> = Pair<'__w, A, B>;
        const NAMES: &'static [&'static ::core::primitive::str] = &["0", "1"];
        #[inline]
        fn build<'__w>(
            _: game::ecs::__private::Internal<Self>,
            __joins: <Self::Joins as game::ecs::__private::JoinSet>::Joins<'__w>,
        ) -> Self::Views<'__w> {
            let (__0, __1) = __joins;
            Pair {
                0: game::ecs::__private::View::new(__0),
                1: game::ecs::__private::View::new(__1),
            }
        }
    }
};
