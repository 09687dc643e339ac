const _: () = {
    #[automatically_derived]
    impl ::ecs::__private::Bundle for Hero {
        const LABEL: &'static ::core::primitive::str = "Hero";
        const FIELDS: &'static [&'static ::core::primitive::str] = &["position", "type"];
        const PARTS: &'static [::ecs::__private::Part] = &[
            <Position as ::ecs::__private::Bundle>::PART,
            <Kind as ::ecs::__private::Bundle>::PART,
        ];
        #[inline]
        fn into_parts(self) -> impl ::ecs::__private::Parts {
            use ::ecs::__private::NoBundle as _;
            let Self { position: __0, r#type: __1 } = self;
            (
                ::ecs::__private::PartOf(__0).into_parts(),
                ::ecs::__private::PartOf(__1).into_parts(),
            )
        }
    }
    const _: () = ::ecs::__private::check_bundle_field::<Hero>(0usize);
    const _: () = ::ecs::__private::check_bundle_field::<Hero>(1usize);
};
