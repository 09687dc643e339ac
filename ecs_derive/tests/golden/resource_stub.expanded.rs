::core::compile_error! {
    "resources own their data: remove the lifetime `'a`, and store owned values or an `Entity`"
}
const _: () = {
    const __ID: ::ecs::__private::ComponentId = ::ecs::__private::ComponentId::of(
            ::core::option_env!("CARGO_PKG_NAME"),
            ::core::option_env!("CARGO_PKG_VERSION"),
            ::core::module_path!(),
            "Borrowed",
            ::core::line!(),
            ::core::column!(),
        )
        .in_binary(::core::option_env!("CARGO_BIN_NAME"));
    #[automatically_derived]
    impl ::ecs::__private::Resource for Borrowed<'static>
    where
        for<'__s> Self: ::ecs::__private::Share<'__s>,
    {
        const NAME: &'static ::core::primitive::str = "Borrowed";
        const ID: ::ecs::__private::ComponentId = __ID;
        #[inline]
        fn slot() -> ::core::option::Option<
            &'static ::ecs::__private::ResourceSlot<Self>,
        > {
            static __SLOT: ::ecs::__private::ResourceSlot<Borrowed<'static>> = ::ecs::__private::ResourceSlot::new();
            ::core::option::Option::Some(&__SLOT)
        }
    }
};
