const _: () = {
    #[automatically_derived]
    impl<T> ::ecs::__private::MapEntities for Order<T>
    where
        T: ::ecs::__private::MapEntities,
    {
        fn map_entities(
            &mut self,
            __map: &mut dyn ::core::ops::FnMut(
                ::ecs::__private::Entity,
            ) -> ::ecs::__private::Entity,
        ) {
            use ::ecs::__private::UnmappedField as _;
            if let Order::Follow { 0: __handles, .. } = self {
                ::ecs::__private::MappedField(__handles).__ecs_map(__map);
            }
            if let Order::Guard { posts: __handles, .. } = self {
                ::ecs::__private::MappedField(__handles).__ecs_map(__map);
            }
            if let Order::Guard { by: __handles, .. } = self {
                ::ecs::__private::MapEntities::map_entities(__handles, __map);
            }
        }
        fn visit_entities(
            &self,
            __visit: &mut dyn ::core::ops::FnMut(::ecs::__private::Entity),
        ) {
            use ::ecs::__private::UnmappedField as _;
            if let Order::Follow { 0: __handles, .. } = self {
                ::ecs::__private::VisitedField(__handles).__ecs_visit(__visit);
            }
            if let Order::Guard { posts: __handles, .. } = self {
                ::ecs::__private::VisitedField(__handles).__ecs_visit(__visit);
            }
            if let Order::Guard { .. } = self {
                __visit(::ecs::__private::Entity::PLACEHOLDER);
            }
            if let Order::Guard { by: __handles, .. } = self {
                ::ecs::__private::MapEntities::visit_entities(__handles, __visit);
            }
        }
    }
    const _: () = {
        use ::ecs::__private::Unmapped as _;
        ::ecs::__private::HandleField::check(
            &::ecs::__private::HandleField::probed(
                "Guard.posts",
                "Vec<Post>",
                ::ecs::__private::HandleProbe::<Vec<Post>>::__ECS_MAPS,
                ::ecs::__private::HandleProbe::<Vec<Post>>::__ECS_IS_FREE,
            ),
            "Order",
            "`#[entities(ignore)]`",
        );
    };
};
