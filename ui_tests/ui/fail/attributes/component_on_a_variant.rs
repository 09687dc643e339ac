use ecs::Component;

#[derive(Component)]
enum Weather {
    Fair,
    #[component(bit = 5)]
    Rain,
}

fn main() {}
