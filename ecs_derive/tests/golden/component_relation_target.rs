#[derive(Component)]
#[component(relation(target = Ship))]
struct AimsAt(Entity);
