::core::compile_error! {
    "bundles own their data: remove the lifetime `'a`, and store owned values or an `Entity`"
}
::core::compile_error! {
    "a bundle is a struct with a field per component; make `Hero` a struct"
}
const _: () = {
    #[automatically_derived]
    impl<T> ::ecs::__private::Bundle for Hero<'static, T>
    where
        Self: ::core::marker::Send + ::core::marker::Sync + 'static,
    {
        const LABEL: &'static ::core::primitive::str = "Hero";
        const FIELDS: &'static [&'static ::core::primitive::str] = &[];
        const PARTS: &'static [::ecs::__private::Part] = &[];
        #[inline]
        fn into_parts(self) -> impl ::ecs::__private::Parts {
            use ::ecs::__private::NoBundle as _;
            ()
        }
    }
};
