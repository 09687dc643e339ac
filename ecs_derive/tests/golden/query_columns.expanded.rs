const _: () = {
    #[automatically_derived]
    impl ::ecs::__private::StructQuery for Pan<'static> {
        type Terms = (
            <&'static proximity::angle as ::ecs::__private::Field>::Fetch,
            <Option<&'static mut proximity::distance> as ::ecs::__private::Field>::Fetch,
            <AudioMut<'static> as ::ecs::__private::Field>::Fetch,
        );
        type Filter = ();
        type Item<'__w> = Pan<'__w>;
        const NAME: &'static ::core::primitive::str = "Pan";
        const FIELDS: &'static [&'static ::core::primitive::str] = &[
            "angle",
            "distance",
            "audio",
        ];
        #[inline]
        fn build<'__w>(
            _: ::ecs::__private::Internal<Self>,
            __items: <Self::Terms as ::ecs::__private::Fetch>::Item<'__w>,
        ) -> Self::Item<'__w> {
            let (__0, __1, __2) = __items;
            Pan {
                angle: __0,
                distance: __1,
                audio: __2,
            }
        }
    }
    #[automatically_derived]
    impl<'w> ::ecs::__private::Term for Pan<'w> {
        type Fetch = ::ecs::__private::Derived<Pan<'static>>;
        type WithEntity = ::ecs::__private::Derived<Pan<'static>>;
    }
    const _: () = ::ecs::__private::check_field::<Pan<'static>>(0usize);
    const _: () = ::ecs::__private::check_field::<Pan<'static>>(1usize);
    const _: () = ::ecs::__private::check_field::<Pan<'static>>(2usize);
};
