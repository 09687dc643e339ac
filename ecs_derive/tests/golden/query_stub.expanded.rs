::core::compile_error! {
    "query `Steer`: field `b` reads `T`, which field `a` writes"
}
const _: () = {
    #[automatically_derived]
    impl<T> ::ecs::__private::StructQuery for Steer<'static, T>
    where
        T: 'static,
    {
        type Terms = (::ecs::__private::EntityFetch,);
        type Filter = ();
        type Item<'__w> = Steer<'static, T>;
        const NAME: &'static ::core::primitive::str = "Steer";
        const FIELDS: &'static [&'static ::core::primitive::str] = &[];
        #[inline]
        fn build<'__w>(
            _: ::ecs::__private::Internal<Self>,
            __items: <<Self as ::ecs::__private::StructQuery>::Terms as ::ecs::__private::Fetch>::Item<
                '__w,
            >,
        ) -> <Self as ::ecs::__private::StructQuery>::Item<'__w> {
            loop {}
        }
    }
    impl<'w, T> ::ecs::__private::Lists<Steer<'w, T>, ::ecs::__private::InQueries>
    for ::ecs::__private::Registry
    where
        T: 'static,
    {
        type This = Steer<'w, T>;
    }
    #[automatically_derived]
    impl<'w, T> ::ecs::__private::Term for Steer<'w, T>
    where
        T: 'static,
    {
        type Fetch = ::ecs::__private::Derived<Steer<'static, T>>;
        type WithEntity = ::ecs::__private::Derived<Steer<'static, T>>;
    }
};
