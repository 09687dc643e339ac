const _: () = {
    #[automatically_derived]
    impl engine::__private::StructQuery for Tagged {
        type Terms = (
            <Entity as engine::__private::Field>::Fetch,
            <Has<Tag> as engine::__private::Field>::Fetch,
        );
        type Filter = ();
        type Item<'__w> = Tagged;
        const NAME: &'static ::core::primitive::str = "Tagged";
        const FIELDS: &'static [&'static ::core::primitive::str] = &["entity", "tagged"];
        #[inline]
        fn build<'__w>(
            _: engine::__private::Internal<Self>,
            __items: <Self::Terms as engine::__private::Fetch>::Item<'__w>,
        ) -> Self::Item<'__w> {
            let (__0, __1) = __items;
            Tagged { entity: __0, tagged: __1 }
        }
    }
    #[automatically_derived]
    impl engine::__private::Term for Tagged {
        type Fetch = engine::__private::Derived<Tagged>;
        type WithEntity = engine::__private::Derived<Tagged>;
    }
    const _: () = engine::__private::check_field::<Tagged>(0usize);
    const _: () = engine::__private::check_field::<Tagged>(1usize);
};
