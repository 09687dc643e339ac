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
        fn insert(self, __target: &mut ::ecs::__private::Inserter<'_>) {
            let Self { position: __0, r#type: __1 } = self;
            <Position as ::ecs::__private::Bundle>::insert(__0, __target);
            <Kind as ::ecs::__private::Bundle>::insert(__1, __target);
        }
        #[inline]
        fn reserve(__target: &mut ::ecs::__private::Reserver<'_>) {
            <Position as ::ecs::__private::Bundle>::reserve(__target);
            <Kind as ::ecs::__private::Bundle>::reserve(__target);
        }
    }
    const _: () = ::ecs::__private::check_bundle_field::<Hero>(0usize);
    const _: () = ::ecs::__private::check_bundle_field::<Hero>(1usize);
};
