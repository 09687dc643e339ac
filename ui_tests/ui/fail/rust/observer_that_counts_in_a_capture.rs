use ecs::{Component, World};

#[derive(Component)]
struct Health(u32);

fn main() {
    let mut count = 0;
    World::new().on_insert::<Health>(move |_, _| {
        count += 1;
        println!("{count}");
    });
}
