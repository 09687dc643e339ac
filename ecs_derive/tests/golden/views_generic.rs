#[derive(Views)]
#[ecs(crate = game::ecs)]
struct Pair<'v, A: Component, B>(View<'v, &'v mut A>, View<'v, Option<&'v B>>)
where
    B: Component;
