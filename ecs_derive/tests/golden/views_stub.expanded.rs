::core::compile_error! {
    "views `Nothing` has no fields; give it one per view, as in `movers: View<'w, (&'w mut Position, &'w Velocity)>`"
}
const _: () = {
    #[automatically_derived]
    impl<'__w> ::ecs::__private::ViewSet for Nothing<'__w> {
        type Supplies = (
            <::ecs::__private::Viewed<
                ::ecs::__private::Entity,
            > as ::ecs::__private::Param>::Supply,
        );
        type Views<'w> = Nothing<'static>;
        const NAMES: &'static [&'static ::core::primitive::str] = &[];
        #[inline]
        fn build<'w>(
            _: ::ecs::__private::Internal<Self>,
            __given: <Self::Supplies as ::ecs::__private::SupplySet>::Given<'w>,
        ) -> Self::Views<'w> {
            loop {}
        }
    }
    #[automatically_derived]
    impl<'__w> ::ecs::__private::ListsParam<Nothing<'__w>>
    for ::ecs::__private::Registry {
        type This = Nothing<'__w>;
    }
    #[automatically_derived]
    impl<'__w> ::ecs::__private::ParamParts for Nothing<'__w> {
        type Supply = ::ecs::__private::OfStruct<Nothing<'static>>;
        type Item<'w> = Nothing<'static>;
    }
};
