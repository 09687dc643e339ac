::core::compile_error! {
    "views `Nothing` has no fields; give it one per view, as in `movers: View<'w, (&'w mut Position, &'w Velocity)>`"
}
const _: () = {
    #[automatically_derived]
    impl<'w> ::ecs::__private::ViewSet for Nothing<'w> {
        type Claims = (::ecs::__private::EntityFetch,);
        type Views<'__w> = Nothing<'static>;
        const NAMES: &'static [&'static ::core::primitive::str] = &[];
        #[inline]
        fn build<'__w>(
            _: ::ecs::__private::Internal<Self>,
            __claimed: <Self::Claims as ::ecs::__private::ClaimSet>::Claimed<'__w>,
        ) -> Self::Views<'__w> {
            loop {}
        }
    }
};
