const _: () = {
    #[automatically_derived]
    impl ::ecs::__private::StructQuery for Noisy<'static> {
        type Terms = (
            <Entity as ::ecs::__private::Field>::Fetch,
            <&'static Proximity as ::ecs::__private::Field>::Fetch,
            <&'static mut Audio as ::ecs::__private::Field>::Fetch,
        );
        type Filter = ();
        type Item<'__w> = Noisy<'__w>;
        const NAME: &'static ::core::primitive::str = "Noisy";
        const FIELDS: &'static [&'static ::core::primitive::str] = &[
            "entity",
            "proximity",
            "audio",
        ];
        #[inline]
        fn build<'__w>(
            _: ::ecs::__private::Internal<Self>,
            __items: <Self::Terms as ::ecs::__private::Fetch>::Item<'__w>,
        ) -> Self::Item<'__w> {
            let (__0, __1, __2) = __items;
            Noisy {
                entity: __0,
                proximity: __1,
                audio: __2,
            }
        }
    }
    #[automatically_derived]
    impl<'w> ::ecs::__private::Term for Noisy<'w> {
        type Fetch = ::ecs::__private::Derived<Noisy<'static>>;
        type WithEntity = ::ecs::__private::Derived<Noisy<'static>>;
    }
    const _: () = ::ecs::__private::check_field::<Noisy<'static>>(0usize);
    const _: () = ::ecs::__private::check_field::<Noisy<'static>>(1usize);
    const _: () = ::ecs::__private::check_field::<Noisy<'static>>(2usize);
};
