const _: () = {
    #[automatically_derived]
    impl ::ecs::__private::Bundle for Nothing {
        const LABEL: &'static ::core::primitive::str = "Nothing";
        const FIELDS: &'static [&'static ::core::primitive::str] = &[];
        const PARTS: &'static [::ecs::__private::Part] = &[];
        #[inline]
        fn insert(self, __target: &mut ::ecs::__private::Inserter<'_>) {
            let Self {} = self;
        }
        #[inline]
        fn reserve(__target: &mut ::ecs::__private::Reserver<'_>) {}
    }
};
