const _: () = {
    impl ::ecs::__private::Lists<Hero, ::ecs::__private::InBundles>
    for ::ecs::__private::Registry {
        type This = Hero;
    }
    #[automatically_derived]
    impl ::ecs::__private::Contents<Self> for Hero
    where
        for<'__s> Self: ::ecs::__private::Share<'__s>,
    {
        const LABEL: &'static ::core::primitive::str = "Hero";
        const FIELDS: &'static [&'static ::core::primitive::str] = __FIELDS;
        const PARTS: &'static [::ecs::__private::Part] = __PARTS;
        #[inline]
        fn into_parts(__bundle: Self) -> impl ::ecs::__private::Parts {
            use ::ecs::__private::NoBundle as _;
            let Self { position: __0, r#type: __1 } = __bundle;
            (
                ::ecs::__private::PartOf(__0).into_parts(),
                ::ecs::__private::PartOf(__1).into_parts(),
            )
        }
    }
    const __FIELDS: &'static [&'static ::core::primitive::str] = &["position", "type"];
    const __PARTS: &'static [::ecs::__private::Part] = &[
        ::ecs::__private::Part::of_bundle::<Position>(),
        ::ecs::__private::Part::of_bundle::<Kind>(),
    ];
    const _: () = {
        ::ecs::__private::check_bundle_field("Hero", __FIELDS, __PARTS, 0usize);
        ::ecs::__private::check_bundle_field("Hero", __FIELDS, __PARTS, 1usize);
    };
};
