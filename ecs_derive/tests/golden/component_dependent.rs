#[derive(Component)]
#[component(relation, at_end = despawn)]
struct PartOf(Entity);
