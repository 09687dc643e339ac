const _: () = {
    const __ID: ::ecs::__private::ComponentId = ::ecs::__private::ComponentId::of(
            ::core::option_env!("CARGO_PKG_NAME"),
            ::core::option_env!("CARGO_PKG_VERSION"),
            ::core::module_path!(),
            "Order",
            ::core::line!(),
            ::core::column!(),
        )
        .in_binary(::core::option_env!("CARGO_BIN_NAME"));
    impl<__Place> ::ecs::__private::Lists<Order, __Place>
    for ::ecs::__private::Registry {
        type This = Order;
    }
    #[automatically_derived]
    impl ::ecs::__private::AnyComponent for Order {
        type Storage = ::ecs::__private::VecStorage<Self>;
        type Requires = ();
        const NAME: &'static ::core::primitive::str = "Order";
        const ID: ::ecs::__private::ComponentId = __ID;
        const BIT: ::ecs::__private::Signature = __ID.bit();
        #[inline]
        fn slot() -> ::core::option::Option<
            &'static ::ecs::__private::ComponentSlot<Self>,
        > {
            static __SLOT: ::ecs::__private::ComponentSlot<Order> = ::ecs::__private::ComponentSlot::new();
            ::core::option::Option::Some(&__SLOT)
        }
        const COPYING: ::core::option::Option<::ecs::__private::Copying> = ::core::option::Option::Some(
            ::ecs::__private::Copying::by_clone::<Self>(),
        );
        const DEBUGGING: ::core::option::Option<::ecs::__private::Debugging> = ::core::option::Option::Some(
            ::ecs::__private::Debugging::by_debug::<Self>(),
        );
        const DEFAULT: ::core::option::Option<fn() -> Self> = ::core::option::Option::Some(
            ::ecs::__private::default_of::<Self>,
        );
        const SHAPE: &'static ::core::primitive::str = "|Follow\n(\n*0:Entity\n|Guard\n{\n*posts:Vec<Entity>\nradius:f32\n|Wait";
        const HANDLE_FIELDS: &'static [::ecs::__private::HandleField] = {
            &[
                ::ecs::__private::HandleField::mapped("Follow.0", "Entity"),
                ::ecs::__private::HandleField::mapped("Guard.posts", "Vec<Entity>"),
            ]
        };
        fn map_entities(
            _: ::ecs::__private::Internal<Self>,
            __value: &mut Self,
            __map: &mut dyn ::core::ops::FnMut(
                ::ecs::__private::Entity,
            ) -> ::ecs::__private::Entity,
        ) {
            if let Order::Follow { 0: __handles, .. } = __value {
                ::ecs::__private::MapEntities::map_entities(__handles, __map);
            }
            if let Order::Guard { posts: __handles, .. } = __value {
                ::ecs::__private::MapEntities::map_entities(__handles, __map);
            }
        }
        fn visit_entities(
            _: ::ecs::__private::Internal<Self>,
            __value: &Self,
            __visit: &mut dyn ::core::ops::FnMut(::ecs::__private::Entity),
        ) {
            if let Order::Follow { 0: __handles, .. } = __value {
                ::ecs::__private::MapEntities::visit_entities(__handles, __visit);
            }
            if let Order::Guard { posts: __handles, .. } = __value {
                ::ecs::__private::MapEntities::visit_entities(__handles, __visit);
            }
        }
    }
    #[automatically_derived]
    impl ::ecs::__private::Component for Order {}
    #[automatically_derived]
    impl ::ecs::__private::Contents<Self> for Order {
        const PARTS: &'static [::ecs::__private::Part] = &[
            ::ecs::__private::Part::of::<Self>(),
        ];
        #[inline(always)]
        fn into_parts(__this: Self) -> impl ::ecs::__private::Parts {
            ::ecs::__private::One::new(__this)
        }
    }
    #[automatically_derived]
    impl ::ecs::__private::Term for Order {
        type Fetch = ::ecs::__private::Read<Self>;
        type WithEntity = (::ecs::__private::EntityFetch, ::ecs::__private::Read<Self>);
    }
};
