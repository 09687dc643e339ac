::core::compile_error! {
    "bundles own their data: remove the lifetime `'a`, and store owned values or an `Entity`"
}
::core::compile_error! {
    "a bundle is a struct with a field per component; make `Hero` a struct"
}
const _: () = {
    impl<T> ::ecs::__private::Lists<Hero<'static, T>, ::ecs::__private::InBundles>
    for ::ecs::__private::Registry {
        type This = Hero<'static, T>;
    }
    #[automatically_derived]
    impl<T> ::ecs::__private::Contents<Self> for Hero<'static, T>
    where
        ::ecs::__private::Threads: ::ecs::__private::MayShare<Self>,
        Self: 'static,
    {
        const LABEL: &'static ::core::primitive::str = "Hero";
        const FIELDS: &'static [&'static ::core::primitive::str] = &[];
        const PARTS: &'static [::ecs::__private::Part] = &[];
        #[inline]
        fn into_parts(__bundle: Self) -> impl ::ecs::__private::Parts {
            use ::ecs::__private::NoBundle as _;
            ()
        }
    }
};
