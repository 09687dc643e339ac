const _: () = {
    const __ID: engine::ecs::__private::ComponentId = engine::ecs::__private::ComponentId::of(
            ::core::option_env!("CARGO_PKG_NAME"),
            ::core::option_env!("CARGO_PKG_VERSION"),
            ::core::module_path!(),
            "Queue",
            ::core::line!(),
            ::core::column!(),
        )
        .in_binary(::core::option_env!("CARGO_BIN_NAME"))
        .inexact();
    #[automatically_derived]
    impl<T: Clone, const N: usize> engine::ecs::__private::Resource for Queue<T, N>
    where
        T: Default,
        Self: ::core::marker::Send + ::core::marker::Sync + 'static,
    {
        const NAME: &'static ::core::primitive::str = "Queue";
        const ID: engine::ecs::__private::ComponentId = __ID;
    }
};
