::core::compile_error! {
    "components own their data: remove the lifetime `'a`, and store owned values or an `Entity`"
}
const _: () = {
    const __ID: ::ecs::__private::ComponentId = ::ecs::__private::ComponentId::of(
            ::core::option_env!("CARGO_PKG_NAME"),
            ::core::option_env!("CARGO_PKG_VERSION"),
            ::core::module_path!(),
            "Name",
            ::core::line!(),
            ::core::column!(),
        )
        .in_binary(::core::option_env!("CARGO_BIN_NAME"));
    impl<__Place> ::ecs::__private::Lists<Name<'static>, __Place>
    for ::ecs::__private::Registry {
        type This = Name<'static>;
    }
    #[automatically_derived]
    impl ::ecs::__private::AnyComponent for Name<'static>
    where
        for<'__s> Self: ::ecs::__private::Share<'__s>,
    {
        type Storage = ::ecs::__private::VecStorage<Self>;
        type Requires = ();
        const NAME: &'static ::core::primitive::str = "Name";
        const ID: ::ecs::__private::ComponentId = __ID;
        const BIT: ::ecs::__private::Signature = __ID.bit();
        #[inline]
        fn slot() -> ::core::option::Option<
            &'static ::ecs::__private::ComponentSlot<Self>,
        > {
            static __SLOT: ::ecs::__private::ComponentSlot<Name<'static>> = ::ecs::__private::ComponentSlot::new();
            ::core::option::Option::Some(&__SLOT)
        }
        const SHAPE: &'static ::core::primitive::str = "(\n~0 0:&'a str";
    }
    #[automatically_derived]
    impl ::ecs::__private::Component for Name<'static>
    where
        for<'__s> Self: ::ecs::__private::Share<'__s>,
    {}
    #[automatically_derived]
    impl ::ecs::__private::Contents<Self> for Name<'static>
    where
        for<'__s> Self: ::ecs::__private::Share<'__s>,
    {
        const PARTS: &'static [::ecs::__private::Part] = &[
            ::ecs::__private::Part::of::<Self>(),
        ];
        #[inline(always)]
        fn into_parts(__this: Self) -> impl ::ecs::__private::Parts {
            ::ecs::__private::One::new(__this)
        }
    }
    #[automatically_derived]
    impl ::ecs::__private::Term for Name<'static>
    where
        for<'__s> Self: ::ecs::__private::Share<'__s>,
    {
        type Fetch = ::ecs::__private::Read<Self>;
        type WithEntity = (::ecs::__private::EntityFetch, ::ecs::__private::Read<Self>);
    }
};
