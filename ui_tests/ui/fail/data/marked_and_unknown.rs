use ecs::Component;

struct Order;

#[derive(Component)]
struct Orders(#[component(entities)] Vec<Order>);

fn main() {}
