use ecs::Component;

#[derive(Component)]
#[component(veto = is_spent)]
struct Health(u32);

fn is_spent(health: &Health) -> u32 {
    health.0
}

fn main() {}
