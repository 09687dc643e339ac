const _: () = {
    #[automatically_derived]
    impl ::ecs::__private::Bundle for Nothing {
        const LABEL: &'static ::core::primitive::str = "Nothing";
        const FIELDS: &'static [&'static ::core::primitive::str] = &[];
        const PARTS: &'static [::ecs::__private::Part] = &[];
        #[inline]
        fn into_parts(self) -> impl ::ecs::__private::Parts {
            use ::ecs::__private::NoBundle as _;
            let Self {} = self;
            ()
        }
    }
};
