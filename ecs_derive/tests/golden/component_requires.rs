#[derive(Component)]
#[component(requires(Velocity, parts::Health = Health(Self::FULL)))]
struct Ship;
