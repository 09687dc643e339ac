const _: () = {
    #[automatically_derived]
    impl ::ecs::__private::StructQuery for r#Tuple<'static> {
        type Terms = (
            <Entity as ::ecs::__private::Field>::Fetch,
            <(&'static A, Option<&'static mut B>) as ::ecs::__private::Field>::Fetch,
        );
        type Filter = ();
        type Item<'__w> = r#Tuple<'__w>;
        const NAME: &'static ::core::primitive::str = "Tuple";
        const FIELDS: &'static [&'static ::core::primitive::str] = &["0", "1"];
        #[inline]
        fn build<'__w>(
            _: ::ecs::__private::Internal<Self>,
            __items: <Self::Terms as ::ecs::__private::Fetch>::Item<'__w>,
        ) -> Self::Item<'__w> {
            let (__0, __1) = __items;
            r#Tuple { 0: __0, 1: __1 }
        }
    }
    #[automatically_derived]
    impl<'w> ::ecs::__private::Term for r#Tuple<'w> {
        type Fetch = ::ecs::__private::Derived<r#Tuple<'static>>;
        type WithEntity = ::ecs::__private::Derived<r#Tuple<'static>>;
    }
    const _: () = ::ecs::__private::check_field::<r#Tuple<'static>>(0usize);
    const _: () = ::ecs::__private::check_field::<r#Tuple<'static>>(1usize);
};
