#[derive(Component)]
#[component(relation, at_end = Tied::part, acyclic, veto = Tied::may_go)]
struct Tied {
    #[component(target)]
    to: Entity,
    by: Entity,
    rope: u32,
}
