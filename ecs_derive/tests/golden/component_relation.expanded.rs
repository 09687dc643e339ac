const _: () = {
    const __ID: ::ecs::__private::ComponentId = ::ecs::__private::ComponentId::of(
            ::core::option_env!("CARGO_PKG_NAME"),
            ::core::option_env!("CARGO_PKG_VERSION"),
            ::core::module_path!(),
            "Tied",
            ::core::line!(),
            ::core::column!(),
        )
        .in_binary(::core::option_env!("CARGO_BIN_NAME"));
    impl<__Place> ::ecs::__private::Lists<Tied, __Place> for ::ecs::__private::Registry {
        type This = Tied;
    }
    #[automatically_derived]
    impl ::ecs::__private::AnyComponent for Tied {
        type Storage = ::ecs::__private::VecStorage<Self>;
        type Requires = ();
        const NAME: &'static ::core::primitive::str = "Tied";
        const ID: ::ecs::__private::ComponentId = __ID;
        const BIT: ::ecs::__private::Signature = __ID.bit();
        #[inline]
        fn slot() -> ::core::option::Option<
            &'static ::ecs::__private::ComponentSlot<Self>,
        > {
            static __SLOT: ::ecs::__private::ComponentSlot<Tied> = ::ecs::__private::ComponentSlot::new();
            ::core::option::Option::Some(&__SLOT)
        }
        const GUARDED: ::core::primitive::bool = true;
        fn permits_removal(
            _: ::ecs::__private::Internal<Self>,
            __value: &mut Self,
        ) -> ::core::primitive::bool {
            let __veto: fn(&Self) -> ::core::primitive::bool = Tied::may_go;
            __veto(__value)
        }
        const RELATION: ::core::option::Option<::ecs::__private::Rule<Self>> = ::core::option::Option::Some(
            ::ecs::__private::Rule::of_relation(),
        );
        const SHAPE: &'static ::core::primitive::str = "{\n*to:Entity\n*by:Entity\nrope:u32";
        const HANDLE_FIELDS: &'static [::ecs::__private::HandleField] = {
            use ::ecs::__private::Unmapped as _;
            &[
                ::ecs::__private::HandleField::mapped("to", "Entity"),
                ::ecs::__private::HandleField::probed(
                    "by",
                    "Entity",
                    ::ecs::__private::HandleProbe::<Entity>::__ECS_MAPS,
                    ::ecs::__private::HandleProbe::<Entity>::__ECS_IS_FREE,
                ),
            ]
        };
        fn map_entities(
            _: ::ecs::__private::Internal<Self>,
            __value: &mut Self,
            __map: &mut dyn ::core::ops::FnMut(
                ::ecs::__private::Entity,
            ) -> ::ecs::__private::Entity,
        ) {
            use ::ecs::__private::UnmappedField as _;
            {
                let Self { to: __handles, .. } = __value;
                ::ecs::__private::MapEntities::map_entities(__handles, __map);
            }
            {
                let Self { by: __handles, .. } = __value;
                ::ecs::__private::MappedField(__handles).__ecs_map(__map);
            }
        }
        fn visit_entities(
            _: ::ecs::__private::Internal<Self>,
            __value: &Self,
            __visit: &mut dyn ::core::ops::FnMut(::ecs::__private::Entity),
        ) {
            use ::ecs::__private::UnmappedField as _;
            {
                let Self { to: __handles, .. } = __value;
                ::ecs::__private::MapEntities::visit_entities(__handles, __visit);
            }
            {
                let Self { by: __handles, .. } = __value;
                ::ecs::__private::VisitedField(__handles).__ecs_visit(__visit);
            }
        }
    }
    #[automatically_derived]
    impl ::ecs::__private::Component for Tied {}
    #[automatically_derived]
    impl ::ecs::__private::Contents<Self> for Tied {
        const PARTS: &'static [::ecs::__private::Part] = &[
            ::ecs::__private::Part::of::<Self>(),
        ];
        #[inline(always)]
        fn into_parts(__this: Self) -> impl ::ecs::__private::Parts {
            ::ecs::__private::One::new(__this)
        }
    }
    #[automatically_derived]
    impl ::ecs::__private::Term for Tied {
        type Fetch = ::ecs::__private::Read<Self>;
        type WithEntity = (::ecs::__private::EntityFetch, ::ecs::__private::Read<Self>);
    }
    #[automatically_derived]
    impl ::ecs::__private::Relation for Tied {
        const ACYCLIC: ::core::primitive::bool = true;
        const AT_END: ::ecs::__private::AtEnd<Self> = ::ecs::__private::AtEnd::call(
            Tied::part,
        );
        #[inline]
        fn target(&self) -> ::ecs::__private::Entity {
            self.to
        }
        fn set_target(
            _: ::ecs::__private::Internal<Self>,
            __value: &mut Self,
            __target: ::ecs::__private::Entity,
        ) {
            ::ecs::__private::set_entity(&mut __value.to, __target);
        }
    }
};
