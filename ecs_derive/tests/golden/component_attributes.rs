#[derive(Component)]
#[component(bit = 5, veto = Self::may_go)]
#[ecs(crate = crate::engine::ecs)]
enum Health {
    Alive(u32),
    Dead,
}
