const _: () = {
    #[automatically_derived]
    impl engine::ecs::__private::MapEntities for Link {
        fn map_entities(
            &mut self,
            __map: &mut dyn ::core::ops::FnMut(
                engine::ecs::__private::Entity,
            ) -> engine::ecs::__private::Entity,
        ) {
            use engine::ecs::__private::UnmappedField as _;
            {
                let Self { to: __handles, .. } = self;
                engine::ecs::__private::MappedField(__handles).__ecs_map(__map);
            }
            {
                let Self { note: __handles, .. } = self;
                engine::ecs::__private::MappedField(__handles).__ecs_map(__map);
            }
        }
        fn visit_entities(
            &self,
            __visit: &mut dyn ::core::ops::FnMut(engine::ecs::__private::Entity),
        ) {
            use engine::ecs::__private::UnmappedField as _;
            {
                let Self { to: __handles, .. } = self;
                engine::ecs::__private::VisitedField(__handles).__ecs_visit(__visit);
            }
            {
                let Self { note: __handles, .. } = self;
                engine::ecs::__private::VisitedField(__handles).__ecs_visit(__visit);
            }
        }
    }
    const _: () = {
        use engine::ecs::__private::Unmapped as _;
        engine::ecs::__private::HandleField::check(
            &engine::ecs::__private::HandleField::probed(
                "note",
                "Note",
                engine::ecs::__private::HandleProbe::<Note>::__ECS_MAPS,
                engine::ecs::__private::HandleProbe::<Note>::__ECS_IS_FREE,
            ),
            "Link",
            "`#[entities(ignore)]`",
        );
    };
};
