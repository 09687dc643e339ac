mod parts {
    #[derive(ecs::Component)]
    #[component(layout = "soa")]
    pub struct Proximity { pub distance: f32, angle: f32 }
}

fn main() {
    ecs::World::new().view::<&parts::proximity::angle>();
}
