const _: () = {
    const __ID: ::ecs::__private::ComponentId = ::ecs::__private::ComponentId::of(
            ::core::option_env!("CARGO_PKG_NAME"),
            ::core::option_env!("CARGO_PKG_VERSION"),
            ::core::module_path!(),
            "AimsAt",
            ::core::line!(),
            ::core::column!(),
        )
        .in_binary(::core::option_env!("CARGO_BIN_NAME"));
    impl<__Place> ::ecs::__private::Lists<AimsAt, __Place>
    for ::ecs::__private::Registry {
        type This = AimsAt;
    }
    #[automatically_derived]
    impl ::ecs::__private::AnyComponent for AimsAt {
        type Storage = ::ecs::__private::VecStorage<Self>;
        type Requires = ();
        const NAME: &'static ::core::primitive::str = "AimsAt";
        const ID: ::ecs::__private::ComponentId = __ID;
        const BIT: ::ecs::__private::Signature = __ID.bit();
        #[inline]
        fn slot() -> ::core::option::Option<
            &'static ::ecs::__private::ComponentSlot<Self>,
        > {
            static __SLOT: ::ecs::__private::ComponentSlot<AimsAt> = ::ecs::__private::ComponentSlot::new();
            ::core::option::Option::Some(&__SLOT)
        }
        const RELATION: ::core::option::Option<::ecs::__private::Rule<Self>> = ::core::option::Option::Some(
            ::ecs::__private::Rule::of_relation(),
        );
        const SHAPE: &'static ::core::primitive::str = "(\n*0:Entity";
        const HANDLE_FIELDS: &'static [::ecs::__private::HandleField] = {
            &[::ecs::__private::HandleField::mapped("0", "Entity")]
        };
        fn map_entities(
            _: ::ecs::__private::Internal<Self>,
            __value: &mut Self,
            __map: &mut dyn ::core::ops::FnMut(
                ::ecs::__private::Entity,
            ) -> ::ecs::__private::Entity,
        ) {
            {
                let Self { 0: __handles, .. } = __value;
                ::ecs::__private::MapEntities::map_entities(__handles, __map);
            }
        }
        fn visit_entities(
            _: ::ecs::__private::Internal<Self>,
            __value: &Self,
            __visit: &mut dyn ::core::ops::FnMut(::ecs::__private::Entity),
        ) {
            {
                let Self { 0: __handles, .. } = __value;
                ::ecs::__private::MapEntities::visit_entities(__handles, __visit);
            }
        }
        const RULES: &'static [::ecs::__private::DeclaredRule] = &[
            ::ecs::__private::DeclaredRule::points_to::<Ship>(),
        ];
        const RULED: ::core::primitive::bool = {
            use ::ecs::__private::Unseen as _;
            ::ecs::__private::is_any_ruled(
                &::ecs::__private::SeenRequirements::<Self>::TREE,
            )
        };
    }
    #[automatically_derived]
    impl ::ecs::__private::Component for AimsAt {}
    #[automatically_derived]
    impl ::ecs::__private::Contents<Self> for AimsAt {
        const PARTS: &'static [::ecs::__private::Part] = &[
            ::ecs::__private::Part::of::<Self>(),
        ];
        #[inline(always)]
        fn into_parts(__this: Self) -> impl ::ecs::__private::Parts {
            ::ecs::__private::One::new(__this)
        }
    }
    #[automatically_derived]
    impl ::ecs::__private::Term for AimsAt {
        type Fetch = ::ecs::__private::Read<Self>;
        type WithEntity = (::ecs::__private::EntityFetch, ::ecs::__private::Read<Self>);
    }
    #[automatically_derived]
    impl ::ecs::__private::Relation for AimsAt {
        const ACYCLIC: ::core::primitive::bool = false;
        const AT_END: ::ecs::__private::AtEnd<Self> = ::ecs::__private::AtEnd::REMOVE;
        #[inline]
        fn target(&self) -> ::ecs::__private::Entity {
            self.0
        }
        fn set_target(
            _: ::ecs::__private::Internal<Self>,
            __value: &mut Self,
            __target: ::ecs::__private::Entity,
        ) {
            ::ecs::__private::set_entity(&mut __value.0, __target);
        }
    }
};
