const _: () = {
    impl ::ecs::__private::Lists<Nothing, ::ecs::__private::InBundles>
    for ::ecs::__private::Registry {
        type This = Nothing;
    }
    #[automatically_derived]
    impl ::ecs::__private::Contents<Self> for Nothing {
        const LABEL: &'static ::core::primitive::str = "Nothing";
        const FIELDS: &'static [&'static ::core::primitive::str] = &[];
        const PARTS: &'static [::ecs::__private::Part] = &[];
        #[inline]
        fn into_parts(__bundle: Self) -> impl ::ecs::__private::Parts {
            use ::ecs::__private::NoBundle as _;
            let Self {} = __bundle;
            ()
        }
    }
};
