const _: () = {
    const __ID: ::ecs::__private::ComponentId = ::ecs::__private::ComponentId::of(
            ::core::option_env!("CARGO_PKG_NAME"),
            ::core::option_env!("CARGO_PKG_VERSION"),
            ::core::module_path!(),
            "Stock",
            ::core::line!(),
            ::core::column!(),
        )
        .in_binary(::core::option_env!("CARGO_BIN_NAME"))
        .inexact();
    impl<__Place, T: Goods> ::ecs::__private::Lists<Stock<T>, __Place>
    for ::ecs::__private::Registry {
        type This = Stock<T>;
    }
    #[automatically_derived]
    impl<T: Goods> ::ecs::__private::AnyComponent for Stock<T>
    where
        ::ecs::__private::Threads: ::ecs::__private::MayShare<Self>,
        Self: 'static,
        ::ecs::__private::Handles: ::ecs::__private::NoneIn<T>,
    {
        type Storage = ::ecs::__private::VecStorage<Self>;
        type Requires = ();
        const NAME: &'static ::core::primitive::str = "Stock";
        const ID: ::ecs::__private::ComponentId = __ID;
        const BIT: ::ecs::__private::Signature = __ID.bit();
        const COPYING: ::core::option::Option<::ecs::__private::Copying> = ::core::option::Option::Some(
            ::ecs::__private::Copying::by_clone::<Self>(),
        );
        const SHAPE: &'static ::core::primitive::str = "<T\n{\nowner:Entity\n*buyers:Vec<Entity>\ngoods:T";
        ::ecs::__private::saving! {
            const SAVING : ::core::option::Option < ::ecs::__private::Saving > =
            ::core::option::Option::Some(::ecs::__private::Saving::by_serde:: < Self >
            ("stock", T::NAME, 3, 3706515927)); const SAVED_BEFORE : & 'static
            [::ecs::__private::OldSave] = & [::ecs::__private::OldSave::by_serde:: <
            Self, Old > (1), ::ecs::__private::OldSave::by_serde:: < Self, Older < T > >
            (2)];
        }
        const HANDLE_FIELDS: &'static [::ecs::__private::HandleField] = {
            &[
                ::ecs::__private::HandleField::kept("owner", "Entity"),
                ::ecs::__private::HandleField::mapped("buyers", "Vec<Entity>"),
            ]
        };
        fn map_entities(
            _: ::ecs::__private::Internal<Self>,
            __value: &mut Self,
            __map: &mut dyn ::core::ops::FnMut(
                ::ecs::__private::Entity,
            ) -> ::ecs::__private::Entity,
        ) {
            {
                let Self { buyers: __handles, .. } = __value;
                ::ecs::__private::MapEntities::map_entities(__handles, __map);
            }
        }
        fn visit_entities(
            _: ::ecs::__private::Internal<Self>,
            __value: &Self,
            __visit: &mut dyn ::core::ops::FnMut(::ecs::__private::Entity),
        ) {
            {
                let Self { buyers: __handles, .. } = __value;
                ::ecs::__private::MapEntities::visit_entities(__handles, __visit);
            }
        }
    }
    #[automatically_derived]
    impl<T: Goods> ::ecs::__private::Component for Stock<T>
    where
        ::ecs::__private::Threads: ::ecs::__private::MayShare<Self>,
        Self: 'static,
        ::ecs::__private::Handles: ::ecs::__private::NoneIn<T>,
    {}
    #[automatically_derived]
    impl<T: Goods> ::ecs::__private::Contents<Self> for Stock<T>
    where
        ::ecs::__private::Threads: ::ecs::__private::MayShare<Self>,
        Self: 'static,
        ::ecs::__private::Handles: ::ecs::__private::NoneIn<T>,
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
    impl<T: Goods> ::ecs::__private::Term for Stock<T>
    where
        Self: ::ecs::__private::AnyComponent,
    {
        type Fetch = ::ecs::__private::Read<Self>;
        type WithEntity = (::ecs::__private::EntityFetch, ::ecs::__private::Read<Self>);
    }
    #[automatically_derived]
    impl<T: Goods> ::ecs::__private::Same for Stock<T> {
        #[inline]
        fn same(&self, __other: &Self) -> ::core::primitive::bool {
            let _ = __other;
            false
        }
    }
};
