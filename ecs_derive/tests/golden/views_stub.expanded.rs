::core::compile_error! {
    "views `Nothing` has no fields; give it one per view, as in `movers: View<'w, (&'w mut Position, &'w Velocity)>`"
}
const _: () = {
    #[automatically_derived]
    impl<'w> ::ecs::__private::ViewSet for Nothing<'w> {
        type Supplies = (
            <::ecs::__private::Viewed<
                ::ecs::__private::Entity,
            > as ::ecs::__private::Param>::Supply,
        );
        type Views<'__w> = Nothing<'static>;
        const NAMES: &'static [&'static ::core::primitive::str] = &[];
        #[inline]
        fn build<'__w>(
            _: ::ecs::__private::Internal<Self>,
            __given: <Self::Supplies as ::ecs::__private::SupplySet>::Given<'__w>,
        ) -> Self::Views<'__w> {
            loop {}
        }
    }
    #[automatically_derived]
    impl<'w> ::ecs::__private::Param for Nothing<'w> {
        type Supply = ::ecs::__private::OfStruct<Nothing<'static>>;
        type Item<'__w> = Nothing<'static>;
    }
};
